import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isWord, mergeSpans, replaceSpans } from '../../src/redaction/span.ts';

it('treats ASCII letters, digits and "_" as word characters', () => {
  const text = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)).join('');
  const found = [...text].filter((_, at) => isWord(text, at));
  expect(found).toEqual([...text].filter((character) => /\w/.test(character)));
  expect([isWord('a', -1), isWord('a', 1)]).toEqual([false, false]);
});

it('merges ranges without changing the characters that they cover, in order', () => {
  const length = 12;
  const range = fc
    .tuple(fc.nat(length), fc.nat(length))
    .filter(([from, to]) => from !== to)
    .map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other) }));
  fc.assert(
    fc.property(fc.array(range, { maxLength: 5 }), (ranges) => {
      const text = 'x'.repeat(length);
      const merged = mergeSpans(ranges);
      const rest = [...text].filter((_, at) => ranges.every(({ from, to }) => at < from || at >= to));
      expect(replaceSpans(text, merged, '')).toBe(rest.join(''));
      for (const [index, { from }] of merged.entries())
        expect(from).toBeGreaterThanOrEqual(merged[index - 1]?.to ?? 0);
    }),
  );
});
