import { once } from 'node:events';
import Fastify from 'fastify';
import { afterAll, expect, it } from 'vitest';
import { JsonPieces, sendTagged } from '../../src/server/answer.ts';
import { refusalOf } from '../../src/server/errors.ts';
import { encodeJson } from '../../src/server/threads/encode-json.ts';

const value = { pages: Array.from({ length: 500 }, (_, id) => ({ id, markdown: 'Grüße '.repeat(400) })) };
const app = Fastify();
app.decorate('state', { isDraining: false, isStopping: false });
app.get('/', (request, reply) => sendTagged(request, reply, new JsonPieces(encodeJson(value))));
const failures: boolean[] = [];
app.setErrorHandler((error) => failures.push(refusalOf(error).isFault));
app.post('/left', async (request, reply) => {
  const closed = once(reply.raw, 'close');
  request.raw.socket.destroy();
  await closed;
  return sendTagged(request, reply, new JsonPieces(encodeJson(value)));
});
afterAll(() => app.close());

it('JSON in pieces is sent completely, with its length and its entity tag', async () => {
  const { statusCode, headers, body } = await app.inject('/');
  expect([statusCode, body]).toEqual([200, JSON.stringify(value)]);
  expect(headers).toMatchObject({
    'content-length': String(Buffer.byteLength(body)),
    'content-type': 'application/json; charset=utf-8',
    etag: encodeJson(value).etag,
  });
});

it('JSON in pieces is not sent for a matching entity tag or a HEAD request', async () => {
  const { etag } = encodeJson(value);
  const same = await app.inject({ url: '/', headers: { 'if-none-match': etag } });
  expect([same.statusCode, same.body]).toEqual([304, '']);
  const head = await app.inject({ method: 'HEAD', url: '/' });
  expect([head.statusCode, head.body]).toEqual([200, '']);
  expect(head.headers['content-length']).toBe(String(Buffer.byteLength(JSON.stringify(value))));
});

it('JSON in pieces for a client that has disconnected is not logged as an error', async () => {
  const url = await app.listen();
  await expect(
    fetch(`${url}/left`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }),
  ).rejects.toThrow('fetch failed');
  await expect.poll(() => failures).toEqual([false]);
});
