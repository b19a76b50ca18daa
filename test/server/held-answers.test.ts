import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createApp } from '../../src/server/app.ts';
import { HeldAnswers } from '../../src/server/held-answers.ts';
import { defaultLimits } from '../../src/server/limits.ts';

const MiB = 1024 * 1024;

/** A response that its client never receives. */
class SlowResponse extends EventEmitter {
  destroyed = false;
  destroy(): this {
    this.destroyed = true;
    queueMicrotask(() => this.emit('close'));
    return this;
  }
}

function hold(held: HeldAnswers, client: string, size: number, body: unknown = 'text'): SlowResponse {
  const response = new SlowResponse();
  held.add(response as never, { client, size, body, cut: () => response.destroy() });
  return response;
}

it('HeldAnswers cuts the oldest response of the client whose responses need the most memory', async () => {
  const held = new HeldAnswers(10 * MiB);
  const other = hold(held, 'other', 3 * MiB);
  const [first, second, third] = [0, 1, 2].map(() => hold(held, 'slow', 3 * MiB));
  expect([other, first, second, third].map((response) => response?.destroyed)).toEqual([
    false,
    true,
    false,
    false,
  ]);
  expect(held.bytes).toBe(9 * MiB);
  second?.emit('close');
  await Promise.resolve();
  expect(held.bytes).toBe(6 * MiB);
  hold(held, 'slow', 4 * MiB);
  expect([other.destroyed, third?.destroyed, held.bytes]).toEqual([false, false, 10 * MiB]);
});

it('HeldAnswers counts a body once for all responses that share it, and ignores small responses', () => {
  const held = new HeldAnswers(10 * MiB);
  const body = Buffer.alloc(0);
  const shared = Array.from({ length: 100 }, (_, client) => hold(held, `client ${client}`, 8 * MiB, body));
  const small = Array.from({ length: 1000 }, () => hold(held, 'one', 16 * 1024));
  expect(held.bytes).toBe(8 * MiB);
  expect([...shared, ...small].some(({ destroyed }) => destroyed)).toBe(false);
  for (const response of shared) response.emit('close');
  expect(held.bytes).toBe(0);
});

it('HeldAnswers sends a single response that exceeds the limit of all', () => {
  const held = new HeldAnswers(10 * MiB);
  const large = hold(held, 'one', 20 * MiB);
  expect(large.destroyed).toBe(false);
  expect(hold(held, 'two', MiB).destroyed).toBe(false);
  expect(large.destroyed).toBe(true);
});

it('a server limits the responses that one client requests and does not read, and serves others', async () => {
  const held = new HeldAnswers(20 * MiB);
  const app = createApp({
    clock: Date.now,
    limits: defaultLimits,
    newRequestId: () => 'req_1',
    log: undefined,
    held,
  });
  let made = 0;
  app.get('/large', async (_, reply) => {
    made++;
    return reply.send(Buffer.alloc(8 * MiB));
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await app.close();
  });
  for (let count = 0; count < 5; count++) {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' }).pause();
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(5));
  }
  await expect.poll(() => made, { timeout: 5000 }).toBeGreaterThan(5);
  expect(held.bytes).toBeGreaterThan(0);
  expect(held.bytes).toBeLessThanOrEqual(20 * MiB);
  const answer = await fetch(`${url}/large`);
  expect((await answer.arrayBuffer()).byteLength).toBe(8 * MiB);
  expect(held.bytes).toBeLessThanOrEqual(20 * MiB);
});
