import { DatabaseSync } from '@photostructure/sqlite';
import { chmodSync, copyFileSync, existsSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { findOne, table, type Key, type Row } from '../../../src/core/store.ts';
import { layoutOf } from '../../../src/stores/layout.ts';
import { Database, openImmutable } from '../../../src/stores/sqlite/connection.ts';
import { isOldSqlite } from '../../../src/stores/sqlite/file.ts';
import { indexRanges } from '../../../src/stores/sqlite/index-ranges.ts';
import { storeVersion } from '../../../src/stores/version.ts';
import { tables } from '../../../src/resources/tables.ts';
import { checkStore, repairStore } from '../../../src/stores/check/check-store.ts';
import { notes, open, pages, temporaryFolder, texts, type PageRow } from '../fixtures.ts';

const newPath = () => join(temporaryFolder(), 'store.db');

function alter(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

function pragma(path: string, name: string): number {
  const database = new DatabaseSync(path);
  const row = database.prepare(`PRAGMA ${name}`).get() as Record<string, number>;
  database.close();
  return row[name] as number;
}

describe('a file with an older layout', () => {
  const before = table<PageRow>()('pages', { bySpace: { on: ['space'] } });
  const row = (id: string, slug: string): PageRow => ({
    id,
    space: 'spc',
    slug,
    title: `T${id}`,
    position: 1,
  });

  test('gets new indexes with all rows and counts, and keeps other tables', async () => {
    const path = newPath();
    const other = table<Row>()('others', { all: { on: [] } });
    const old = await open(path, undefined, [before, other]);
    await old.write(async (tx) => {
      for (let at = 0; at < 450; at += 1) await tx.insert(before, row(`p${at}`, `s${at}`));
      await tx.insert(other, { id: 'o' });
    });
    await old.close();
    const store = await open(path, undefined, [pages]);
    expect(await store.read((view) => findOne(view, pages, 'bySlug', ['spc', 's7']))).toMatchObject({
      id: 'p7',
    });
    expect(await store.read((view) => view.count(pages, 'byTitle', ['Tp449']))).toBe(1);
    expect(await store.read((view) => view.count(pages, 'bySpace', ['spc']))).toBe(450);
    await store.write((tx) => tx.remove(pages, 'p7'));
    await store.close();
    const again = await open(path, undefined, [before, other]);
    expect(await again.read((view) => view.count(before, 'bySpace', ['spc']))).toBe(449);
    expect(await again.read((view) => view.count(other, 'all', []))).toBe(1);
  });

  test('is not changed if rows violate the new unique key', async () => {
    const path = newPath();
    const old = await open(path, undefined, [before]);
    await old.write(async (tx) => {
      for (const id of ['a', 'b']) await tx.insert(before, row(id, 'same'));
    });
    await old.close();
    await expect(open(path, undefined, [pages])).rejects.toMatchObject({
      reason: 'store-failed',
      message: expect.stringContaining('unique'),
    });
    const again = await open(path, undefined, [before]);
    expect(await again.read((view) => view.count(before, 'bySpace', ['spc']))).toBe(2);
  });

  test('cannot be written by a process that still uses the old layout', async () => {
    const path = newPath();
    const old = await open(path, undefined, [before]);
    await old.write((tx) => tx.insert(before, row('a', 's')));
    await open(path, undefined, [pages]);
    await expect(old.write((tx) => tx.insert(before, row('b', 't')))).rejects.toMatchObject({
      reason: 'store-failed',
      message: expect.stringContaining('changed the layout'),
    });
  });
});

test('upgrades a store of version 1, which an older docsctl then refuses', async () => {
  const path = newPath();
  await (await open(path)).close();
  alter(path, 'PRAGMA user_version = 1');
  const store = await open(path);
  await store.write((tx) => tx.insert(pages, { id: 'a', space: 's' }));
  await store.close();
  const database = new DatabaseSync(path);
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: storeVersion });
  database.close();
  expect(storeVersion).toBeGreaterThan(1);
});

/** Turns a file into one of version 2, whose rows have no checksums. */
function withoutChecksums(path: string): void {
  alter(
    path,
    "ALTER TABLE pages DROP COLUMN checksum; ALTER TABLE texts DROP COLUMN checksum; UPDATE docsctl_meta SET value = '{}'; PRAGMA user_version = 2",
  );
}

test('adds missing checksums once, even if several processes open the file', async () => {
  const path = newPath();
  const first = await open(path);
  await first.write(async (tx) => {
    for (let at = 0; at < 450; at++) await tx.insert(pages, { id: `p${at}`, space: 's', title: `T${at}` });
    for (const id of ['a', 'b']) await tx.insert(texts, { id, space: 's', body: 'pelican' });
  });
  await first.close();
  withoutChecksums(path);
  alter(path, "UPDATE pages SET data = '{' WHERE id = 'p7'");
  const stores = await Promise.all(Array.from({ length: 4 }, () => open(path)));
  for (const [at, store] of stores.entries())
    await store.write((tx) => tx.update(pages, `p${at}`, { title: 'new' }));
  const target = { url: path, tables: [...tables, pages, notes, texts], cwd: '' };
  expect(await checkStore(target)).toEqual({
    rows: 452,
    damages: [{ table: 'pages', id: 'p7', what: 'is not JSON' }],
    opens: true,
  });
  for (const store of stores) await store.close();
});

