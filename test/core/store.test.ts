import { expect, test } from 'vitest';
import { getExisting } from '../../src/core/store.ts';
import { notes, open } from '../stores/fixtures.ts';

test('a row that another one refers to is read, and a missing one is a bug, not a Problem', async () => {
  const store = await open('memory:');
  await store.write((tx) => tx.insert(notes, { id: 'a', text: 'A' }));
  expect(await store.read((view) => getExisting(view, notes, 'a'))).toEqual({ id: 'a', text: 'A' });
  await expect(store.read((view) => getExisting(view, notes, 'b'))).rejects.toThrow(
    new Error('The table notes has no row "b", which another row refers to.'),
  );
});
