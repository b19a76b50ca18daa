import { EventEmitter, setMaxListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FromThread, ThreadCall, ToThread } from '../../../src/server/threads/messages.ts';
import { toSentProblem } from '../../../src/server/threads/messages.ts';
import type { Port } from '../../../src/server/threads/thread.ts';
import { createThreads } from '../../../src/server/threads/threads.ts';
import { Problem } from '../../../src/errors/problem.ts';

/** A port whose other end is the test. */
class TestPort extends EventEmitter implements Port {
  readonly received: ToThread[] = [];

  postMessage(message: ToThread): void {
    this.received.push(message);
    if (message.kind === 'close') this.emit('exit');
  }

  async terminate(): Promise<void> {
    this.emit('exit');
  }

  say(message: FromThread): void {
    this.emit('message', message);
  }

  /** The names of the operations that were called. */
  get calls(): string[] {
    return this.received.flatMap((message) => (message.kind === 'call' ? [message.call.operation] : []));
  }

  answer(operation: string, text = 'done'): void {
    const request = this.received.find(
      (message) => message.kind === 'call' && message.call.operation === operation,
    ) as Extract<ToThread, { kind: 'call' }>;
    this.say({
      kind: 'answer',
      id: request.id,
      answer: { file: { name: 'a', contentType: 'text/plain', bytes: Buffer.from(text) } },
    });
  }
}

const callOf = (operation: string): ThreadCall => ({
  operation,
  input: { params: {}, query: {}, body: undefined },
  unread: undefined,
  credential: { kind: 'owner' },
  idempotencyKey: undefined,
  ifMatch: undefined,
  ifNoneMatch: undefined,
  source: { origin: { kind: 'local' } },
});
const { signal } = new AbortController();
setMaxListeners(0, signal);
const settled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

function open({ max = 1, maxWaiting = 3 } = {}) {
  const ports: TestPort[] = [];
  const turns: string[] = [];
  const threads = createThreads({
    start: () => {
      const port = new TestPort();
      ports.push(port);
      return port;
    },
    takeTurn: async (work) => {
      turns.push('begin');
      await work();
      turns.push('end');
    },
    max,
    maxWaiting,
    idleTime: 1000,
  });
  const call = (operation: string, from = operation.charAt(0), until = signal) => {
    const done = threads.call(from, callOf(operation), until).then(
      ({ file }) => Buffer.from(file?.bytes ?? []).toString(),
      (error: Error) => error,
    );
    return done;
  };
  return { threads, ports, turns, call };
}

