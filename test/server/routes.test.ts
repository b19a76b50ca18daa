import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { HeavyCallError } from '../../src/core/heavy-call-error.ts';
import { createServer } from '../../src/server/index.ts';
import type { Threads } from '../../src/server/threads/threads.ts';
import { createWorld } from '../support/world.ts';

const collections = 'orgs/org_acme/collections';

it.each([
  ['a read ends for a client that has disconnected', 'GET', collections, true, true],
  ['a change continues for a client that has disconnected', 'POST', collections, true, false],
  ['a file is read for a client that waits', 'GET', 'spaces/spc_1/pdf/download', false, false],
])('in another thread, %s', async (_, method, path, isGone, isAborted) => {
  const world = await createWorld();
  const { store } = world.core;
  let leave = async (): Promise<void> => {};
  let seen: (isAborted: boolean) => void = () => {};
  const aborted = new Promise<boolean>((resolve) => (seen = resolve));
  const heavy = async () => {
    await leave();
    throw new HeavyCallError();
  };
  const threads = {
    call: async (_organization, _call, signal) => {
      seen(signal.aborted);
      return {};
    },
  } as Partial<Threads> as Threads;
  const core = { ...world.core, store: { ...store, read: heavy, write: heavy } };
  const server = await createServer({ core, version: '1', newRequestId: () => 'req', threads });
  onTestFinished(() => server.close(0));
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
  const { port, host } = new URL(url);
  const onRequest = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    if (socket.localPort !== Number(port)) return;
    leave = async () => {
      if (!isGone) return;
      client.destroy();
      if (!socket.destroyed) await once(socket, 'close');
    };
  };
  subscribe('http.server.request.start', onRequest);
  onTestFinished(() => void unsubscribe('http.server.request.start', onRequest));
  const body = method === 'POST' ? '{"title":"New"}' : '';
  const client = connect(Number(port), '127.0.0.1').on('error', () => {});
  client.write(
    `${method} /v1/${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${world.token('admin')}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  expect(await aborted).toBe(isAborted);
});
