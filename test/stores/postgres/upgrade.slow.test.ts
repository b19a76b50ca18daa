import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { table, type Row, type Table } from '../../../src/core/store.ts';
import { openStore } from '../../../src/stores/index.ts';
import { lockOf } from '../../../src/stores/postgres/lanes.ts';
import { emptyPostgres, query } from '../../support/postgres.ts';
import { tables } from '../../../src/resources/tables.ts';
import { checkStore, repairStore } from '../../../src/stores/check/check-store.ts';
import { storeVersion } from '../../../src/stores/version.ts';
import { open } from '../fixtures.ts';

interface ItemRow extends Row {
  readonly kind: string;
  readonly title?: string;
  readonly size?: number;
}
const first = table<ItemRow>()('items', { byKind: { on: ['kind'] } });
const second = table<ItemRow>()(
  'items',
  { byKind: { on: ['kind'], by: ['size'] }, byTitle: { on: ['title'], unique: true } },
  { title: 1 },
);
const schemaOf = (url: string): string => new URL(url).searchParams.get('schema') ?? '';

test('adds the columns, indexes, counts and search words of a newer version', async () => {
  const url = await emptyPostgres();
  const old = await open(url, undefined, [first]);
  await old.write(async (tx) => {
    for (let at = 0; at < 450; at++)
      await tx.insert(first, {
        id: `i${at}`,
        kind: at % 2 === 0 ? 'even' : 'odd',
        title: `Title ${at}`,
        size: -at,
      });
  });
  const store = await open(url, undefined, [second]);
  const found = await store.read(async (view) => ({
    odd: await view.count(second, 'byKind', ['odd']),
    first: (await view.find(second, { index: 'byKind', equals: ['odd'], limit: 1 }))[0]?.id,
    titled: await view.find(second, { index: 'byTitle', equals: ['Title 7'], limit: 2 }),
    hits: await view.search(second, { index: 'byKind', anyOf: [['odd']], query: 'title 9', limit: 1 }),
  }));
  expect(found).toMatchObject({ odd: 225, first: 'i449', titled: [{ id: 'i7' }], hits: [{ id: 'i9' }] });
  // The older version does not know the new layout, and refuses it instead of leaving columns empty.
  for (const refused of [
    () => old.write((tx) => tx.insert(first, { id: 'late', kind: 'odd' })),
    async () => old.checkInUse?.(),
  ])
    await expect(refused()).rejects.toMatchObject({
      reason: 'store-failed',
      message: expect.stringContaining('has changed the layout'),
    });
  await store.checkInUse?.();
  await expect(
    store.write((tx) => tx.insert(second, { id: 'x', kind: 'odd', title: 'Title 7' })),
  ).rejects.toMatchObject({ reason: 'conflict', message: 'The title "Title 7" is already taken.' });
});

test('upgrades once if several stores open at the same time', async () => {
  const url = await emptyPostgres();
  const stores = await Promise.all(Array.from({ length: 8 }, () => open(url, undefined, [first])));
  await Promise.all(
    stores.map((store, at) => store.write((tx) => tx.insert(first, { id: `i${at}`, kind: 'k' }))),
  );
  const upgraded = await Promise.all(Array.from({ length: 8 }, () => open(url, undefined, [second])));
  for (const store of upgraded)
    expect(await store.read((view) => view.count(second, 'byKind', ['k']))).toBe(8);
  expect(await query(url, `SELECT * FROM "${schemaOf(url)}".docsctl_meta WHERE name = 'upgrade'`)).toEqual(
    [],
  );
});

test('continues an upgrade after its process was killed', async () => {
  const url = await emptyPostgres();
  const old = await open(url, undefined, [first]);
  await old.write((tx) => tx.insert(first, { id: 'a', kind: 'k', title: 'T' }));
  // A process claimed the upgrade, added a column and was killed. Its claim has expired.
  await query(
    url,
    `INSERT INTO "${schemaOf(url)}".docsctl_meta VALUES ('upgrade', '1 other'); ALTER TABLE "${schemaOf(url)}".items ADD COLUMN "k_title" text COLLATE "C"`,
  );
  const store = await open(url, undefined, [second]);
  expect(await store.read((view) => view.count(second, 'byTitle', ['T']))).toBe(1);
});

