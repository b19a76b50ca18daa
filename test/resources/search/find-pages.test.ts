import { expect, it, vi } from 'vitest';
import type { ReadTransaction } from '../../../src/core/store.ts';
import { announceSearch } from '../../../src/resources/search/find-pages.ts';

it.each([
  ['one word', 'setup', [200_000], false],
  ['one word in more sections', 'setup', [200_001], true],
  ['two words', 'first setup', [100_000], false],
  ['two words in more sections', 'first  setup', [100_001], true],
  ['spaces that have too many sections only together', 'setup', [150_000, 50_001], true],
])('a search for %s blocks the thread if it reads many sections', async (_, query, counts, isHeavy) => {
  const tx = { count: async (_table: unknown, _index: unknown, [space]: string[]) => counts[Number(space)] };
  const onHeavy = vi.fn();
  await announceSearch(
    { tx: tx as unknown as ReadTransaction, onHeavy },
    ['0', '1'].slice(0, counts.length),
    query,
  );
  expect(onHeavy).toHaveBeenCalledTimes(isHeavy ? 1 : 0);
});
