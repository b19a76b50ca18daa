import { expect, it } from 'vitest';
import { wordsOf } from '../../src/render/words.ts';

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [2_340_000, '2.3 MB'],
  [2e12, '2,000 GB'],
])('writes a size of %d bytes', (bytes, text) => expect(wordsOf('en').size(bytes)).toBe(text));
