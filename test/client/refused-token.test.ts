import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { refusedTokenProblem } from '../../src/client/refused-token.ts';
import { Problem } from '../../src/errors/problem.ts';
import { docsctl } from '../support/cli.ts';
import { farServer, refusal } from './far-server.ts';

async function open() {
  const home = mkdtempSync(join(tmpdir(), 'docsctl-token-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const { url } = await farServer(refusal(401, 'unauthenticated', { 'x-request-id': 'req_7' }));
  const run = (env: Record<string, string> = {}, ...flags: string[]) =>
    docsctl(['orgs', 'list', ...flags], {
      home,
      env: { DOCSCTL_CONFIG_DIR: home, ...env },
    });
  return { home, url, run };
}

it('the error for a refused token names its variable', async () => {
  const { url, run } = await open();
  const ran = await run({ DOCSCTL_SERVER: url, DOCSCTL_TOKEN: 'dctl_wrong' });
  expect(ran).toMatchObject({ exit: 4, stdout: '' });
  expect(ran.stderr).toContain(`error: ${url} refused the token from DOCSCTL_TOKEN. No: unauthenticated\n`);
  expect(ran.stderr).toContain('hint: Set DOCSCTL_TOKEN to another token.');
  expect(ran.stderr).not.toMatch(/dctl_wrong|Authorization/);
});

it('the error for a refused token names its file, or its profile with the command to renew it', async () => {
  const { home, url, run } = await open();
  const file = join(home, 'token.txt');
  writeFileSync(file, 'dctl_wrong\n');
  expect((await run({ DOCSCTL_SERVER: url }, '--token-file', file)).stderr).toContain(
    `refused the token from ${file}.`,
  );
  writeFileSync(
    join(home, 'config.json'),
    JSON.stringify({ profiles: { work: { server: url, token: 'dctl_wrong' } } }),
    { mode: 0o600 },
  );
  const { exit, stderr } = await run({}, '--profile', 'work');
  expect(exit).toBe(4);
  expect(stderr).toContain('refused the token from profile work.');
  expect(stderr).toContain(`\`docsctl login --name work --server ${url}\``);
});

it('the error for a refused token from standard input says to pipe another one', () => {
  const problem = new Problem('unauthenticated', 'No.');
  expect(refusedTokenProblem(problem, { origin: 'http://x', from: 'standard input' })).toMatchObject({
    message: 'http://x refused the token from standard input. No.',
    hint: expect.stringMatching(/^Pipe another token into the command\. /),
  });
});

it('the error says if no token is set', async () => {
  const { url, run } = await open();
  const { exit, stderr } = await run({ DOCSCTL_SERVER: url });
  expect(exit).toBe(4);
  expect(stderr).toContain(`error: ${url} requires a token, but none is set.`);
  expect(stderr).toContain(`\`docsctl login --server ${url}\``);
});

it('the error for a refused token is a JSON object with -o json', async () => {
  const { url, run } = await open();
  const { stderr } = await run({ DOCSCTL_SERVER: url, DOCSCTL_TOKEN: 'dctl_wrong' }, '-o', 'json');
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 401,
    reason: 'unauthenticated',
    requestId: 'req_7',
  });
});
