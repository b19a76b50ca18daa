import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { bind } from '../../src/server/listen.ts';
import { serve, talkTo, type Serving } from './serving.ts';

const open: Serving[] = [];
afterEach(async () => {
  for (const { server } of open.splice(0)) await server.close(0);
});

async function server() {
  const serving = await serve();
  open.push(serving);
  return serving.server;
}

describe('listen', () => {
  it.each(['0.0.0.0', '::', '192.0.2.1', 'example.com', '', '127.0.0.1.example.com', '1127.0.0.1'])(
    'refuses %j, which other machines could reach',
    async (host) => {
      await expect((await server()).listen({ host, port: 0 })).rejects.toMatchObject({
        reason: 'guard-refused',
        hint: expect.stringContaining('--allow-remote'),
      });
    },
  );

  it('serves clients that connected while the address was only reserved', async () => {
    const place = { host: '127.0.0.1', port: 0 };
    const bound = await bind(place);
    const client = connect(Number(new URL(bound.url).port), '127.0.0.1');
    client.write('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    while (bound.early.length === 0) await new Promise((resolve) => void setImmediate(resolve));
    await (await server()).listen({ ...place, bound });
    let text = '';
    for await (const part of client) text += String(part);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('listens on such an address if that is allowed', async () => {
    expect(await (await server()).listen({ host: '0.0.0.0', port: 0, allowRemote: true })).toEqual({
      url: expect.stringMatching(/^http:\/\/0\.0\.0\.0:\d+$/),
    });
  });

  it.each(['127.0.0.1', 'localhost', '127.0.0.2'])('listens on %s and returns the address', async (host) => {
    const { url } = await (await server()).listen({ host, port: 0 });
    expect(url).toMatch(/^http:\/\/(127\.0\.0\.[12]|\[::1\]):[1-9]\d*$/);
  });

  it('reports that the address is in use', async () => {
    const { url } = await (await server()).listen({ host: '127.0.0.1', port: 0 });
    await expect(
      (await server()).listen({ host: '127.0.0.1', port: Number(new URL(url).port) }),
    ).rejects.toMatchObject({
      reason: 'conflict',
      hint: expect.stringContaining('--port'),
    });
    expect((await talkTo(url)).socket.writable).toBe(true);
  });

  it('reports that the address does not belong to this machine', async () => {
    await expect(
      (await server()).listen({ host: '192.0.2.1', port: 0, allowRemote: true }),
    ).rejects.toMatchObject({ reason: 'invalid-input', hint: expect.stringContaining('--host') });
  });
});
