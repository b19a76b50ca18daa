import { connect } from 'node:net';
import type { Server as Sockets } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { createLaterServer, type TakeSockets } from '../../src/server/later-server.ts';
import { defaultLimits } from '../../src/server/limits.ts';
import type { LogEntry } from '../../src/server/log.ts';
import { Problem } from '../../src/errors/problem.ts';

const place = { host: '127.0.0.1', port: 0 };

/** A server that is created when `finish` is called, and responds to each request with its path. */
async function laterServer(createFirst: () => Promise<void> = async () => {}) {
  const events: string[] = [];
  const logged: LogEntry[] = [];
  let taken: Sockets | undefined;
  const create = async (sockets: TakeSockets) => {
    events.push('create');
    await createFirst();
    taken = sockets((request, response) => void response.end(request.url));
    return {
      drain: () => void events.push('drain'),
      stop: async (grace: number) => {
        events.push(`stop ${grace}`);
        taken?.closeAllConnections();
        await new Promise((resolve) => taken?.close(resolve));
      },
    };
  };
  let ids = 0;
  const server = createLaterServer({
    limits: defaultLimits,
    newRequestId: () => `req_${++ids}`,
    log: { write: (_, entry) => void logged.push(entry), isEnabled: () => true },
    create,
  });
  onTestFinished(() => server.stop(0));
  const { url } = await server.listen(place);
  const get = async (path: string): Promise<string> => (await fetch(url + path)).text();
  return { server, url, get, events, logged };
}

it('a later server is created once, at its first request, and requests wait for it', async () => {
  let finish = (): void => {};
  const { get, events } = await laterServer(() => new Promise((resolve) => (finish = resolve)));
  expect(events).toEqual([]);
  const first = [get('/one'), get('/two')];
  await expect.poll(() => events).toEqual(['create']);
  finish();
  expect(await Promise.all(first)).toEqual(['/one', '/two']);
  expect(await get('/three')).toBe('/three');
  expect(events).toEqual(['create']);
});

it('a later server stops without being created, and drains as soon as it is created', async () => {
  const idle = await laterServer();
  idle.server.drain();
  await idle.server.stop(5);
  await expect(idle.get('/')).rejects.toThrow();
  expect(idle.events).toEqual([]);

  const used = await laterServer();
  used.server.drain();
  expect(await used.get('/')).toBe('/');
  await used.server.stop(5);
  expect(used.events).toEqual(['create', 'drain', 'stop 5']);
});

it('a later server responds with an error and logs it if it cannot be created, and tries again later', async () => {
  const failures: Error[] = [new Error('There is no such file.'), new Problem('store-busy', 'Wait.')];
  const { url, get, logged } = await laterServer(async () => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
  });
  const first = await fetch(url);
  expect([first.status, first.headers.get('request-id')]).toEqual([500, 'req_1']);
  expect(await first.json()).toMatchObject({ error: { reason: 'unexpected', requestId: 'req_1' } });
  expect(logged).toMatchObject([{ event: 'fault', message: 'There is no such file.' }]);
  expect((await fetch(url)).status).toBe(503);
  expect(await get('/again')).toBe('/again');
});

it('a later server responds to data that is not HTTP before it is created', async () => {
  const { url, events } = await laterServer();
  const socket = connect(Number(new URL(url).port), '127.0.0.1').end('SSH-2.0\r\n\r\n');
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*This is not a valid HTTP\/1\.1 request\./);
  expect(events).toEqual([]);
});
