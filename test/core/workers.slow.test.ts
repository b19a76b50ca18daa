import { afterEach, expect, it } from 'vitest';
import { enqueue, type Engine } from '../../src/core/jobs.ts';
import { startWorkers, type Workers } from '../../src/core/workers.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let workers: Workers | undefined;
afterEach(async () => {
  await workers?.stop(5000);
  workers = undefined;
  await world.core.store.close();
});

const start = async (run: Engine['run'], count = 1): Promise<void> => {
  world = await createWorld('memory:', { engines: () => Promise.resolve({ run }) });
  workers = startWorkers(world.core, {
    count,
    onError: (error) => {
      throw error;
    },
  });
};
const ask = (organization: string, kind: string, count = 1) =>
  world.core.store.write(async (tx) => {
    const now = new Date(world.core.clock()).toISOString();
    for (let nth = 0; nth < count; nth++)
      await enqueue(tx, now, { kind, organization, subject: `${organization}_${nth}` });
  });
/** Waits until the job is stopped, like a job that hangs. */
const hang = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

it('workers start a job of one organization while 240 jobs of another one hang', async () => {
  const hanging: string[] = [];
  const started = new Map<string, () => void>();
  const startOf = (name: string) => new Promise<void>((resolve) => started.set(name, resolve));
  const [others, local] = [startOf('org_b openapi'), startOf('org_a test')];
  const full = startOf('full');
  await start(async ({ job, signal }) => {
    if (job.organization !== 'org_a' || job.kind !== 'openapi')
      return started.get(`${job.organization} ${job.kind}`)?.();
    hanging.push(job.subject);
    if (hanging.length === 4) started.get('full')?.();
    await hang(signal);
  });
  await ask('org_a', 'openapi', 240);
  await full;
  await ask('org_b', 'openapi');
  await ask('org_a', 'test');
  await Promise.all([others, local]);
  expect(hanging).toHaveLength(4);
});

it('workers run the given number of jobs per organization, and as many of others', async () => {
  const running: string[] = [];
  const reached = new Map<number, () => void>();
  const count = (number: number) => new Promise<void>((resolve) => reached.set(number, resolve));
  const [two, four] = [count(2), count(4)];
  await start(async ({ job, signal }) => {
    running.push(job.organization);
    reached.get(running.length)?.();
    await hang(signal);
  }, 2);
  await ask('org_a', 'test', 10);
  await two;
  // Enqueued in one write, because the two free places are filled as soon as there is a job for one of them.
  await world.core.store.write(async (tx) => {
    const now = new Date(world.core.clock()).toISOString();
    for (const organization of ['org_b', 'org_c'])
      for (let nth = 0; nth < 10; nth++)
        await enqueue(tx, now, { kind: 'test', organization, subject: `${organization}_${nth}` });
  });
  await four;
  expect(running.filter((organization) => organization === 'org_a')).toHaveLength(2);
  expect(new Set(running)).toEqual(new Set(['org_a', 'org_b', 'org_c']));
});

it('workers start the next job of an organization as soon as one ends', async () => {
  const done: string[] = [];
  const events: string[] = [];
  let finish = (): void => {};
  const all = new Promise<void>((resolve) => (finish = resolve));
  world = await createWorld('memory:', {
    engines: () => Promise.resolve({ run: async ({ job }) => void done.push(job.subject) }),
  });
  await ask('org_a', 'test', 50);
  workers = startWorkers(world.core, {
    count: 1,
    onEnd: ({ subject }) => {
      events.push(subject);
      if (events.length === 50) finish();
    },
    onError: (error) => {
      throw error;
    },
  });
  await all;
  expect(new Set(done).size).toBe(50);
});

it('workers report how each claim ended, even if the job could not run', async () => {
  world = await createWorld('memory:', { engines: () => Promise.reject(new Error('gone')) });
  const claimed: string[] = [];
  const errors: unknown[] = [];
  const ended = new Promise<string | undefined>((resolve) => {
    workers = startWorkers(world.core, {
      count: 1,
      onClaim: ({ kind }) => void claimed.push(kind),
      onEnd: (_, { end }) => resolve(end),
      onError: (error) => void errors.push(error),
    });
  });
  await ask('org_a', 'test');
  expect(await ended).toBe('lost');
  expect(claimed).toEqual(['test']);
  expect(errors).toEqual([new Error('gone')]);
});
