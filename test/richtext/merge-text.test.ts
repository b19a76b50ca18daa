import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeTexts } from '../../src/richtext/merge-text.ts';

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

describe('mergeTexts', () => {
  it('takes the change of one side, or the same change of both sides', () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        for (const merged of [
          mergeTexts(base, base, changed),
          mergeTexts(base, changed, base),
          mergeTexts(base, changed, changed),
        ])
          expect(merged).toEqual({ text: changed, conflicts: [] });
      }),
      { seed: 1 },
    );
  });

  it('returns the same text if the sides are swapped', () => {
    fc.assert(
      fc.property(text, text, text, (base, ours, theirs) => {
        const [one, other] = [
          mergeTexts(base, ours, theirs, 'ours'),
          mergeTexts(base, theirs, ours, 'theirs'),
        ];
        expect(one.text).toBe(other.text);
        expect(one.conflicts).toEqual(
          other.conflicts.map((each) => ({ ...each, ours: each.theirs, theirs: each.ours })),
        );
      }),
      { seed: 1 },
    );
  });

  it('applies both sides if their edits do not touch, and reports a conflict otherwise', () => {
    const edits = fc.uniqueArray(
      fc.record({
        line: fc.nat(39),
        side: fc.constantFrom('ours', 'theirs'),
        kind: fc.constantFrom('change', 'remove', 'insert'),
      }),
      {
        selector: ({ line }) => line,
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(edits, (all) => {
        const lines = Array.from({ length: 40 }, (_, index) => `line ${index}\n`);
        const edited = (sides: readonly string[]) =>
          lines
            .map((line, at) => {
              const edit = all.find((each) => each.line === at && sides.includes(each.side));
              return edit === undefined
                ? line
                : edit.kind === 'change'
                  ? `${edit.side} ${at}\n`
                  : edit.kind === 'remove'
                    ? ''
                    : `${line}${edit.side} after ${at}\n`;
            })
            .join('');
        const merged = mergeTexts(lines.join(''), edited(['ours']), edited(['theirs']));
        const near = all.some((one) =>
          all.some((other) => one.side !== other.side && Math.abs(one.line - other.line) <= 1),
        );
        if (!near) expect(merged).toEqual({ text: edited(['ours', 'theirs']), conflicts: [] });
        for (const { side, line, kind } of all) {
          const mark =
            kind === 'change'
              ? `${side} ${line}\n`
              : kind === 'insert'
                ? `${side} after ${line}\n`
                : undefined;
          if (mark !== undefined)
            expect(
              [merged.text, ...merged.conflicts.flatMap(({ ours, theirs }) => [ours, theirs])].join(''),
            ).toContain(mark);
        }
      }),
      { seed: 1 },
    );
  });

  it('returns the lines of a conflict, and takes the side that was chosen', () => {
    const [base, ours, theirs] = ['a\nb\nc\nd\n', 'a\nB1\nc\nd\n', 'a\nB2\nc\nD\n'];
    const conflict = { line: 2, base: 'b\n', ours: 'B1\n', theirs: 'B2\n' };
    expect(mergeTexts(base, ours, theirs)).toEqual({ text: 'a\nB1\nc\nD\n', conflicts: [conflict] });
    expect(mergeTexts(base, ours, theirs, 'theirs')).toEqual({ text: theirs, conflicts: [conflict] });
  });

  it('treats adjacent changes as a conflict', () => {
    expect(mergeTexts('a\nb\n', 'A\nb\n', 'a\nB\n').conflicts).toEqual([
      { line: 1, base: 'a\nb\n', ours: 'A\nb\n', theirs: 'a\nB\n' },
    ]);
    expect(mergeTexts('a\n', 'a\nx\n', 'a\ny\n').conflicts).toEqual([
      { line: 2, base: '', ours: 'x\n', theirs: 'y\n' },
    ]);
    expect(mergeTexts('a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n').conflicts).toEqual([]);
  });

  it('keeps line endings and a missing final newline', () => {
    expect(mergeTexts('a\r\nb\r\nc', 'A\r\nb\r\nc', 'a\r\nb\r\nC').text).toBe('A\r\nb\r\nC');
    expect(mergeTexts('a\n', 'a', 'a\n').text).toBe('a');
  });

  it('reports a single conflict for texts that have nothing in common', () => {
    const merged = mergeTexts(numbered(20_000, 'a'), numbered(20_000, 'b'), numbered(20_000, 'c'));
    expect(merged.conflicts.map(({ line }) => line)).toEqual([1]);
  });

  const git = spawnSync('git', ['--version']).status === 0;
  it.skipIf(!git)(
    git
      ? 'agrees with git where both find no conflict'
      : 'is not compared with git, which this machine does not have',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'merge-'));
      let clean = 0;
      try {
        const lines = fc.array(fc.nat(60), { minLength: 8, maxLength: 40 });
        const edit = fc.record({
          at: fc.nat(40),
          remove: fc.nat(2),
          put: fc.array(fc.nat(1000), { maxLength: 2 }),
        });
        const edits = fc.array(edit, { maxLength: 3 });
        fc.assert(
          fc.property(lines, edits, edits, (base, one, other) => {
            const textOf = (numbers: readonly number[]) =>
              numbers.map((number) => `line ${number}\n`).join('');
            const edited = (changes: typeof one) =>
              changes.reduce((list, { at, remove, put }) => list.toSpliced(at, remove, ...put), base);
            const texts = [textOf(edited(one)), textOf(base), textOf(edited(other))];
            const files = texts.map((content, index) => {
              const file = join(folder, `${index}.txt`);
              writeFileSync(file, content);
              return file;
            });
            const { status, stdout } = spawnSync('git', ['merge-file', '-p', ...files], { encoding: 'utf8' });
            const merged = mergeTexts(texts[1]!, texts[0]!, texts[2]!);
            if (status !== 0 || merged.conflicts.length > 0) return;
            clean++;
            expect(merged.text).toBe(stdout);
          }),
          { numRuns: 60, seed: 7 },
        );
      } finally {
        rmSync(folder, { recursive: true });
      }
      expect(clean).toBeGreaterThan(15);
    },
  );
});
