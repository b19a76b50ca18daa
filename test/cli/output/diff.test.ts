import { describe, expect, it } from 'vitest';
import { drawHunks, patchText } from '../../../src/cli/output/diff.ts';
import type { Styler } from '../../../src/cli/output/style.ts';
import type { DiffLine, Hunk } from '../../../src/richtext/diff-hunks.ts';

/** Shows styles as `<red>text</>`. */
const style: Styler = (text, styles) => (text === '' ? '' : `<${styles.join(' ')}>${text}</>`);
const lineOf = (text: string): DiffLine => ({ sign: text[0] as DiffLine['sign'], text: text.slice(1) });
const hunkOf = (...lines: readonly string[]): Hunk => ({
  before: [1, 1],
  after: [2, 3],
  lines: lines.map(lineOf),
});
/** Returns the drawn lines of a hunk without its header. */
const drawn = (...lines: readonly string[]): string[] =>
  drawHunks([hunkOf(...lines)], style)
    .split('\n')
    .slice(1, -1);

it('patchText writes line numbers, and marks lines without a newline', () => {
  expect(patchText([hunkOf(' a\n', '-b\r\n', '+c')])).toBe(
    '@@ -1 +2,3 @@\n a\n-b\r\n+c\n\\ No newline at end of file\n',
  );
});

describe('drawHunks', () => {
  it('highlights the changes in lines that replace others', () => {
    expect(drawn('-one two three\n', '+one 2 three\n')).toEqual([
      '<red>-one </><red inverse>two</><red> three</>',
      '<green>+one </><green inverse>2</><green> three</>',
    ]);
    expect(drawn('-one two\n', '+one two three\n')).toEqual([
      '<red>-one two</>',
      '<green>+one two</><green inverse> three</>',
    ]);
  });

  it('highlights nothing if less than a third of the shorter line is the same', () => {
    expect(drawn('-axxxxx\n', '+ayyyyy\n')).toEqual(['<red>-axxxxx</>', '<green>+ayyyyy</>']);
    expect(drawn('-abxxxx\n', '+abyyyyyyyyy\n')).toEqual([
      '<red>-ab</><red inverse>xxxx</>',
      '<green>+ab</><green inverse>yyyyyyyyy</>',
    ]);
    expect(drawn('-axxxxb\n', '+ayyyyb\n')).toEqual([
      '<red>-a</><red inverse>xxxx</><red>b</>',
      '<green>+a</><green inverse>yyyy</><green>b</>',
    ]);
  });

  it('pairs lines only if the same number is added and removed', () => {
    expect(drawn('-a 1\n', '+a 2\n', '+b\n', ' c\n', '-d 1\n', '-e 1\n', '+d 2\n', '+e 2\n')).toEqual([
      '<red>-a 1</>',
      '<green>+a 2</>',
      '<green>+b</>',
      ' c',
      '<red>-d </><red inverse>1</>',
      '<red>-e </><red inverse>1</>',
      '<green>+d </><green inverse>2</>',
      '<green>+e </><green inverse>2</>',
    ]);
  });

  it('does not split surrogate pairs', () => {
    expect(drawn('-aaa🚀\n', '+aaa🚁\n')).toEqual([
      '<red>-aaa</><red inverse>🚀</>',
      '<green>+aaa</><green inverse>🚁</>',
    ]);
    // Both end with the same code unit.
    expect(drawn('-\u{1f680}aaa\n', '+\u{1fa80}aaa\n')).toEqual([
      '<red>-</><red inverse>\u{1f680}</><red>aaa</>',
      '<green>+</><green inverse>\u{1fa80}</><green>aaa</>',
    ]);
  });

  it('shows tabs, control characters, and changed line endings', () => {
    expect(drawn(' a\tb\u001b[31m\r\n')).toEqual([' a    b\\u001b[31m']);
    expect(drawn('-abc\r\n', '+abc\n')).toEqual(['<red>-abc</><red inverse>\\r</>', '<green>+abc</>']);
    expect(drawn('-abc', '+abc\n')).toEqual([
      '<red>-abc</>',
      '<dim>\\ No newline at end of file</>',
      '<green>+abc</>',
    ]);
  });
});