test('waits for another upgrade only as long as its process holds the lock', async () => {
  const url = await emptyPostgres();
  const schema = schemaOf(url);
  const old = await open(url, undefined, [first]);
  await old.write((tx) => tx.insert(first, { id: 'a', kind: 'k', title: 'T' }));
  const other = new pg.Client({ connectionString: url.replace(/\?.*/, '') });
  await other.connect();
  const claimed = 99_999_999_999_999;
  await other.query(`INSERT INTO "${schema}".docsctl_meta VALUES ('upgrade', '${claimed} other locked')`);
  await other.query(`SELECT pg_advisory_lock(${lockOf(`"${schema}"`, 'upgrade')})`);
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => sent.mockRestore());
  const tries = () => sent.mock.calls.filter(([given]) => JSON.stringify(given)?.includes('pg_try_advisory'));
  let isOpen = false;
  const opening = open(url, undefined, [second]).finally(() => (isOpen = true));
  await expect.poll(() => tries().length, { timeout: 20_000 }).toBeGreaterThan(1);
  expect(isOpen).toBe(false);
  await other.end();
  const store = await opening;
  expect(await store.read((view) => view.count(second, 'byTitle', ['T']))).toBe(1);
  // The lock was released: another connection gets it at once.
  const [free] = await query(url, `SELECT pg_try_advisory_lock(${lockOf(`"${schema}"`, 'upgrade')}) AS got`);
  expect(free).toEqual({ got: true });
});

test('waits for the time of a claim if there are no locks', async () => {
  const url = await emptyPostgres('&lanes=off');
  const schema = schemaOf(url);
  await open(url, undefined, [first]);
  // A claim of a process without locks also applies to processes with locks.
  const claimed = 99_999_999_999_999;
  await query(url, `INSERT INTO "${schema}".docsctl_meta VALUES ('upgrade', '${claimed} other')`);
  for (const at of [url, url.replace('&lanes=off', '')]) {
    const sent = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => sent.mockRestore());
    const tries = () => sent.mock.calls.filter(([given]) => JSON.stringify(given)?.includes(`'upgrade', (`));
    const opening = open(at, undefined, [second]);
    await expect.poll(() => tries().length, { timeout: 20_000 }).toBeGreaterThan(1);
    await query(url, `UPDATE "${schema}".docsctl_meta SET value = '1 other' WHERE name = 'upgrade'`);
    await opening;
    sent.mockRestore();
    await query(
      url,
      `UPDATE "${schema}".docsctl_meta SET value = '[]' WHERE name = 'layout items'; INSERT INTO "${schema}".docsctl_meta VALUES ('upgrade', '${claimed} other')`,
    );
  }
});

test('adds missing checksums once, and stops a docsctl that writes none', async () => {
  const url = await emptyPostgres();
  const schema = schemaOf(url);
  const target = { url, tables: [...tables, second], cwd: '' };
  const old = await open(url, undefined, [second]);
  await old.write(async (tx) => {
    for (let at = 0; at < 450; at++)
      await tx.insert(second, { id: `i${at}`, kind: 'k', title: `Title ${at}` });
  });
  await query(
    url,
    `SET search_path TO "${schema}"; ALTER TABLE items DROP COLUMN checksum; ALTER TABLE docsctl_marks DROP COLUMN checksum;
     UPDATE items SET data = '{' WHERE id = 'i7'; UPDATE docsctl_meta SET value = '2' WHERE name = 'format';
     UPDATE docsctl_meta SET value = 'old' WHERE name LIKE 'layout %'`,
  );
  const stores = await Promise.all(Array.from({ length: 8 }, () => open(url, undefined, [second])));
  for (const [at, store] of stores.entries())
    await store.write((tx) => tx.update(second, `i${at + 10}`, { size: at }));
  const { rows, damages } = await checkStore(target);
  expect(rows).toBe(450);
  expect(damages).toEqual([{ table: 'items', id: 'i7', what: 'does not have its checksum' }]);
  expect(await query(url, `SELECT value FROM "${schema}".docsctl_meta WHERE name = 'format'`)).toEqual([
    { value: String(storeVersion) },
  ]);
});

