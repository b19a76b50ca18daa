import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { run } from '../../../src/cli/program.ts';
import type { Runtime } from '../../../src/cli/runtime.ts';
import { makeCertificate } from '../../saml/certificate-maker.ts';
import { openGuideStore, page, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

/** Runs the server until `work` has finished. */
async function serving<T>(
  words: readonly string[],
  work: (
    url: string,
    urls: { readonly url: string; readonly sitesUrl: string; readonly stop: () => void },
  ) => Promise<T>,
  {
    env = {},
    onHangup,
    onError = () => {},
  }: {
    readonly env?: Readonly<Record<string, string>>;
    readonly onHangup?: NonNullable<Runtime['onHangup']>;
    readonly onError?: (text: string) => void;
  } = {},
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
      ...env,
    },
    ...(onHangup === undefined ? {} : { onHangup }),
    cwd: desk.home,
    home: desk.home,
    version: '0.0.0-test',
    terminal: {
      stdout: sink((text) => resolve(JSON.parse(text))),
      stderr: sink((text) => {
        errors.push(text);
        onError(text);
      }),
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
    return await work(urls.url, { ...urls, stop: () => stop.abort() });
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
])('docsctl serve %j prints addresses that work', async (words, expected) => {
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

it('docsctl serve records its addresses, which commands on the store then print', async () => {
  await desk.publish(page('Start', 'Hello'));
  await desk.done(['sites', 'create', '--title', 'Docs']);
  await desk.done(['sites', 'site-spaces', 'add', 'Guide', '--site', 'Docs']);
  await desk.done(['sites', 'publish', 'Docs']);
  const urls = async (env: Record<string, string> = {}) =>
    JSON.parse((await desk.done(['sites', 'get', 'Docs', '-o', 'json'], { env })).stdout).urls;
  const published = (base: string) => `${base}/sites/acme/docs/`;
  expect(await urls()).toMatchObject({ published: published('http://localhost:8081') });
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
  // A server without --sites-port shows no sites.
  await serving(['--port', '0'], async () => {});
  expect(await urls()).not.toHaveProperty('published');
  // A user name in a URL may be a token.
  for (const wrong of ['docs.test', 'https://docs.test/?a=b', 'https://ana@docs.test'])
    expect(await desk.run(['config', 'set', 'public-url', wrong])).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining(
        `public-url takes an http or https URL without a query or user name, not "${wrong.replace('ana@', '[redacted]@')}".`,
      ),
    });
  expect(await desk.run(['sites', 'list'], { env: { DOCSCTL_SITES_URL: 'docs' } })).toMatchObject({
    exit: 8,
    stderr: expect.stringContaining('sites-url (from DOCSCTL_SITES_URL) takes an http or https URL'),
  });
});

