import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimJobs, releaseJobs, type JobShare } from '../../src/core/claim-job.ts';
import { endAndClaim } from '../../src/core/end-and-claim.ts';
import { dequeue, enqueue, type Engine } from '../../src/core/jobs.ts';
import { jobs, type JobRow } from '../../src/core/rows/jobs.ts';
import type { Store } from '../../src/core/store.ts';
import { announceWork } from '../../src/core/work-signal.ts';
import { startWorkers, type Workers } from '../../src/core/workers.ts';
import { Problem } from '../../src/errors/problem.ts';
import { createSpec } from '../../src/resources/openapi/contract.ts';
import { tables } from '../../src/resources/tables.ts';
import { openStore } from '../../src/stores/index.ts';
import { emptyPostgres } from '../support/postgres.ts';
import { hasPostgres } from '../support/postgres-server.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
const started: Workers[] = [];
// Jobs take no time unless a test advances the clock.
beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(async () => {
  await Promise.all(started.splice(0).map((workers) => workers.stop(5000)));
  vi.useRealTimers();
  await world.core.store.close();
});

const create = async (run: Engine['run'] = async () => {}): Promise<void> => {
  world = await createWorld('memory:', { engines: () => Promise.resolve({ run }) });
};
/** Starts workers. Their clock stands still, so claims never expire. */
const start = (options: Partial<Parameters<typeof startWorkers>[1]> = {}, core = world.core): Workers => {
  const time = core.clock();
  const workers = startWorkers(
    { ...core, clock: () => time },
    {
      count: 1,
      onError: (error) => {
        throw error;
      },
      ...options,
    },
  );
  started.push(workers);
  return workers;
};
const ask = (organization: string, count: number, store = world.core.store) =>
  store.write(async (tx) => {
    const now = new Date(world.core.clock()).toISOString();
    for (let nth = 0; nth < count; nth++)
      await enqueue(tx, now, { kind: 'test', organization, subject: `${organization}_${nth}` });
  });
const rows = (): Promise<readonly JobRow[]> =>
  world.core.store.read((view) => view.find(jobs, { index: 'byDue', equals: ['open'], limit: 1000 }));
const claimedIds = async () =>
  (await rows())
    .filter(({ owner }) => owner !== null)
    .map(({ subject }) => subject)
    .sort();
const claim = (share: Partial<JobShare> = {}) =>
  claimJobs(world.core, 'work', { turns: {}, maxRunning: 2, limit: 10, ...share });
const turnOver = (done: readonly JobRow[], share: Partial<JobShare> = {}) =>
  endAndClaim(
    world.core,
    'work',
    done.map((job) => ({ job, outcome: {} })),
    { turns: {}, maxRunning: 2, limit: 10, ...share },
  );
/** Waits until the job is stopped, like a job that hangs. */
const hang = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('jobs that end in a batch', () => {
  it('end in one write that also claims the next jobs', async () => {
    await create();
    await ask('org_a', 5);
    const first = await claim();
    expect(first.map(({ subject }) => subject)).toEqual(['org_a_0', 'org_a_1']);
    const { ends, claimed, hasMore } = await turnOver(first);
    expect(ends).toEqual(['done', 'done']);
    expect(claimed.map(({ subject }) => subject)).toEqual(['org_a_2', 'org_a_3']);
    expect(hasMore).toBe(false);
    expect((await rows()).map(({ subject }) => subject)).toEqual(['org_a_4', 'org_a_2', 'org_a_3']);
    const last = await turnOver(claimed, { limit: 1 });
    expect(last).toMatchObject({ claimed: [{ subject: 'org_a_4' }], hasMore: true });
  });

  it('are left to other claims, and are not restored if they were dequeued', async () => {
    await create();
    await ask('org_a', 4);
    const first = await claim({ maxRunning: 4 });
    await world.core.store.write(async (tx) => {
      await tx.update(jobs, first[0]!.id, { owner: 'run_other' });
      await dequeue(tx, 'test', 'org_a_1');
      await tx.update(jobs, first[2]!.id, { owner: null, running: undefined, ready: 'work' });
    });
    expect((await turnOver(first, { limit: 0 })).ends).toEqual(['lost', 'lost', 'lost', 'done']);
    expect((await rows()).map(({ subject }) => subject).sort()).toEqual(['org_a_0', 'org_a_2']);
  });

  it('are repeated if they were enqueued in the meantime or return a later time', async () => {
    await create();
    await ask('org_a', 2);
    const [first, second] = await claim();
    await ask('org_a', 1);
    const repeatAt = '2099-01-01T00:00:00.000Z';
    const { ends, hasMore } = await endAndClaim(
      world.core,
      'work',
      [
        { job: first!, outcome: {} },
        { job: second!, outcome: { repeatAt } },
      ],
      { turns: {}, maxRunning: 2, limit: 10 },
    );
    expect([ends, hasMore]).toEqual([['again', 'again'], true]);
    expect(await rows()).toMatchObject([
      { subject: 'org_a_0', owner: null, again: false, ready: 'work' },
      { subject: 'org_a_1', owner: null, dueAt: repeatAt },
    ]);
  });

  it('claim no others in this write if delayed jobs have become due', async () => {
    await create();
    await ask('org_a', 3);
    const first = await claim();
    await world.core.store.write((tx) =>
      enqueue(tx, '2020-01-01T00:00:00.000Z', {
        kind: 'test',
        organization: 'org_b',
        subject: 'late',
        dueAt: '2020-01-01T00:00:01.000Z',
      }),
    );
    expect(await turnOver(first)).toMatchObject({ ends: ['done', 'done'], claimed: [], hasMore: true });
    expect((await claim()).map(({ subject }) => subject)).toEqual(['org_a_2', 'late']);
  });
});

