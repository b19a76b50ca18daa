import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareKeys, compareTexts } from '../../src/core/keys.ts';
import { toKey } from '../../src/stores/layout.ts';

test('sorts texts by their UTF-8 bytes', () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom('a', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'),
      fc
        .integer({ min: 1, max: 0x10ffff })
        .filter((code) => code < 0xd800 || code > 0xdfff)
        .map((code) => String.fromCodePoint(code)),
    ),
  });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareTexts(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

test('sorts keys of different types in one order', () => {
  const sorted = [null, -1, 0, 1.5, 9, 10, '', '1', 'a'];
  expect([...sorted].reverse().sort(compareKeys)).toEqual(sorted);
});

test('accepts strings, finite numbers and null as keys', () => {
  expect(toKey(undefined, 'f')).toBeNull();
  expect(Object.is(toKey(-0, 'f'), 0)).toBe(true);
  for (const value of [true, Number.NaN, {}, []])
    expect(() => toKey(value, 'f')).toThrow('"f" cannot be indexed');
});

test('refuses a text as a key if it contains NUL or an unpaired surrogate', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'é', '\u0001', '\0', '\ud83d', '\ude00', '😀', '\uffff'),
  });
  fc.assert(
    fc.property(text, (value) => {
      if (/[\0\ud800-\udfff]/u.test(value)) expect(() => toKey(value, 'f')).toThrow('The f contains a NUL');
      else expect(toKey(value, 'f')).toBe(value);
    }),
  );
});
