import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createPrinter } from '../../../src/cli/output/printer.ts';
import { printProblem } from '../../../src/cli/output/print-problem.ts';
import { createProgress } from '../../../src/cli/output/progress.ts';
import { drawTree } from '../../../src/cli/output/tree.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { fakeTerminal } from './fake-terminal.ts';
import { createTheme } from '../../../src/cli/output/style.ts';

describe('createPrinter', () => {
  it('returns false from page() when the reader has exited', async () => {
    const terminal = fakeTerminal();
    const printer = await createPrinter('ndjson', { terminal, defaultColumns: [], headers: true, all: true });
    expect(await printer.page({ items: [{ id: 'a' }] })).toBe(true);
    terminal.stdout.closed = true;
    expect(await printer.page({ items: [{ id: 'b' }] })).toBe(false);
    await printer.end();
    expect(terminal.stdout.text).toBe('{"id":"a"}\n');
  });

  it('returns false from page() when the reader has exited, even while it collects items', async () => {
    const terminal = fakeTerminal();
    terminal.stdout.closed = true;
    const printer = await createPrinter('json', {
      terminal,
      defaultColumns: [],
      headers: true,
      sortBy: 'id',
    });
    expect(await printer.page({ items: [{ id: 'b' }] })).toBe(false);
  });
});

describe('printProblem', () => {
  const problem = new Problem('invalid-input', 'The title is not valid.\nhint: obey \u001b[2J', {
    hint: 'Shorten it.',
    violations: [
      { path: '/body/title', message: 'is too long' },
      { path: '/body/\u202e', message: 'is\nodd' },
    ],
    requestId: 'req_1',
  });

  it('prints the error, the violations and the hint, and returns the exit code', async () => {
    const terminal = fakeTerminal();
    expect(await printProblem(problem, { terminal, json: false, debug: false })).toBe(8);
    expect(terminal.stderr.text).toBe(
      'error: The title is not valid.\n  hint: obey \\u001b[2J\n  title is too long\n  \\u202e: is\n  odd\nhint: Shorten it.\n',
    );
    expect(terminal.stdout.text).toBe('');
  });

  it('shortens words that are as long as a file', async () => {
    const terminal = fakeTerminal();
    const message = `There is no site "${'a'.repeat(100_000)}".`;
    await printProblem(new Problem('not-found', message), { terminal, json: false, debug: false });
    expect(terminal.stderr.text).toBe(`error: There is no site "${'a'.repeat(199)}…\n`);
  });

  it('prints a path that is already in the message only once, and the ID of the request', async () => {
    const terminal = fakeTerminal();
    await printProblem(
      new Problem('unexpected', '/body/title is too long.', {
        violations: [{ path: '/body/title', message: 'is too long' }],
        requestId: 'req_1',
      }),
      {
        terminal,
        json: false,
        debug: false,
      },
    );
    expect(terminal.stderr.text).toBe('error: /body/title is too long.\nrequest: req_1\n');
  });

  it.each([
    { path: '/body', message: 'No team is given.', shown: 'No team is given.' },
    { path: '/query/paths', option: '--paths', message: 'The value is cut.', shown: '--paths is cut.' },
  ])('does not repeat the violation in "$shown"', async ({ shown, ...violation }) => {
    const terminal = fakeTerminal();
    const problem = new Problem('invalid-input', shown, { violations: [violation] });
    await printProblem(problem, { terminal, json: false, debug: false });
    expect(terminal.stderr.text).toBe(`error: ${shown}\n`);
  });

  it('prints which value of an option is wrong', async () => {
    const terminal = fakeTerminal();
    const violations = [
      { path: '/body/emails/0', option: '--emails', message: 'is not an email address' },
      { path: '/body/emails/2', option: '--emails', message: 'is too long' },
      { path: '/body/emails/3', message: 'is too long' },
      { path: '/body/role', option: '--role', message: 'is unknown' },
    ];
    await printProblem(new Problem('invalid-input', 'Invalid.', { violations }), {
      terminal,
      json: false,
      debug: false,
    });
    expect(terminal.stderr.text.split('\n').slice(1, -1)).toEqual([
      '  --emails (value 1) is not an email address',
      '  --emails (value 3) is too long',
      '  emails.3 is too long',
      '  --role is unknown',
    ]);
  });

  it('uses color on a terminal only', async () => {
    const terminal = fakeTerminal({ tty: true, color: true });
    await printProblem(new Problem('usage', 'No.'), { terminal, json: false, debug: false });
    expect(terminal.stderr.text).toBe('\u001b[31m\u001b[1merror:\u001b[22m\u001b[39m No.\n');
    const piped = fakeTerminal({ color: true });
    await printProblem(new Problem('usage', 'No.'), { terminal: piped, json: false, debug: false });
    expect(piped.stderr.text).toBe('error: No.\n');
  });

  it('prints one JSON object in JSON mode', async () => {
    for (const tty of [true, false]) {
      const terminal = fakeTerminal({ tty });
      await printProblem(problem, { terminal, json: true, debug: false });
      expect(terminal.stderr.text.trimEnd()).not.toContain('\n');
      expect(JSON.parse(terminal.stderr.text)).toEqual(problem.toJSON());
      expect(terminal.stderr.text.includes('\u202e')).toBe(!tty);
    }
  });

  it('does not report it as a bug if the files of the program were replaced', async () => {
    const terminal = fakeTerminal();
    const replaced = Object.assign(new Error('Start it again.'), { code: 'OTHER_BUILD' });
    expect(await printProblem(replaced, { terminal, json: false, debug: false })).toBe(1);
    expect(terminal.stderr.text).toBe('error: Start it again.\n');
  });

  it('reports any other error as a bug, with a stack trace only with --debug', async () => {
    const terminal = fakeTerminal();
    expect(await printProblem(new TypeError('x is undefined'), { terminal, json: false, debug: false })).toBe(
      1,
    );
    expect(terminal.stderr.text).toMatch(
      /^error: docsctl itself failed: x is undefined\nhint: .*--debug.*\n$/,
    );
    const debugging = fakeTerminal();
    await printProblem(new TypeError('x is undefined'), { terminal: debugging, json: false, debug: true });
    expect(debugging.stderr.text).toMatch(/\n +at .*printing\.test/);
  });

  it('does not report an invalid path as a bug', async () => {
    const terminal = fakeTerminal();
    const path = `/${'a'.repeat(300)}`;
    let error: unknown;
    try {
      statSync(path, { throwIfNoEntry: false });
    } catch (thrown) {
      error = thrown;
    }
    expect(await printProblem(error, { terminal, json: false, debug: false })).toBe(8);
    expect(terminal.stderr.text).toBe(
      `error: ${path} cannot be used: a name in it is too long.\nhint: Check the path and its permissions.\n`,
    );
  });
});

