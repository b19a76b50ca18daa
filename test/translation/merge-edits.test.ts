import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeEdits } from '../../src/translation/merge-edits.ts';

const text = (...lines: string[]) => lines.join('\n');
const change = (before: string, after: string) => ({ before, after });
/** Returns a fake translation with a name, which turns a line into `name(line)`. */
const by = (name: string) => (line: string) => (line === '' ? '' : `${name}(${line})`);

describe('manual edits of a translation', () => {
  it('are kept where only the translation changed', () => {
    const source = text('a', 'b', '', 'c');
    const merged = mergeEdits(
      { before: source, after: source },
      { before: text('x(a)', 'x(b)', '', 'x(c)'), after: text('y(a)', 'y(b)', '', 'y(c)') },
      text('x(a)', 'hand', '', 'x(c)'),
    );
    expect(merged).toEqual({ text: text('y(a)', 'hand', '', 'y(c)'), kept: 1, replaced: 0 });
  });

  it('are kept beside a line that the source changes, and replaced in that line', () => {
    const sources = { before: text('* a', '* b', '* c'), after: text('* a', '* b', '* d') };
    const written = { before: text('* x(a)', '* x(b)', '* x(c)'), after: text('* x(a)', '* x(b)', '* x(d)') };
    expect(mergeEdits(sources, written, text('* x(a)', '* hand', '* x(c)')).text).toBe(
      text('* x(a)', '* hand', '* x(d)'),
    );
    expect(mergeEdits(sources, written, text('* x(a)', '* hand', '* mine'))).toEqual({
      text: text('* x(a)', '* hand', '* x(d)'),
      kept: 0,
      replaced: 1,
    });
  });

  it('that add lines are kept with lines that the source adds at the same place', () => {
    const merged = mergeEdits(
      change('a\n', 'a\n\nb\n'),
      change('x(a)\n', 'x(a)\n\nx(b)\n'),
      'x(a)\n\nhand\n',
    );
    expect(merged).toEqual({ text: 'x(a)\n\nx(b)\n\nhand\n', kept: 0, replaced: 0 });
  });

  it('are found if the translation of the source has different blank lines', () => {
    const merged = mergeEdits(
      change('a\n\n\nb\n', 'a\n\n\nc\n'),
      change('x(a)\n\nx(b)\n', 'y(a)\n\ny(c)\n'),
      'hand\n\nx(b)\n',
      (given) => given.replace('\n\n\n', '\n\n'),
    );
    expect(merged).toEqual({ text: 'hand\n\ny(c)\n', kept: 1, replaced: 0 });
  });

  it('are merged as plain text if the lines of two translations do not correspond', () => {
    expect(mergeEdits(change('a\n', 'a\n'), change('x\n', 'y\n\ny\n'), 'hand\n')).toEqual({
      text: 'hand\n',
      kept: 1,
      replaced: 0,
    });
    expect(mergeEdits(change('a\n', 'b\n'), change('x\n\nx\n', 'y\n'), 'hand\n')).toEqual({
      text: 'y\n',
      kept: 0,
      replaced: 1,
    });
  });

  const line = fc.constantFrom('', 'one', 'two', 'three', '* four');
  const rows = fc.array(fc.record({ line, hand: fc.boolean(), changed: fc.boolean() }), { maxLength: 12 });

  it('are kept for each line that the source does not change', () => {
    fc.assert(
      fc.property(rows, fc.boolean(), (given, isOther) => {
        // Each line is unique, so no line can be mistaken for a moved one.
        const named = given.map(({ line: words }, index) => (words === '' ? '' : `${words} ${index}`));
        const [x, y] = [by('x'), by(isOther ? 'y' : 'x')];
        const isHand = (index: number): boolean => given[index]!.hand && named[index] !== '';
        const isChanged = (index: number): boolean => given[index]!.changed && named[index] !== '';
        const now = named.map((words, index) => (isChanged(index) ? `new ${words}` : words));
        const edited = named.map((words, index) => (isHand(index) ? `hand ${index}` : x(words)));
        const wanted = now.map((words, index) =>
          isHand(index) && !isChanged(index) ? `hand ${index}` : y(words),
        );
        const merged = mergeEdits(
          change(named.join('\n'), now.join('\n')),
          change(named.map(x).join('\n'), now.map(y).join('\n')),
          edited.join('\n'),
        );
        expect(merged.text).toBe(wanted.join('\n'));
        expect(merged.replaced).toBe(named.filter((_, index) => isHand(index) && isChanged(index)).length);
        if (isOther)
          expect(merged.kept).toBe(named.filter((_, index) => isHand(index) && !isChanged(index)).length);
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it('never lose a line of the translation that was not edited', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.array(line, { maxLength: 8 }), (before, after) => {
        const texts = (lines: readonly string[]) => lines.map(by('x')).join('\n');
        const source = change(before.join('\n'), after.join('\n'));
        const written = change(texts(before), texts(after));
        expect(mergeEdits(source, written, texts(before)).text).toBe(texts(after));
        const added = `${texts(before)}\nhand`;
        expect(mergeEdits(source, written, added).text.split('\n')).toEqual(
          expect.arrayContaining(texts(after).split('\n')),
        );
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});
