import { expect, test } from 'vitest';
import { changeFrom, getExisting, removeRows } from '../../src/core/store.ts';
import { notes, open, pages } from '../stores/fixtures.ts';

test('getExisting reads a referenced row, and reports damage if it is missing', async () => {
  const store = await open('memory:');
  await store.write((tx) => tx.insert(notes, { id: 'a', text: 'A' }));
  expect(await store.read((view) => getExisting(view, notes, 'a'))).toEqual({ id: 'a', text: 'A' });
  await expect(store.read((view) => getExisting(view, notes, 'b'))).rejects.toMatchObject({
    reason: 'store-failed',
    message: 'The store is damaged: the table notes has no row b, which another row refers to.',
  });
});

test('removeRows removes all rows of an index value, and no others', async () => {
  const store = await open('memory:');
  const rest = await store.write(async (tx) => {
    for (let number = 0; number < 1001; number++) await tx.insert(pages, { id: `p${number}`, space: 'a' });
    await tx.insert(pages, { id: 'other', space: 'b' });
    await removeRows(tx, pages, 'bySpace', ['a']);
    return [await tx.count(pages, 'bySpace', ['a']), await tx.count(pages, 'bySpace', ['b'])];
  });
  expect(rest).toEqual([0, 1]);
});

test('changeFrom ignores undefined members, and null removes a field', async () => {
  const change = changeFrom({ title: 'New', slug: null, position: undefined });
  expect(Object.entries(change)).toEqual([
    ['title', 'New'],
    ['slug', undefined],
  ]);
  const store = await open('memory:');
  const after = await store.write(async (tx) => {
    await tx.insert(pages, { id: 'p', space: 'a', title: 'Old', slug: 's', position: 1 });
    return tx.update(pages, 'p', change);
  });
  expect(after).toEqual({ id: 'p', space: 'a', title: 'New', position: 1 });
});
