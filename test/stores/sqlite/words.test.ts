import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Store } from '../../../src/core/store.ts';
import { open, temporaryFolder, texts } from '../fixtures.ts';

const body = (at: number): string => `${'alpha '.repeat((at % 5) + 1)}${'beta '.repeat(at % 7)}gamma${at}`;
const hits = (store: Store) =>
  store.read((view) =>
    view.search(texts, { index: 'bySpace', anyOf: [['spc']], query: 'alpha OR gamma7', limit: 300 }),
  );

it('gives hits the scores that they would have in a new store, after changes and removals', async () => {
  const url = `sqlite:${join(temporaryFolder(), 'changed.db')}`;
  const changed = await open(url);
  const other = await open(url);
  const fresh = await open(`sqlite:${join(temporaryFolder(), 'fresh.db')}`);
  const row = (at: number, text = body(at)) => ({
    id: `t${at}`,
    space: 'spc',
    title: `Title ${at}`,
    body: text,
  });
  await changed.write(async (tx) => {
    for (let at = 0; at < 150; at++) await tx.insert(texts, row(at));
  });
  for (const text of ['long '.repeat(1000), undefined])
    await other.write(async (tx) => {
      for (let at = 0; at < 100; at += 2) await tx.update(texts, `t${at}`, row(at, text));
    });
  // Writes of one turn are one transaction, in which failed ones are undone.
  const remove = (from: number, to: number, error?: Error) =>
    changed.write(async (tx) => {
      for (let at = from; at < to; at++) await tx.remove(texts, `t${at}`);
      if (error !== undefined) throw error;
    });
  await Promise.allSettled([remove(100, 120), remove(0, 90, new Error('failed')), remove(120, 150)]);
  await fresh.write(async (tx) => {
    for (let at = 0; at < 100; at++) await tx.insert(texts, row(at));
  });
  expect(await hits(fresh)).toHaveLength(100);
  for (const store of [changed, other]) expect(await hits(store)).toEqual(await hits(fresh));
  await remove(0, 100);
  expect(await hits(other)).toEqual([]);
  for (const store of [changed, fresh]) await store.write((tx) => tx.insert(texts, row(200)));
  await fresh.write(async (tx) => {
    for (let at = 0; at < 100; at++) await tx.remove(texts, `t${at}`);
  });
  expect(await hits(changed)).toEqual(await hits(fresh));
});
