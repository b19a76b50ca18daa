import { crc32 as ofNode } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { crc32, crc32OfBytes } from '../../src/stores/crc32.ts';

it('sums bytes like zlib', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(crc32OfBytes(bytes)).toBe(ofNode(bytes));
    }),
  );
});

it('sums texts like zlib, however many there are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      expect(crc32(text)).toBe(ofNode(text));
    }),
  );
  const long = 'naïve text – 文 '.repeat(10_000);
  expect([crc32(long), crc32(long), crc32('one more')]).toEqual([
    ofNode(long),
    ofNode(long),
    ofNode('one more'),
  ]);
});
