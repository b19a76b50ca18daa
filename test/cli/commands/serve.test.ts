import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { run } from '../../../src/cli/program.ts';
import { openGuideStore, page, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

/** Serves until `work` is done with the address. */
async function serving<T>(
  words: readonly string[],
  work: (url: string, urls: { readonly url: string; readonly sitesUrl: string }) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const { promise, resolve } = deferred<{ readonly url: string; readonly sitesUrl: string }>();
  const errors: string[] = [];
  const sink = (onText: (text: string) => void) => ({
    write: (text: string | Uint8Array) => onText(String(text)),
    flush: async () => {},
    closed: false,
  });
  const served = run({
    argv: ['serve', '-o', 'json', ...words],
    env: {
      DOCSCTL_CONFIG_DIR: join(desk.home, 'config'),
      DOCSCTL_STORE: `json:${join(desk.home, 'store.json')}`,
    },
    cwd: desk.home,
    home: desk.home,
    version: '0.0.0-test',
    terminal: {
      stdout: sink((text) => resolve(JSON.parse(text))),
      stderr: sink((text) => void errors.push(text)),
      stdin: Readable.from([]),
      stdoutIsTTY: false,
      stderrIsTTY: false,
      stdinIsTTY: false,
      columns: 80,
      color: false,
    },
    promptOutput: process.stderr,
    clock: Date.now,
    randomBytes: (count) => randomBytes(count),
    signal: stop.signal,
    holdInterrupts: () => () => {},
    wiring: () => import('../../../src/wiring.ts'),
  });
  try {
    const urls = await Promise.race([promise, served.then(() => Promise.reject(new Error(errors.join(''))))]);
    return await work(urls.url, urls);
  } finally {
    stop.abort();
    await served;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function deferred<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

it.each([
  [['--port', '0'], undefined],
  [['--port', 'FREE'], undefined],
  [['--port', '0', '--host', '0.0.0.0', '--allow-remote'], 'localhost'],
  [['--port', '0', '--public-url', 'https://docs.example.com/'], 'https://docs.example.com'],
])('serve %j gives addresses that lead to it', async (words, expected) => {
  const { token } = JSON.parse(
    (await desk.done(['orgs', 'create', '--title', 'Other', '--email', 'bo@acme.test', '-o', 'json'])).stdout,
  );
  const port = String(await freePort());
  await serving(
    words.map((word) => word.replace('FREE', port)),
    async (url) => {
      const answer = await fetch(`${url.replace('0.0.0.0', '127.0.0.1')}/v1/orgs`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { items } = (await answer.json()) as { items: { urls: { location: string } }[] };
      const base =
        expected === undefined
          ? url
          : expected.startsWith('http')
            ? expected
            : url.replace('0.0.0.0', expected);
      expect(items[0]!.urls.location).toMatch(new RegExp(`^${base}/v1/orgs/`));
      expect(await (await fetch(`${url.replace('0.0.0.0', '127.0.0.1')}/openapi.json`)).text()).toContain(
        `"${base}`,
      );
    },
  );
});

it('lets commands on the store print the addresses of the latest server', async () => {
  await desk.publish(page('Start', 'Hello'));
  await desk.done(['sites', 'create', '--title', 'Docs']);
  await desk.done(['sites', 'site-spaces', 'add', 'Guide', '--site', 'Docs']);
  await desk.done(['sites', 'publish', 'Docs']);
  const urls = async (env: Record<string, string> = {}) =>
    JSON.parse((await desk.done(['sites', 'get', 'Docs', '-o', 'json'], { env })).stdout).urls;
  const published = (base: string) => `${base}/sites/acme/docs/`;
  expect(await urls()).toMatchObject({ published: published('http://localhost:8080') });
  const { url, sitesUrl } = await serving(['--port', '0', '--sites-port', '0'], async (_, urlsOfServer) => {
    const address = (await urls()).published;
    const answer = await fetch(address);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('<title>')]);
    const { token } = JSON.parse(
      (await desk.done(['tokens', 'create', '--role', 'admin', '-o', 'json'])).stdout,
    );
    const remote = { DOCSCTL_STORE: '', DOCSCTL_SERVER: urlsOfServer.url, DOCSCTL_TOKEN: token };
    expect(await urls(remote)).toEqual(await urls());
    return urlsOfServer;
  });
  expect(await urls()).toMatchObject({
    published: published(sitesUrl),
    location: expect.stringContaining(`${url}/v1/`),
  });
  await desk.done(['config', 'set', 'sites-url', 'https://docs.example.com/']);
  expect(await urls()).toMatchObject({
    published: published('https://docs.example.com'),
    location: expect.stringContaining(`${url}/v1/`),
  });
  const env = { DOCSCTL_SITES_URL: 'https://one.example.com', DOCSCTL_PUBLIC_URL: 'https://two.example.com' };
  expect(await urls(env)).toMatchObject({
    published: published('https://one.example.com'),
    location: expect.stringContaining('https://two.example.com/v1/'),
  });
  await serving(['--port', '0', '--sites-port', '0'], async (_, urlsOfServer) =>
    expect(urlsOfServer.sitesUrl).toBe('https://docs.example.com'),
  );
  await desk.done(['config', 'unset', 'sites-url']);
  // A server without sites shows them nowhere else than below its own URL.
  const last = await serving(['--port', '0'], async (_, urlsOfServer) => urlsOfServer.url);
  expect(await urls()).toMatchObject({ published: published(last) });
  for (const wrong of ['docs.test', 'https://docs.test/?a=b', 'https://ana@docs.test'])
    expect(await desk.run(['config', 'set', 'public-url', wrong])).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining(`public-url takes an http or https URL, not "${wrong}".`),
    });
  expect(await desk.run(['sites', 'list'], { env: { DOCSCTL_SITES_URL: 'docs' } })).toMatchObject({
    exit: 64,
    stderr: expect.stringContaining('sites-url (from DOCSCTL_SITES_URL) takes an http or https URL'),
  });
});

