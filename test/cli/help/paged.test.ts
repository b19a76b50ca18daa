import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../../../src/cli/program.ts';
import { runtimeOf } from '../../support/cli.ts';

it('only help that is longer than the screen is printed with the pager, unless --no-pager is given', async () => {
  const home = mkdtempSync(join(tmpdir(), 'docsctl-help-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const pager = join(home, 'pager');
  writeFileSync(pager, `#!/bin/sh\ncat > ${home}/paged\n`);
  chmodSync(pager, 0o755);
  const print = async (rows: number, ...words: string[]) => {
    const { runtime, out } = runtimeOf(words, { home, tty: true, env: { DOCSCTL_PAGER: pager } });
    const terminal = Object.create(runtime.terminal, { rows: { value: rows } }) as typeof runtime.terminal;
    expect(await run({ ...runtime, terminal })).toBe(0);
    return out.bytes().toString();
  };
  for (const words of [['help', 'options'], ['--help'], ['-h'], []]) {
    expect(await print(10, ...words)).toBe('');
    expect(readFileSync(join(home, 'paged'), 'utf8')).toContain('docsctl');
    rmSync(join(home, 'paged'));
  }
  expect(await print(10, 'spaces', '--help', '--no-pager')).toContain('Usage: docsctl spaces');
  expect((await print(10, 'completion', 'bash')).split('\n').length).toBeGreaterThan(10);
  expect(await print(500, 'spaces', '--help')).toContain('Usage: docsctl spaces');
});
