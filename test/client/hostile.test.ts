import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultLimits } from '../../src/client/transport.ts';
import {
  clientsWith,
  farServer,
  getThing,
  json,
  listThings,
  problemOf,
  senders,
  thing,
} from './far-server.ts';

const listing = { params: { organizationId: 'org_1' } };

describe.each(senders)('with %s', (_, first) => {
  const client = clientsWith(first);

  describe('a response that is not from the API', () => {
    it.each<[string, string | undefined, string | Buffer]>([
      ['a login page', 'text/html', '<html>Log in</html>'],
      ['text without a type', undefined, 'hello'],
      ['cut JSON', 'application/json', '{"id":'],
      ['bytes that are not UTF-8', 'application/json', Buffer.from([0x22, 0xff, 0x22])],
      ['JSON 65 levels deep', 'application/json', `{"a":${'['.repeat(64)}${']'.repeat(64)}}`],
      ['JSON with a hundred thousand levels', 'application/json', '['.repeat(100_000)],
    ])('is refused: %s', async (_, type, body) => {
      const far = await farServer(
        (response) =>
          void response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body),
      );
      const problem = await problemOf(client(far.url).api.call(getThing, thing));
      expect(problem).toMatchObject({ reason: 'unreachable', exitCode: 69 });
      expect(problem.message).toContain('which is not a response from the docsctl API');
      expect(far.seen).toHaveLength(1);
    });

    it.each<[string, unknown]>([
      ['a list', []],
      ['a string', 'hi'],
      ['an object with other fields', { status: 'ok' }],
    ])('is refused if its form is unknown: %s', async (_, body) => {
      const far = await farServer(json(200, body));
      expect(await problemOf(client(far.url).api.call(getThing, thing))).toMatchObject({
        reason: 'unreachable',
        message: `The answer of ${far.url} to ${getThing.route} (things.get) does not have the expected form.`,
        hint: expect.stringContaining('address of a docsctl server'),
      });
    });

    it('is refused as a list without items, or with items of another form', async () => {
      const far = await farServer(
        json(200, { id: 't_1' }),
        json(200, { items: {} }),
        json(200, { items: [{ id: 't_1' }, null] }),
        json(200, { items: [{ id: 't_1' }, {}] }),
        (response) => void response.end(),
      );
      const { api } = client(far.url);
      for (let call = 0; call < 5; call++)
        expect((await problemOf(api.call(listThings, listing))).message).toContain('(things.list) does not');
    });

    it('is accepted with 64 levels, and with another JSON type', async () => {
      const body = `{"id":${'['.repeat(63)}${']'.repeat(63)}}`;
      const far = await farServer(
        (response) =>
          void response
            .writeHead(200, { 'content-type': 'application/vnd.docs+json; charset=utf-8' })
            .end(body),
      );
      expect(await client(far.url).api.call(getThing, thing)).toEqual(JSON.parse(body));
    });
  });

  describe('a redirect', () => {
    it.each([
      [
        'https://evil.example/v1/x?t=1',
        'redirects to https://evil.example, which docsctl does not follow',
        'If you trust https://evil.example, use it instead: --server https://evil.example.',
      ],
      [
        '/v1/orgs/org_1/things/t_1',
        'and a redirect, which docsctl does not follow',
        'Check the path in the address of the server.',
      ],
      [
        'javascript:alert(1)',
        'and a redirect, which docsctl does not follow',
        'Check the path in the address of the server.',
      ],
      [
        'http://[',
        'and a redirect, which docsctl does not follow',
        'Check the path in the address of the server.',
      ],
    ])('to %s is not followed', async (location, says, hint) => {
      const far = await farServer((response) => void response.writeHead(302, { location }).end());
      const problem = await problemOf(client(far.url).api.call(getThing, thing));
      expect(problem).toMatchObject({ reason: 'unreachable', hint });
      expect(problem.message).toContain(says);
      expect(far.seen).toHaveLength(1);
    });
  });

  describe('a response of the wrong size or speed', () => {
    const limits = { bytes: 1000 };

    it('is cut if it does not end', async () => {
      let closed = false;
      const far = await farServer((response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = () =>
          void (response.write(' '.repeat(400)) ? setImmediate(more) : response.once('drain', more));
        response.on('close', () => (closed = true));
        more();
      });
      const problem = await problemOf(client(far.url, { limits }).api.call(getThing, thing));
      expect(problem).toMatchObject({
        reason: 'unreachable',
        message: `${far.url} sent an answer of more than 1 KB.`,
      });
      await expect.poll(() => closed).toBe(true);
    });

    it('is refused because of its content length', async () => {
      const far = await farServer((response) =>
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-length': '1001' })
          .flushHeaders(),
      );
      expect((await problemOf(client(far.url, { limits }).api.call(getThing, thing))).message).toContain(
        'more than 1 KB',
      );
    });

    it('is accepted at the size limit', async () => {
      const far = await farServer(json(200, { id: 'x'.repeat(1000 - '{"id":""}'.length) }));
      expect((await client(far.url, { limits }).api.call(getThing, thing)).id).toHaveLength(991);
    });

    it.each(['gzip', 'GZIP', 'br', 'deflate, gzip'])(
      'is refused if it is compressed with %s',
      async (encoding) => {
        const bomb = gzipSync(Buffer.alloc(1_000_000));
        const far = await farServer(
          (response) =>
            void response
              .writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding })
              .end(bomb),
        );
        const problem = await problemOf(client(far.url).api.call(getThing, thing));
        expect(problem).toMatchObject({
          reason: 'unreachable',
          message: `${far.url} sent an answer encoded as "${encoding}", which docsctl did not accept.`,
        });
      },
    );

    it('is refused with too many headers', async () => {
      const far = await farServer(
        (response) => void response.writeHead(200, { 'x-long': 'h'.repeat(20_000) }).end('{}'),
      );
      const problem = await problemOf(client(far.url).api.call(getThing, thing));
      expect(problem).toMatchObject({ reason: 'unreachable' });
      expect(problem.message).toContain('sent too many headers');
    });

    it('times out if its headers or its body do not arrive, or its body stops', async () => {
      const mute = await farServer(() => {});
      const begun = await farServer((response) => response.writeHead(200).flushHeaders());
      const silent = await farServer((response) => void response.writeHead(200).write('{'));
      // The others have enough time for their headers, however busy the machine is.
      const problems = await Promise.all(
        (
          [
            [mute, { headers: 20 }],
            [begun, { headers: 120_000, idle: 20 }],
            [silent, { headers: 120_000, idle: 20 }],
          ] as const
        ).map(([far, limits]) => problemOf(client(far.url, { limits }).api.call(getThing, thing))),
      );
      expect(problems.map(({ reason, message }) => [reason, message])).toEqual([
        ['timed-out', expect.stringContaining('did not answer in time')],
        ['timed-out', expect.stringContaining('stopped in the middle')],
        ['timed-out', expect.stringContaining('stopped in the middle')],
      ]);
      expect([mute, begun, silent].map(({ seen }) => seen.length)).toEqual([1, 1, 1]);
    });

    it('times out if its body is too slow', async () => {
      const far = await farServer((response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const drip = setInterval(() => response.write(' '), 2);
        response.on('close', () => clearInterval(drip));
      });
      let clock = 0;
      const now = () => (clock += 1000);
      const problem = await problemOf(client(far.url, { now }).api.call(getThing, thing));
      expect(problem).toMatchObject({ reason: 'timed-out' });
      expect(problem.message).toMatch(/too slowly, \d+ bytes in 1\d s/);
      expect(defaultLimits.grace).toBe(10_000);
    });
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['broken headers', 'HTTP/1.1 200 OK\r\nbad header\r\n\r\n'],
  ])('a server that sends %s is reported as not using HTTP', async (_, text) => {
    const server = createServer((socket) => void socket.on('error', () => {}).write(text));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const problem = await problemOf(
      client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).api.call(getThing, thing),
    );
    expect(problem).toMatchObject({ reason: 'unreachable' });
    expect(problem.message).toContain('did not answer in HTTP');
  });

  it('skips early hints', async () => {
    const far = await farServer((response) => {
      response.writeEarlyHints({ link: '</x>; rel=preload' });
      json(200, { id: 't_1' })(response);
    });
    expect(await client(far.url).api.call(getThing, thing)).toEqual({ id: 't_1' });
  });
});

