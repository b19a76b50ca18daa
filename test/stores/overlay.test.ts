import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../src/core/store.ts';
import { openOverlay } from '../../src/stores/overlay.ts';
import { conformance } from './conformance.ts';
import { open, pages, tables, texts } from './fixtures.ts';
import { runWrites, writes } from './model.ts';

async function overlayOn(base: Store): Promise<Store> {
  const store = openOverlay(base, tables);
  onTestFinished(() => store.close());
  return store;
}

conformance('an overlay on an empty store', async () => overlayOn(await open('memory:')));

test('answers like a store with all the writes, and does not change the store below', async () => {
  await fc.assert(
    fc.asyncProperty(writes, writes, async (before, after) => {
      const [base, one, untouched] = [await open('memory:'), await open('memory:'), await open('memory:')];
      for (const store of [base, one, untouched]) await runWrites(store, before);
      const overlay = await overlayOn(base);
      expect(await runWrites(overlay, after)).toEqual(await runWrites(one, after));
      expect(await runWrites(base, [])).toEqual(await runWrites(untouched, []));
    }),
    { numRuns: 200, seed: 15 },
  );
}, 60_000);

test('shows changes of the store below, except in rows that the overlay changed', async () => {
  const base = await open('memory:');
  await base.write(async (tx) => {
    await tx.insert(pages, { id: 'a', space: 's', title: 'A' });
    await tx.insert(pages, { id: 'b', space: 's', title: 'B' });
  });
  const overlay = await overlayOn(base);
  await overlay.write((tx) => tx.update(pages, 'a', { title: 'mine' }));
  await base.write(async (tx) => {
    await tx.update(pages, 'a', { title: 'theirs' });
    await tx.update(pages, 'b', { title: 'theirs' });
  });
  const titles = await overlay.read((view) => view.find(pages, { index: 'all', equals: [], limit: 9 }));
  expect(titles.map(({ title }) => title)).toEqual(['mine', 'theirs']);
});

test('lists rows beyond those that the overlay replaced, even with a small limit', async () => {
  const base = await open('memory:');
  await base.write(async (tx) => {
    for (const id of 'abcdef') await tx.insert(pages, { id, space: 's', title: id });
  });
  const overlay = await overlayOn(base);
  await overlay.write(async (tx) => {
    for (const id of 'bcd') await tx.remove(pages, id);
  });
  for (const limit of [1, 2, 3, 9]) {
    const found = await overlay.read((view) => view.scan(pages, 'a', limit));
    expect(found.map(({ id }) => id)).toEqual(['e', 'f'].slice(0, limit));
  }
});

test('finds words of both stores, but not in rows that the overlay replaced', async () => {
  const base = await open('memory:');
  await base.write(async (tx) => {
    await tx.insert(texts, { id: 'a', space: 's', title: 'Install the server' });
    await tx.insert(texts, { id: 'b', space: 's', title: 'Install the client' });
    await tx.insert(texts, { id: 'c', space: 's', title: 'Server only' });
  });
  const overlay = await overlayOn(base);
  await overlay.write(async (tx) => {
    await tx.update(texts, 'a', { title: 'Remove the server' });
    await tx.insert(texts, { id: 'd', space: 's', title: 'Install the plugin' });
  });
  const search = (query: string) =>
    overlay.read(async (view) =>
      (await view.search(texts, { index: 'all', anyOf: [[]], query, limit: 9 })).map(({ id }) => id).sort(),
    );
  expect(await search('install')).toEqual(['b', 'd']);
  expect(await search('remove server')).toEqual(['a']);
});

test('refuses a unique key that is taken in the same insert or in the store below', async () => {
  const base = await open('memory:');
  await base.write((tx) => tx.insert(pages, { id: 'a', space: 's', slug: 'x' }));
  const overlay = await overlayOn(base);
  await expect(overlay.write((tx) => tx.insert(pages, { id: 'b', space: 's', slug: 'x' }))).rejects.toThrow(
    'The slug "x" is already taken.',
  );
  await overlay.write((tx) => tx.remove(pages, 'a'));
  await overlay.write((tx) => tx.insert(pages, { id: 'b', space: 's', slug: 'x' }));
  expect(await base.read((view) => view.get(pages, 'b'))).toBeUndefined();
});
