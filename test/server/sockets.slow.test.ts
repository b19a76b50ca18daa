import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { defaultLimits } from '../../src/server/limits.ts';
import { listen } from '../../src/server/listen.ts';
import { createSockets } from '../../src/server/sockets.ts';
import { serve, talkTo, type Answer, type Serving } from './serving.ts';

const collections = '/v1/orgs/org_acme/collections';
let serving: Serving | undefined;

async function start(limits: Parameters<typeof serve>[0] = {}) {
  serving = await serve(limits);
  const { url } = await serving.server.listen({ host: '127.0.0.1', port: 0 });
  return { ...serving, talk: await talkTo(url), url };
}

afterEach(async () => {
  await serving?.server.close(0);
  serving = undefined;
});

function expectError(answer: Answer | undefined, code: number): void {
  expect(answer?.status).toBe(code);
  expect(JSON.parse(answer!.body)).toEqual({
    error: expect.objectContaining({
      code,
      message: expect.any(String),
      reason: expect.any(String),
      requestId: answer!.headers['request-id'],
    }),
  });
  expect(answer!.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
}

describe('the socket server', () => {
  it.each([
    ['no HTTP', 'hello there\r\n\r\n', 400],
    ['TLS', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x0d, 0x0a]), 400],
    ['another HTTP version', 'GET / HTTP/3.7\r\nHost: x\r\n\r\n', 400],
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['headers that are too large', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    [
      'two Content-Length headers',
      `POST ${collections} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      400,
    ],
    [
      'Content-Length with chunks',
      `POST ${collections} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      'a coding after chunked',
      `POST ${collections} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      'a Content-Length that is not a number',
      `POST ${collections} HTTP/1.1\r\nHost: x\r\nContent-Length: +2\r\n\r\n{}`,
      400,
    ],
    ['a folded header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\nB : d\r\n\r\n', 400],
    ['a NUL in a header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n', 400],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n', 400],
    ['CONNECT', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['TRACE', `TRACE ${collections} HTTP/1.1\r\nHost: x\r\n\r\n`, 405],
    [
      'an unknown Expect header',
      `POST ${collections} HTTP/1.1\r\nHost: x\r\nExpect: magic\r\nContent-Length: 2\r\n\r\n{}`,
      417,
    ],
    ['an invalid path', 'GET healthz HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ])('responds with an error to %s', async (_name, text, status) => {
    const { talk } = await start();
    talk.send(text);
    expectError(await talk.answer(), status);
  });

  it('accepts HTTP/1.0 without a host, and an absolute request target', async () => {
    const { talk, url } = await start();
    talk.send('GET /healthz HTTP/1.0\r\n\r\n');
    expect((await talk.answer())?.status).toBe(200);
    await talk.closed;
    const other = await talkTo(url);
    other.send('GET http://elsewhere.test/healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await other.answer())?.status).toBe(200);
  });

  it('keeps the connection after an error, and answers pipelined requests in order', async () => {
    const { talk } = await start();
    talk.send(
      `GET /nothing HTTP/1.1\r\nHost: x\r\n\r\nPOST ${collections} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Type: application/json\r\n\r\n{GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    expect([
      (await talk.answer())?.status,
      (await talk.answer())?.status,
      (await talk.answer())?.status,
    ]).toEqual([404, 401, 200]);
  });

  it('refuses a body that is too large before it has arrived, and the client receives the response', async () => {
    const { talk, bearer } = await start();
    const head = `POST ${collections} HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer().authorization}\r\nContent-Type: application/json\r\n`;
    talk.send(`${head}Content-Length: 8000000\r\n\r\n`);
    expectError(await talk.answer(), 413);
    talk.send(Buffer.alloc(8_000_000, 0x20));
    talk.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await talk.answer())?.status).toBe(200);
    talk.send(`${head}Transfer-Encoding: chunked\r\n\r\n`);
    for (let sent = 0; sent < 3; sent++) talk.send(`80000\r\n${' '.repeat(0x80000)}\r\n`);
    talk.send('0\r\n\r\n');
    expectError(await talk.answer(), 413);
  });

  it('accepts a body after Expect: 100-continue', async () => {
    const { talk, bearer } = await start();
    talk.send(
      `POST ${collections} HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer().authorization}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 13\r\n\r\n`,
    );
    talk.send('{"title":"x"}');
    expect((await talk.answer())?.status).toBe(201);
  });
});

describe('slow clients', () => {
  const quick = {
    limits: {
      headersTimeout: 40,
      requestTimeout: 60,
      checkEvery: 10,
      keepAliveTimeout: 20,
      socketTimeout: 5000,
    },
  };

  it.each([
    ['send nothing', ''],
    ['send only the start of a request line', 'GET /hea'],
    ['send only the start of the headers', 'GET /healthz HTTP/1.1\r\nHost: x\r\nA: '],
  ])('are disconnected with an error if they %s', async (_name, text) => {
    const { talk } = await start(quick);
    talk.send(text);
    expectError(await talk.answer(), 408);
    await talk.closed;
  });

  it('are disconnected if they send an incomplete body', async () => {
    const { talk, bearer } = await start(quick);
    talk.send(
      `POST ${collections} HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer().authorization}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    expectError(await talk.answer(), 408);
    await talk.closed;
  });

  it('are disconnected if they keep a connection without using it', async () => {
    // However late the request arrives on a busy machine, it is answered.
    const { talk } = await start({ limits: { keepAliveTimeout: 20, checkEvery: 10 } });
    talk.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await talk.answer())?.status).toBe(200);
    await talk.closed;
  });

  it('that disconnect also close the responses that wait for an earlier one', async () => {
    const responses: ServerResponse[] = [];
    const arrived = new EventEmitter();
    const sockets = createSockets(
      (_, response) => arrived.emit('request', responses.push(response)),
      defaultLimits,
      () => 'req_1',
    );
    onTestFinished(() => void sockets.close());
    const { url } = await listen(sockets, { host: '127.0.0.1', port: 0 });
    const talk = await talkTo(url);
    talk.send('GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n');
    while (responses.length < 2) await once(arrived, 'request');
    const closed = responses.map((response) => once(response, 'close'));
    talk.socket.destroy();
    await Promise.all(closed);
    expect(responses.map(({ destroyed }) => destroyed)).toEqual([true, true]);
    for (const response of responses)
      await expect(pipeline(Readable.from(['more']), response)).rejects.toThrow('Premature close');
  });

  it('leave nothing behind if they disconnect during a request', async () => {
    const { talk, url, bearer, logged } = await start();
    talk.send(
      `POST ${collections} HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer().authorization}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    const other = await talkTo(url);
    other.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await other.answer())?.status).toBe(200);
    talk.socket.resetAndDestroy();
    await talk.closed;
    other.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await other.answer())?.status).toBe(200);
    expect(logged.filter((entry) => 'stack' in entry)).toEqual([]);
  });
});