it.each<[string, (socket: Socket) => void]>([
  ['sends nothing', (socket) => socket.end()],
  ['closes the connection', (socket) => socket.resetAndDestroy()],
  ['closes the connection in the headers', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-')],
  [
    'closes the connection in the body',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{'),
  ],
  [
    'closes the connection between chunks',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{'),
  ],
  ['uses another protocol', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
  ['sends too many headers', (socket) => socket.end(`HTTP/1.1 200 OK\r\na: ${'h'.repeat(20_000)}\r\n\r\n`)],
  [
    'switches to another protocol',
    (socket) => socket.end('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  ],
  [
    'repeats a header',
    (socket) =>
      socket.end('HTTP/1.1 302 Found\r\nlocation: https://a.test\r\nlocation: https://b.test\r\n\r\n'),
  ],
])('both senders report the same if a server %s', async (_, answer) => {
  const server = createServer(
    (socket) => void socket.on('error', () => {}).once('data', () => answer(socket)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [one, other] = await Promise.all(
    senders.map(([, first]) => problemOf(clientsWith(first)(url).api.call(getThing, thing))),
  );
  expect(one?.toJSON()).toEqual(other?.toJSON());
});

it('both senders report the same for a missing server, and for one without TLS', async () => {
  const far = await farServer();
  for (const url of ['http://127.0.0.1:1', far.url.replace('http:', 'https:')]) {
    const [one, other] = await Promise.all(
      senders.map(([, first]) => problemOf(clientsWith(first)(url).api.call(getThing, thing))),
    );
    expect(one?.toJSON()).toEqual(other?.toJSON());
  }
});
