import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, diffLists } from '../../src/richtext/diff-lines.ts';

const lineEnd = fc.constantFrom('\n', '\n', '\n', '\r\n');
const text = fc
  .tuple(
    fc.array(
      fc
        .tuple(fc.constantFrom('', 'a', 'b', 'c', '# one', 'two words', 'é中'), lineEnd)
        .map((parts) => parts.join('')),
    ),
    fc.constantFrom('', '', 'end'),
  )
  .map(([lines, end]) => lines.join('') + end);
const numbered = (count: number, mark = '') =>
  Array.from({ length: count }, (_, index) => `${mark}${index}\n`).join('');

describe('the difference between two texts', () => {
  it('contains both texts completely', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const changes = diffLines(before, after);
        const side = (other: string) =>
          changes
            .filter(({ type }) => type !== other)
            .flatMap(({ lines }) => lines)
            .join('');
        expect(side('added')).toBe(before);
        expect(side('removed')).toBe(after);
        expect(changes.every(({ lines }) => lines.length > 0)).toBe(true);
      }),
      { seed: 1 },
    );
  });

  it('lists only the lines that changed', () => {
    expect(diffLines('a\nb\nc\n', 'a\nx\nc\nd')).toEqual([
      { type: 'same', lines: ['a\n'] },
      { type: 'removed', lines: ['b\n'] },
      { type: 'added', lines: ['x\n'] },
      { type: 'same', lines: ['c\n'] },
      { type: 'added', lines: ['d'] },
    ]);
    expect(diffLines('', '')).toEqual([]);
  });

  it('is computed quickly for texts that have nothing or everything in common', () => {
    expect(diffLines(numbered(50_000, 'a'), numbered(50_000, 'b')).map(({ type }) => type)).toEqual([
      'removed',
      'added',
    ]);
    const backwards = numbered(9000)
      .split(/(?<=\n)/)
      .reverse()
      .join('');
    expect(diffLines(numbered(9000), backwards).map(({ type, lines }) => [type, lines.length])).toEqual([
      ['removed', 9000],
      ['added', 9000],
    ]);
  });

  it('contains up to 2,000 moved lines, and replaces all lines if there are more', () => {
    const changesOf = (moved: number) => {
      const lines = Array.from({ length: moved }, (_, index) => `${index}`);
      // Each pair swaps its places: one line is removed, and one is added.
      const swapped = lines.map((_, index) => lines[index % 2 === 0 ? index + 1 : index - 1] ?? '');
      return diffLists(lines, swapped);
    };
    expect(changesOf(2000).filter(({ type }) => type === 'same')).toHaveLength(1000);
    expect(changesOf(2002).map(({ type, lines }) => [type, lines.length])).toEqual([
      ['removed', 2002],
      ['added', 2002],
    ]);
  });

  it('does not confuse lines that look like numbers with indexes', () => {
    expect(diffLists(['x', '1', '0', 'y'], ['x', '0', '1', 'z'])).toEqual([
      { type: 'same', lines: ['x'] },
      { type: 'removed', lines: ['1'] },
      { type: 'same', lines: ['0'] },
      { type: 'removed', lines: ['y'] },
      { type: 'added', lines: ['1', 'z'] },
    ]);
  });
});