it('takes proxies by address, network or name, and no network of everybody', async () => {
  const list = '10.0.0.1, 192.168.0.0/16,loopback,::1/128';
  expect(await serving(['--port', '0', '--trust-proxy', list], async (url) => url)).toMatch(/^http:/);
  for (const wrong of [
    '',
    'true',
    '0.0.0.0/0',
    '0.0.0.0/00',
    '::/0',
    '10.0.0.1/33',
    '10.0.0.1/',
    'proxy.example',
    '10.0.0.1,,10.0.0.2',
  ]) {
    await expect(
      serving(['--port', '0', '--trust-proxy', wrong], async (url) => url),
      wrong,
    ).rejects.toThrow(/--trust-proxy takes/);
  }
});

it.each([
  [['--port', '65536'], '--port takes a whole number from 0 to 65535, not "65536".'],
  [['--port', '-1'], '--port takes a whole number from 0 to 65535, not "-1".'],
  [['--port', '80.5'], '--port takes a whole number from 0 to 65535, not "80.5".'],
  [['--grace', '601'], '--grace takes a number of seconds from 0 to 600, not "601".'],
  [['--grace', '-1'], '--grace takes a number of seconds from 0 to 600, not "-1".'],
  [['--grace', 'soon'], '--grace takes a number of seconds from 0 to 600, not "soon".'],
  [['--rate-limit', '0'], '--rate-limit takes a whole number from 1 to 999999999, not "0".'],
  [['--rate-limit', '1.5'], '--rate-limit takes a whole number from 1 to 999999999, not "1.5".'],
  [['--workers', '17'], '--workers takes a whole number from 0 to 16, not "17".'],
  [['--workers', '-1'], '--workers takes a whole number from 0 to 16, not "-1".'],
  [['--public-url', 'docs.test'], '--public-url takes an http or https URL, not "docs.test".'],
  [['--public-url', 'ftp://docs.test'], '--public-url takes an http or https URL, not "ftp://docs.test".'],
])('refuses %j', async (words, message) => {
  expect(await desk.run(['serve', ...words])).toMatchObject({
    exit: 64,
    stdout: '',
    stderr: expect.stringContaining(message),
  });
});

it.each([
  ['--grace', '600'],
  ['--grace', '0'],
  ['--rate-limit', '1'],
  ['--workers', '16'],
  ['--workers', '0'],
])('takes %s %s', async (...words) => {
  expect(await serving(['--port', '0', ...words], async (url) => url)).toMatch(/^http:/);
});
