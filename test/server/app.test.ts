import { once } from 'node:events';
import type { FastifyRequest } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { createApp } from '../../src/server/app.ts';
import { addressOf } from '../../src/server/client-limit.ts';
import { defaultLimits } from '../../src/server/limits.ts';
import { createLog } from '../../src/server/log.ts';
import { sourceOf } from '../../src/server/routes.ts';
import { talkTo } from './serving.ts';

it('an app logs the address of a client that disconnected before the response', async () => {
  const logged: unknown[] = [];
  const app = createApp({
    clock: Date.now,
    limits: defaultLimits,
    newRequestId: () => 'req_1',
    log: createLog({ level: 'info', clock: () => 0, write: (line) => void logged.push(JSON.parse(line)) }),
  });
  onTestFinished(() => app.close());
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let leave = (_left: FastifyRequest): void => {};
  const left = new Promise<FastifyRequest>((resolve) => (leave = resolve));
  app.post('/', async (request) => {
    begin();
    await once(request.raw.socket, 'close');
    leave(request);
  });
  const talk = await talkTo(await app.listen({ host: '127.0.0.1', port: 0 }));
  talk.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
  await begun;
  talk.socket.destroy();
  const request = await left;
  expect([addressOf(request), sourceOf(request).origin]).toEqual([
    '127.0.0.1',
    { kind: 'remote', address: '127.0.0.1' },
  ]);
  expect(logged).toMatchObject([{ event: 'request', status: 499, address: '127.0.0.1' }]);
});

it('an app logs how long a response took', async () => {
  const logged: Record<string, unknown>[] = [];
  const app = createApp({
    clock: () => 0,
    limits: defaultLimits,
    newRequestId: () => 'req_1',
    log: createLog({ level: 'info', clock: () => 0, write: (line) => void logged.push(JSON.parse(line)) }),
  });
  onTestFinished(() => app.close());
  app.get('/', async () => {
    const since = performance.now();
    while (performance.now() - since < 1);
    return '';
  });
  await app.inject('/');
  expect(Number(logged[0]?.['ms'])).toBeGreaterThanOrEqual(1);
});

it('an app requires exactly one Host header, except in HTTP/1.0', async () => {
  const app = createApp({
    clock: () => 0,
    limits: defaultLimits,
    newRequestId: () => 'req_1',
    log: undefined,
  });
  onTestFinished(() => app.close());
  app.get('/', async () => '');
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const statusOf = async (head: string) => {
    const talk = await talkTo(url);
    talk.send(`${head}\r\n\r\n`);
    const answer = await talk.answer();
    talk.socket.destroy();
    return answer?.status;
  };
  expect([
    await statusOf('GET / HTTP/1.1\r\nHost: x'),
    await statusOf('GET / HTTP/1.1'),
    await statusOf('GET / HTTP/1.1\r\nHost: x\r\nHost: x'),
    await statusOf('GET / HTTP/1.0'),
  ]).toEqual([200, 400, 400, 200]);
});

it('addressOf returns "unknown" for a client that disconnected before its request was read', () => {
  expect(addressOf({ ip: undefined })).toBe('unknown');
});
