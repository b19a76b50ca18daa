import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Row, Table } from '../../../src/core/store.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { migrateStore, undoMigration } from '../../../src/stores/backup/migrate.ts';
import { summarizeRows } from '../../../src/stores/backup/write-backup.ts';
import { openStore } from '../../../src/stores/index.ts';
import { marks } from '../../../src/stores/marks.ts';
import { notes, open, pages, tables, temporaryFolder } from '../fixtures.ts';

const options = { now: '2026-01-02T03:04:05.000Z', newName: '0123456789abcdef' };
const at = (url: string) => ({ url, tables, cwd: '' });

/** A store with 2,500 rows that no process has open. */
async function filled(path: string): Promise<string> {
  const store = await openStore(path, { tables });
  await store.write(async (tx) => {
    for (let one = 0; one < 2400; one++) await tx.insert(notes, { id: `n${one}`, text: 'x'.repeat(100) });
    for (let one = 0; one < 100; one++)
      await tx.insert(pages, { id: `p${one}`, space: 's', slug: `s${one}`, position: one });
  });
  await store.close();
  return path;
}

async function summaryOf(url: string) {
  const store = await open(url);
  return store.read((view) => summarizeRows(view, tables));
}

test.each([
  ['a.db', 'b.db'],
  ['a.db', 'b.json'],
  ['a.json', 'b.db'],
  ['a.json', 'b.json'],
])('moves %s to %s, and then refuses writes to the old store', async (from, to) => {
  const folder = temporaryFolder();
  const [old, moved] = [await filled(join(folder, from)), join(folder, to)];
  const scheme = to.endsWith('.json') ? 'json' : 'sqlite';
  const running = await open(old);
  const copied: (readonly [number, number])[] = [];
  const summary = await migrateStore(at(old), at(moved), {
    ...options,
    onProgress: (rows, total) => copied.push([rows, total]),
  });
  expect(summary.rows).toBe(2500);
  expect(copied.at(-1)).toEqual([2500, 2500]);
  expect(await summaryOf(moved)).toEqual(summary);
  expect(await summaryOf(old)).toEqual(summary);
  const write = running.write((tx) => tx.insert(notes, { id: 'late', text: '' }));
  await expect(write).rejects.toMatchObject({
    reason: 'store-failed',
    message: `The store ${old} was moved to ${scheme}:${moved}. Nothing was changed.`,
    hint: expect.stringContaining('--undo'),
  });
  expect(await running.read((view) => view.get(notes, 'late'))).toBeUndefined();
  const other = await open(moved);
  await other.write((tx) => tx.insert(notes, { id: 'new', text: '' }));
  expect(readdirSync(folder).filter((name) => /migrating|damaged/.test(name))).toEqual([]);
  await expect(migrateStore(at(old), at(join(folder, 'c.db')), options)).rejects.toMatchObject({
    reason: 'conflict',
  });
  await expect(migrateStore(at(old), at(moved), options)).rejects.toMatchObject({
    reason: 'guard-refused',
    hint: `If the move to it is complete, use it: \`--store ${moved}\`.`,
  });
  expect(await undoMigration(at(old))).toBe(`${scheme}:${moved}`);
  expect(await undoMigration(at(old))).toBeUndefined();
  await running.write((tx) => tx.insert(notes, { id: 'late', text: '' }));
});

test.each(['b.db', 'b.json'])('continues an interrupted copy into %s', async (to) => {
  const folder = temporaryFolder();
  const [old, moved] = [await filled(join(folder, 'a.db')), join(folder, to)];
  const stopped = migrateStore(at(old), at(moved), {
    ...options,
    onProgress: (rows) => {
      if (rows >= 1000) throw new Error('stopped');
    },
  });
  await expect(stopped).rejects.toThrow('stopped');
  expect(existsSync(moved)).toBe(false);
  const store = await open(old);
  await expect(store.write((tx) => tx.insert(notes, { id: 'late', text: '' }))).rejects.toMatchObject({
    reason: 'store-failed',
  });
  const copied: number[] = [];
  const summary = await migrateStore(at(old), at(moved), {
    ...options,
    onProgress: (rows) => copied.push(rows),
  });
  // A JSON file is written as a whole.
  expect(copied.at(-1)).toBe(to === 'b.json' ? 2500 : 1500);
  expect(await summaryOf(moved)).toEqual(summary);
  expect(summary.rows).toBe(2500);
});

