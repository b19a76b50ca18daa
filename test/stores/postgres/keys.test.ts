import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareKeys, compareTexts } from '../../../src/core/keys.ts';
import { encodeKey } from '../../../src/stores/postgres/keys.ts';

const key = fc.oneof(
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
);

test('encodes keys so that they sort like the keys', () => {
  fc.assert(
    fc.property(key, key, (a, b) => {
      expect(Math.sign(compareTexts(encodeKey(a), encodeKey(b)))).toBe(Math.sign(compareKeys(a, b)));
    }),
    { numRuns: 2000 },
  );
});

test.each(['a', '\u0080', '\u07ff', '\u0800', '\uffff', '\u{10000}', '\u{10ffff}'])(
  'cuts a long text before a character that does not fit: %j',
  (character) => {
    const size = Buffer.byteLength(character);
    // 410 bytes of a longer text are kept. The character begins before that position, and ends there at the latest.
    for (let before = 410 - size - 1; before <= 411; before++) {
      const start = 'x'.repeat(before);
      const kept = start.slice(0, 410) + (before + size <= 410 ? character : '');
      const encoded = encodeKey(start + character + 'é'.repeat(100));
      expect(encoded.slice(1, 1 + kept.length)).toBe(kept);
      if (before + size >= 410) expect(encoded.slice(1 + kept.length, 3 + kept.length)).toBe('\u{10ffff}');
    }
  },
);

test('encodes a text of up to 480 bytes in full, and ends a longer one with its hash', () => {
  for (const unit of ['x', 'é', '\u{10000}']) {
    const fits = unit.repeat(480 / Buffer.byteLength(unit));
    expect(encodeKey(fits)).toBe(`s${fits}`);
    expect(encodeKey(`${fits}x`)).toMatch(/\u{10ffff}[\da-f]{64}$/u);
  }
});

test('limits the length of long texts, keeps them distinct, and sorts them by their first characters', () => {
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