it('jobs of many organizations take turns, continuing after the last turn', async () => {
  await create();
  const names = [...'abcdefghij'].map((letter) => `org_${letter}`);
  for (const name of names) await ask(name, 2);
  const turns = { work: 'org_e' };
  const organizations = async (limit: number) =>
    (await claim({ turns, limit, maxRunning: 3 })).map(({ organization }) => organization.slice(4)).join('');
  expect([await organizations(8), await organizations(1), await organizations(20)]).toEqual([
    'fghijabc',
    'd',
    'efghijabcde',
  ]);
});

describe('jobs that are claimed in advance', () => {
  it('belong to organizations of which no other process runs jobs', async () => {
    await create();
    await ask('org_a', 20);
    const own = await claim({ limit: 1 });
    const held = new Set(own.map(({ owner }) => owner));
    expect(await claim({ ahead: 3, held })).toHaveLength(4);
    // From the view of another process, the organization is above its limit.
    expect(await claim({ ahead: 3 })).toEqual([]);
    expect(await claim({ ahead: 3, held })).toEqual([]);
  });

  it('do not give an organization a second turn before the first turn of another one', async () => {
    await create();
    await ask('org_a', 20);
    await ask('org_b', 1);
    expect((await claim({ limit: 2, ahead: 2 })).map(({ subject }) => subject)).toEqual([
      'org_a_0',
      'org_b_0',
      'org_a_1',
      'org_a_10',
    ]);
  });

  it('are released in their previous state, unless another process has claimed them', async () => {
    await create();
    await ask('org_a', 3);
    const before = await rows();
    const claimed = await claim({ maxRunning: 3 });
    await world.core.store.write((tx) => tx.update(jobs, claimed[2]!.id, { owner: 'run_other' }));
    await releaseJobs(world.core, claimed);
    const after = await rows();
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after[2]).toMatchObject({ owner: 'run_other' });
  });

  it('never run more jobs of an organization in parallel than its limit', async () => {
    const counts = { now: 0, most: 0, done: 0 };
    let finish = (): void => {};
    const all = new Promise<void>((resolve) => (finish = resolve));
    await create(async () => {
      counts.most = Math.max(counts.most, ++counts.now);
      await Promise.resolve();
      counts.now--;
    });
    await ask('org_a', 100);
    let writes = 0;
    const { store } = world.core;
    const counted: Store = { ...store, write: (work, options) => (writes++, store.write(work, options)) };
    start({ count: 2, onEnd: () => ++counts.done === 100 && finish() }, { ...world.core, store: counted });
    await all;
    expect([counts.most, await rows()]).toEqual([2, []]);
    expect(writes).toBeLessThan(25);
  });

  it('do not delay jobs of another organization', async () => {
    const begun = new Map<string, () => void>();
    const begins = (subject: string) => new Promise<void>((resolve) => begun.set(subject, resolve));
    await create(async ({ job, signal }) => {
      begun.get(job.subject)?.();
      if (job.subject !== 'org_a_0') await hang(signal);
    });
    const [second, other] = [begins('org_a_1'), begins('org_b_0')];
    await ask('org_a', 30);
    start();
    await second;
    expect(await claimedIds()).toHaveLength(29);
    await ask('org_b', 1);
    announceWork(world.core.store);
    await other;
    expect(await claimedIds()).toHaveLength(30);
  });

  it.each(['when the worker stops', 'when they have waited for a long time'])(
    'are released %s',
    async (when) => {
      let begin = (): void => {};
      const begun = new Promise<void>((resolve) => (begin = resolve));
      await create(async ({ job, signal }) => {
        if (job.subject === 'org_a_0') return;
        begin();
        await hang(signal);
      });
      await ask('org_a', 30);
      const workers = start();
      await begun;
      expect(await claimedIds()).toHaveLength(29);
      if (when === 'when the worker stops') {
        await workers.stop(5000);
        expect(await claimedIds()).toEqual([]);
      } else {
        vi.advanceTimersByTime(1001);
        await expect.poll(claimedIds, { timeout: 10_000 }).toEqual(['org_a_1']);
      }
      expect((await rows()).filter(({ attempts, owner }) => attempts > 0 && owner === null)).toEqual([]);
    },
  );
});
it('the worker looks for jobs when one is enqueued in this process', async () => {
  // The worker never looks for jobs on its own.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  let finish = (): void => {};
  const done = new Promise<void>((resolve) => (finish = resolve));
  let reads = 0;
  await create(async () => finish());
  const { store } = world.core;
  const resting = new Promise<void>((resolve) => {
    const counted = store.read;
    store.read = (work, options) => (++reads === 2 && setImmediate(resolve), counted(work, options));
  });
  start();
  await resting;
  await world.as('admin').call(createSpec, {
    params: { organizationId: world.org },
    body: { slug: 'pets', source: { url: 'https://example.com/openapi.yaml' } },
  });
  await done;
});

