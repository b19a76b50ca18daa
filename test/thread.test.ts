import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { claimJobs } from '../src/core/claim-job.ts';
import { enqueue } from '../src/core/jobs.ts';
import { downloadFile, listFiles } from '../src/resources/content/space-files/contract.ts';
import { createSpace, listSpaces } from '../src/resources/spaces/contract.ts';
import type { FromThread, ThreadCall, ToThread } from '../src/server/threads/messages.ts';
import { runThread } from '../src/thread.ts';
import { openDesk } from './resources/content-support.ts';
import { temporaryFolder } from './stores/fixtures.ts';
import { createWorld, type World } from './support/world.ts';

const close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const done of close.splice(0)) await done();
});

/** Starts a thread in this thread, on the store of a new world. */
async function openThread() {
  const storeUrl = `sqlite:${join(temporaryFolder(), 'store.db')}`;
  const world = await createWorld(storeUrl);
  const { port1: here, port2: there } = new MessageChannel();
  const urls = { publicUrl: 'https://docs.example.com', sitesUrl: 'https://sites.example.com' };
  const env = { DOCSCTL_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') };
  runThread(env, there, { storeUrl, ...urls, caFile: undefined, cwd: '/', version: '1.2.3' });
  const received: FromThread[] = [];
  let isClosed = false;
  let heard = (): void => {};
  here.on('message', (message: FromThread) => {
    received.push(message);
    heard();
  });
  here.on('close', () => {
    isClosed = true;
    heard();
  });
  /** Returns the next message of the thread; undefined if it has closed. */
  const next = async (): Promise<FromThread | undefined> => {
    while (received.length === 0 && !isClosed) await new Promise<void>((resolve) => (heard = resolve));
    return received.shift();
  };
  const send = (message: ToThread): void => here.postMessage(message, []);
  close.push(async () => {
    send({ kind: 'close' });
    while ((await next()) !== undefined);
    await world.core.store.close();
  });
  return { world, send, next };
}

const callOf = (world: World, operation: string, more: Partial<ThreadCall> = {}): ThreadCall => ({
  operation,
  input: { params: { organizationId: world.org }, query: {}, body: undefined },
  unread: undefined,
  credential: world.credential('admin'),
  idempotencyKey: undefined,
  ifMatch: undefined,
  ifNoneMatch: undefined,
  source: { origin: { kind: 'local' } },
  ...more,
});
const creating = (world: World, text = '{"title":"Guide"}') =>
  callOf(world, createSpace.id, {
    unread: { bytes: Buffer.from(text), contentType: 'application/json', nodes: 100 },
  });
const jsonOf = (message: FromThread | undefined): unknown => {
  const pieces = message?.kind === 'answer' ? (message.answer.json?.pieces ?? []) : [];
  return JSON.parse(Buffer.concat(pieces).toString());
};

it('a thread of a server answers one call after another', async () => {
  const { world, send, next } = await openThread();
  for (const id of [1, 2]) {
    send({ kind: 'call', id, call: callOf(world, listSpaces.id) });
    const answer = await next();
    expect(answer).toMatchObject({ kind: 'answer', id, answer: { json: { etag: expect.any(String) } } });
    expect(jsonOf(answer)).toMatchObject({ items: [] });
  }
});

it('a thread of a server returns files', async () => {
  const { world, send, next } = await openThread();
  const desk = await openDesk(world);
  const files = [{ name: 'a.txt', contentType: 'text/plain', base64: 'YWJj' }];
  await desk.publish({ operation: 'insert_files', files });
  const { items } = await world.as('admin').call(listFiles, { params: { spaceId: desk.spaceId } });
  const params = { spaceId: desk.spaceId, fileId: items[0]?.id };
  const input = { params, query: {}, body: undefined };
  send({ kind: 'call', id: 1, call: callOf(world, downloadFile.id, { input }) });
  const bytes = new TextEncoder().encode('abc');
  expect(await next()).toMatchObject({ kind: 'answer', id: 1, answer: { file: { name: 'a.txt', bytes } } });
});

it('a thread of a server writes when it is its turn, and says when it has written', async () => {
  const { world, send, next } = await openThread();
  send({ kind: 'call', id: 1, call: creating(world) });
  expect(await next()).toEqual({ kind: 'write', id: 1 });
  // It reads while it waits.
  send({ kind: 'call', id: 2, call: callOf(world, listSpaces.id) });
  expect(jsonOf(await next())).toMatchObject({ items: [] });
  send({ kind: 'turn', id: 1 });
  expect(await next()).toEqual({ kind: 'written', id: 1 });
  expect(jsonOf(await next())).toMatchObject({ object: 'space', title: 'Guide' });
});

it('a thread of a server says why it could not answer a call', async () => {
  const { world, send, next } = await openThread();
  send({ kind: 'call', id: 1, call: creating(world, '{"title":') });
  expect(await next()).toMatchObject({ kind: 'problem', id: 1, problem: { reason: 'invalid-input' } });
  send({ kind: 'call', id: 2, call: callOf(world, listSpaces.id, { credential: { kind: 'none' } }) });
  expect(await next()).toMatchObject({ kind: 'problem', id: 2, problem: { reason: 'unauthenticated' } });
  send({ kind: 'call', id: 3, call: callOf(world, 'spaces.dance') });
  const stack = expect.stringContaining('thread.ts');
  expect(await next()).toEqual({ kind: 'fault', id: 3, message: 'no operation spaces.dance', stack });
});

it('a thread of a server closes only after its calls have ended', async () => {
  const { world, send, next } = await openThread();
  send({ kind: 'call', id: 1, call: creating(world) });
  expect(await next()).toEqual({ kind: 'write', id: 1 });
  send({ kind: 'close' });
  send({ kind: 'turn', id: 1 });
  expect(await next()).toEqual({ kind: 'written', id: 1 });
  expect(await next()).toMatchObject({ kind: 'answer', id: 1 });
  expect(await next()).toBeUndefined();
});

it('a thread of a server stops a call that is aborted', async () => {
  const { world, send, next } = await openThread();
  send({ kind: 'call', id: 1, call: callOf(world, listSpaces.id) });
  send({ kind: 'abort', id: 1 });
  send({ kind: 'abort', id: 2 });
  expect(await next()).toMatchObject({ kind: 'problem', id: 1, problem: { reason: 'interrupted' } });
});

it('a thread of a server reads Markdown', async () => {
  const { send, next } = await openThread();
  send({ kind: 'markdown', id: 1, markdown: '# Title' });
  const document = expect.stringContaining('"Title"');
  expect(await next()).toEqual({ kind: 'answer', id: 1, answer: { document } });
});

it('a thread of a server runs a job, and says how it ended', async () => {
  const { world, send, next } = await openThread();
  const { spaceId } = await openDesk(world);
  const { store, clock } = world.core;
  await store.write((tx) =>
    enqueue(tx, new Date(clock()).toISOString(), {
      kind: 'index',
      organization: world.org,
      subject: spaceId,
    }),
  );
  const [row] = await claimJobs(world.core, 'work', { turns: {}, maxRunning: 1, limit: 1 });
  send({ kind: 'job', id: 1, job: { row: row!, maxScrubSize: 1000 } });
  const events: unknown[] = [];
  while (events.length < 2) {
    const message = await next();
    if (message?.kind === 'write') send({ kind: 'turn', id: message.id });
    else if (message?.kind !== 'written') events.push(message);
  }
  const job = { kind: 'index', subject: spaceId };
  expect(events).toEqual([
    { kind: 'event', id: 1, event: { ...job, progress: 'indexing links, 0 left' } },
    { kind: 'event', id: 1, event: { ...job, end: 'again' } },
  ]);
});