describe('threads of a server', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('start at the first call, and serve the organizations in turn', async () => {
    const { ports, call } = open();
    expect(ports).toHaveLength(0);
    const all = ['a1', 'a2', 'b1'].map((name) => call(name));
    const [port] = ports as [TestPort];
    expect(port.calls).toEqual(['a1']);
    port.answer('a1');
    expect(await all[0]).toBe('done');
    await settled();
    // "a" was in the queue first, and "b" comes before the next call of "a".
    port.answer('a2');
    await all[1];
    await settled();
    port.answer('b1');
    expect(await all[2]).toBe('done');
    expect(ports).toHaveLength(1);
  });

  it('read Markdown, in the turn of its organization', async () => {
    const { threads, ports, call } = open();
    void call('a1');
    const reading = threads.readMarkdown('b', '# Title');
    const [port] = ports as [TestPort];
    expect(port.received).toHaveLength(1);
    port.answer('a1');
    await settled();
    await settled();
    const sent = port.received.at(-1);
    expect(sent).toMatchObject({ kind: 'markdown', markdown: '# Title' });
    port.say({ kind: 'answer', id: (sent as { id: number }).id, answer: { document: '{}' } });
    expect(await reading).toBe('{}');
  });

  it('are kept free for other organizations', async () => {
    const { ports, call } = open({ max: 2 });
    for (const name of ['a1', 'a2', 'b1']) void call(name);
    expect(ports.map(({ calls }) => calls)).toEqual([['a1'], ['b1']]);
  });

  it('refuse a call if too many of its organization are waiting', async () => {
    const { threads, call } = open();
    for (const name of ['a1', 'a2', 'a3', 'a4']) void call(name);
    expect(await call('a5')).toMatchObject({ reason: 'store-busy', retryAfter: 2 });
    void call('b1');
    expect(threads.count()).toEqual({ threads: 1, calls: 1, waiting: 4, jobs: 0, total: 1 });
  });

  it('drop a waiting call and abort a running one if they are canceled', async () => {
    const { ports, call, threads } = open();
    const stop = new AbortController();
    const running = call('a1', 'a', stop.signal);
    const waiting = call('a2', 'a', stop.signal);
    stop.abort();
    expect(await waiting).toMatchObject({ reason: 'interrupted' });
    const [port] = ports as [TestPort];
    expect(port.received.map(({ kind }) => kind)).toEqual(['call', 'abort']);
    port.say({ kind: 'problem', id: 1, problem: toSentProblem(new Problem('interrupted', 'Interrupted.')) });
    expect(await running).toMatchObject({ reason: 'interrupted' });
    expect(threads.count().waiting).toBe(0);
  });

  it('return Problems unchanged, and other errors as unexpected', async () => {
    const { ports, call } = open();
    const refused = call('a1');
    const [port] = ports as [TestPort];
    const problem = new Problem('rate-limited', 'Wait.', {
      hint: 'Later.',
      retryAfter: 5,
      violations: [{ path: '/body', message: 'is much' }],
    });
    port.say({ kind: 'problem', id: 1, problem: toSentProblem(problem) });
    const { reason, message, hint, retryAfter, violations } = problem;
    expect(await refused).toMatchObject({ reason, message, hint, retryAfter, violations });
    await settled();
    const failed = call('a2');
    port.say({ kind: 'fault', id: 2, message: 'a bug', stack: 'Error: a bug\n at thread' });
    const fault = await failed;
    expect(fault).not.toBeInstanceOf(Problem);
    expect(fault).toMatchObject({ message: 'a bug', stack: 'Error: a bug\n at thread' });
  });

  it('are replaced after a crash', async () => {
    const { ports, call } = open();
    const lost = call('a1');
    const next = call('a2');
    ports[0]?.emit('error', new Error('out of memory'));
    ports[0]?.emit('exit');
    expect(await lost).toMatchObject({ message: expect.stringContaining('out of memory') });
    await settled();
    expect(ports).toHaveLength(2);
    ports[1]?.answer('a2');
    expect(await next).toBe('done');
  });

  it('write when it is their turn, and end their turn if they exit', async () => {
    const { ports, call, turns } = open();
    void call('a1');
    const [port] = ports as [TestPort];
    port.say({ kind: 'write', id: 7 });
    expect(port.received.at(-1)).toEqual({ kind: 'turn', id: 7 });
    expect(turns).toEqual(['begin']);
    port.say({ kind: 'written', id: 7 });
    await settled();
    expect(turns).toEqual(['begin', 'end']);
    port.say({ kind: 'write', id: 8 });
    port.emit('exit');
    await settled();
    expect(turns).toEqual(['begin', 'end', 'begin', 'end']);
  });

  it('end a while after the last call', async () => {
    const { ports, call, threads } = open();
    const done = call('a1');
    ports[0]?.answer('a1');
    await done;
    await settled();
    vi.advanceTimersByTime(999);
    expect(threads.count().threads).toBe(1);
    vi.advanceTimersByTime(1);
    expect(ports[0]?.received.at(-1)).toEqual({ kind: 'close' });
    expect(threads.count().threads).toBe(0);
  });

  it('run jobs in a separate thread', async () => {
    const { ports, call, threads } = open();
    void call('a1');
    const row = { id: 'index.spc_1' } as Parameters<typeof threads.run>[0]['row'];
    const progress: string[] = [];
    const job = threads.run({ row, maxScrubSize: 1 }, signal, (event) => progress.push(event.progress ?? ''));
    const other = threads.run({ row, maxScrubSize: 1 }, signal, () => {});
    expect(ports).toHaveLength(2);
    const event = { kind: 'index', subject: 'spc_1' };
    ports[1]?.say({ kind: 'event', id: 1, event: { ...event, progress: 'half' } });
    ports[1]?.say({ kind: 'event', id: 1, event: { ...event, end: 'done' } });
    expect(await job).toEqual({ ...event, end: 'done' });
    expect(progress).toEqual(['half']);
    ports[1]?.emit('exit');
    await expect(other).rejects.toThrow('A thread of the server ended');
  });

  it('end before work that needs the store for itself, and new ones start only after it', async () => {
    const { ports, call, threads } = open();
    const first = call('a1');
    ports[0]?.answer('a1');
    await first;
    await settled();
    let end = (): void => {};
    const alone = threads.whileAlone(() => new Promise((resolve) => (end = resolve)));
    expect(ports[0]?.received.at(-1)).toEqual({ kind: 'close' });
    await settled();
    const next = call('a2');
    const row = { id: 'index.spc_1' } as Parameters<typeof threads.run>[0]['row'];
    const job = threads.run({ row, maxScrubSize: 1 }, signal, () => {});
    await settled();
    expect(ports).toHaveLength(1);
    end();
    await alone;
    await settled();
    ports[1]?.answer('a2');
    expect(await next).toBe('done');
    const event = { kind: 'index', subject: 'spc_1', end: 'done' } as const;
    ports[2]?.say({ kind: 'event', id: 1, event });
    expect(await job).toEqual(event);
  });

  it('end after some seconds if work needs the store for itself, and the client may try again', async () => {
    const { ports, call, threads } = open();
    const slow = call('a1');
    const [port] = ports as [TestPort];
    port.postMessage = (message) => void port.received.push(message);
    const work = vi.fn(() => Promise.resolve());
    const alone = threads.whileAlone(work);
    vi.advanceTimersByTime(4999);
    await settled();
    expect(work).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    await alone;
    expect(work).toHaveBeenCalledOnce();
    expect(await slow).toMatchObject({ reason: 'store-busy', retryAfter: 2 });
  });

  it('run jobs until a while after the last job', async () => {
    const { ports, threads } = open();
    const row = { id: 'index.spc_1' } as Parameters<typeof threads.run>[0]['row'];
    const run = () => threads.run({ row, maxScrubSize: 1 }, signal, () => {});
    const done = { kind: 'index', subject: 'spc_1', end: 'done' } as const;
    const first = run();
    ports[0]?.say({ kind: 'event', id: 1, event: done });
    await first;
    vi.advanceTimersByTime(999);
    const second = run();
    vi.advanceTimersByTime(1);
    ports[0]?.say({ kind: 'event', id: 2, event: done });
    expect(await second).toEqual(done);
    vi.advanceTimersByTime(999);
    expect([ports.length, threads.count().threads]).toEqual([1, 1]);
    vi.advanceTimersByTime(1);
    expect(ports[0]?.received.map(({ kind }) => kind)).toEqual(['job', 'job', 'close']);
    expect(threads.count().threads).toBe(0);
  });

  it('accept no calls after they are closed', async () => {
    const { ports, call, threads } = open();
    const done = call('a1');
    const closed = threads.close(100);
    await closed;
    expect(ports[0]?.received.at(-1)).toEqual({ kind: 'close' });
    expect(await done).toMatchObject({ message: expect.stringContaining('A thread of the server ended') });
    expect(await call('a2')).toMatchObject({ reason: 'store-busy' });
  });
});
