import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readStart, signInByBrowser, signInPatience } from '../../src/cli/sso-login.ts';
import type { Patience } from '../../src/cli/patience.ts';
import type { Runtime } from '../../src/cli/runtime.ts';
import { Problem } from '../../src/errors/problem.ts';
import { createProvider } from '../../src/resources/saml/contract.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { createServer } from '../../src/server/index.ts';
import { bind } from '../../src/server/listen.ts';
import { sink } from '../client/outgoing-support.ts';
import { encode, Idp, readRedirect } from '../saml/idp.ts';
import { docsctl } from '../support/cli.ts';
import { createWorld } from '../support/world.ts';

/** A server with a provider whose identity provider says yes to everybody. */
async function open() {
  const idp = new Idp();
  const world = await createWorld();
  const place = { host: '127.0.0.1', port: 0, allowRemote: false };
  const bound = await bind(place);
  const core = { ...world.core, publicUrl: bound.url };
  const server = await createServer({ core, version: '1', newRequestId: () => 'req' });
  await server.listen({ ...place, bound });
  onTestFinished(() => server.close(0));
  const { id } = await world.as('admin').call(createProvider, {
    params: { organizationId: 'org_acme' },
    body: { label: 'Okta', ...idp.provider },
  });
  const service = {
    acsURL: `${bound.url}/saml/${id}/acs`,
    startURL: `${bound.url}/saml/${id}/start`,
    entityID: `${bound.url}/saml/${id}/metadata`,
  };
  /** What a browser does, up to where it is sent last. */
  const browse = async (address: string): Promise<string> => {
    const start = await fetch(address, { redirect: 'manual' });
    const { id: request, relayState } = readRedirect(start.headers.get('location')!);
    const response = encode(
      idp.response({ email: 'edit@acme.test', inResponseTo: request, issued: world.core.clock() }, service),
    );
    const end = await fetch(service.acsURL, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ SAMLResponse: response, RelayState: relayState }),
    });
    return end.headers.get('location')!;
  };
  return { url: bound.url, service, browse };
}

function runtime(signal = new AbortController().signal): Runtime {
  let seed = 0;
  return {
    signal,
    randomBytes: (count: number) => new Uint8Array(count).fill(++seed),
  } as Partial<Runtime> as Runtime;
}

/** Patience that ends when the test says so. */
function patience(signal = new AbortController().signal): Patience {
  return { seconds: 300, signal: () => signal };
}

describe('signing in in a browser', () => {
  it('ends with a token, also when others knock at the port first', async () => {
    const { url, service, browse } = await open();
    const pages: number[] = [];
    const login = signInByBrowser(
      {
        runtime: runtime(),
        note: (text) => {
          void (async () => {
            const address = text.split('\n')[1]!;
            const callback = new URL(new URL(address).searchParams.get('redirect')!);
            for (const wrong of ['/callback?code=x&state=y', '/callback', '/other'])
              pages.push((await fetch(callback.origin + wrong)).status);
            pages.push((await fetch(await browse(address))).status);
          })();
        },
      },
      readStart(service.startURL, undefined),
      patience(),
    );
    const { token, ...more } = await login;
    expect(more).toEqual({ server: url, organization: 'org_acme' });
    const user = (await (
      await fetch(`${url}/v1/user`, { headers: { authorization: `Bearer ${token}` } })
    ).json()) as { email: string };
    expect(user.email).toBe('edit@acme.test');
    await expect.poll(() => pages).toEqual([400, 400, 400, 200]);
  });

  it('stops when it is told to, and when it took too long', async () => {
    const { service } = await open();
    const start = readStart(service.startURL, undefined);
    const [stop, end] = [new AbortController(), new AbortController()];
    await expect(
      signInByBrowser({ runtime: runtime(stop.signal), note: () => stop.abort() }, start, patience()),
    ).rejects.toMatchObject({ reason: 'interrupted', exitCode: 130 });
    const late = signInByBrowser(
      { runtime: runtime(), note: () => end.abort() },
      start,
      patience(end.signal),
    );
    await expect(late).rejects.toMatchObject({
      reason: 'timed-out',
      exitCode: 69,
      message: 'Nobody signed in within 300 s.',
    });
  });

  it('sends nobody to what is no provider, and waits for nobody there', async () => {
    const { url } = await open();
    const notes: string[] = [];
    const login = (startURL: string) =>
      signInByBrowser(
        { runtime: runtime(), note: (text) => void notes.push(text) },
        readStart(startURL, undefined),
        patience(),
      );
    await expect(login(`${url}/saml/saml_none/start`)).rejects.toMatchObject({ reason: 'not-found' });
    await expect(login('http://127.0.0.1:1/saml/x/start')).rejects.toMatchObject({ reason: 'unreachable' });
    const other = await sink((response) => void response.end('Welcome'));
    await expect(login(`${other.url}/saml/x/start`)).rejects.toMatchObject({
      reason: 'unreachable',
      message: expect.stringContaining('not as docsctl serve'),
    });
    expect(notes).toEqual([]);
  });

  it('is waited for five minutes where there is a terminal, shortly where there is none, or as told', () => {
    const notes: string[] = [];
    const waits = (stdinIsTTY: boolean, stderrIsTTY: boolean, timeout?: string): number =>
      signInPatience(
        { terminal: { stdinIsTTY, stderrIsTTY } as Terminal, note: (text) => void notes.push(text) },
        timeout,
      ).seconds;
    expect([waits(true, true), waits(true, false), waits(false, true), waits(false, false, '90')]).toEqual([
      300, 300, 300, 90,
    ]);
    expect(notes).toEqual([]);
    expect(waits(false, false)).toBe(30);
    expect(notes).toEqual([
      'There is no terminal, so this waits 30 s only; --timeout SECONDS says otherwise.',
    ]);
    for (const wrong of ['0', '-1', 'soon', '1e9'])
      expect(() => waits(true, true, wrong)).toThrow(expect.objectContaining({ reason: 'usage' }));
  });

  it('ends by itself as a command that nobody attends, with the address on stderr', async () => {
    const { service } = await open();
    const home = mkdtempSync(join(tmpdir(), 'docsctl-login-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const run = (...words: string[]) =>
      docsctl(['login', ...words], { home, env: { DOCSCTL_CONFIG_DIR: join(home, 'config') } });
    const ran = await run('--sso', service.startURL, '--timeout', '0.2', '-o', 'json');
    expect(ran).toMatchObject({
      exit: 69,
      stdout: '',
      stderr: expect.stringContaining(`${service.startURL}?redirect=http`),
    });
    expect(ran.stderr).toContain('"reason":"timed-out"');
    expect(await run('--timeout', '5', '--server', 'http://127.0.0.1:1')).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('--sso'),
    });
  });

  it('takes the start URL, or the id where the server is known', () => {
    const startURL = 'https://docs.test/base/saml/saml_1/start';
    expect(readStart(startURL, undefined)).toEqual({ server: 'https://docs.test/base', startURL });
    expect(readStart('saml_1', 'https://docs.test/base/')).toMatchObject({ startURL });
    for (const [text, server] of [
      ['saml_1', undefined],
      ['https://docs.test/', undefined],
      ['a b', 'https://docs.test'],
    ] as const)
      expect(() => readStart(text, server)).toThrow(Problem);
  });
});
