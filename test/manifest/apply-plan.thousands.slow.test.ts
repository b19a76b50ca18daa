import { expect, it } from 'vitest';
import { createBench, linesOf } from './bench.ts';

/** 2,000 resources: 40 teams, 160 collections, 1,700 spaces, 5 sites of 19 sections. */
function manifest(): string {
  const lines = ['teams:'];
  for (let index = 0; index < 40; index++) lines.push(`  t${index}: { title: Team ${index} }`);
  lines.push('collections:');
  for (let index = 0; index < 160; index++)
    lines.push(
      `  c${index}: { title: Collection ${index}${index < 20 ? '' : `, parent: !ref collection.c${index % 20}`} }`,
    );
  lines.push('spaces:');
  for (let index = 0; index < 1700; index++)
    lines.push(`  s${index}: { title: Space ${index}, parent: !ref collection.c${index % 160} }`);
  lines.push('sites:');
  for (let index = 0; index < 5; index++) {
    lines.push(`  d${index}:`, `    title: Docs ${index}`, '    sections:');
    for (let section = 0; section < 19; section++)
      lines.push(
        `      - { path: p${section}, title: Section ${section}, space: !ref space.s${index * 19 + section} }`,
      );
  }
  return lines.join('\n');
}

it('apply creates 2,000 resources with one or two calls each, and reads them page by page if nothing changed', async () => {
  const bench = await createBench();
  bench.keepsLock = false;
  await bench.bring(manifest(), { concurrency: 8 });
  expect(bench.changing.length).toBeLessThan(2000 + 5 * 19 * 2);
  bench.forget();
  const { unchanged } = await bench.apply();
  expect(unchanged).toBeGreaterThanOrEqual(2000);
  expect(bench.changing).toEqual([]);
  // Teams and collections in a page each, spaces in four, sites in one, and one for the structure of each site.
  expect(bench.calls.map(({ operation }) => operation.id).sort()).toEqual([
    'collections.list',
    'sites.list',
    ...Array.from({ length: 5 }, () => 'sites.structure'),
    ...Array.from({ length: 4 }, () => 'spaces.list'),
    'teams.list',
  ]);
  expect(linesOf(await bench.plan())).toEqual([]);
}, 60_000);
