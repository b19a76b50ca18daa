import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './measure.js';
import { json, node } from './support.js';

const packageName = 'graphile-worker@0.17';
const rounds = Number(process.env['BENCH_JOB_ROUNDS'] ?? 5);
const jobs = 6000;
const workers = 4;
/** @param {string} name */
const file = (name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Jobs that do nothing, of one organization and of eight: how many a second, and the CPU time of the process for each. On
 * PostgreSQL beside graphile-worker, if BENCH_POSTGRES names a database, and BENCH_GRAPHILE a folder in which it is installed, or
 * `install`.
 *
 * @type {import('./support.js').Part}
 */
export async function jobsPart({ folder, env: given }) {
  const env = { ...given, DOCSCTL_SECRET_KEY: randomBytes(32).toString('hex') };
  const database = process.env['BENCH_POSTGRES'];
  /** @type {(url: string, organizations: number) => Figures} */
  const own = (url, organizations) => {
    const words = [url, ...[jobs, organizations, workers].map(String)];
    return json([node, file('../.scripts/run-source.js'), file('jobs-own.ts'), ...words], env);
  };
  /** @type {Record<string, () => Figures>} */
  const kinds = {
    'SQLite, 1 organization': () => own(`sqlite:${join(folder, `${randomBytes(6).toString('hex')}.db`)}`, 1),
  };
  if (database !== undefined) {
    const schema = () => `${database}?schema=bench_${randomBytes(6).toString('hex')}`;
    kinds['PostgreSQL, 1 organization'] = () => own(schema(), 1);
    kinds['PostgreSQL, 8 organizations'] = () => own(schema(), 8);
    const installed = installGraphile(folder);
    if (installed !== undefined)
      kinds[packageName] = () =>
        json([node, file('jobs-graphile.js'), installed, database, String(jobs), String(workers)], env);
  }
  /** @type {Record<string, Figures[]>} */
  const figures = Object.fromEntries(Object.keys(kinds).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of Object.entries(kinds)) figures[name]?.push(run());
  const peer = figures[packageName];
  return Object.entries(figures).map(([name, runs]) => {
    const ratios = peer?.map(({ perSecond }, at) => (runs[at]?.perSecond ?? 0) / perSecond) ?? [];
    const beside =
      ratios.length === 0 || runs === peer ? '' : `, ${median(ratios).toFixed(2)} x ${packageName}`;
    return `${name.padEnd(28)} ${median(runs.map(({ perSecond }) => perSecond))
      .toFixed(0)
      .padStart(6)} jobs/s, ${median(runs.map(({ cpu }) => cpu)).toFixed(2)} ms of CPU each${beside}`;
  });
}

/** @typedef {{ perSecond: number, cpu: number }} Figures `cpu`: milliseconds for a job */

/**
 * Returns the folder in which graphile-worker is installed; undefined if it is not measured.
 *
 * @param {string} folder
 */
function installGraphile(folder) {
  const wanted = process.env['BENCH_GRAPHILE'];
  if (wanted !== 'install') return wanted;
  const home = join(folder, 'graphile');
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', packageName], { cwd: home });
  return home;
}
