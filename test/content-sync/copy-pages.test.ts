import { expect, it } from 'vitest';
import { batchesOf } from '../../src/content-sync/copy-pages.ts';
import type { ContentChange } from '../../src/content/changes.ts';

const sizesOf = (changes: readonly ContentChange[]): number[] =>
  [...batchesOf(changes)].map((batch) => batch.length);

it('changes are sent in batches of at most 50 changes and 8,000,000 characters', () => {
  const deletions = (count: number) =>
    Array.from({ length: count }, (): ContentChange => ({ operation: 'delete_page', page: 'pg_1' }));
  expect(sizesOf(deletions(100))).toEqual([50, 50]);
  expect(sizesOf(deletions(101))).toEqual([50, 50, 1]);
  const texts = (...lengths: number[]) =>
    lengths.map((length): ContentChange => {
      return { operation: 'insert_page', document: { markdown: 'x'.repeat(length) } };
    });
  const half = 4_000_000;
  expect(sizesOf(texts(half, half, half, half, 1))).toEqual([2, 2, 1]);
  expect(sizesOf(texts(half, half + 1, half, 2 * half + 1, 1))).toEqual([1, 1, 1, 1, 1]);
});