it('docsctl serve --trust-proxy accepts addresses, networks and names, but not all addresses', async () => {
  const list = '10.0.0.1, 192.168.0.0/16,loopback,::1/128';
  expect(await serving(['--port', '0', '--trust-proxy', list], async (url) => url)).toMatch(/^http:/);
  for (const wrong of [
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
  [['--drain-timeout', '601'], '--drain-timeout takes a number of seconds from 0 to 600, not "601".'],
  [['--log-format', 'xml'], '--log-format takes json or text, not "xml".'],
  [['--log', 'all'], '--log takes error, warn, info or debug, not "all".'],
  [['--grace', 'soon'], '--grace takes a number of seconds from 0 to 600, not "soon".'],
  [['--rate-limit', '-1'], '--rate-limit takes a whole number from 0 to 999999999, not "-1".'],
  [['--rate-limit', '1.5'], '--rate-limit takes a whole number from 0 to 999999999, not "1.5".'],
  [
    ['--rate-limit-organization', 'x'],
    '--rate-limit-organization takes a whole number from 0 to 999999999, not "x".',
  ],
  [['--workers', '17'], '--workers takes a whole number from 0 to 16, not "17".'],
  [['--workers', '-1'], '--workers takes a whole number from 0 to 16, not "-1".'],
  [
    ['--public-url', 'docs.test'],
    '--public-url takes an http or https URL without a query or user name, not "docs.test".',
  ],
  [
    ['--public-url', 'ftp://docs.test'],
    '--public-url takes an http or https URL without a query or user name, not "ftp://docs.test".',
  ],
])('docsctl serve refuses %j', async (words, message) => {
  expect(await desk.run(['serve', ...words])).toMatchObject({
    exit: 8,
    stdout: '',
    stderr: expect.stringContaining(message),
  });
});

it.each([
  ['--grace', '600'],
  ['--grace', '0'],
  ['--rate-limit', '0'],
  ['--rate-limit', '1'],
  ['--rate-limit-organization', '0'],
  ['--workers', '16'],
  ['--workers', '0'],
])('docsctl serve accepts %s %s', async (...words) => {
  expect(await serving(['--port', '0', ...words], async (url) => url)).toMatch(/^http:/);
});

describe('docsctl serve with a certificate', () => {
  const write = (name: string): void => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(join(desk.home, 'cert.pem'), makeCertificate(pair, { name, to: '2120-01-01T00:00:00Z' }));
    writeFileSync(join(desk.home, 'key.pem'), pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  };
  const certificate = (url: string) =>
    new Promise<unknown>((resolve, reject) => {
      const socket = connect(
        { port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false },
        () => {
          resolve(socket.getPeerCertificate().subject.CN);
          socket.destroy();
        },
      ).once('error', reject);
    });

  it('serves the API and sites over HTTPS, and reads the files again at SIGHUP', async () => {
    write('one');
    const tls = ['--tls-cert', 'cert.pem', '--tls-key', 'key.pem'];
    const errors: string[] = [];
    let hangUp = (): void => {};
    const onHangup = (listener: () => void) => {
      hangUp = listener;
      return () => void (hangUp = () => {});
    };
    await serving(
      ['--port', '0', '--sites-port', '0', ...tls],
      async (_, { url, sitesUrl }) => {
        expect([url, sitesUrl].map((base) => base.slice(0, 18))).toEqual(Array(2).fill('https://127.0.0.1:'));
        expect([await certificate(url), await certificate(sitesUrl)]).toEqual(['one', 'one']);
        write('two');
        hangUp();
        expect([await certificate(url), await certificate(sitesUrl)]).toEqual(['two', 'two']);
        writeFileSync(join(desk.home, 'key.pem'), 'broken');
        hangUp();
        expect([await certificate(url), await certificate(sitesUrl)]).toEqual(['two', 'two']);
      },
      { onHangup, onError: (text) => void errors.push(text) },
    );
    expect(errors.join('')).toContain('The old certificate is kept.');
    // Commands on the store print the addresses of the server.
    const { urls } = JSON.parse((await desk.done(['spaces', 'get', 'Guide', '-o', 'json'])).stdout);
    expect(urls.location).toMatch(/^https:/);
  });

  it.each([
    [['--tls-cert', 'cert.pem'], '--tls-cert needs a key, but --tls-key is not given.', 64],
    [['--tls-key', 'key.pem'], '--tls-key needs a certificate, but --tls-cert is not given.', 64],
    [['--tls-cert', 'none.pem', '--tls-key', 'key.pem'], 'none.pem (from --tls-cert).', 8],
    [
      ['--tls-cert', 'cert.pem', '--tls-key', 'key.pem', '--public-url', 'http://docs.test'],
      'The server speaks HTTPS, but http://docs.test begins with http.',
      8,
    ],
  ] as const)('refuses %j', async (words, message, exit) => {
    write('one');
    expect(await desk.run(['serve', '--port', '0', ...words])).toMatchObject({
      exit,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });
});

it('docsctl serve limits requests to the API by default, and to sites only with --rate-limit', async () => {
  const limitsOf = (words: readonly string[]) =>
    serving(['--port', '0', '--sites-port', '0', ...words], async (url, { sitesUrl }) =>
      Promise.all(
        [`${url}/openapi.json`, `${sitesUrl}/sites/none/`].map(async (address) =>
          (await fetch(address)).headers.get('ratelimit-policy'),
        ),
      ),
    );
  const organization = '"organization";q=60000;w=60';
  expect(await limitsOf([])).toEqual([`"client";q=30000;w=60, ${organization}`, null]);
  expect(await limitsOf(['--rate-limit', '7'])).toEqual([
    `"client";q=7;w=60, ${organization}`,
    '"client";q=7;w=60',
  ]);
  expect(await limitsOf(['--rate-limit', '0', '--rate-limit-organization', '0'])).toEqual([null, null]);
});

it('docsctl serve continues after SIGHUP without a certificate', async () => {
  let hangUp = (): void => {};
  const errors: string[] = [];
  await serving(
    ['--port', '0'],
    async (url) => {
      hangUp();
      expect((await fetch(`${url}/livez`)).status).toBe(200);
    },
    { onHangup: (listener) => ((hangUp = listener), () => {}), onError: (text) => void errors.push(text) },
  );
  expect(errors.join('')).toContain('There is no certificate to read again.');
});

it('docsctl serve reports that it is not ready while it drains, and still answers', async () => {
  const words = ['--port', '0', '--sites-port', '0', '--drain-timeout', '600'];
  const notes: string[] = [];
  const work = async (url: string, { sitesUrl, stop }: { sitesUrl: string; stop: () => void }) => {
    const answers = () =>
      Promise.all(
        [`${url}/readyz`, `${url}/livez`, `${sitesUrl}/~gitbook/readyz`].map(async (address) => {
          const { status, headers } = await fetch(address);
          return [status, headers.get('connection')];
        }),
      );
    expect(await answers()).toEqual([200, 200, 200].map((status) => [status, 'keep-alive']));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      stop();
      expect(await answers()).toEqual([503, 200, 503].map((status) => [status, 'close']));
      expect(notes.join('')).toContain('Stopping. Open requests are answered first.\n');
      await vi.advanceTimersByTimeAsync(600_000);
    } finally {
      vi.useRealTimers();
    }
  };
  await serving(words, work, { onError: (text) => void notes.push(text) });
});

it('docsctl serve provides metrics on their own port', async () => {
  await serving(['--port', '0', '--sites-port', '0', '--metrics-port', '0'], async (url, urls) => {
    const { metricsUrl } = urls as { readonly metricsUrl?: string };
    await fetch(`${url}/livez`);
    await fetch(`${urls.sitesUrl}/~gitbook/readyz`);
    const text = await (await fetch(metricsUrl!)).text();
    expect(text).toContain('{listener="api",method="GET",route="/livez",status="2xx"} 1');
    expect(text).toContain('{listener="sites",method="GET",route="/~gitbook/readyz",status="2xx"} 1');
    expect(text).toContain('docsctl_jobs_queued{queue="open"}');
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });
});

it('docsctl serve names the setting of a server that conflicts with serving a store', async () => {
  const refused = await desk.run(['serve', '--server', 'https://docs.example.com']);
  expect([refused.exit, refused.stderr]).toEqual([
    64,
    expect.stringContaining('serve needs an embedded store, but --server sets a server.'),
  ]);
  expect(refused.stderr).toContain(
    'hint: Leave out --server, and add --store, for example --store sqlite:docs.db.',
  );
  const data = desk.at('data');
  mkdirSync(join(data, 'docsctl'), { recursive: true });
  writeFileSync(join(data, 'docsctl/docsctl.db'), '');
  const { stderr } = await desk.run(['serve', '--server', 'https://docs.example.com'], {
    env: { XDG_DATA_HOME: data },
  });
  expect(stderr).toContain(`for example --store sqlite:${data}/docsctl/docsctl.db.`);
  const byVariable = await desk.run(['serve'], {
    env: { DOCSCTL_STORE: '', DOCSCTL_SERVER: 'https://docs.example.com' },
  });
  expect(byVariable.stderr).toContain('sets a server.\nhint: Add --store, for example');
});

it('docsctl serve names the option of a port that is in use', async () => {
  await serving(['--port', '0'], async (url) => {
    const { port } = new URL(url);
    for (const option of ['--port', '--sites-port', '--metrics-port']) {
      const others = option === '--port' ? [] : ['--port', '0'];
      expect(await desk.run(['serve', ...others, option, port])).toMatchObject({
        exit: 6,
        stderr: expect.stringContaining(`Choose another port with ${option};`),
      });
    }
  });
  const open = ['--metrics-port', '0', '--metrics-host', '0.0.0.0'];
  expect(await desk.run(['serve', '--port', '0', ...open])).toMatchObject({
    exit: 9,
    stderr: expect.stringContaining('Use --metrics-host 127.0.0.1, or add --allow-remote'),
  });
});

it('docsctl serve refuses one port for the API and the sites, and names both options', async () => {
  const { exit, stderr } = await desk.run(['serve', '--port', '7950', '--sites-port', '7950']);
  expect([exit, stderr]).toEqual([64, expect.stringContaining('port with --port or --sites-port;')]);
});

describe('environment variables of docsctl serve', () => {
  it('set options that are not on the command line', async () => {
    const env = {
      DOCSCTL_PORT: '0',
      DOCSCTL_SITES_PORT: '0',
      DOCSCTL_ALLOW_REMOTE: 'no',
      DOCSCTL_GRACE: '',
      DOCSCTL_NO_INPUT: '1',
    };
    await serving([], async (url, urls) => expect(urls.sitesUrl).not.toBe(url), { env });
    const taken = { ...env, DOCSCTL_SITES_PORT: '70000' };
    await serving(['--sites-port', '0'], async () => {}, { env: taken });
    await expect(serving([], async () => {}, { env: taken })).rejects.toThrow(
      'DOCSCTL_SITES_PORT takes a whole number from 0 to 65535, not',
    );
    await expect(
      serving([], async () => {}, { env: { ...env, DOCSCTL_COUNT_VIEWS: 'true' } }),
    ).rejects.toThrow('DOCSCTL_COUNT_VIEWS takes yes or no, not');
  });
});
