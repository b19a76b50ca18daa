import { crc32 as ofNode } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { crc32, crc32OfBytes } from '../../src/stores/crc32.ts';

it('computes the same checksum of bytes as zlib', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(crc32OfBytes(bytes)).toBe(ofNode(bytes));
    }),
  );
});

it('computes the same checksum of texts as zlib', () => {
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
