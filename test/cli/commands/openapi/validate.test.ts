import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { docsctl } from '../../../support/cli.ts';

it('openapi validate checks several specifications, and reports the errors of all of them', async () => {
  const home = mkdtempSync(join(tmpdir(), 'docsctl-validate-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const write = (name: string, info: string) =>
    writeFileSync(join(home, name), `openapi: 3.0.3\ninfo: { title: Shop${info} }\npaths: {}\n`);
  write('one.yaml', ', version: "1"');
  write('two.yaml', ', version: "2"');
  write('wrong.yaml', '');
  const validate = (...words: string[]) =>
    docsctl(['openapi', 'validate', ...words], { home, cwd: home, env: {} });
  expect(await validate('one.yaml', 'two.yaml', '-o', 'id')).toMatchObject({
    exit: 0,
    stdout: 'one.yaml\ntwo.yaml\n',
    stderr: '',
  });
  const ran = await validate('one.yaml', 'wrong.yaml', 'none.yaml', '--columns', 'file,title');
  expect(ran).toMatchObject({ exit: 8, stdout: 'file\ttitle\none.yaml\tShop\n' });
  expect(ran.stderr).toMatch(
    /^error: 2 of 3 specifications are not valid\.\n {2}wrong\.yaml:2:1: .*\n {2}none\.yaml: /,
  );
});
