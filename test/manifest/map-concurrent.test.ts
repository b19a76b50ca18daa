import { expect, it } from 'vitest';
import { mapConcurrent } from '../../src/manifest/map-concurrent.ts';

it('mapConcurrent keeps the order of the items, with at most `limit` calls at once', async () => {
  let running = 0;
  let most = 0;
  const results = await mapConcurrent([3, 1, 2, 5, 4], 2, async (item) => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < item; turn++) await Promise.resolve();
    running--;
    return item * 10;
  });
  expect(results).toEqual([30, 10, 20, 50, 40]);
  expect(most).toBe(2);
});

it('mapConcurrent starts no more calls after a failure', async () => {
  const begun: number[] = [];
  const failing = mapConcurrent([1, 2, 3, 4, 5, 6], 2, async (item) => {
    begun.push(item);
    if (item === 2) throw new Error('two');
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  });
  await expect(failing).rejects.toThrow('two');
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  expect(begun).toEqual([1, 2]);
});

it('mapConcurrent returns an empty list for no items', async () => {
  expect(await mapConcurrent([], 4, async () => 1)).toEqual([]);
});
