import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as sendRequest, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findProxy } from '../../src/client/connection.ts';
import { docsctl } from '../support/cli.ts';
import { out, problemOf, sink } from './outgoing-support.ts';

const sample = (name: string): string => fileURLToPath(new URL(`../samples/tls/${name}`, import.meta.url));
const ca = readFileSync(sample('certificate.pem'), 'utf8');
/** A public address. Nothing is sent to it, because the proxy of the tests leads elsewhere. */
const publicAddress = '93.184.216.34';
const names = { 'docs.example.test': [[publicAddress]] };

/** Starts a proxy that forwards every tunnel and every request to one port of this machine. */
async function openProxy(port: number, status = 200) {
  /** The targets of tunnels, and the addresses of requests without a tunnel. */
  const tunnels: string[] = [];
  const forwarded: string[] = [];
  const server = createServer((incoming, response) => {
    forwarded.push(incoming.url ?? '');
    const { pathname } = new URL(incoming.url ?? '');
    sendRequest({ port, path: pathname, headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    }).end();
  });
  server.on('connect', (incoming, socket) => {
    tunnels.push(incoming.url ?? '');
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  const proxyPort = await listen(server);
  const url = `http://127.0.0.1:${proxyPort}`;
  return { url, env: { HTTPS_PROXY: url, HTTP_PROXY: url }, tunnels, forwarded };
}

/** Starts a server with the certificate of docs.example.test. */
async function openTlsServer(answer: RequestListener = (_, response) => void response.end('secure')) {
  const seen: { host: string | undefined; servername: unknown; path: string | undefined }[] = [];
  const server = createTlsServer({ key: readFileSync(sample('key.pem')), cert: ca }, (incoming, response) => {
    const { servername } = incoming.socket as Socket & { servername?: unknown };
    seen.push({ host: incoming.headers.host, servername, path: incoming.url });
    answer(incoming, response);
  });
  return { port: await listen(server), seen };
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe('a request through a proxy', () => {
  it('is sent to the checked address, with the certificate and the Host header of its host', async () => {
    const { port, seen } = await openTlsServer();
    const { env, tunnels } = await openProxy(port);
    const { send, asked } = out(names, '', { network: { env, ca } });
    const answer = await send({ url: 'https://docs.example.test/a?b' });
    expect([answer.status, Buffer.from(answer.bytes).toString()]).toEqual([200, 'secure']);
    expect(tunnels).toEqual([`${publicAddress}:443`]);
    expect(asked).toEqual(['docs.example.test']);
    expect(seen).toEqual([{ host: 'docs.example.test', servername: 'docs.example.test', path: '/a?b' }]);
  });

  it('uses a tunnel also for plain HTTP', async () => {
    const server = await sink();
    const { env, tunnels, forwarded } = await openProxy(server.port);
    const { send } = out({ 'docs.example.test': [['2606:2800:220:1::1']] }, '', { network: { env } });
    await send({ url: 'http://docs.example.test:8080/a', method: 'POST', body: 'hello' });
    expect(tunnels).toEqual(['[2606:2800:220:1::1]:8080']);
    expect(forwarded).toEqual([]);
    expect(server.seen).toMatchObject([
      { url: '/a', body: 'hello', headers: { host: 'docs.example.test:8080' } },
    ]);
  });

  it.each([
    'http://10.0.0.1/',
    'https://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'https://2130706433/',
    'http://localhost:3000/',
    'http://x.localhost/',
    'http://127.0.0.1:3000/',
    'https://inner.example/',
    'https://mixed.example/',
  ])('is refused before the proxy receives it: %s', async (url) => {
    const { env, tunnels, forwarded } = await openProxy(1);
    const { send } = out(
      {
        localhost: [['127.0.0.1']],
        'x.localhost': [['127.0.0.1']],
        'inner.example': [['10.2.3.4']],
        'mixed.example': [[publicAddress, '127.0.0.1']],
      },
      '',
      { network: { env } },
    );
    expect(await problemOf(send({ url }))).toMatchObject({ reason: 'forbidden' });
    expect([tunnels, forwarded]).toEqual([[], []]);
  });

  it('uses only addresses that were checked, even if the name changes later', async () => {
    const { port } = await openTlsServer();
    const { env, tunnels } = await openProxy(port);
    const { send, asked } = out({ 'docs.example.test': [[publicAddress], ['10.0.0.1']] }, '', {
      network: { env, ca },
    });
    await send({ url: 'https://docs.example.test/' });
    expect(await problemOf(send({ url: 'https://docs.example.test/' }))).toMatchObject({
      reason: 'forbidden',
    });
    expect([tunnels, asked.length]).toEqual([[`${publicAddress}:443`], 2]);
  });

  it('is refused if a redirect leads to a private address', async () => {
    const { port, seen } = await openTlsServer(
      (_, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    );
    const { env, tunnels } = await openProxy(port);
    const { send } = out(names, '', { network: { env, ca } });
    expect(await problemOf(send({ url: 'https://docs.example.test/' }))).toMatchObject({
      reason: 'forbidden',
    });
    expect([tunnels, seen.length]).toEqual([[`${publicAddress}:443`], 1]);
  });

  it('lets the proxy resolve a host that is trusted or allowed by name', async () => {
    const { port } = await openTlsServer();
    const { env, tunnels } = await openProxy(port);
    const trusted = out({}, '', { network: { env, ca } });
    await trusted.send({ url: 'https://docs.example.test/', trusted: true });
    const allowed = out({}, 'docs.example.test', { network: { env, ca } });
    await allowed.send({ url: 'https://docs.example.test/' });
    expect(tunnels).toEqual(['docs.example.test:443', 'docs.example.test:443']);
    expect([...trusted.asked, ...allowed.asked]).toEqual([]);
    const server = await sink();
    const plain = await openProxy(server.port);
    await out({}, '', { network: { env: plain.env } }).send({
      url: 'http://libre.internal:5000/a',
      trusted: true,
    });
    expect([plain.tunnels, plain.forwarded]).toEqual([[], ['http://libre.internal:5000/a']]);
    expect(server.seen).toMatchObject([{ headers: { host: 'libre.internal:5000' } }]);
  });

  it('trusts only the first host', async () => {
    const { port } = await openTlsServer(
      (_, response) => void response.writeHead(302, { location: 'https://other.example/' }).end(),
    );
    const { env, tunnels } = await openProxy(port);
    const { send } = out({ 'other.example': [['10.0.0.1']] }, '', { network: { env, ca } });
    expect(await problemOf(send({ url: 'https://docs.example.test/', trusted: true }))).toMatchObject({
      reason: 'forbidden',
    });
    expect(tunnels).toEqual(['docs.example.test:443']);
  });

  it('bypasses the proxy for hosts in NO_PROXY', async () => {
    const { port, seen } = await openTlsServer();
    const { env, tunnels } = await openProxy(1);
    const { send } = out({ 'docs.example.test': [['127.0.0.1']] }, `docs.example.test:${port}`, {
      network: { env: { ...env, NO_PROXY: '.example.test' }, ca },
    });
    await send({ url: `https://docs.example.test:${port}/` });
    expect([tunnels, seen.length]).toEqual([[], 1]);
  });

  it('fails with the reason and a hint', async () => {
    const { port } = await openTlsServer();
    const refusing = await openProxy(port, 403);
    const refused = out(names, '', { network: { env: refusing.env, ca } });
    expect(await problemOf(refused.send({ url: 'https://docs.example.test/' }))).toMatchObject({
      reason: 'unreachable',
      message: `The proxy ${refusing.url} refused the connection to https://docs.example.test (status 403).`,
      hint: 'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.',
    });
    const { env } = await openProxy(port);
    const untrusted = out(names, '', { network: { env } });
    expect(await problemOf(untrusted.send({ url: 'https://docs.example.test/' }))).toMatchObject({
      reason: 'unreachable',
      hint: 'Give the certificate of its authority with --ca-file.',
    });
    expect(
      await problemOf(out({}, '', { network: { env } }).send({ url: 'https://unknown.example/' })),
    ).toMatchObject({
      reason: 'unreachable',
      message: 'https://unknown.example has an unknown host name (ENOTFOUND).',
      hint: expect.stringContaining('docsctl checks addresses before it uses a proxy.'),
    });
    const closing = await openProxy(1);
    const closed = out(names, '', { network: { env: closing.env } });
    expect(await problemOf(closed.send({ url: 'https://docs.example.test/' }))).toMatchObject({
      reason: 'unreachable',
      message: `https://docs.example.test through the proxy ${closing.url} closed the connection before its answer was complete (ECONNRESET).`,
    });
    expect(closing.tunnels).toHaveLength(1);
    const wrong = out(names, '', { network: { env: { HTTPS_PROXY: 'socks5://x' } } });
    expect(await problemOf(wrong.send({ url: 'https://docs.example.test/' }))).toMatchObject({
      reason: 'invalid-input',
    });
  });

  it('times out', async () => {
    const { port } = await openTlsServer(() => {});
    const { env } = await openProxy(port);
    const { send } = out(names, '', {
      network: { env, ca },
      after: (_, act) => {
        const soon = setImmediate(act);
        return () => clearImmediate(soon);
      },
    });
    expect(await problemOf(send({ url: 'https://docs.example.test/' }))).toMatchObject({
      reason: 'timed-out',
    });
  });
});

describe('commands behind a proxy', () => {
  const run = async (words: readonly string[], env: Record<string, string>) => {
    const home = mkdtempSync(join(tmpdir(), 'docsctl-proxy-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const options = { home, env: { DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}`, ...env } };
    await docsctl(['init', '--org-title', 'Acme', '--email', 'ana@example.com'], options);
    return {
      first: await docsctl(words, options),
      next: (more: readonly string[]) => docsctl(more, options),
    };
  };
  const trust = ['--ca-file', sample('certificate.pem')];

  it('fetch a specification for a store through the proxy, with --ca-file', async () => {
    const text = 'openapi: 3.1.0\ninfo: { title: Billing, version: "1" }\npaths: {}\n';
    const { port } = await openTlsServer((_, response) => void response.end(text));
    const { env, tunnels } = await openProxy(port);
    const { first, next } = await run(
      ['openapi', 'create', 'billing', '--url', 'https://docs.example.test/billing.yaml'],
      { ...env, DOCSCTL_ALLOW_PRIVATE: 'docs.example.test' },
    );
    expect(first.exit).toBe(0);
    await next(['jobs', 'run', ...trust]);
    expect(tunnels).toEqual(['docs.example.test:443']);
    const versions = await next(['openapi', 'versions', 'billing', '-o', 'json']);
    expect(JSON.parse(versions.stdout).items).toHaveLength(1);
  });

  it('sign in through the proxy, with --ca-file', async () => {
    const { port, seen } = await openTlsServer(
      (_, response) =>
        void response
          .writeHead(404, { 'content-type': 'application/json' })
          .end('{"error":{"code":404,"message":"No such provider.","reason":"not-found"}}'),
    );
    const { env, tunnels } = await openProxy(port);
    const login = ['login', '--sso', 'https://docs.example.test/saml/okta/start'];
    const { first, next } = await run([...login, ...trust], env);
    expect([first.exit, first.stderr]).toEqual([
      5,
      expect.stringContaining('There is no SAML provider at https://docs.example.test/saml/okta/start.'),
    ]);
    expect([tunnels, seen[0]?.path]).toEqual([['docs.example.test:443'], '/saml/okta/start']);
    expect((await next(login)).stderr).toContain('--ca-file');
  });

  it('read the metadata of an identity provider through the proxy', async () => {
    const { env, tunnels } = await openProxy(1);
    const { first } = await run(
      ['saml', 'create', '--label', 'Okta', '--metadata', `https://${publicAddress}/metadata`],
      env,
    );
    expect([first.exit, tunnels]).toEqual([69, [`${publicAddress}:443`]]);
  });

  it('refuse a --ca-file without a certificate', async () => {
    const { first } = await run(['spaces', 'list', '--ca-file', sample('key.pem')], {});
    expect(first.exit).toBe(8);
  });
});

describe('findProxy', () => {
  const env = (noProxy: string) => ({ HTTPS_PROXY: 'proxy.test:3128', NO_PROXY: noProxy });
  it.each([
    ['https://docs.example.test/', ''],
    ['https://docs.example.test/', 'example.com, other.test'],
    ['https://docs.example.test/', 'docs.example.test:8443'],
    ['https://notexample.test/', 'example.test'],
    ['https://10.1.2.3/', '10.2.0.0/16'],
    ['https://[2606:2800::1]/', '::1'],
  ])('returns the proxy for %s with NO_PROXY=%s', (url, noProxy) =>
    expect(findProxy(new URL(url), env(noProxy))).toBe('http://proxy.test:3128'),
  );

  it.each([
    ['https://docs.example.test/', '*'],
    ['https://docs.example.test/', 'other.test,docs.example.test'],
    ['https://DOCS.example.test/', 'example.test'],
    ['https://docs.example.test/', '.example.test'],
    ['https://docs.example.test/', '*.EXAMPLE.test'],
    ['https://docs.example.test:8443/', 'docs.example.test:8443'],
    ['https://10.1.2.3/', '10.1.0.0/16'],
    ['https://[2606:2800::1]/', '[2606:2800::1]'],
    ['https://localhost:3000/', ''],
    ['https://127.0.0.1/', ''],
    ['https://[::1]/', ''],
    ['http://docs.example.test/', ''],
  ])('returns none for %s with NO_PROXY=%s', (url, noProxy) =>
    expect(findProxy(new URL(url), env(noProxy))).toBeUndefined(),
  );

  it.each([
    ['http://proxy.test:3128/pac?x', 'http://proxy.test:3128'],
    ['http://proxy.test', 'http://proxy.test'],
    ['https://dan:a%40b%2Fc@proxy.test:3128/', 'https://dan:a%40b%2Fc@proxy.test:3128'],
  ])('reads %s without its path', (proxy, url) =>
    expect(findProxy(new URL('https://docs.example.test/'), { HTTPS_PROXY: proxy })).toBe(url),
  );

  it.each(['http://dan:50%off@proxy.test:3128', 'socks5://proxy.test', 'http://proxy.test:99999'])(
    'refuses %s',
    (proxy) =>
      expect(() => findProxy(new URL('https://docs.example.test/'), { HTTPS_PROXY: proxy })).toThrow(
        'HTTPS_PROXY is not the http or https URL of a proxy.',
      ),
  );
});
