import { gzipSync } from 'node:zlib';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { followRedirect, leadsToOrigin } from '../../src/client/redirect.ts';
import { out, problemOf, sink } from './outgoing-support.ts';

const local = '127.0.0.1';

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'with %d is followed, and the response has the final URL',
    async (status) => {
      const server = await sink(
        (response, { url }) =>
          void (url === '/a' ? response.writeHead(status, { location: '/b' }).end() : response.end('there')),
      );
      expect(await out({}, local).send({ url: `${server.url}/a` })).toMatchObject({
        status: 200,
        url: `${server.url}/b`,
      });
    },
  );

  it.each([
    'http://127.0.0.1:PORT/',
    'http://10.0.0.1/',
    '//127.0.0.1:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://2130706433:PORT/',
    'http://inner.example:PORT/',
    'http://169.254.169.254/',
    'file:///etc/passwd',
    'gopher://x/',
    'javascript:1',
    'http://user:canary@outer.example/',
    'http://outer.example:22/',
    'http://[',
  ])('to %s is refused', async (location) => {
    const inner = await sink();
    const outer = await sink(
      (response) =>
        void response
          .writeHead(302, { location: location.replace('PORT', String(inner.port)) })
          .end('canary'),
    );
    // Only the outer server is public here.
    const { send } = out(
      { 'outer.example': [['127.0.0.1']], 'inner.example': [['127.0.0.1']] },
      `outer.example:${outer.port}`,
    );
    const problem = await problemOf(send({ url: `http://outer.example:${outer.port}/` }));
    expect(problem.reason).toBe('forbidden');
    expect(JSON.stringify(problem)).not.toContain('canary');
    expect(inner.connections().made).toBe(0);
  });

  it('is checked at every hop of a chain', async () => {
    const inner = await sink();
    const outer = await sink((response, { url }) => {
      const hop = Number(url!.slice(1));
      response.writeHead(302, { location: hop < 2 ? `/${hop + 1}` : `${inner.url}/` }).end();
    });
    const { send, asked } = out({ 'outer.example': [['127.0.0.1']] }, `outer.example:${outer.port}`);
    expect((await problemOf(send({ url: `http://outer.example:${outer.port}/0` }))).reason).toBe('forbidden');
    expect([outer.seen.length, asked.length, inner.connections().made]).toEqual([3, 3, 0]);
  });

  it.each([
    [undefined, 4],
    [1, 2],
  ])('is followed at most as often as maxRedirects allows: %s', async (redirects, requests) => {
    const server = await sink((response) => void response.writeHead(302, { location: '/again' }).end());
    const problem = await problemOf(
      out({}, local).send({
        url: server.url,
        ...(redirects === undefined ? {} : { maxRedirects: redirects }),
      }),
    );
    expect(problem).toMatchObject({
      reason: 'unreachable',
      message: expect.stringContaining('redirects more than'),
    });
    expect(server.seen).toHaveLength(requests);
  });

  it('is returned itself if none may be followed, or if it has no location', async () => {
    const server = await sink(
      (response, { url }) =>
        void response.writeHead(302, url === '/x' ? {} : { location: 'http://10.0.0.1/' }).end(),
    );
    expect(await out({}, local).send({ url: server.url, maxRedirects: 0 })).toMatchObject({
      status: 302,
      headers: { location: 'http://10.0.0.1/' },
    });
    expect(await out({}, local).send({ url: `${server.url}/x` })).toMatchObject({ status: 302 });
  });

  it('to another origin drops headers, and is refused if it would repeat the body', async () => {
    const other = await sink();
    const server = await sink(
      (response, { url }) =>
        void response.writeHead(Number(url!.slice(1)), { location: `${other.url}/` }).end(),
    );
    const { send } = out({}, local);
    const request = {
      method: 'POST',
      body: 'canary',
      headers: {
        authorization: 'canary',
        cookie: 'canary',
        'x-key': 'canary',
        accept: 'text/x',
        'content-type': 'text/y',
      },
    } as const;
    await send({ ...request, url: `${server.url}/303` });
    expect(other.seen).toMatchObject([{ method: 'GET', body: '', headers: { accept: 'text/x' } }]);
    expect(JSON.stringify(other.seen)).not.toContain('canary');
    expect((await problemOf(send({ ...request, url: `${server.url}/307` }))).reason).toBe('forbidden');
    expect(other.seen).toHaveLength(1);
  });

  it('within an origin keeps the request if its status requires that', async () => {
    const server = await sink(
      (response, { url }) =>
        void (url === '/end'
          ? response.end()
          : response.writeHead(Number(url!.slice(1)), { location: '/end' }).end()),
    );
    for (const status of [302, 307])
      await out({}, local).send({
        url: `${server.url}/${status}`,
        method: 'POST',
        body: 'text',
        headers: { 'x-key': 'mine', 'content-type': 'text/y' },
      });
    const ends = server.seen.filter(({ url }) => url === '/end');
    expect(ends).toMatchObject([
      { method: 'GET', body: '', headers: { 'x-key': 'mine' } },
      { method: 'POST', body: 'text', headers: { 'x-key': 'mine', 'content-type': 'text/y' } },
    ]);
    expect(ends[0]!.headers).not.toHaveProperty('content-type');
  });

  it('of a trusted host leads to no other private host', async () => {
    const inner = await sink();
    const named = await sink(
      (response, { url }) =>
        void (url === '/same'
          ? response.end('same')
          : response.writeHead(302, { location: url === '/in' ? inner.url : '/same' }).end()),
    );
    const { send } = out({});
    expect(await send({ url: `${named.url}/`, trusted: true })).toMatchObject({ status: 200 });
    expect((await problemOf(send({ url: `${named.url}/in`, trusted: true }))).reason).toBe('forbidden');
    expect(inner.connections().made).toBe(0);
  });

  it('never leads from https to http', () => {
    const hop = { method: 'GET', headers: {}, body: undefined } as const;
    expect(() =>
      followRedirect(hop, 302, new URL('https://a.example/'), new URL('http://a.example/')),
    ).toThrow('from https to http');
    expect(followRedirect(hop, 302, new URL('http://a.example/'), new URL('https://a.example/'))).toEqual(
      hop,
    );
    expect([
      leadsToOrigin(new URL('https://a.example/'), '/x', new URL('https://a.example/y')),
      leadsToOrigin(new URL('https://a.example/'), '//b.example', new URL('https://a.example/y')),
    ]).toEqual([true, false]);
  });
});