it('the worker stops as soon as the last job has ended', async () => {
  // The worker never looks for jobs on its own.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  await create(async ({ signal }) => (begin(), hang(signal)));
  await ask('org_a', 2);
  const ends: unknown[] = [];
  const workers = start({ onEnd: (_, { end }) => void ends.push(end) });
  await begun;
  await workers.stop(1_000_000);
  expect(ends).toEqual(['done']);
});

it('the worker starts the next job of an organization if one ends while it looks for jobs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const done: string[] = [];
  let finish = (): void => {};
  const all = new Promise<void>((resolve) => (finish = resolve));
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  // A job with a last write ends in a transaction of its own.
  await create(async ({ job }) => {
    done.push(job.subject);
    if (done.length === 2) finish();
    if (done.length === 1) await ended;
    return { write: async () => {} };
  });
  await ask('org_a', 2);
  const { store } = world.core;
  let looks = 0;
  const slow: Store = {
    ...store,
    read: async (work, options) => {
      const seen = await store.read(work, options);
      // The job ends after the second look found nothing, but before the worker gets this result.
      if (options?.like?.startsWith('ready jobs in turn 1') && ++looks === 2) {
        end();
        await new Promise((resume) => setImmediate(() => setImmediate(resume)));
      }
      return seen;
    },
  };
  start({}, { ...world.core, store: slow });
  await all;
  expect(done).toHaveLength(2);
});

it('the worker reports an error of the store for each job, and continues', async () => {
  await create();
  let failures = 1;
  const { store } = world.core;
  const failing: Store = {
    ...store,
    write: (work, options) =>
      options?.like?.startsWith('ends') === true && failures-- > 0
        ? Promise.reject(new Problem('store-busy', 'Too many others.'))
        : store.write(work, options),
  };
  await ask('org_a', 1);
  const ends: (string | undefined)[] = [];
  await new Promise<void>((resolve) => {
    start({ onEnd: (_, { end }) => (ends.push(end), resolve()) }, { ...world.core, store: failing });
  });
  expect(ends).toEqual(['later']);
});

describe.each(['memory:', ...(hasPostgres() ? ['postgres:', 'postgres: without lanes'] : [])])(
  'three workers on one store (%s)',
  (kind) => {
    it('run each job once, within the limit of each organization', { timeout: 60_000 }, async () => {
      const running = new Map<string, number>();
      const most = new Map<string, number>();
      const runs: string[] = [];
      const count = (organization: string, by: number): number => {
        const number = (running.get(organization) ?? 0) + by;
        running.set(organization, number);
        return number;
      };
      await create(async ({ job: { organization, subject }, read }) => {
        runs.push(subject);
        most.set(organization, Math.max(most.get(organization) ?? 0, count(organization, 1)));
        await read(async () => {});
        count(organization, -1);
      });
      const url =
        kind === 'memory:'
          ? undefined
          : await emptyPostgres(`&connections=3${kind === 'postgres:' ? '' : '&lanes=off&pipeline=off'}`);
      const stores: Store[] = [];
      for (let nth = 0; nth < 3; nth++)
        stores.push(url === undefined ? world.core.store : await openStore(url, { tables }));
      const organizations = ['org_a', 'org_b', 'org_c'];
      for (const organization of organizations) await ask(organization, 80, stores[0]);
      let left = 240;
      await new Promise<void>((resolve) => {
        for (const store of stores)
          start(
            { count: 2, onEnd: (_, { end }) => end === 'done' && --left === 0 && resolve() },
            { ...world.core, store },
          );
      });
      expect(new Set(runs).size).toBe(240);
      expect(runs).toHaveLength(240);
      for (const organization of organizations) expect(most.get(organization)).toBeLessThanOrEqual(2);
      await Promise.all(started.splice(0).map((workers) => workers.stop(5000)));
      if (url !== undefined) await Promise.all(stores.map((store) => store.close()));
    });
  },
);
