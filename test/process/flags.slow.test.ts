import { stripVTControlCharacters } from 'node:util';
import { execa } from 'execa';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const bin = fileURLToPath(new URL('../../bin/docsctl.js', import.meta.url));
const node = process.env['DOCSCTL_NODE'] ?? process.execPath;
const sample = (name: string) => fileURLToPath(new URL(`../samples/tls/${name}`, import.meta.url));

let home: string;
let token: string;
let stopServing: () => Promise<unknown>;
let server: string;

interface More {
  readonly env?: Record<string, string>;
  /** Leaves standard input open. */
  readonly open?: boolean;
}

async function docsctl(words: readonly string[], { env, open = false }: More = {}) {
  const done = await execa(node, [bin, ...words], {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', DOCSCTL_CONFIG_DIR: join(home, 'config'), ...env },
    extendEnv: false,
    ...(open ? { stdin: 'pipe' as const } : { input: '' }),
    reject: false,
    timeout: 60_000,
  });
  return { exit: done.exitCode, stdout: done.stdout, stderr: done.stderr };
}

/** The options work the same on an embedded store and on a server. */
const places = {
  store: () => ({ DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}` }),
  server: () => ({ DOCSCTL_SERVER: server, DOCSCTL_TOKEN: token }),
} as const;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-flags-'));
  const made = await docsctl(['init', '--org-title', 'Acme', '--email', 'ana@acme.test', '-o', 'json'], {
    env: places.store(),
  });
  ({ token } = JSON.parse(made.stdout) as { token: string });
  for (const title of ['One', 'Two'])
    await docsctl(['collections', 'create', '--title', title], { env: places.store() });
  const serving = execa(node, [bin, 'serve', '--port', '0', '-o', 'json'], {
    cwd: home,
    env: places.store(),
    reject: false,
  });
  stopServing = () => {
    serving.kill('SIGTERM');
    return serving;
  };
  server = await new Promise<string>((resolve) =>
    serving.stdout?.once('data', (line) => resolve((JSON.parse(String(line)) as { url: string }).url)),
  );
}, 60_000);

afterAll(async () => {
  await stopServing();
  rmSync(home, { recursive: true, force: true });
});

describe.each(Object.entries(places))('options on a %s', (_, place) => {
  const run = (words: string[], more: More = {}) =>
    docsctl(words, { ...more, env: { ...place(), ...more.env } });

  it('--timeout ends the whole command', async () => {
    const late = await run(['spaces', 'create', '--body', '-', '--timeout', '1', '-o', 'json'], {
      open: true,
    });
    expect({ ...late, stderr: JSON.parse(late.stderr) }).toMatchObject({
      exit: 69,
      stdout: '',
      stderr: { error: { reason: 'timed-out', message: 'The command took longer than 1 s (--timeout).' } },
    });
    expect(await run(['collections', 'list', '--timeout', '60', '-o', 'id'])).toMatchObject({ exit: 0 });
    for (const wrong of ['0', 'soon', '-1'])
      expect((await run(['collections', 'list', `--timeout=${wrong}`])).exit).toBe(8);
  });

  it('--retry-max-wait accepts a number of seconds', async () => {
    expect(await run(['collections', 'list', '--retry-max-wait', '0'])).toMatchObject({ exit: 0 });
    expect(await run(['collections', 'list', '--retry-max-wait', 'x'])).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('--retry-max-wait takes a number of seconds'),
    });
  });

  it('--no-input and DOCSCTL_NO_INPUT=1 never ask for confirmation', async () => {
    for (const [flags, env] of [
      [['--no-input'], {}],
      [[], { DOCSCTL_NO_INPUT: '1' }],
    ] as const)
      expect(await run(['collections', 'delete', 'One', ...flags], { env })).toMatchObject({
        exit: 9,
        stderr: expect.stringContaining('--yes'),
      });
  });

  it('--quiet prints only errors', async () => {
    const list = ['collections', 'list', '--limit', '1', '-o', 'id'];
    expect((await run(list)).stderr).toContain('--all');
    expect(await run([...list, '--quiet'])).toMatchObject({ exit: 0, stderr: '' });
    expect((await run(['spaces', 'get', 'Nowhere', '--quiet'])).stderr).toMatch(/^error: .*Nowhere/);
  });

  it('--set sends nested fields', async () => {
    const { stdout } = await run(
      'sites create --title Docs --set visibility=public --dry-run -o json'.split(' '),
    );
    expect(JSON.parse(stdout)).toMatchObject({ body: { title: 'Docs', visibility: 'public' } });
    expect(await run(['sites', 'create', '--title', 'Docs', '--set', 'visibilty=public'])).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('Did you mean visibility?'),
    });
  });

  it('--trace prints requests without tokens', async () => {
    const { exit, stdout, stderr } = await run(['collections', 'list', '-o', 'id', '--trace', '--quiet']);
    expect({ exit, lines: stdout.split('\n').length }).toEqual({ exit: 0, lines: 2 });
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^GET \/v1\/orgs\?limit=3 200 \d+ ms/),
      expect.stringMatching(/^GET \/v1\/orgs\/org_\w+\/collections 200 \d+ ms/),
    ]);
    expect(stderr).not.toContain(token);
    const failed = await run(['collections', 'get', `col_${'0'.repeat(26)}`, '--trace']);
    expect(failed.stderr).toMatch(/^GET \/v1\/collections\/col_0+ 404 \d+ ms/m);
  });

  it('--record writes a HAR file without secrets', async () => {
    const file = join(home, 'run.har');
    const made = await run(['tokens', 'create', '--role', 'read', '--record', file, '-o', 'json']);
    const secret = (JSON.parse(made.stdout) as { token: string }).token;
    const text = readFileSync(file, 'utf8');
    const { log } = JSON.parse(text) as {
      log: { version: string; entries: { request: { method: string }; response: object; time: number }[] };
    };
    expect(log.version).toBe('1.2');
    expect(log.entries.find(({ request }) => request.method === 'POST')).toMatchObject({
      request: { method: 'POST', url: expect.stringMatching(/\/v1\/orgs\/org_\w+\/tokens$/) },
      response: { status: 201, content: { mimeType: expect.stringContaining('application/json') } },
      time: expect.any(Number),
    });
    expect(secret).toMatch(/^dctl_/);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(token);
    expect(text).toContain('[redacted]');
    expect(statSync(file).mode & 0o077).toBe(0);
    expect((await run(['collections', 'list', '--record', 'none/run.har'])).exit).toBe(8);
  });

  it('FORCE_COLOR is honored in pipes, and NO_COLOR and --color override it', async () => {
    const forced = { FORCE_COLOR: '1' };
    expect((await run(['collections', 'list'], { env: forced })).stdout).toContain('\u001b[');
    expect((await run(['spaces', 'get', 'Nowhere'], { env: forced })).stderr).toContain('\u001b[');
    const plain = await run(['collections', 'list']);
    expect(stripVTControlCharacters((await run(['collections', 'list'], { env: forced })).stdout)).toBe(
      plain.stdout,
    );
    const list = ['collections', 'list', '-o', 'json'];
    expect((await run(list, { env: forced })).stdout).not.toContain('\u001b[');
    for (const [words, env] of [
      [[], {}],
      [[], { FORCE_COLOR: '0' }],
      [[], { ...forced, NO_COLOR: '1' }],
      [['--color', 'never'], forced],
    ] as const)
      expect((await run(['collections', 'list', ...words], { env })).stdout).not.toContain('\u001b[');
  });

  it('--ca-file, --allow-http and proxy variables are ignored if they do not apply', async () => {
    const env = { HTTP_PROXY: 'http://127.0.0.1:1', HTTPS_PROXY: 'http://127.0.0.1:1' };
    const flags = ['--ca-file', sample('certificate.pem'), '--allow-http'];
    expect(await run(['collections', 'list', ...flags], { env })).toMatchObject({ exit: 0, stderr: '' });
  });
});

describe.each(Object.entries(places))('commands about the environment on a %s', (name, place) => {
  const run = (words: string[], env: Record<string, string> = {}) =>
    docsctl(words, { env: { ...place(), ...env } });

  it('whoami prints the user, the place, the role and the token', async () => {
    const { exit, stdout } = await run(['whoami', '-o', 'json']);
    expect({ exit, found: JSON.parse(stdout) }).toMatchObject({
      exit: 0,
      found: {
        user: { email: 'ana@acme.test' },
        organization: { title: 'Acme' },
        role: 'admin',
        place: name === 'server' ? server : expect.stringContaining('store.db'),
        token: name === 'server' ? { role: 'admin', expiresAt: null, source: 'DOCSCTL_TOKEN' } : null,
      },
    });
    expect((await run(['whoami'])).stdout).toMatch(/role\tadmin/);
    expect((await run(['whoami', '--org', 'Nowhere'])).exit).toBe(5);
  });

  it('doctor checks everything, even with broken settings', async () => {
    const fine = await run(['doctor', '-o', 'json']);
    const { items } = JSON.parse(fine.stdout) as { items: { id: string; ok: boolean; found: string }[] };
    expect(items.map(({ id, ok }) => [id, ok])).toEqual(
      [
        'versions',
        'settings',
        name,
        'token',
        'clock',
        'disk',
        ...(name === 'store' ? ['variables', 'damage'] : []),
      ].map((id) => [id, true]),
    );
    expect(fine.exit).toBe(0);
    const folder = mkdtempSync(join(home, 'broken-'));
    writeFileSync(join(folder, 'config.json'), '{ nonsense');
    const broken = await run(['doctor', '-o', 'json'], { DOCSCTL_CONFIG_DIR: folder });
    const after = (JSON.parse(broken.stdout) as typeof fine & { items: typeof items }).items;
    expect(after.filter(({ ok }) => !ok)).toEqual([
      { id: 'settings', ok: false, found: expect.stringContaining('not valid JSON') },
    ]);
    expect(broken.exit).toBe(69);
  });

  it('api sends requests and lists paths', async () => {
    const listed = await run(['api', 'get', '/v1/orgs?limit=1', '-o', 'json']);
    expect(JSON.parse(listed.stdout)).toMatchObject({ items: [{ title: 'Acme' }] });
    const paths = JSON.parse((await run(['api', '--list', '-o', 'json'])).stdout) as { items: object[] };
    expect(paths.items).toContainEqual({ method: 'GET', path: '/orgs', summary: expect.any(String) });
    expect(paths.items.length).toBeGreaterThan(200);
    expect((await run(['api', 'GET', '/unknown'])).exit).toBe(5);
    expect((await run(['api', '/orgs'])).exit).toBe(0);
    expect((await run(['api', '--body', 'x'])).exit).toBe(64);
  });
});

describe('the connection to a server', () => {
  it('with an invalid token fails with the name of the setting that contains it', async () => {
    const env = { DOCSCTL_SERVER: server, DOCSCTL_TOKEN: 'dctl_wrong' };
    const refused = await docsctl(['collections', 'list'], { env });
    expect(refused).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('refused the token from DOCSCTL_TOKEN.'),
    });
  });

  it('api sends unknown requests unchanged', async () => {
    const seen: string[] = [];
    const { url } = await listen((incoming, response) => {
      let body = '';
      incoming.on('data', (chunk) => (body += chunk));
      incoming.on('end', () => {
        seen.push(`${incoming.method} ${incoming.url} ${body}`);
        response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"new"}');
      });
    });
    writeFileSync(join(home, 'body.json'), '{"any":["thing"]}');
    const sent = await docsctl(
      ['api', 'POST', '/orgs/org_1/novelties?x=1', '--body', 'body.json', '-o', 'json'],
      {
        env: { DOCSCTL_SERVER: url, DOCSCTL_TOKEN: token },
      },
    );
    expect({ ...sent, stdout: JSON.parse(sent.stdout) }).toMatchObject({ exit: 0, stdout: { id: 'new' } });
    expect(seen).toEqual(['POST /v1/orgs/org_1/novelties?x=1 {"any":["thing"]}']);
  });

  it('--retry-max-wait limits the wait that a server requests', async () => {
    let count = 0;
    const { url } = await listen((_, response) => {
      count++;
      response.writeHead(429, { 'retry-after': '5', 'content-type': 'application/json' }).end('{}');
    });
    const env = { DOCSCTL_SERVER: url, DOCSCTL_TOKEN: token };
    expect(await docsctl(['whoami', '--retry-max-wait', '1'], { env })).toMatchObject({
      exit: 7,
      stderr: expect.stringContaining('asks to wait 5 s'),
    });
    expect(count).toBe(1);
  });

  it('HTTPS_PROXY, NO_PROXY and --ca-file reach a server with its own certificate authority', async () => {
    const options = { key: readFileSync(sample('key.pem')), cert: readFileSync(sample('certificate.pem')) };
    const secure = createTlsServer(options, forwardTo(server)).listen(0, '127.0.0.1');
    onTestFinished(() => void secure.close());
    await new Promise((resolve) => secure.once('listening', resolve));
    const { port } = secure.address() as AddressInfo;
    const tunnels: string[] = [];
    const proxy = createServer()
      .on('connect', (incoming: IncomingMessage, socket) => {
        tunnels.push(incoming.url ?? '');
        const upstream = connect(port, '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
          upstream.pipe(socket).pipe(upstream);
        });
        upstream.on('error', () => socket.destroy());
        socket.on('error', () => upstream.destroy());
      })
      .listen(0, '127.0.0.1');
    onTestFinished(() => void proxy.close());
    await new Promise((resolve) => proxy.once('listening', resolve));
    const env = {
      DOCSCTL_SERVER: 'https://docs.example.test',
      DOCSCTL_TOKEN: token,
      HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    };
    const whoami = ['whoami', '-o', 'json'];
    const ca = ['--ca-file', sample('certificate.pem')];
    expect(await docsctl([...whoami, ...ca], { env })).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('ana@acme.test'),
    });
    expect(tunnels).toEqual(expect.arrayContaining(['docs.example.test:443']));
    const untrusted = await docsctl(whoami, { env });
    expect(untrusted).toMatchObject({ exit: 69, stderr: expect.stringContaining('--ca-file') });
    const around = await docsctl([...whoami, ...ca], { env: { ...env, NO_PROXY: '.example.test' } });
    expect(around).toMatchObject({ exit: 69, stderr: expect.stringContaining('docs.example.test') });
    writeFileSync(join(home, 'wrong.pem'), 'nothing');
    for (const file of ['absent.pem', 'wrong.pem'])
      expect((await docsctl([...whoami, '--ca-file', file], { env })).exit).toBe(8);
  });

  it('--allow-http sends a token over plain HTTP only to a private host, also through HTTP_PROXY', async () => {
    const { url } = await listen(forwardTo(server));
    const env = { DOCSCTL_TOKEN: token, HTTP_PROXY: url };
    const whoami = ['whoami', '-o', 'json', '--server'];
    expect(await docsctl([...whoami, 'http://10.1.2.3'], { env })).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('--allow-http'),
    });
    expect(await docsctl([...whoami, 'http://10.1.2.3', '--allow-http'], { env })).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('ana@acme.test'),
    });
    expect(await docsctl([...whoami, 'http://8.8.8.8', '--allow-http'], { env })).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('public internet'),
    });
  });
});

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const listening = createServer(handle).listen(0, '127.0.0.1');
  onTestFinished(() => void listening.close());
  await new Promise((resolve) => listening.once('listening', resolve));
  return { url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}` };
}

/** Forwards requests to a server like a proxy. */
function forwardTo(target: string) {
  return (incoming: IncomingMessage, response: ServerResponse): void => {
    const { pathname, search } = new URL(incoming.url ?? '', target);
    const { method, headers } = incoming;
    const outgoing = request(
      new URL(pathname + search, target),
      { method, headers: { ...headers, host: new URL(target).host } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    incoming.pipe(outgoing);
  };
}
