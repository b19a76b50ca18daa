import { afterEach, describe, expect, it } from 'vitest';
import type { Core } from '../../src/core/embedded.ts';
import type { Server } from '../../src/server/index.ts';
import { serve, talkTo } from './serving.ts';

/** A core whose handlers wait until they are released. */
function held() {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const waiting: (() => void)[] = [];
  let count = 0;
  let closed = false;
  const change = (core: Core): Core => ({
    ...core,
    store: { ...core.store, read: core.store.read, close: async () => void (closed = true) },
    handlerOf: async () => async () => {
      count++;
      for (const wake of waiting.splice(0)) wake();
      await gate;
      return { count: 0, items: [] } as never;
    },
  });
  const arrived = async (wanted: number): Promise<void> => {
    while (count < wanted) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return { change, open, arrived, isClosed: () => closed };
}

let running: Server | undefined;
afterEach(async () => void (await running?.close(0)));

const request = (authorization: string) =>
  `GET /v1/orgs/org_acme/collections HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`;

describe('a server that stops', () => {
  it('answers open requests, refuses new requests and connections, and then closes the store', async () => {
    const hold = held();
    const { server, bearer } = await serve({ change: hold.change });
    running = server;
    const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
    const talks = await Promise.all(Array.from({ length: 50 }, () => talkTo(url)));
    const kept = await talkTo(url);
    for (const talk of talks) talk.send(request(bearer().authorization));
    // Sends half a request, so that the connection is not idle when the stop begins.
    kept.send('GET /readyz HTTP/1.1\r\n');
    await hold.arrived(50);
    const half = await talkTo(url);
    half.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await half.answer())?.status).toBe(200);

    const stopped = server.close(60_000);
    kept.send('Host: x\r\n\r\n');
    const refused = await kept.answer();
    expect(refused).toMatchObject({ status: 503, headers: { connection: 'close', 'retry-after': '1' } });
    expect(JSON.parse(refused!.body).error).toMatchObject({ code: 503, reason: 'unreachable' });
    await kept.closed;
    await half.closed;
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    expect(hold.isClosed()).toBe(false);

    hold.open();
    const answers = await Promise.all(talks.map((talk) => talk.answer()));
    expect(answers.map((answer) => [answer?.status, answer?.headers['connection']])).toEqual(
      Array.from({ length: 50 }, () => [200, 'close']),
    );
    await stopped;
    expect(hold.isClosed()).toBe(true);
  });

  it('disconnects remaining requests when the grace period is over', async () => {
    const hold = held();
    const { server, bearer } = await serve({ change: hold.change });
    running = server;
    const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
    const talk = await talkTo(url);
    talk.send(request(bearer().authorization));
    await hold.arrived(1);
    await server.close(1);
    expect(await talk.answer()).toBeUndefined();
    expect(hold.isClosed()).toBe(true);
    hold.open();
  });

  it('reports at once that it is not ready, and serves requests until it is stopped', async () => {
    const { server, bearer } = await serve();
    running = server;
    const ask = (url: string) => server.inject({ url, headers: bearer() });
    expect((await ask('/readyz')).headers['connection']).not.toBe('close');
    server.drain();
    const notReady = await ask('/readyz');
    expect(notReady.statusCode).toBe(503);
    expect(notReady.json().error).toMatchObject({ reason: 'unreachable' });
    for (const url of ['/livez', '/healthz', '/v1/orgs/org_acme/collections', '/nowhere']) {
      const answer = await ask(url);
      expect([url, answer.statusCode, answer.headers['connection']]).toEqual([
        url,
        url === '/nowhere' ? 404 : 200,
        'close',
      ]);
    }
  });

  it('stops once, even if it is stopped twice or never listened', async () => {
    const { server } = await serve();
    await Promise.all([server.close(1000), server.close(1000)]);
  });
});
