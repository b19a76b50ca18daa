import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RawRequest, StreamedAnswer } from '../../src/contract/exchange.ts';
import { remoteApi, type RemoteOptions } from '../../src/client/remote-api.ts';
import { defaultLimits } from '../../src/client/transport.ts';

const MiB = 1 << 20;

/** Starts a server, and an Api for it whose first requests are sent by the client of Node or by undici. */
async function streamFrom(
  answer: (response: ServerResponse) => void,
  { first = 100, ...options }: Partial<RemoteOptions> & { first?: number } = {},
) {
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const api = remoteApi({
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    version: 'test',
    newKey: () => 'key',
    random: () => 0,
    limits: { ...defaultLimits, first },
    ...options,
  });
  onTestFinished(async () => {
    await api.close();
    server.closeAllConnections();
    server.close();
  });
  return (request: Partial<RawRequest> = {}): Promise<StreamedAnswer> =>
    api.stream!({
      method: 'POST',
      path: '/x',
      body: undefined,
      signal: new AbortController().signal,
      ...request,
    });
}

async function sizeOf(body: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of body) bytes += chunk.length;
  return bytes;
}

describe.each([
  ['the client of Node', 100],
  ['undici', 0],
])('a streamed response through %s', (_, first) => {
  it.each([['keep-alive'], ['close']])(
    'is read only as fast as it is consumed, with connection: %s',
    async (connection) => {
      let sent: ServerResponse | undefined;
      const stream = await streamFrom(
        (response) => {
          sent = response;
          response.writeHead(200, { 'content-type': 'text/plain', connection });
          // More than the buffers of a connection hold.
          for (let at = 0; at < 64; at++) response.write(Buffer.alloc(MiB));
          response.end();
        },
        { first },
      );
      const { body, contentType } = await stream();
      expect(contentType).toBe('text/plain');
      const reader = body[Symbol.asyncIterator]();
      const { value } = (await reader.next()) as { value: Uint8Array };
      // Data that is not read stays at the server.
      const waiting = () => sent!.socket!.writableLength;
      let before = -1;
      await expect
        .poll(() => {
          const isStill = waiting() === before;
          before = waiting();
          return isStill;
        })
        .toBe(true);
      expect(waiting()).toBeGreaterThan(16 * MiB);
      const rest = await sizeOf({ [Symbol.asyncIterator]: () => reader });
      expect(value.length + rest).toBe(64 * MiB);
    },
  );

  it('throws a Problem if the connection closes before its end', async () => {
    const stream = await streamFrom(
      (response) => {
        response.writeHead(200);
        response.write('begun', () => response.destroy());
      },
      { first },
    );
    const { body } = await stream();
    await expect(sizeOf(body)).rejects.toMatchObject({
      reason: 'unreachable',
      message: expect.stringContaining('closed the connection before its answer was complete'),
    });
  });

  it('throws a Problem if no more data arrives', async () => {
    const stream = await streamFrom((response) => void response.writeHead(200).write('begun'), {
      first,
      limits: { ...defaultLimits, first, streamIdle: 20 },
    });
    await expect(sizeOf((await stream()).body)).rejects.toMatchObject({ reason: 'timed-out' });
  });

  it('can be dropped, and is then no longer sent', async () => {
    let isClosed = false;
    const stream = await streamFrom(
      (response) => {
        response.once('close', () => (isClosed = true));
        response.writeHead(200).write(Buffer.alloc(MiB));
      },
      { first },
    );
    for await (const chunk of (await stream()).body) if (chunk.length > 0) break;
    await expect.poll(() => isClosed).toBe(true);
  });

  it('ends when the request is aborted', async () => {
    const stop = new AbortController();
    const stream = await streamFrom((response) => void response.writeHead(200).write('begun'), { first });
    const { body } = await stream({ signal: stop.signal });
    const reader = body[Symbol.asyncIterator]();
    await reader.next();
    stop.abort();
    await expect(reader.next()).rejects.toMatchObject({ reason: 'interrupted' });
  });

  it('has no size limit, except for errors', async () => {
    const large = (status: number) =>
      streamFrom((response) => void response.writeHead(status).end(Buffer.alloc(100)), {
        first,
        limits: { ...defaultLimits, first, bytes: 50 },
      });
    expect(await sizeOf((await (await large(200))()).body)).toBe(100);
    await expect((await large(404))()).rejects.toMatchObject({
      message: expect.stringContaining('more than 50 bytes'),
    });
  });

  it('is requested again if the server is busy for a moment', async () => {
    let asked = 0;
    const stream = await streamFrom(
      (response) =>
        void (++asked === 1 ? response.writeHead(503, { 'retry-after': '0' }) : response).end('whole'),
      { first },
    );
    expect(await sizeOf((await stream()).body)).toBe(5);
    expect(asked).toBe(2);
  });
});
