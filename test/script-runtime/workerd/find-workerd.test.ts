import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findWorkerd } from '../../../src/script-runtime/workerd/workerd-runtime.ts';

let home: string;
const file = (name: string) => join(home, name);
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-find-'));
  for (const folder of ['wrapped', 'real', 'empty']) mkdirSync(file(folder));
  writeFileSync(file('wrapped/workerd'), '#!/usr/bin/env node\n');
  writeFileSync(file('real/workerd'), '\x7fELF');
  writeFileSync(file('not-executable'), '\x7fELF');
  for (const program of ['wrapped/workerd', 'real/workerd']) chmodSync(file(program), 0o755);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('the program workerd', () => {
  it('is the configured one, or the first on the PATH that is not a script', async () => {
    const real = file('real/workerd');
    const PATH = ['', file('empty'), file('wrapped'), file('real')].join(delimiter);
    expect(await findWorkerd({ PATH })).toBe(real);
    expect(await findWorkerd({ PATH: '', DOCSCTL_WORKERD: real })).toBe(real);
  });

  it.each([
    ['is not on the path', () => ({ PATH: file('empty') }), /no program workerd on the PATH/],
    ['is not there', () => ({ DOCSCTL_WORKERD: file('absent') }), /absent", which cannot be run/],
    ['cannot be executed', () => ({ DOCSCTL_WORKERD: file('not-executable') }), /which cannot be run/],
    ['is a folder', () => ({ DOCSCTL_WORKERD: file('real') }), /which cannot be run/],
    ['is a script', () => ({ DOCSCTL_WORKERD: file('wrapped/workerd') }), /is a script that starts workerd/],
  ])('is refused if it %s', async (_, env, message) => {
    await expect(findWorkerd(env())).rejects.toMatchObject({
      reason: 'invalid-input',
      message: expect.stringMatching(message),
      hint: expect.stringContaining('DOCSCTL_WORKERD'),
    });
  });
});
