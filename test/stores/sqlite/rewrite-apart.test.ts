import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Store } from '../../../src/core/store.ts';
import { Database } from '../../../src/stores/sqlite/connection.ts';
import { rewriteApart } from '../../../src/stores/sqlite/rewrite-apart.ts';
import { notes, open, temporaryFolder } from '../fixtures.ts';

const signal = new AbortController().signal;

/** Opens a store with many rows, and removes half of them, which contain a special word. */
async function openUsed(): Promise<{ readonly store: Store; readonly path: string }> {
  const path = join(temporaryFolder(), 'store.db');
  const store = await open(`sqlite:${path}`);
  for (let batch = 0; batch < 10; batch++)
    await store.write(async (tx) => {
      for (let at = 0; at < 40; at++) {
        const word = at % 2 === 0 ? 'canary' : 'kept';
        await tx.insert(notes, { id: `${batch}.${at}`, text: `${word} ${batch}.${at} `.repeat(20 + 9 * at) });
      }
    });
  for (let batch = 0; batch < 10; batch++)
    await store.write(async (tx) => {
      for (let at = 0; at < 40; at += 2) await tx.remove(notes, `${batch}.${at}`);
    });
  return { store, path };
}

const kept = async (store: Store): Promise<number> =>
  (await store.read((view) => view.scan(notes, '', 1000))).length;
const bytesOf = (path: string): string =>
  `${readFileSync(path, 'latin1')}${readFileSync(`${path}-wal`, 'latin1')}`;

it('rewrites a file in another process, and leaves no traces of removed rows', async () => {
  const { store, path } = await openUsed();
  expect(await store.scrub?.(Number.POSITIVE_INFINITY, signal, 'give-way')).toBe('done');
  expect(await kept(store)).toBe(200);
  expect(bytesOf(path)).not.toContain('canary');
  expect((await store.read((view) => view.get(notes, '9.39')))?.text).toContain('kept 9.39');
  expect(await store.scrub?.(0, signal, 'give-way')).toBe('large');
});

it('rewrites a file in this process if nobody else is served', async () => {
  const { store, path } = await openUsed();
  expect(await store.scrub?.(0, signal)).toBe('large');
  expect(await store.scrub?.(Number.POSITIVE_INFINITY, signal)).toBe('done');
  expect(await kept(store)).toBe(200);
  expect(bytesOf(path)).not.toContain('canary');
});

it('stops for a write, and completes the next time', async () => {
  const { store, path } = await openUsed();
  const end = await rewriteApart(path, { signal, onStart: (giveWay) => giveWay() });
  expect(end).toBe('busy');
  await store.write((tx) => tx.insert(notes, { id: 'new', text: 'new' }));
  const scrubbed = store.scrub?.(Number.POSITIVE_INFINITY, signal, 'give-way');
  for (let at = 0; at < 30; at++) await store.write((tx) => tx.insert(notes, { id: `w${at}`, text: 'w' }));
  expect(['busy', 'done']).toContain(await scrubbed);
  expect(await store.scrub?.(Number.POSITIVE_INFINITY, signal, 'give-way')).toBe('done');
  expect(await kept(store)).toBe(231);
  const database = new Database(path);
  expect(database.get('PRAGMA integrity_check')).toEqual(['ok']);
  database.close();
});

it('delays writes if it may go ahead, and completes despite constant writes', async () => {
  const { store, path } = await openUsed();
  let isOver = false;
  const scrubbed = store.scrub?.(Number.POSITIVE_INFINITY, signal, 'go-ahead').finally(() => (isOver = true));
  let count = 0;
  while (!isOver) {
    await store.write((tx) => tx.insert(notes, { id: `w${count}`, text: 'w' }));
    expect((await store.read((view) => view.get(notes, `w${count}`)))?.text).toBe('w');
    count++;
  }
  expect(await scrubbed).toBe('done');
  expect(await kept(store)).toBe(200 + count);
  expect(bytesOf(path)).not.toContain('canary');
});

it('stops after the maximum time, and keeps the file unchanged', async () => {
  const { store, path } = await openUsed();
  const other = new Database(path);
  other.exec('BEGIN IMMEDIATE');
  expect(await rewriteApart(path, { signal, maxTime: 1 })).toBe('busy');
  other.exec('ROLLBACK');
  other.close();
  expect(await kept(store)).toBe(200);
  expect(bytesOf(path)).toContain('kept 9.39');
});

it('changes nothing while another process writes, or when it is aborted', async () => {
  const { store, path } = await openUsed();
  const other = new Database(path);
  other.exec('BEGIN IMMEDIATE');
  expect(await rewriteApart(path, { signal, onStart: () => {} })).toBe('busy');
  other.exec('ROLLBACK');
  other.close();
  const stopped = AbortSignal.abort();
  expect(await rewriteApart(path, { signal: stopped, onStart: () => {} })).toBe('busy');
  expect(await kept(store)).toBe(200);
});
