import { expect, it } from 'vitest';
import { splitBatches } from '../../src/static-site/split-batches.ts';

const split = (items: readonly (readonly number[])[], limits: readonly number[]): number[] =>
  [...splitBatches(items, (item) => item, limits)].map((batch) => batch.length);

it('splitBatches fills each batch up to its limits', () => {
  expect(split([], [2])).toEqual([]);
  expect(split([[1], [1]], [2])).toEqual([2]);
  expect(split([[1], [1], [1]], [2])).toEqual([2, 1]);
  expect(split([[2], [1], [1], [1], [2]], [2])).toEqual([1, 2, 1, 1]);
});

it('splitBatches starts a new batch if one of the limits would be exceeded', () => {
  expect(
    split(
      [
        [1, 10],
        [1, 10],
        [1, 1],
      ],
      [3, 20],
    ),
  ).toEqual([2, 1]);
  expect(
    split(
      [
        [1, 1],
        [1, 1],
        [1, 1],
      ],
      [2, 20],
    ),
  ).toEqual([2, 1]);
});

it('splitBatches returns an item that is too large alone, and continues after it', () => {
  expect(split([[5], [1], [1]], [2])).toEqual([1, 2]);
  expect(split([[1], [5], [1]], [2])).toEqual([1, 1, 1]);
});

it('splitBatches keeps all items in order', () => {
  const items = [3, 1, 2, 2, 9, 1];
  expect([...splitBatches(items, (item) => [item], [4])]).toEqual([[3, 1], [2, 2], [9], [1]]);
});
