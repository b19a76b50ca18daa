import { mkdtempSync, readFileSync, existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPagedSink } from '../../../src/cli/output/pager.ts';
import { fakeTerminal } from './fake-terminal.ts';

const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}\n`).join('');

describe('a pager', () => {
  let folder: string;
  let seen: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'docsctl-pager-'));
    seen = join(folder, 'seen');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function paging(env: Record<string, string>, { tty = true, rows = 10, isWanted = true } = {}) {
    const terminal = { ...fakeTerminal({ tty }), rows };
    const notes: string[] = [];
    const path = process.env['PATH'] ?? '';
    const held: string[] = [];
    const sink = createPagedSink({
      runtime: {
        terminal,
        env: { PATH: path, SEEN: seen, ...env },
        holdInterrupts: () => {
          held.push('held');
          return () => held.push('released');
        },
      },
      isWanted,
      note: (message) => notes.push(message),
    });
    const print = async (...texts: string[]) => {
      for (const text of texts) if (!sink.closed) await sink.write(text);
      await sink.flush();
      return terminal.stdout.text;
    };
    return { sink, print, notes, held };
  }
  it('receives only output that is longer than the screen', async () => {
    const { print, held } = paging({ DOCSCTL_PAGER: `dd 'of=${seen}' status=none` });
    expect(await print(lines(9))).toBe(lines(9));
    expect(existsSync(seen)).toBe(false);
    expect(await print(lines(5), lines(5), lines(1))).toBe(lines(9));
    expect(readFileSync(seen, 'utf8')).toBe(lines(5) + lines(5) + lines(1));
    expect(held).toEqual(['held', 'released']);
  });

  it('is the command in PAGER if DOCSCTL_PAGER is not set', async () => {
    await paging({ PAGER: `cat | cat > '${seen}'` }).print(lines(20));
    expect(readFileSync(seen, 'utf8')).toBe(lines(20));
  });

  it.each([
    ['an empty DOCSCTL_PAGER', { DOCSCTL_PAGER: '', PAGER: 'false' }, {}],
    ['--no-pager', { PAGER: 'false' }, { isWanted: false }],
    ['a pipe', { PAGER: 'false' }, { tty: false }],
    ['cat', { PAGER: 'cat' }, {}],
  ])('is not started with %s', async (_, env, options) => {
    expect(await paging(env, options).print(lines(50))).toBe(lines(50));
  });

  it('can be closed early', async () => {
    const { sink, print } = paging({ PAGER: 'true' });
    await sink.write(lines(20));
    while (!sink.closed) await sink.write(lines(1000));
    expect(await print()).toBe('');
  });

  it('is replaced by plain output with a note if it does not exist', async () => {
    const { print, notes } = paging({ PAGER: '/nowhere/less -R' });
    expect(await print(lines(20), lines(1), lines(20))).toBe(lines(20) + lines(1) + lines(20));
    expect(notes).toEqual([
      'The pager "/nowhere/less -R" cannot be run. Set DOCSCTL_PAGER to another one, or to nothing.',
    ]);
  });
});
