import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readStartUrl, signInTimeout } from '../../../src/cli/commands/login.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { openSignInServer } from '../../client/sign-in-server.ts';
import { docsctl } from '../../support/cli.ts';
import { openGuideStore } from '../guide-store.ts';
import type { Terminal } from '../../../src/cli/runtime.ts';

it('docsctl login warns if a variable overrides the new profile', async () => {
  const desk = await openGuideStore();
  onTestFinished(() => desk.discard());
  const other = await desk.done(['login', '--store', 'json:other.json']);
  expect(other.stderr).toContain(
    'warning: commands do not use this profile yet, because DOCSCTL_STORE names another store.',
  );
  const own = await desk.done(['login', '--store', desk.options.env?.['DOCSCTL_STORE'] ?? '']);
  expect(own.stderr).not.toContain('warning');
});

describe('docsctl login --sso', () => {
  it('waits 300 s with a terminal and 30 s without one, unless --timeout is given', () => {
    const notes: string[] = [];
    const waits = (stdinIsTTY: boolean, stderrIsTTY: boolean, timeout?: string): number =>
      signInTimeout({
        terminal: { stdinIsTTY, stderrIsTTY } as Terminal,
        flags: timeout === undefined ? {} : { timeout },
        note: (text) => void notes.push(text),
      }).seconds;
    expect([waits(true, true), waits(true, false), waits(false, true), waits(false, false, '90')]).toEqual([
      300, 300, 300, 90,
    ]);
    expect(notes).toEqual([]);
    expect(waits(false, false)).toBe(30);
    expect(notes).toEqual([
      'There is no terminal, so docsctl waits only 30 s. --timeout sets another limit.',
    ]);
  });

  it('times out without a terminal, with the sign-in address on stderr', async () => {
    const { service } = await openSignInServer();
    const home = mkdtempSync(join(tmpdir(), 'docsctl-login-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const run = (...words: string[]) =>
      docsctl(['login', ...words], { home, env: { DOCSCTL_CONFIG_DIR: join(home, 'config') } });
    const ran = await run('--sso', service.startURL, '--timeout', '2', '-o', 'json');
    expect(ran).toMatchObject({
      exit: 69,
      stdout: '',
      stderr: expect.stringContaining(`${service.startURL}?redirect=http`),
    });
    expect(ran.stderr).toContain('"reason":"timed-out"');
    expect(ran.stderr).toContain('Nobody signed in within 2 s');
    for (const wrong of ['0', '-1', 'soon', '1e9'])
      expect(await run('--sso', service.startURL, '--timeout', wrong)).toMatchObject({
        exit: 8,
        stderr: expect.stringContaining('--timeout'),
      });
  });

  it('checks the address of the server before it needs a token', async () => {
    expect(await docsctl(['login', '--server', 'docs.example'], { home: tmpdir() })).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('Begin it with the protocol: https://docs.example'),
    });
  });

  it('explains what to give instead of the name of a provider', async () => {
    const { service } = await openSignInServer();
    const { server } = readStartUrl(service.startURL, undefined);
    const home = mkdtempSync(join(tmpdir(), 'docsctl-login-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const words = ['login', '--sso', 'okta', '--server', server];
    expect(await docsctl(words, { home, env: { DOCSCTL_CONFIG_DIR: join(home, 'config') } })).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('Give --sso the ID or the start URL of the provider, not its name.'),
    });
  });

  it('refuses to receive a token over plain HTTP from another machine', async () => {
    const home = mkdtempSync(join(tmpdir(), 'docsctl-login-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const run = (...words: string[]) =>
      docsctl(['login', ...words, '--timeout', '2'], {
        home,
        env: { DOCSCTL_CONFIG_DIR: join(home, 'config') },
      });
    const unencrypted = {
      exit: 9,
      stderr: expect.stringContaining('without encryption.\nhint: Use an https address, or add --allow-http'),
    };
    expect(await run('--sso', 'http://192.0.2.1/saml/saml_1/start')).toMatchObject(unencrypted);
    expect(await run('--sso', 'saml_1', '--server', 'http://192.0.2.1')).toMatchObject(unencrypted);
    // 8.8.8.8 is a public address, so nothing is sent to it.
    expect(await run('--sso', 'http://8.8.8.8/saml/saml_1/start', '--allow-http')).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('--allow-http does not apply'),
    });
  });

  it('accepts the start URL, or the ID if the server is known', () => {
    const startURL = 'https://docs.test/base/saml/saml_1/start';
    expect(readStartUrl(startURL, undefined)).toEqual({ server: 'https://docs.test/base', startURL });
    expect(readStartUrl('saml_1', 'https://docs.test/base/')).toMatchObject({ startURL });
    for (const [text, server] of [
      ['saml_1', undefined],
      ['https://docs.test/', undefined],
      ['a b', 'https://docs.test'],
    ] as const)
      expect(() => readStartUrl(text, server)).toThrow(Problem);
  });
});
