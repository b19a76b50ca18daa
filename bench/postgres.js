import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './measure.js';
import { load, requestsTo } from './parts.js';
import { measureSearch } from './postgres-search.js';
import { docsctl, init, json, startServer } from './support.js';

const rows = 20_000;
const ingest = `ingest of ${rows.toLocaleString('en')}, s`;

/**
 * PostgreSQL beside SQLite: requests per CPU second of the same server, the time of an ingest, and searches. Needs a database that may be
 * written to, in BENCH_POSTGRES; each run makes a schema of its own there and leaves it.
 *
 * @type {import('./support.js').Part}
 */
export async function postgres({ folder, env: given }) {
  const database = process.env['BENCH_POSTGRES'];
  if (database === undefined) return ['left out: BENCH_POSTGRES names no database'];
  const env = { ...given, DOCSCTL_SECRET_KEY: randomBytes(32).toString('hex') };
  const file = join(folder, 'conversations.ndjson');
  writeFileSync(file, conversations());
  const schema = `bench_${randomBytes(6).toString('hex')}`;
  /** @type {Record<string, number>[]} */
  const figures = [];
  for (const url of [`sqlite:${join(folder, 'beside.db')}`, `${database}?schema=${schema}`])
    figures.push(await measure(url, env, file));
  const [sqlite = {}, own = {}] = figures;
  const lines = Object.entries(own).map(
    ([name, value]) =>
      `${name.padEnd(24)} PostgreSQL ${value.toFixed(name.startsWith('ingest') ? 2 : 0)}, SQLite ${(sqlite[name] ?? 0).toFixed(name.startsWith('ingest') ? 2 : 0)}, ratio ${(value / (sqlite[name] ?? 1)).toFixed(2)}`,
  );
  const copied = copyRows(database, schema, join(folder, 'rows.copy'));
  const ingested = own[ingest] ?? Number.NaN;
  lines.push(
    copied === undefined
      ? 'psql is not installed'
      : `\\copy of the same rows into a table with the same indexes ${copied.toFixed(2)} s; the ingest, which also reads and checks them, takes ${(ingested / copied).toFixed(2)} x`,
  );
  const searched = join(folder, 'searched');
  mkdirSync(searched);
  const found = await measureSearch({ folder: searched, url: `${database}?schema=${schema}_search` });
  return [...lines, ...found];
}

/**
 * Seconds for `\copy` of the conversations of a store into a new table like theirs; undefined without psql.
 *
 * @param {string} database
 * @param {string} schema
 * @param {string} file
 */
function copyRows(database, schema, file) {
  if (spawnSync('psql', ['--version']).status !== 0) return undefined;
  /** @param {string[]} commands */
  const psql = (...commands) => {
    const began = performance.now();
    execFileSync('psql', [
      database,
      '-qX',
      '-v',
      'ON_ERROR_STOP=1',
      ...commands.flatMap((one) => ['-c', one]),
    ]);
    return (performance.now() - began) / 1000;
  };
  psql(`\\copy ${schema}.conversations to '${file}'`);
  const seconds = Array.from({ length: 5 }, () => {
    psql(
      `DROP TABLE IF EXISTS ${schema}.copied`,
      `CREATE TABLE ${schema}.copied (LIKE ${schema}.conversations INCLUDING ALL)`,
    );
    return psql(`\\copy ${schema}.copied from '${file}'`);
  });
  psql(`DROP TABLE ${schema}.copied`);
  return median(seconds);
}

/**
 * @param {string} url
 * @param {NodeJS.ProcessEnv} env
 * @param {string} file
 */
async function measure(url, env, file) {
  const { organization, token } = init(url, env);
  /** @type {{ id: string }} */
  let space = { id: '' };
  for (let index = 0; index < 60; index++)
    space = json(docsctl('spaces', 'create', '--store', url, '--title', `Space ${index}`, '-o', 'json'), env);
  // With several processes, which are the default on PostgreSQL, the time of the first one would say nothing.
  const server = await startServer(url, env, ['--processes', '1']);
  const headers = { authorization: `Bearer ${token}` };
  /** @type {Record<string, number>} */
  const figures = {};
  for (const { name, ...target } of requestsTo(organization, space))
    figures[`${name}, per CPU s`] = (await load(server.base, { ...target, headers }, server.pid)).perSecond;
  await server.stop();
  const began = performance.now();
  const [program = '', ...words] = docsctl('conversations', 'ingest', file, '--store', url);
  execFileSync(program, words, { env, stdio: 'ignore' });
  figures[ingest] = (performance.now() - began) / 1000;
  return figures;
}

function conversations() {
  return Array.from({ length: rows }, (_, at) =>
    JSON.stringify({
      id: `c${at}`,
      metadata: { createdAt: '2026-01-01T00:00:00Z' },
      subject: `How do I configure ${at}`,
      parts: [
        { type: 'message', role: 'user', body: `I configure feature ${at}: ${'it says error '.repeat(40)}` },
        { type: 'message', role: 'team-member', body: 'Open the settings and turn it on. '.repeat(6) },
      ],
    }),
  ).join('\n');
}
