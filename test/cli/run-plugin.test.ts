import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from './guide-store.ts';

let desk: GuideStore;
const log = () => desk.at('log');
const plugin = (folder: string, name: string, script: string): void => {
  mkdirSync(desk.at(folder), { recursive: true });
  writeFileSync(desk.at(folder, `docsctl-${name}`), `#!/bin/sh\n${script}\n`);
  chmodSync(desk.at(folder, `docsctl-${name}`), 0o755);
};
const run = (words: readonly string[], path: readonly string[] = [desk.at('bin')]) =>
  desk.run(words, { env: { PATH: [...path, '/usr/bin', '/bin'].join(delimiter) } });

beforeAll(async () => {
  desk = await openGuideStore();
  const show = `printf '%s\\n' "$@" "$DOCSCTL_STORE" "$DOCSCTL_ORG" "$DOCSCTL_PROFILE" > '${log()}'`;
  plugin('bin', 'hello', `${show}; env | grep -c dctl_ >> '${log()}'; exit 7`);
  plugin('bin', 'spaces', 'exit 7');
  plugin('bin', 'killed', 'kill -TERM $$');
});
afterAll(() => desk.discard());

it('a plugin on the PATH gets the arguments and settings, and its exit code is returned', async () => {
  const secret = `dctl_${'x'.repeat(38)}`;
  const settings = { current: 'work', profiles: { work: { org: 'Acme', token: secret } } };
  writeFileSync(`${desk.home}/config/config.json`, JSON.stringify(settings), { mode: 0o600 });
  expect(await run(['hello', 'two words', '--help', '-o', 'json'])).toMatchObject({ exit: 7, stderr: '' });
  expect(readFileSync(log(), 'utf8').split('\n')).toEqual([
    'two words',
    '--help',
    '-o',
    'json',
    desk.options.env!['DOCSCTL_STORE'],
    'Acme',
    'work',
    '0',
    '',
  ]);
});

it('commands of docsctl take precedence over plugins', async () => {
  expect(await run(['spaces', 'list'])).toMatchObject({ exit: 0 });
  expect(await run(['space', 'list'])).toMatchObject({ exit: 0 });
});

it('a plugin that is killed by a signal returns 128 plus its number', async () => {
  expect(await run(['killed'])).toMatchObject({ exit: 143 });
});

it.each([
  ['outside the PATH', ['hello'], []],
  ['in a relative folder, such as the current one', ['hello'], ['bin', '.', '']],
  ['whose name is a path', ['../bin/docsctl-hello'], undefined],
] as const)('docsctl runs no plugin %s', async (_, words, path) => {
  expect(await run(words, path)).toMatchObject({ exit: 64, stderr: expect.stringContaining('Unknown') });
});

it('options before the name of a plugin are refused, because the plugin would not get them', async () => {
  expect(await run(['--org', 'Acme', 'hello', 'x'])).toMatchObject({
    exit: 64,
    stderr: expect.stringMatching(/in front of the plugin "hello".*`docsctl hello \.\.\.`/s),
  });
});

it('a plugin that cannot be started is reported', async () => {
  writeFileSync(desk.at('bin', 'docsctl-broken'), '#!/no/such/interpreter\n', { mode: 0o755 });
  expect(await run(['broken'])).toMatchObject({
    exit: 64,
    stderr: expect.stringContaining('docsctl-broken could not be started: '),
  });
});

it('a plugin that cannot be started because its arguments are too long is reported', async () => {
  expect(await run(['hello', 'x'.repeat(10_000_000)])).toMatchObject({
    exit: 64,
    stderr: expect.stringContaining('docsctl-hello could not be started: spawn E2BIG.'),
  });
});