test('neither reads nor changes a row with a wrong checksum', async () => {
  const path = newPath();
  const target = { url: path, tables: [...tables, pages, notes, texts], cwd: '' };
  const first = await open(path);
  await first.write(async (tx) => {
    for (const id of ['a', 'b']) await tx.insert(pages, { id, space: 's', title: 'pelican' });
  });
  await first.close();
  alter(path, "UPDATE pages SET data = replace(data, 'pelican', 'pelikan') WHERE id = 'a'");
  const damages = [{ table: 'pages', id: 'a', what: 'does not have its checksum' }];
  expect((await checkStore(target)).damages).toEqual(damages);
  const refusal = {
    reason: 'store-failed',
    message: 'The store is damaged: a row of pages does not have its checksum.',
  };
  const store = await open(path);
  await expect(store.read((view) => view.get(pages, 'a'))).rejects.toMatchObject(refusal);
  await expect(
    store.read((view) => view.find(pages, { index: 'bySpace', equals: ['s'], limit: 2 })),
  ).rejects.toMatchObject(refusal);
  await expect(store.write((tx) => tx.update(pages, 'a', { position: 1 }))).rejects.toMatchObject(refusal);
  await store.write((tx) => tx.update(pages, 'b', { position: 1 }));
  await store.close();
  await repairStore(target);
  alter(path, "UPDATE docsctl_meta SET value = '{}'");
  await (await open(path)).close();
  expect((await checkStore(target)).damages).toEqual(damages);
});

test('refuses and repairs a file with a damaged layout', async () => {
  const path = newPath();
  const target = { url: path, tables: [...tables, pages, notes, texts], cwd: '' };
  const first = await open(path);
  await first.write((tx) => tx.insert(pages, { id: 'a', space: 's' }));
  await first.close();
  alter(path, "UPDATE docsctl_meta SET value = replace(value, ':', ';') WHERE name = 'layout'");
  await expect(open(path)).rejects.toMatchObject({
    reason: 'store-failed',
    message: 'The store is damaged: the layout of its tables is not JSON.',
  });
  expect((await checkStore(target)).damages).toHaveLength(1);
  await repairStore(target);
  expect(await checkStore(target)).toEqual({ rows: 1, damages: [], opens: true });
});

test('keeps no lock on a file in which its tables cannot be created', async () => {
  const path = newPath();
  await (await open(path, undefined, [notes])).close();
  alter(path, 'CREATE VIEW pages AS SELECT 1');
  await expect(open(path)).rejects.toMatchObject({ reason: 'store-failed' });
  alter(path, 'DROP VIEW pages');
  const store = await open(path);
  await store.write((tx) => tx.insert(pages, { id: 'a', space: 's' }));
  expect(await store.read((view) => view.get(pages, 'a'))).toBeDefined();
});

test('sets the current version, which a running docsctl of an older version notices', async () => {
  const path = newPath();
  await (await open(path)).close();
  alter(path, `PRAGMA user_version = ${storeVersion - 1}`);
  const before = pragma(path, 'schema_version');
  await (await open(path)).close();
  expect(pragma(path, 'user_version')).toBe(storeVersion);
  expect(pragma(path, 'schema_version')).toBeGreaterThan(before);
});

test('refuses a newer store, without reporting damage', async () => {
  const path = newPath();
  await (await open(path)).close();
  alter(path, 'PRAGMA user_version = 99');
  // With this, a server answers 503.
  await expect(open(path)).rejects.toMatchObject({ retryAfter: 60 });
  await expect(checkStore({ url: path, tables: [], cwd: '' })).rejects.toMatchObject({
    message: expect.stringContaining('newer version of docsctl'),
  });
  await expect(open(path)).rejects.toMatchObject({
    reason: 'store-failed',
    message: expect.stringContaining('newer version of docsctl'),
  });
});

test.each([
  ['3.51.2', true],
  ['3.51.3', false],
  ['3.51.4', false],
  ['3.50.9', true],
  ['3.52.0', false],
  ['2.99.9', true],
  ['4.0.0', false],
  ['3.51', true],
])('detects whether SQLite %s is too old: %s', (sqliteVersion, expected) => {
  expect(isOldSqlite(sqliteVersion)).toBe(expected);
});

test('refuses the database of another program without changing it', async () => {
  const path = newPath();
  alter(path, 'CREATE TABLE theirs (x)');
  const { mtimeMs } = statSync(path);
  await expect(open(path)).rejects.toMatchObject({
    reason: 'store-failed',
    message: expect.stringContaining('another program'),
  });
  expect(statSync(path).mtimeMs).toBe(mtimeMs);
});

