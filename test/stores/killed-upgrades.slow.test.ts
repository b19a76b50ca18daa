import { DatabaseSync } from '@photostructure/sqlite';
import { buildSync } from 'esbuild';
import { execa } from 'execa';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../src/resources/tables.ts';
import { openStore } from '../../src/stores/index.ts';
import { storeVersion } from '../../src/stores/version.ts';
import { hasPostgres } from '../support/postgres-server.ts';
import { emptyPostgres, query } from '../support/postgres.ts';

/** The number of killed upgrades of each store version (default: enough to detect data loss). */
const kills = Number(process.env['UPGRADE_KILLS'] ?? 2);
const here = fileURLToPath(new URL('.', import.meta.url));
const bin = join(here, '../../bin/docsctl.js');
const home = mkdtempSync(join(tmpdir(), 'docsctl-upgrades-'));
const env = { ...process.env, DOCSCTL_CONFIG_DIR: join(home, 'config'), DOCSCTL_SECRET_KEY: 'ab'.repeat(32) };
// The folder is next to the packages, so that the child process finds the native one.
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(here, '../../node_modules/.upgrades-'));
  const entryPoints = [join(here, 'upgrade-child.ts')];
  const outfile = join(folder, 'child.mjs');
  buildSync({ entryPoints, bundle: true, platform: 'node', format: 'esm', packages: 'external', outfile });
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
});

/** Turns a store into one of an older version, without the indexes, columns and search words of the current version. */
async function age(url: string, version: number): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.replace('sqlite:', ''));
    const named = (where: string) =>
      database.prepare(`SELECT name FROM sqlite_schema WHERE ${where}`).all() as { name: string }[];
    for (const { name } of named("type = 'index' AND sql IS NOT NULL")) database.exec(`DROP INDEX "${name}"`);
    for (const { name } of named("type = 'table' AND sql LIKE 'CREATE VIRTUAL%'"))
      database.exec(`DROP TABLE "${name}"`);
    database.exec(
      `DELETE FROM docsctl_counts; UPDATE docsctl_meta SET value = '{}' WHERE name = 'layout'; PRAGMA user_version = ${version}`,
    );
    database.close();
    return;
  }
  const schema = new URL(url).searchParams.get('schema');
  const indexes = await query(
    url,
    `SELECT indexname FROM pg_indexes WHERE schemaname = '${schema}' AND indexname NOT LIKE '%\\_pkey'`,
  );
  const words = await query(
    url,
    `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = '${schema}' AND column_name LIKE 'w\\_%'`,
  );
  await query(
    url,
    [
      ...indexes.map(({ indexname }) => `DROP INDEX "${schema}"."${String(indexname)}"`),
      ...words.map(
        (word) =>
          `ALTER TABLE "${schema}"."${String(word['table_name'])}" DROP COLUMN "${String(word['column_name'])}"`,
      ),
      `DELETE FROM "${schema}".docsctl_counts`,
      `UPDATE "${schema}".docsctl_meta SET value = '[]' WHERE name LIKE 'layout %'`,
      `UPDATE "${schema}".docsctl_meta SET value = '${version}' WHERE name = 'format'`,
    ].join('; '),
  );
}

/** Returns the hash of all rows of a store. */
async function hashOf(url: string): Promise<string> {
  const store = await openStore(url, { tables });
  const hash = createHash('sha256');
  await store.read(async (view) => {
    for (const table of tables) {
      const ids = await view.scan(table, '', 100_000);
      const rows = await Promise.all(ids.map(({ id }) => view.get(table, id)));
      hash.update(JSON.stringify(rows));
    }
  });
  await store.close();
  return hash.digest('hex');
}

/** Skips the 30 seconds before another process continues the upgrade of a killed process. */
async function letClaimEnd(url: string): Promise<void> {
  const schema = new URL(url).searchParams.get('schema');
  await query(
    url,
    `UPDATE "${schema}".docsctl_meta SET value = '0 ' || split_part(value, ' ', 2) WHERE name = 'upgrade'`,
  );
}

/** Upgrades a store in a process that is killed after some milliseconds. Returns whether and when it had finished. */
async function upgrade(
  url: string,
  killedAfter = 60_000,
): Promise<{ readonly isDone: boolean; readonly took: number }> {
  const child = spawn(process.execPath, [join(folder, 'child.mjs'), url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  const begins = performance.now();
  let isDone = false;
  const done = once(child.stdout, 'data').then(() => (isDone = true));
  await Promise.race([done, ended, delay(killedAfter, undefined, { ref: false })]);
  const took = performance.now() - begins;
  child.kill('SIGKILL');
  await ended;
  if (!isDone && url.startsWith('postgres:')) await letClaimEnd(url);
  return { isDone, took };
}

const versions = Array.from({ length: storeVersion }, (_, at) => at + 1);
const kinds = ['sqlite', ...(hasPostgres() ? ['postgres'] : [])];
describe.each(kinds)('%s', (kind) => {
  // One store for all versions: each test turns it into an older version.
  let url = '';
  let before = '';
  const docsctl = (...words: string[]) =>
    execa(process.execPath, [bin, ...words, '--store', url], { env, reject: false });
  beforeAll(async () => {
    url = kind === 'sqlite' ? `sqlite:${join(home, 'store.db')}` : await emptyPostgres();
    await docsctl('init', '--org-title', 'Acme', '--email', 'ana@example.com');
    await docsctl('spaces', 'create', '--title', 'Guide');
    const { exitCode } = await docsctl('spaces', 'import', 'Guide', join(here, '../../docs'));
    expect(exitCode).toBe(0);
    before = await hashOf(url);
  });
  test.each(versions)(
    'completes the upgrade of a store of version %i, however often the upgrade is killed',
    { timeout: 120_000 + kills * 5000 },
    async (version) => {
      await age(url, version);
      const { took } = await upgrade(url);
      let [seed, whole, cut, isOld] = [version, 0, 0, false];
      for (let kill = 0; kill < kills; kill++) {
        seed = (seed * 48_271) % 2_147_483_647;
        if (isOld === false) await age(url, version);
        // A few are killed just after they finish.
        const { isDone } = await upgrade(url, (1.2 * took * (seed % 1000)) / 1000);
        isOld = !isDone;
        if (isDone) whole++;
        else cut++;
      }
      expect(await hashOf(url)).toBe(before);
      const { exitCode, stdout } = await docsctl('store', 'check', '-o', 'json');
      expect({ exitCode, stdout }).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining('"count": 0'),
      });
      if (kills > 2)
        console.log(
          `${kind}, version ${version}: ${cut} upgrades of ${Math.round(took)} ms killed, ${whole} ended before`,
        );
    },
  );
});