test.each(['b.db', 'b.json'])(
  'copies everything into %s again if the old store was used after the interruption',
  async (to) => {
    const folder = temporaryFolder();
    const [old, moved] = [await filled(join(folder, 'a.db')), join(folder, to)];
    const stopped = migrateStore(at(old), at(moved), {
      ...options,
      onProgress: (rows) => {
        if (rows >= 1000)
          throw new Problem('store-failed', 'The disk is full.', { hint: 'Free some space.' });
      },
    });
    await expect(stopped).rejects.toMatchObject({
      message: 'The disk is full.',
      hint: `Free some space. Until the move is complete, sqlite:${old} refuses every write. To use it again, run \`docsctl store migrate --from sqlite:${old} --undo\`.`,
    });
    await undoMigration(at(old));
    const store = await openStore(old, { tables });
    await store.write(async (tx) => {
      await tx.update(notes, 'n1', { text: 'changed' });
      await tx.remove(notes, 'n10');
    });
    await store.close();
    const summary = await migrateStore(at(old), at(moved), { ...options, now: '2026-01-02T03:04:06.000Z' });
    expect(await summaryOf(moved)).toEqual(summary);
    expect(summary.rows).toBe(2499);
  },
);

test('makes a copy again that was complete but not renamed yet', async () => {
  const folder = temporaryFolder();
  const [old, moved] = [await filled(join(folder, 'a.db')), join(folder, 'b.db')];
  const summary = await migrateStore(at(old), at(moved), options);
  renameSync(moved, `${moved}.migrating`);
  expect(await migrateStore(at(old), at(moved), options)).toEqual(summary);
});

test('continues and undoes a move to a relative path from any folder', async () => {
  const folder = temporaryFolder();
  const old = await filled(join(folder, 'the old.db'));
  const target = { url: 'sqlite:new.db', tables, cwd: folder };
  await migrateStore(at(old), target, options);
  const store = await open(old);
  await expect(store.write((tx) => tx.insert(notes, { id: 'late', text: '' }))).rejects.toMatchObject({
    hint: expect.stringContaining(
      `\`--store sqlite:${folder}/new.db\`. If the move was interrupted, continue it: \`docsctl store migrate --from '${old}' --to`,
    ),
  });
  rmSync(join(folder, 'new.db'));
  // This is the same path in another notation.
  await migrateStore(at(old), { ...target, url: './new.db' }, options);
  expect(await undoMigration(at(old))).toBe(`sqlite:${folder}/new.db`);
});

test('refuses to open a store while another is copied into it', async () => {
  const path = join(temporaryFolder(), 'a.db');
  const store = await openStore(path, { tables, ignoreMarks: true });
  await store.write((tx) => tx.insert(marks, { id: 'incoming', at: options.now, from: 'old.db' }));
  await store.close();
  await expect(openStore(path, { tables })).rejects.toMatchObject({
    reason: 'store-failed',
    hint: `To continue the copy, run \`docsctl store migrate --from old.db --to ${path}\`.`,
  });
});

test('does not move a store onto itself, from or into memory, or into a store with rows', async () => {
  const folder = temporaryFolder();
  const [old, other] = [await filled(join(folder, 'a.json')), join(folder, 'b.json')];
  for (const [from, to] of [
    [old, `json:${old}`],
    ['memory:', other],
    [old, 'memory:'],
  ])
    await expect(migrateStore(at(from!), at(to!), options)).rejects.toMatchObject({ reason: 'usage' });
  await filled(other);
  await expect(migrateStore(at(old), at(other), options)).rejects.toMatchObject({ reason: 'guard-refused' });
  const store = await open(old);
  await store.write((tx) => tx.insert(notes as Table<Row & { text: string }>, { id: 'late', text: '' }));
});

test('a move to a place where no store can be created leaves the old store in use', async () => {
  const old = await filled(join(temporaryFolder(), 'a.db'));
  const store = await open(old);
  for (const name of ['b.db', 'b.json']) {
    const moved = migrateStore(at(old), at(join(old, name)), options);
    await expect(moved).rejects.toMatchObject({
      reason: 'store-failed',
      hint: expect.not.stringContaining('--undo'),
    });
    await store.write((tx) => tx.insert(notes, { id: name, text: '' }));
  }
});
