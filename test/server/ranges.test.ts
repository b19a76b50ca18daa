import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createApp } from '../../src/server/app.ts';
import { HeldAnswers } from '../../src/server/held-answers.ts';
import { defaultLimits } from '../../src/server/limits.ts';
import { publishedSite } from '../publishing/published-site.ts';
import { startReader } from './site-reader.ts';

const digits = '0123456789';
const video = { name: 'tour.mp4', contentType: 'video/mp4', base64: btoa(digits) };
const notes = { name: 'notes.txt', contentType: 'text/plain', base64: btoa(digits.repeat(1000)) };
const nothing = { name: 'empty.bin', contentType: 'application/octet-stream', base64: '' };

async function readFiles(settings: Readonly<Record<string, unknown>> = {}) {
  const site = await publishedSite([{ title: 'Start', text: 'Look.' }], settings);
  const files = await site.change(site.spaceId, [
    { operation: 'insert_files', files: [video, notes, nothing] },
  ]);
  const [movie = '', text = '', empty = ''] = files.map((id) => `~files/${id}/name`);
  return { movie, text, empty, ...(await startReader(site.core)) };
}

it.each([
  ['bytes=0-', [206, 'bytes 0-9/10', digits]],
  ['bytes=0-1', [206, 'bytes 0-1/10', '01']],
  ['BYTES=3-3', [206, 'bytes 3-3/10', '3']],
  ['bytes=8-99999999999999999999', [206, 'bytes 8-9/10', '89']],
  ['bytes=-3', [206, 'bytes 7-9/10', '789']],
  ['bytes=-99', [206, 'bytes 0-9/10', digits]],
  ['bytes=10-', [416, 'bytes */10', '']],
  ['bytes=-0', [416, 'bytes */10', '']],
  ['bytes=0-1,4-5', [200, undefined, digits]],
  ['bytes=5-4', [200, undefined, digits]],
  ['bytes=-', [200, undefined, digits]],
  ['bytes=a-b', [200, undefined, digits]],
  ['lines=0-1', [200, undefined, digits]],
])('a request for the range %s of a file gets the right status and bytes', async (range, expected) => {
  const { ask, movie } = await readFiles();
  // The second response is made from the cached one.
  for (const _ of [1, 2]) {
    const { status, headers, body } = await ask(movie, { range });
    expect([status, headers['content-range'], body]).toEqual(expected);
    expect(headers['content-length']).toBe(String(body.length));
    await ask(movie);
  }
});

it('parts of files have the headers of the whole file', async () => {
  const { ask, movie, empty, text } = await readFiles();
  const whole = await ask(movie);
  expect(whole.headers).toMatchObject({ 'accept-ranges': 'bytes', etag: expect.any(String) });
  const part = await ask(movie, { range: 'bytes=2-3' });
  expect(part.headers).toEqual({
    ...whole.headers,
    'content-length': '2',
    'content-range': 'bytes 2-3/10',
  });
  expect(await ask(movie, { range: 'bytes=2-3' }, 'HEAD')).toEqual({ ...whole, body: '' });
  expect((await ask(movie, { range: 'bytes=10-' })).headers['cache-control']).toBe('no-store');
  for (const range of ['bytes=0-', 'bytes=-5'])
    expect((await ask(empty, { range })).headers['content-range']).toBe('bytes */0');
  expect((await ask('', { range: 'bytes=0-1' })).status).toBe(200);
  const compressed = await ask(text, { range: 'bytes=0-1', 'accept-encoding': 'gzip' });
  expect([compressed.status, compressed.headers['content-encoding']]).toEqual([200, 'gzip']);
  expect((await ask(text, { range: 'bytes=0-1' })).body).toBe('01');
});

it('a part is sent only of the version that the client has, and not if it has the whole file', async () => {
  const { ask, movie } = await readFiles({ visibility: 'unlisted' });
  const etag = String((await ask(movie)).headers['etag']);
  const range = 'bytes=2-3';
  expect((await ask(movie, { range, 'if-range': etag })).body).toBe('23');
  for (const ifRange of ['"other"', `W/${etag}`, 'Sat, 29 Oct 1994 19:43:31 GMT'])
    expect(await ask(movie, { range, 'if-range': ifRange })).toMatchObject({ status: 200, body: digits });
  expect(await ask(movie, { range, 'if-none-match': etag })).toMatchObject({ status: 304, body: '' });
});

it('a part of a cached file needs no transaction', async () => {
  const { ask, movie, reads } = await readFiles();
  await ask(movie);
  reads();
  expect((await ask(movie, { range: 'bytes=2-3' })).body).toBe('23');
  expect(reads()).toBe(0);
});

it('HeldAnswers counts the whole file for clients that receive parts of it slowly', async () => {
  const bytes = Buffer.alloc(64 * 1024 * 1024);
  const held = new HeldAnswers();
  const app = createApp({
    clock: () => 0,
    limits: defaultLimits,
    newRequestId: () => 'req',
    log: undefined,
    held,
  });
  app.get('/file', (_, reply) => reply.header('accept-ranges', 'bytes').send(bytes));
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as { port: number };
  const receive = async (start: number): Promise<void> => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(`GET /file HTTP/1.1\r\nHost: x\r\nRange: bytes=${start}-\r\n\r\n`);
    await new Promise((resolve) => socket.once('readable', resolve));
  };
  for (const start of [0, 1, 2]) await receive(start);
  expect(held.bytes).toBe(bytes.length);
});
