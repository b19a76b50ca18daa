import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  directionOf,
  orderVisually,
  mirrorBrackets,
  splitByDirection,
  type Direction,
} from '../../src/pdf/bidi.ts';
import { book, code, page, paragraph, rendered } from './support.ts';

const words = (line: string) =>
  line.split(/(?= )|(?<= )/).map((word) => ({ word, direction: directionOf(word) }));
const seen = (line: string, base: Direction) =>
  orderVisually(words(line), base)
    .map(({ word }) => word)
    .join('');

describe('ordering words of two directions', () => {
  it.each([
    ['one two', 'ltr', 'one two'],
    ['see אחת שתים now', 'ltr', 'see שתים אחת now'],
    ['see אחת 2 שתים now', 'ltr', 'see שתים 2 אחת now'],
    ['see אחת 2 now', 'ltr', 'see אחת 2 now'],
    ['אחת שתים שלוש', 'rtl', 'שלוש שתים אחת'],
    ['אחת two three שלוש', 'rtl', 'שלוש two three אחת'],
    ['אחת two 3', 'rtl', '3 two אחת'],
    ['אחת 日本 語 שתים', 'rtl', 'שתים 日本 語 אחת'],
    ['see אחת – שתים now', 'ltr', 'see שתים – אחת now'],
  ] as const)('displays %j correctly in a text that runs %s', (line, base, expected) => {
    expect(seen(line, base)).toBe(expected);
  });

  it('keeps every word, and the spaces between words of different directions', () => {
    const line = fc.array(fc.constantFrom('אחת', 'שתים', 'one', 'two', '3', '('), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(line, fc.constantFrom<Direction>('ltr', 'rtl', undefined), (given, base) => {
        const shown = seen(given.join(' '), base);
        expect(shown.split(' ').sort()).toEqual([...given].sort());
      }),
    );
  });

  it('splits a word where its direction changes, and mirrors brackets', () => {
    expect(splitByDirection('ב1.5-כ')).toEqual(['ב', '1.5', '-כ']);
    expect(splitByDirection('a1')).toEqual(['a1']);
    expect(mirrorBrackets('(שלום) [x]')).toBe(')שלום( ]x[');
  });
});

describe('a line with two directions', () => {
  /** The texts on the sheet from left to right, without spaces. */
  const shown = async (value: string) => {
    const pdf = await rendered(book([page('a', [paragraph(value)])]));
    return pdf.pages[0]!.split('\n').slice(4).join('|');
  };
  const turned = (word: string) => [...word].reverse().join('');

  it('places right-to-left words in their visual order, each separately', async () => {
    expect(await shown('see שלום עולם now')).toBe(`see |${turned('עולם')}|${turned('שלום')}| now`);
    expect(await shown('שלום עולם docsctl')).toBe(`docsctl |${turned('עולם')}|${turned('שלום')}`);
    expect(await shown('(שלום)')).toBe(`(${turned('שלום')})`);
  });

  it('has spaces in the right places', async () => {
    const { raw } = await rendered(book([page('a', [paragraph('aa שלום bb')])]));
    const places = [...raw.matchAll(/1 0 0 1 ([\d.]+) [\d.]+ Tm/g)].map(([, x]) => Number(x));
    const [first, second, third] = places.slice(-3);
    // The word starts a space after the text before it, and ends a space before the next.
    expect(second! - first!).toBeGreaterThan(12);
    expect(third! - second!).toBeGreaterThan(20);
  });

  it('of code always runs from left to right', async () => {
    const pdf = await rendered(book([page('a', [code(['שלום x'])])]));
    expect(pdf.pages[0]!.split('\n').slice(4)).toEqual([turned('שלום'), ' x']);
  });
});
