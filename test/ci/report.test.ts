import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeSpan, cutMarkdown, disarmQuickActions, writeReport } from '../../ci/report.js';
import { splitWords } from '../../ci/settings.js';

/** Lines of a log that try to end their code block. */
const lines = fc.array(
  fc.oneof(fc.constantFrom('```', '````text', '</details>', '<details>', '`', '/merge', ''), fc.string()),
  { maxLength: 30 },
);

const reportOf = (log: string): string =>
  writeReport({
    words: ['spaces', 'get', 'A'],
    isPlan: false,
    outcome: { exitCode: 1, stdout: '', stderr: '', log },
    remarks: [],
    footer: '\nfoot\n',
  });

/** Returns the lines of Markdown outside of code blocks, or undefined if a code block is not closed. */
function outsideOfCode(markdown: string): string[] | undefined {
  const outside: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const [, ticks, info = ''] = /^ {0,3}(`{3,})([^`]*)$/.exec(line) ?? [];
    if (fence !== undefined) {
      if (ticks !== undefined && ticks.length >= fence.length && info.trim() === '') fence = undefined;
    } else if (ticks === undefined) outside.push(line);
    else fence = ticks;
  }
  return fence === undefined ? outside : undefined;
}

const countOf = (found: readonly string[], part: string): number => found.join('\n').split(part).length - 1;

describe('the report of a command', () => {
  it('keeps every log inside its code block', () => {
    fc.assert(
      fc.property(lines, (log) => {
        const outside = outsideOfCode(reportOf(log.join('\n')));
        expect(outside?.at(-2)).toBe('foot');
        expect(countOf(outside ?? [], '<details')).toBe(countOf(outside ?? [], '</details>'));
        expect((outside ?? []).length).toBeLessThanOrEqual(12);
      }),
    );
  });

  it('contains no control characters, and none that reorder text', () => {
    const report = reportOf('\u001b[31mred\u001b[0m \u202egpj.exe\u2066 \u0007end');
    expect(report).toContain('\nred gpj.exe end\n');
  });

  it('is cut to a maximum size, with every code block and fold closed', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 400, max: 900 }), (log, max) => {
        const report = reportOf([...log, 'x'.repeat(90), ...log, ...log].join('\n'));
        const cut = cutMarkdown(report, max, 'The rest is missing.');
        expect(cut.length).toBeLessThanOrEqual(max);
        const outside = outsideOfCode(cut) ?? [];
        expect(countOf(outside, '<details')).toBe(countOf(outside, '</details>'));
        if (cut !== report) expect(outside.at(-2)).toBe('The rest is missing.');
      }),
    );
  });

  it('contains no escape sequences, and code that no backtick ends', () => {
    expect(reportOf('\u001b[31mred\u001b[0m \u0007bell')).toContain('\nred bell\n');
    expect(codeSpan('a`b\n``c')).toBe('``` a`b ``c ```');
  });

  it('contains no quick actions of GitLab outside of code', () => {
    expect(disarmQuickActions('/merge\n```\n/merge\n```\n  /close')).toBe(
      '\\/merge\n```\n/merge\n```\n  \\/close',
    );
  });
});

describe('splitWords', () => {
  it.each([
    ['plan', ['plan']],
    ['spaces  import "My guide"\n docs', ['spaces', 'import', 'My guide', 'docs']],
    [`plan --only 'space.*' --var a="b c"`, ['plan', '--only', 'space.*', '--var', 'a=b c']],
    [`a "it's" '"' ""`, ['a', "it's", '"', '']],
    ['a $HOME `b` ;c', ['a', '$HOME', '`b`', ';c']],
  ])('splits %j', (line, words) => expect(splitWords(line)).toEqual(words));

  it.each([`a "b`, `a 'b`, `a b"`])('refuses %j', (line) => {
    expect(() => splitWords(line)).toThrow('never closed');
  });
});
