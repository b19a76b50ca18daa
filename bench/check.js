import { readFileSync, writeFileSync } from 'node:fs';
import { median } from './measure.js';
import { measureCommands, measureIngest, measureServer, measureStart } from './parts.js';

const file = new URL('figures.json', import.meta.url);

/** How far a ratio may be from the one that is kept, even where the runs that it was kept from agree better. */
const minSpread = 0.1;
/** How many runs the kept figures are made of. */
const runs = 3;

/**
 * A ratio, and how much worse it may be on another run: a part of itself.
 *
 * @typedef {{ ratio: number, spread: number, better: 'less' | 'more' }} Figure
 */

/**
 * Measures the figures that are kept. All are ratios to something that is measured in the same run.
 *
 * @param {import('./support.js').Bench} bench
 * @returns {Promise<Record<string, Pick<Figure, 'ratio' | 'better'>>>}
 */
async function measure(bench) {
  const [, ...start] = measureStart(bench.env);
  const [, ...commands] = await measureCommands(bench, 1000);
  const { shell, first } = await measureIngest(bench, 20_000);
  const { ready, requests } = await measureServer(bench);
  /** @type {(ratio: number, better?: Figure['better']) => Pick<Figure, 'ratio' | 'better'>} */
  const figure = (ratio, better = 'less') => ({ ratio, better });
  return {
    ...Object.fromEntries([...start, ...commands].map(({ name, ratio }) => [name, figure(ratio)])),
    ...(shell === undefined ? {} : { 'ingest of 20,000': figure(first.seconds / shell) }),
    'serve, ready': figure(ready.ratio),
    ...Object.fromEntries(requests.map(({ name, ratio }) => [`serve, ${name}`, figure(ratio, 'more')])),
  };
}

/**
 * Compares figures with those that are kept. Returns the lines to print, and whether all are good enough. `tolerance` multiplies
 * the spreads.
 *
 * @param {Record<string, Pick<Figure, 'ratio'>>} measured
 * @param {Record<string, Figure>} kept
 */
export function compare(measured, kept, tolerance = 1) {
  const lines = [];
  let isGood = true;
  for (const [name, { ratio, spread, better }] of Object.entries(kept)) {
    const now = measured[name]?.ratio;
    if (now === undefined) {
      lines.push(`${name.padEnd(28)} not measured on this machine`);
      continue;
    }
    const factor = 1 + spread * tolerance;
    const limit = better === 'less' ? ratio * factor : ratio / factor;
    const isWorse = better === 'less' ? now > limit : now < limit;
    isGood &&= !isWorse;
    lines.push(
      `${name.padEnd(28)} ${now.toFixed(2).padStart(6)}, kept ${ratio.toFixed(2)}, limit ${limit.toFixed(2)}${isWorse ? '  WORSE' : ''}`,
    );
  }
  return { lines, isGood };
}

/**
 * Measures the kept figures, and again those that are beyond their limits: a figure counts as worse if it is so twice.
 *
 * @param {(name: string) => import('./support.js').Bench} newBench
 * @param {number} tolerance
 */
export async function check(newBench, tolerance) {
  const kept = /** @type {Record<string, Figure>} */ (JSON.parse(readFileSync(file, 'utf8')));
  const first = compare(await measure(newBench('check-1')), kept, tolerance);
  if (first.isGood) return first;
  console.log('Some figures are beyond their limits. All are measured once more.');
  for (const line of first.lines.filter((text) => text.endsWith('WORSE'))) console.log(`  ${line}`);
  return compare(await measure(newBench('check-2')), kept, tolerance);
}

/**
 * Measures the figures several times, and keeps the median and the spread of each.
 *
 * @param {(name: string) => import('./support.js').Bench} newBench
 */
export async function keep(newBench) {
  /** @type {Record<string, Pick<Figure, 'ratio' | 'better'>>[]} */
  const measured = [];
  for (let run = 1; run <= runs; run++) measured.push(await measure(newBench(`keep-${run}`)));
  const [one = {}] = measured;
  const figures = Object.entries(one).map(([name, { better }]) => {
    const ratios = measured.map((each) => each[name]?.ratio ?? Number.NaN);
    const ratio = median(ratios);
    const spread = Math.max(minSpread, 1.5 * (Math.max(...ratios) / Math.min(...ratios) - 1));
    return [name, { ratio: round(ratio), spread: round(spread), better }];
  });
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(figures), null, 2)}\n`);
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 1000) / 1000;
}
