import { expect, it } from 'vitest';
import { LeafCache } from '../../src/content/leaf-cache.ts';

const entry = (weight: number) => ({ id: `weight-${weight}`, weight });
const create = () =>
  new LeafCache<{ readonly id: string; readonly weight: number }>({
    weightOf: ({ weight }) => weight,
    minWeight: 5,
    maxWeight: 20,
  });

it('keeps only leaves between the minimum and the maximum weight', () => {
  const cache = create();
  cache.keep('light', [entry(2), entry(2)]);
  cache.keep('lightest', [entry(2), entry(3)]);
  expect([cache.get('light'), cache.get('lightest')]).toEqual([undefined, [entry(2), entry(3)]]);
  cache.keep('heavy', [entry(21)]);
  expect(cache.get('heavy')).toBeUndefined();
  expect(cache.get('lightest')).toEqual([entry(2), entry(3)]);
  cache.keep('heaviest', [entry(20)]);
  expect(cache.get('heaviest')).toEqual([entry(20)]);
});

it('evicts leaves that were not used lately, and no more than necessary', () => {
  const cache = create();
  for (const hash of ['a', 'b', 'c', 'd']) cache.keep(hash, [entry(5)]);
  cache.get('a');
  cache.keep('e', [entry(5)]);
  const known = ['a', 'b', 'c', 'd', 'e'].filter((hash) => cache.get(hash) !== undefined);
  expect(known).toEqual(['a', 'c', 'd', 'e']);
  cache.keep('f', [entry(11)]);
  expect(['a', 'c', 'd', 'e', 'f'].filter((hash) => cache.get(hash) !== undefined)).toEqual(['a', 'f']);
});

it('counts a leaf that is added again once', () => {
  const cache = create();
  for (let time = 0; time < 4; time++) cache.keep('a', [entry(10)]);
  cache.keep('b', [entry(10)]);
  expect([cache.get('a'), cache.get('b')]).toEqual([[entry(10)], [entry(10)]]);
});