test('reads every page of a list with an index, without a scan or a sort', async () => {
  const path = newPath();
  await (await open(path)).close();
  const database = new Database(path);
  onTestFinished(() => database.close());
  const layout = layoutOf(pages);
  let plans = 0;
  for (const name of ['all', 'bySpace', 'byTitle']) {
    const index = layout.indexes.get(name);
    if (index === undefined) throw new Error(name);
    const places: (readonly Key[] | undefined)[] = [
      undefined,
      index.place.map(() => 'x'),
      index.place.map((field) => (field === 0 ? 'x' : null)),
    ];
    for (const after of places) {
      for (const descending of [false, true]) {
        for (const { sql, values } of indexRanges(layout, index, {
          equals: index.on.map(() => 'x'),
          after,
          descending,
          limit: 5,
        })) {
          const plan = database
            .all<[number, number, number, string]>(`EXPLAIN QUERY PLAN ${sql}`, ...values, 5)
            .map((line) => line[3]);
          expect(plan).toHaveLength(1);
          expect(plan[0]).toMatch(
            index.on.length === 0 && after === undefined
              ? /^SCAN pages USING INDEX/
              : /^SEARCH pages USING INDEX/,
          );
          plans += 1;
        }
      }
    }
  }
  expect(plans).toBeGreaterThan(20);
});

test('reads a store as immutable if no files can be created next to it', async () => {
  const path = newPath();
  const store = await open(path);
  await store.write((tx) => tx.insert(pages, { id: 'a', space: 'spc' }));
  await store.close();
  chmodSync(path, 0o400);
  const database = openImmutable(path);
  onTestFinished(() => database.close());
  expect(database.get('SELECT id FROM pages')).toEqual(['a']);
  expect(() => database.exec('DELETE FROM pages')).toThrow(
    expect.objectContaining({ reason: 'store-failed', message: expect.stringContaining('read-only') }),
  );
});

test('sends no statements on a connection after a failure', () => {
  const database = new Database(newPath());
  onTestFinished(() => database.close());
  database.exec('PRAGMA max_page_count = 3; CREATE TABLE t (x)');
  database.exec('BEGIN');
  expect(() => database.run('INSERT INTO t VALUES (?)', 'x'.repeat(100_000))).toThrow(
    expect.objectContaining({ reason: 'store-failed', message: expect.stringContaining('full') }),
  );
  expect(() => database.run('INSERT INTO t VALUES (?)', 'small')).toThrow(
    expect.objectContaining({ reason: 'store-failed' }),
  );
  expect(database.hasFailed).toBe(true);
});

test('syncs every commit, also after the file is reopened', async () => {
  const path = newPath();
  await (await open(path)).close();
  const { SqliteFile } = await import('../../../src/stores/sqlite/file.ts');
  const database = await new SqliteFile(path, new Map(), 0).connect();
  onTestFinished(() => database.close());
  expect(
    ['journal_mode', 'synchronous', 'foreign_keys', 'trusted_schema'].map(
      (name) => database.get(`PRAGMA ${name}`)?.[0],
    ),
  ).toEqual(['wal', 2, 1, 0]);
});

test.each(['replaced', 'removed', 'emptied'] as const)(
  'refuses to use a file that was %s while it was open',
  async (end) => {
    const path = newPath();
    const store = await open(path);
    await store.write((tx) => tx.insert(pages, { id: 'a', space: 'spc' }));
    expect(store.stamp?.()).toBeDefined();
    if (end === 'removed') rmSync(path);
    else if (end === 'emptied') truncateSync(path);
    else {
      copyFileSync(path, `${path}.other`);
      renameSync(`${path}.other`, path);
    }
    const refused = {
      reason: 'store-failed',
      message: `The file ${path} was ${end} while it was in use.`,
    };
    await expect(store.read((view) => view.get(pages, 'a'))).rejects.toMatchObject(refused);
    await expect(store.write((tx) => tx.remove(pages, 'a'))).rejects.toMatchObject(refused);
    expect(existsSync(path)).toBe(end !== 'removed');
    const later = performance.now() + 60_000;
    vi.spyOn(performance, 'now').mockReturnValue(later);
    expect(store.stamp?.()).toBeUndefined();
    vi.restoreAllMocks();
  },
);

test('returns no stamp if the file cannot be opened again', async () => {
  const path = newPath();
  const store = await open(path);
  await store.write((tx) => tx.insert(pages, { id: 'a', space: 'spc' }));
  const failing = vi.spyOn(Database.prototype, 'get').mockImplementation(() => {
    throw new Error('no');
  });
  expect(store.stamp?.()).toBeUndefined();
  failing.mockRestore();
  expect(store.stamp?.()).toBeDefined();
});
