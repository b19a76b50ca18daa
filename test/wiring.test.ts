import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Runtime } from '../src/cli/runtime.ts';
import { rememberServerUrls } from '../src/core/server-urls.ts';
import { initializeStore } from '../src/resources/organizations/initialize.ts';
import { listOrganizations } from '../src/resources/organizations/contract.ts';
import { checkVariables, connectApi, openCore } from '../src/wiring.ts';
import { temporaryFolder } from './stores/fixtures.ts';
import { runtimeOf } from './support/cli.ts';

const runtime = (env: Record<string, string> = {}): Runtime =>
  runtimeOf([], { home: temporaryFolder(), env }).runtime;
const setting = (value: string) => ({ value, from: 'a test' });
const note = (): void => {};

/** A store that a server has shown at `https://docs.example.com`. */
async function servedStore(): Promise<string> {
  const url = `sqlite:${join(temporaryFolder(), 'store.db')}`;
  const core = await openCore(runtime(), url, { create: true });
  await initializeStore(core, { title: 'Acme', email: 'ana@example.com', displayName: 'Ana' });
  await rememberServerUrls(core.store, {
    publicUrl: 'https://docs.example.com',
    sitesUrl: 'https://sites.example.com',
  });
  await core.store.close();
  return url;
}

it('a store that does not exist is created only if that is asked for', async () => {
  const url = `sqlite:${join(temporaryFolder(), 'store.db')}`;
  await expect(openCore(runtime(), url)).rejects.toMatchObject({ reason: 'store-failed' });
  const core = await openCore(runtime(), url, { create: true });
  await core.store.close();
  await (await openCore(runtime(), url)).store.close();
});

describe('the addresses in answers of a store', () => {
  it('are those of its latest server only for commands', async () => {
    const url = await servedStore();
    for (const [options, expected] of [
      [{}, ['http://localhost:8080', 'http://localhost:8081']],
      [{ asLatestServer: true }, ['https://docs.example.com', 'https://sites.example.com']],
      [
        { asLatestServer: true, publicUrl: 'https://a.example', sitesUrl: 'https://b.example' },
        ['https://a.example', 'https://b.example'],
      ],
    ] as const) {
      const core = await openCore(runtime(), url, options);
      expect([core.publicUrl, core.sitesUrl]).toEqual(expected);
      await core.store.close();
    }
  });
});

it('commands on a store show the addresses of its latest server', async () => {
  const [, path = ''] = (await servedStore()).split('sqlite:');
  const api = await connectApi(runtime(), { store: setting(`sqlite:${path}`) }, note);
  const { items } = await api.call(listOrganizations, {});
  expect(items.map(({ urls }) => new URL(urls.app).origin)).toEqual(['https://docs.example.com']);
  await api.close();
});

describe('the runtime of scripts', () => {
  it.each([
    [{}, true],
    [{ DOCSCTL_INTEGRATION_RUNTIME: 'quickjs' }, true],
    [{ DOCSCTL_INTEGRATION_RUNTIME: 'workerd' }, true],
    [{ DOCSCTL_INTEGRATION_RUNTIME: 'off' }, false],
  ])('with %j is there: %s', async (env, expected) => {
    const core = await openCore(runtime(env), 'memory:', { create: true });
    expect(core.scripts !== undefined).toBe(expected);
    await core.scripts?.close();
    await core.store.close();
  });

  it('is refused by another name', async () => {
    await expect(
      openCore(runtime({ DOCSCTL_INTEGRATION_RUNTIME: 'other' }), 'memory:', { create: true }),
    ).rejects.toMatchObject({ reason: 'invalid-input', message: expect.stringContaining('"other"') });
  });
});

describe('a server', () => {
  /** A server that answers to everything after some turns of its event loop. */
  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer((request, response) => {
      void (async () => {
        for (let turn = 0; turn < 50; turn++) await setImmediate();
        listener(request, response);
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('is sent no token over plain HTTP, unless that is allowed', async () => {
    const settings = { server: setting('http://192.0.2.1'), token: setting('tok_1') };
    await expect(connectApi(runtime(), settings, note)).rejects.toMatchObject({
      reason: 'guard-refused',
      message: 'The token would be sent to http://192.0.2.1 without encryption.',
    });
  });

  it('has the time that --timeout gives, in seconds', async () => {
    const server = await serve((_, response) =>
      response.setHeader('content-type', 'application/json').end('{"items":[]}'),
    );
    const api = await connectApi(runtime(), { server: setting(server) }, note, { timeout: 120 });
    expect(await api.call(listOrganizations, {})).toEqual({ items: [] });
    await api.close();
  });

  it('that closes its connections is asked three times', async () => {
    let tries = 0;
    const server = await serve(({ socket }) => {
      tries++;
      socket.destroy();
    });
    const api = await connectApi(runtime(), { server: setting(server) }, note);
    await expect(api.call(listOrganizations, {})).rejects.toMatchObject({
      message: expect.stringMatching(/ Tried 3 times\.$/),
    });
    expect(tries).toBe(3);
    await api.close();
  });

  it('may ask to wait as long as --retry-max-wait allows, in seconds', async () => {
    const server = await serve((_, response) => response.writeHead(503, { 'retry-after': '3' }).end());
    const api = await connectApi(runtime(), { server: setting(server) }, note, { retryMaxWait: 2 });
    await expect(api.call(listOrganizations, {})).rejects.toMatchObject({
      message: expect.stringContaining('asks to wait 3 s'),
    });
    await api.close();
  });

  it('is no store: --as is refused', async () => {
    await expect(
      connectApi(runtime(), { server: setting('http://127.0.0.1:1'), as: setting('ana@example.com') }, note),
    ).rejects.toMatchObject({ reason: 'usage', hint: 'The member comes from a test. Remove it there.' });
    await expect(
      connectApi(
        runtime(),
        { server: setting('http://127.0.0.1:1'), as: { value: 'ana@example.com', from: '--as' } },
        note,
      ),
    ).rejects.toMatchObject({ reason: 'usage', hint: 'Leave out --as.' });
  });
});

it.each([
  [{ DOCSCTL_ANALYSIS: 'local' }, 'DOCSCTL_ANALYSIS must be embedded or openai, not "local".'],
  [{ DOCSCTL_EMBEDDINGS: 'local' }, 'DOCSCTL_EMBEDDINGS must be none or openai, not "local".'],
  [{ DOCSCTL_ANALYSIS: 'openai' }, 'DOCSCTL_OPENAI_KEY is not set.'],
  [{ DOCSCTL_EMBEDDINGS: 'openai' }, 'DOCSCTL_OPENAI_KEY is not set.'],
  [{ DOCSCTL_TRANSLATION: 'deepl' }, 'DOCSCTL_DEEPL_KEY is not set.'],
  [{ DOCSCTL_GIT_FOLDER: '/none' }, 'DOCSCTL_GIT_FOLDER is "/none", which is not a folder.'],
])('a server refuses to start with the variables %j', async (env, message) => {
  await expect(checkVariables(env)).rejects.toMatchObject({
    reason: 'invalid-input',
    message: expect.stringContaining(message),
  });
});

it('a server starts with services that it does not use', async () => {
  await checkVariables({ DOCSCTL_ANALYSIS: 'embedded', DOCSCTL_EMBEDDINGS: 'none', DOCSCTL_TRANSLATION: '' });
});
