import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth, pad, truncate, truncateFront, wrap } from '../../../src/cli/output/width.ts';

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', 'b', ' ', '語', '👨‍👩‍👧', 'e\u0301', '🇩🇪'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 60,
});

describe('displayWidth', () => {
  it.each([
    ['abc', 3],
    ['日本語', 6],
    ['e\u0301', 1],
    ['👨‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['❤', 1],
    ['1️⃣', 2],
    ['한글', 4],
    ['ｱｲ', 2],
    ['Ａ', 2],
    ['ไทย', 3],
    ['…', 1],
    ['✓', 1],
  ])('returns the width of %s as %d', (shown, width) => expect(displayWidth(shown)).toBe(width));
});

describe('pad', () => {
  it('pads to cells, not to characters', () => {
    expect(pad('語', 4)).toBe('語  ');
    expect(pad('12', 4, true)).toBe('  12');
    expect(pad('longer', 3)).toBe('longer');
  });
});

describe('truncate', () => {
  it('never exceeds the width, and shortens only texts that do not fit', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (value, width) => {
        const cut = truncate(value, width);
        expect(displayWidth(cut)).toBeLessThanOrEqual(width);
        if (cut !== value) {
          expect(displayWidth(value)).toBeGreaterThan(width);
          expect(cut.endsWith('…') && value.startsWith(cut.slice(0, -1))).toBe(true);
        }
      }),
    );
  });

  it('does not split a joined emoji', () => expect(truncate('ab👨‍👩‍👧cd', 4)).toBe('ab…'));
});

describe('wrap', () => {
  it('breaks at spaces, and inside words that are too long', () => {
    expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
    expect(wrap('日本語', 4)).toEqual(['日本', '語']);
    expect(wrap('', 4)).toEqual(['']);
  });

  it('loses nothing but spaces, and never exceeds the width', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 8, max: 30 }), (value, width) => {
        const lines = wrap(value, width);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        expect(lines.join('').replace(/\s/g, '')).toBe(value.replace(/\s/g, ''));
      }),
    );
  });
});

describe('truncateFront', () => {
  it.each([
    ['docs/a.md', 9, 'docs/a.md'],
    ['guides/start/install.md', 13, '…/install.md'],
    ['a-long-folder/b.md', 7, '…/b.md'],
    ['docs/guides/install.md', 16, '…/install.md'],
    ['日本/a語b', 5, '…a語b'],
    ['日本/a語b', 4, '…語b'],
    ['docs/語語語a', 4, '…語a'],
    ['docs/語語語a', 5, '…語a'],
  ])('shortens %s to %d cells: %s', (path, width, cut) => {
    expect(truncateFront(path, width)).toBe(cut);
    expect(displayWidth(cut)).toBeLessThanOrEqual(width);
  });
});
