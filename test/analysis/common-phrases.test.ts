import { expect, it } from 'vitest';
import { mostCommon } from '../../src/analysis/common-phrases.ts';

it.each<[string, [string, number][], string | undefined]>([
  ['nothing of nothing', [], undefined],
  [
    'the most frequent',
    [
      ['a', 1],
      ['long one', 3],
      ['b', 2],
    ],
    'long one',
  ],
  [
    'of equally frequent ones the shortest',
    [
      ['abc', 2],
      ['ab', 2],
      ['a', 1],
    ],
    'ab',
  ],
  [
    'of equally long ones the first in the alphabet',
    [
      ['b', 2],
      ['a', 2],
      ['c', 2],
    ],
    'a',
  ],
  [
    'the same in whatever order they come',
    [
      ['c', 2],
      ['a', 2],
      ['b', 2],
    ],
    'a',
  ],
])('the most common spelling is %s', (_name, counts, best) => {
  expect(mostCommon(new Map(counts))).toBe(best);
});