test('rebuilds the search words of an older version, also after the upgrade is killed', async () => {
  const url = await emptyPostgres();
  const schema = schemaOf(url);
  const target = { url, tables: [...tables, second], cwd: '' };
  const body = 'word other '.repeat(300);
  const old = await open(url, undefined, [second]);
  await old.write(async (tx) => {
    for (let at = 0; at < 450; at++)
      await tx.insert(second, { id: `i${at}`, kind: 'k', title: `Title ${at} ${body}` });
  });
  // This is the state that an older version left: with the numbers of all stems, and without storage settings.
  await query(
    url,
    `SET search_path TO "${schema}"; UPDATE items SET w_counts = '{"titl": 1, "word": 300, "other": 300}';
     ALTER TABLE items RESET (toast_tuple_target); ALTER TABLE items ALTER COLUMN w_counts SET STORAGE EXTENDED;
     UPDATE docsctl_meta SET value = 'old' WHERE name = 'layout items'`,
  );
  // A process claimed the upgrade, dropped the index of search words and was killed. Its claim has expired.
  await query(
    url,
    `SET search_path TO "${schema}"; INSERT INTO docsctl_meta VALUES ('upgrade', '1 other'); DROP INDEX items_words`,
  );
  const store = await open(url, undefined, [second]);
  expect((await checkStore(target)).damages).toEqual([]);
  const counts = `SELECT w_counts::text AS counts FROM "${schema}".items WHERE id = 'i9'`;
  expect(await query(url, counts)).toEqual([{ counts: '{"word": "300", "other": "300"}' }]);
  const options = `SELECT reloptions AS options FROM pg_class WHERE oid = '"${schema}".items'::regclass`;
  expect(await query(url, options)).toEqual([{ options: ['toast_tuple_target=1000'] }]);
  const hits = await store.read((view) =>
    view.search(second, { index: 'byKind', anyOf: [['k']], query: 'title 9', limit: 1 }),
  );
  expect(hits).toMatchObject([{ id: 'i9' }]);
});

test('does not change a row with a wrong checksum', async () => {
  const url = await emptyPostgres();
  const target = { url, tables: [...tables, second], cwd: '' };
  const store = await open(url, undefined, [second]);
  await store.write(async (tx) => {
    for (const id of ['a', 'b']) await tx.insert(second, { id, kind: 'k', title: `Title ${id}` });
  });
  const schema = schemaOf(url);
  await query(
    url,
    `UPDATE "${schema}".items SET data = replace(data, '"k"', '"l"') WHERE id = 'a'; UPDATE "${schema}".docsctl_meta SET value = 'old' WHERE name LIKE 'layout %'`,
  );
  const damage = { table: 'items', id: 'a', what: 'does not have its checksum' };
  expect((await checkStore(target)).damages).toContainEqual(damage);
  await repairStore(target);
  expect((await checkStore(target)).damages).toContainEqual(damage);
});

test('names the rows that violate a new unique key', async () => {
  const url = await emptyPostgres();
  const old = await open(url, undefined, [first]);
  await old.write(async (tx) => {
    for (const id of ['a', 'b']) await tx.insert(first, { id, kind: 'k', title: 'same' });
  });
  await expect(open(url, undefined, [second])).rejects.toMatchObject({
    reason: 'store-failed',
    message: expect.stringContaining('rows of "items" share a key'),
  });
  // The older version continues to work.
  await old.write((tx) => tx.insert(first, { id: 'c', kind: 'k', title: 'other' }));
  expect(await old.read((view) => view.count(first, 'byKind', ['k']))).toBe(3);
});

test('sets the current version even if the layout is current, and running processes notice it', async () => {
  const url = await emptyPostgres();
  await open(url, undefined, [first]);
  const meta = `"${schemaOf(url)}".docsctl_meta`;
  await query(url, `UPDATE ${meta} SET value = '${storeVersion - 1}' WHERE name = 'format'`);
  const read = () =>
    query(url, `SELECT name, value FROM ${meta} WHERE name IN ('format', 'generation') ORDER BY name`);
  const [, before] = await read();
  await open(url, undefined, [first]);
  const [format, generation] = await read();
  expect(format).toEqual({ name: 'format', value: String(storeVersion) });
  expect(generation).not.toEqual(before);
});

test('refuses a store of a newer version, and a schema without a store', async () => {
  const url = await emptyPostgres();
  const tables: Table[] = [first];
  await expect(openStore(url, { tables, create: false })).rejects.toMatchObject({
    reason: 'store-failed',
    message: expect.stringContaining('There is no store at postgres://'),
  });
  await open(url, undefined, [first]);
  await query(url, `UPDATE "${schemaOf(url)}".docsctl_meta SET value = '999' WHERE name = 'format'`);
  await expect(openStore(url, { tables })).rejects.toMatchObject({
    reason: 'store-failed',
    message: expect.stringContaining('was written by a newer version of docsctl'),
  });
});

test('does not show the password if the database cannot be reached or does not exist', async () => {
  const base = (await emptyPostgres()).replace(/\?.*/, '');
  for (const [url, reason] of [
    [base.replace('docsctl@', 'docsctl:pass@').replace(/:\d+\//, ':1/'), 'store-busy'],
    [`${base.replace('docsctl@', 'docsctl:pass@')}_none`, 'store-failed'],
  ] as const) {
    const failure = await openStore(url, { tables: [first] }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason, hint: expect.any(String) });
    expect((failure as Error).message).not.toContain('pass@');
  }
});