describe('a response to an outgoing request', () => {
  it('is returned with any status', async () => {
    const server = await sink(
      (response) =>
        void response.writeHead(503, { 'X-Reason': 'no', 'set-cookie': ['a=1', 'b=2'] }).end('down'),
    );
    expect(await out({}, local).send({ url: server.url })).toMatchObject({
      status: 503,
      headers: { 'x-reason': 'no', 'set-cookie': 'a=1, b=2' },
    });
    await expect.poll(() => server.connections()).toEqual({ made: 1, open: 0 });
  });

  it('is accepted up to the size limit', async () => {
    const server = await sink((response, { url }) => void response.end('x'.repeat(Number(url!.slice(1)))));
    const { send } = out({}, local);
    expect((await send({ url: `${server.url}/1000`, maxBytes: 1000 })).bytes).toHaveLength(1000);
    expect((await problemOf(send({ url: `${server.url}/1001`, maxBytes: 1000 }))).reason).toBe('too-large');
  });

  it('is cut if it does not end', async () => {
    const server = await sink((response) => {
      const more = (): void => {
        if (response.destroyed) return;
        if (response.write('canary'.repeat(1000))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    });
    const problem = await problemOf(out({}, local).send({ url: server.url, maxBytes: 100_000 }));
    expect(problem.reason).toBe('too-large');
    expect(JSON.stringify(problem)).not.toContain('canary');
    await expect.poll(() => server.connections().open).toBe(0);
  });

  it.each(['before it begins', 'in the middle'])(
    'that stops %s times out at the total deadline',
    async (when) => {
      let expire: (() => void) | undefined;
      const server = await sink((response) => {
        if (when === 'in the middle') response.write('slow');
        setImmediate(() => expire!());
      });
      const after = (_: number, act: () => void) => ((expire = act), () => undefined);
      const problem = await problemOf(
        out({}, local, { after }).send({ url: `${server.url}/?canary`, timeout: 4000 }),
      );
      expect(problem).toMatchObject({
        reason: 'timed-out',
        message: `${server.url} did not answer completely within 4 s.`,
      });
      await expect.poll(() => server.connections().open).toBe(0);
    },
  );

  it('stops the timer of its deadline', async () => {
    let timers = 0;
    const after = () => (timers++, () => void timers--);
    const server = await sink();
    await out({}, local, { after }).send({ url: server.url });
    await problemOf(out({}, local, { after }).send({ url: 'http://10.0.0.1/' }));
    expect(timers).toBe(0);
  });

  it('times out if the name server does not respond', async () => {
    const after = (_: number, act: () => void) => (setImmediate(act), () => undefined);
    const send = out({}, '', { after, lookup: () => new Promise(() => undefined) }).send({
      url: 'http://silent.example/',
    });
    expect((await problemOf(send)).reason).toBe('timed-out');
  });

  it('is not awaited after the request was aborted', async () => {
    const stop = new AbortController();
    const server = await sink(() => stop.abort());
    expect((await problemOf(out({}, local).send({ url: server.url, signal: stop.signal }))).reason).toBe(
      'interrupted',
    );
    expect((await problemOf(out({}, local).send({ url: server.url, signal: stop.signal }))).reason).toBe(
      'interrupted',
    );
    expect(server.connections().made).toBe(1);
  });

  it.each(['gzip', 'br', 'deflate', 'identity, gzip'])('encoded as %s is refused', async (encoding) => {
    const server = await sink(
      (response) =>
        void response.writeHead(200, { 'content-encoding': encoding }).end(gzipSync('x'.repeat(100_000))),
    );
    expect(await problemOf(out({}, local).send({ url: server.url }))).toMatchObject({
      reason: 'unreachable',
      message: expect.stringContaining('compressed'),
    });
  });

  it.each([
    ['not HTTP', 'canary canary\r\n\r\n'],
    ['nothing', ''],
    ['shorter than its Content-Length', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\ncanary'],
    ['one with headers that are too long', `HTTP/1.1 200 OK\r\nx: ${'canary'.repeat(10_000)}\r\n\r\n`],
    [
      'a switch of protocols',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n',
    ],
  ])('that is %s is refused', async (_, text) => {
    const server = createServer(
      (socket) => void socket.on('error', () => undefined).once('data', () => socket.end(text)),
    );
    await new Promise<void>((resolve) => server.listen(0, local, resolve));
    onTestFinished(() => void server.close());
    const problem = await problemOf(
      out({}, local).send({ url: `http://${local}:${(server.address() as AddressInfo).port}/` }),
    );
    expect(problem.reason).toBe('unreachable');
    expect(JSON.stringify(problem)).not.toContain('canary');
  });
});
