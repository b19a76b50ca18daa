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

it('runs a program on the PATH with the arguments and settings, and returns its exit code', async () => {
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

it('prefers commands of docsctl', async () => {
  expect(await run(['spaces', 'list'])).toMatchObject({ exit: 0 });
  expect(await run(['space', 'list'])).toMatchObject({ exit: 0 });
});

it('returns 128 and the number of the signal that ended the program', async () => {
  expect(await run(['killed'])).toMatchObject({ exit: 143 });
});

it.each([
  ['outside the PATH', ['hello'], []],
  ['in a relative folder, such as the current one', ['hello'], ['bin', '.', '']],
  ['in another folder than its name says', ['../bin/docsctl-hello'], undefined],
] as const)('runs no program %s', async (_, words, path) => {
  expect(await run(words, path)).toMatchObject({ exit: 64, stderr: expect.stringContaining('Unknown') });
});

it('refuses options in front of a plugin, which it would not get', async () => {
  expect(await run(['--org', 'Acme', 'hello', 'x'])).toMatchObject({
    exit: 64,
    stderr: expect.stringMatching(/in front of the plugin "hello".*`docsctl hello \.\.\.`/s),
  });
});

it('names a program that cannot be started', async () => {
  writeFileSync(desk.at('bin', 'docsctl-broken'), '#!/no/such/interpreter\n', { mode: 0o755 });
  expect(await run(['broken'])).toMatchObject({
    exit: 64,
    stderr: expect.stringContaining('docsctl-broken could not be started: '),
  });
});

it('says that a program cannot be started with arguments that are too long', async () => {
  expect(await run(['hello', 'x'.repeat(10_000_000)])).toMatchObject({
    exit: 64,
    stderr: expect.stringContaining('docsctl-hello could not be started: spawn E2BIG.'),
  });
});