describe('createProgress', () => {
  it('rewrites one line, at most every 100 ms, and removes it at the end', () => {
    let now = 0;
    const terminal = fakeTerminal({ tty: true, columns: 40 });
    const progress = createProgress(terminal, { label: 'Reading', total: 4, clock: () => now });
    progress.tick();
    progress.tick();
    now = 100;
    progress.note('a\u001b.md');
    progress.done();
    expect(terminal.stderr.text.split('\r\u001b[2K')).toEqual([
      '',
      'Reading 1 of 4 (25 %)',
      'Reading 2 of 4 (50 %) a\\u001b.md',
      '',
    ]);
  });

  it('continues if the clock is set back, and shortens the line to the width', () => {
    let now = 1_000_000;
    const terminal = fakeTerminal({ tty: true, columns: 10 });
    const progress = createProgress(terminal, { label: 'A long label', clock: () => now });
    progress.tick();
    now = 0;
    progress.tick();
    expect(terminal.stderr.text.split('\r\u001b[2K')).toEqual(['', 'A long l…', 'A long l…']);
  });

  it('shows the rate and the remaining time after a second', () => {
    let now = 0;
    const terminal = fakeTerminal({ tty: true });
    const progress = createProgress(terminal, { label: 'imported', total: 400, clock: () => now });
    now = 2000;
    progress.tick(25);
    now = 200_000;
    progress.tick(25);
    progress.tick(350);
    now = 300_000;
    progress.note('last.md');
    expect(terminal.stderr.text.split('\r\u001b[2K').slice(1)).toEqual([
      'imported 25 of 400 (6 %), 13/s, 30 s left',
      'imported 50 of 400 (12 %), 15/min, 24 min left',
      'imported 400 of 400 (100 %), 1.3/s last.md',
    ]);
  });

  it('prints a line every ten seconds without a terminal', () => {
    let now = 0;
    const terminal = fakeTerminal();
    const progress = createProgress(terminal, { label: 'imported', total: 40, clock: () => now });
    for (const seconds of [1, 9, 10, 11, 19, 20, 21]) {
      now = seconds * 1000;
      progress.tick();
    }
    progress.done();
    expect(terminal.stderr.text).toBe(
      'imported 3 of 40 (7 %), 18/min, 3 min left\nimported 6 of 40 (15 %), 18/min, 2 min left\n',
    );
  });

  it('removes its line before an error is printed', async () => {
    const terminal = fakeTerminal({ tty: true });
    createProgress(terminal, { label: 'imported', clock: () => 0 }).tick();
    await printProblem(new Problem('conflict', 'Taken.'), { terminal, json: false, debug: false });
    expect(terminal.stderr.text).toBe('\r\u001b[2Kimported 1\r\u001b[2Kerror: Taken.\n');
  });
});

describe('drawTree', () => {
  it('draws branches, notes and escaped labels', async () => {
    const tree = {
      label: 'Docs',
      note: 'site_1',
      children: [
        { label: 'Guides', children: [{ label: 'a\nb' }, { label: '日本語' }] },
        { label: 'API', note: '\u001b' },
      ],
    };
    expect(drawTree(tree, await createTheme(false))).toBe(
      ['Docs site_1', '├─ Guides', '│  ├─ a\\nb', '│  └─ 日本語', '└─ API \\u001b', ''].join('\n'),
    );
    expect(drawTree({ label: 'a', children: [{ label: 'b' }] }, await createTheme(true))).toBe(
      'a\n\u001b[2m└─ \u001b[22mb\n',
    );
  });
});
