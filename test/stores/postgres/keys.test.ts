import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareKeys, compareTexts } from '../../../src/core/keys.ts';
import { encodeKey } from '../../../src/stores/postgres/keys.ts';

const key = fc.oneof(
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
);

test('encoded keys sort as keys do', () => {
  fc.assert(
    fc.property(key, key, (a, b) => {
      expect(Math.sign(compareTexts(encodeKey(a), encodeKey(b)))).toBe(Math.sign(compareKeys(a, b)));
    }),
    { numRuns: 2000 },
  );
});

test('long texts are bounded, told apart, and sort by their first characters', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 150, maxLength: 600 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 600 }),
      (start, end) => {
        const encoded = encodeKey(start + end);
        expect(Buffer.byteLength(encoded)).toBeLessThanOrEqual(485);
        expect(encoded.isWellFormed()).toBe(true);
        expect(encodeKey(start + end)).toBe(encoded);
        expect(encodeKey(`${start}${end}.`)).not.toBe(encoded);
      },
    ),
  );
  expect(compareTexts(encodeKey(`a${'x'.repeat(900)}`), encodeKey(`b${'x'.repeat(900)}`))).toBeLessThan(0);
});
