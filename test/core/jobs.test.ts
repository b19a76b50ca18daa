import { afterEach, describe, expect, it } from 'vitest';
import type { WorkEvent } from '../../src/contract/api.ts';
import { dequeue, enqueue, type Engine, type JobContext } from '../../src/core/jobs.ts';
import { jobs } from '../../src/core/rows/jobs.ts';
import { claimed, claimJob, claimJobs, listHeldJobs } from '../../src/core/claim-job.ts';
import { claimDuration } from '../../src/core/claim-watch.ts';
import { runJob } from '../../src/core/run-job.ts';
import { runDueJobs } from '../../src/core/workers.ts';
import type { ReadTransaction, Store } from '../../src/core/store.ts';
import { Problem } from '../../src/errors/problem.ts';
import { violationsOf } from '../../src/contract/check.ts';
import { getJob, listJobs, retryJob } from '../../src/resources/jobs/contract.ts';
import { createWorld, type World } from '../support/world.ts';
import { teams } from '../../src/core/rows/teams.ts';

const hour = 3_600_000;
const { signal } = new AbortController();

/** Creates a world with a single engine that runs the given function. */
async function worldWith(run: Engine['run'], more: Partial<Engine> = {}): Promise<World> {
  return createWorld('memory:', { engines: () => Promise.resolve({ run, ...more }) });
}

const ask = ({ core, org }: World, subject: string, more: object = {}) =>
  core.store.write((tx) =>
    enqueue(tx, new Date(core.clock()).toISOString(), { kind: 'test', organization: org, subject, ...more }),
  );
const rowOf = ({ core }: World, subject: string) =>
  core.store.read((view) => view.get(jobs, `test.${subject}`));

/** Pretends that other processes have watched the claim of a job for long enough. */
const endClaim = ({ core }: World, subject: string) =>
  core.store.write(async (tx) => {
    const { dueAt: until } = (await tx.get(jobs, `test.${subject}`))!;
    await tx.update(jobs, `test.${subject}`, { watched: { until, time: claimDuration } });
  });
/** Renews the claim of a job, like the process that runs it. */
const renewClaim = ({ core }: World, subject: string) =>
  core.store.write((tx) => tx.update(jobs, `test.${subject}`, claimed('test', core.clock() + 1)));

async function work({ core }: World): Promise<WorkEvent[]> {
  const events: WorkEvent[] = [];
  await runDueJobs(core, { signal, onEvent: (event) => events.push(event) });
  return events;
}

let world: World;
afterEach(() => world.core.store.close());

describe('jobs', () => {
  it('run once even if they are enqueued twice, and are then removed', async () => {
    const done: string[] = [];
    world = await worldWith(async ({ job }) => void done.push(job.subject));
    await ask(world, 'a');
    await ask(world, 'a');
    await ask(world, 'b');
    expect((await work(world)).map(({ subject, end }) => `${subject} ${end}`)).toEqual(['a done', 'b done']);
    expect(done).toEqual(['a', 'b']);
    expect(await rowOf(world, 'a')).toBeUndefined();
  });

  it('run again with the latest payload if they are enqueued while running', async () => {
    const seen: unknown[] = [];
    world = await worldWith(async ({ job }) => {
      seen.push(job.payload);
      if (seen.length === 1) await ask(world, 'a', { payload: 'second' });
    });
    await ask(world, 'a', { payload: 'first' });
    expect((await work(world)).map(({ end }) => end)).toEqual(['again', 'done']);
    expect(seen).toEqual(['first', 'second']);
  });

  it('are retried immediately, with no attempts counted, if enqueued while failing', async () => {
    const seen: unknown[] = [];
    world = await worldWith(async ({ job }) => {
      seen.push(job.payload);
      if (seen.length > 1) return;
      await ask(world, 'a', { payload: 'second' });
      throw new Problem('invalid-input', 'The first does not work.');
    });
    await ask(world, 'a', { payload: 'first' });
    const held = await claimJob(world.core, { id: 'test.a' });
    expect(await runJob(world.core, held!, { signal })).toMatchObject({ end: 'later' });
    expect(await rowOf(world, 'a')).toMatchObject({
      attempts: 0,
      again: false,
      owner: null,
      payload: 'second',
      problem: { reason: 'invalid-input', message: 'The first does not work.' },
    });
    expect((await work(world)).map(({ end }) => end)).toEqual(['done']);
    expect(seen).toEqual(['first', 'second']);
  });

  it('that another process runs are reported after it has renewed its claim, unlike waiting jobs', async () => {
    world = await worldWith(async () => {});
    await ask(world, 'a');
    await ask(world, 'b');
    await claimJob(world.core, { id: 'test.b' });
    await ask(world, 'later', { dueAt: new Date(world.core.clock() + 10_000).toISOString() });
    const events: WorkEvent[] = [];
    const onEvent = (event: WorkEvent): void => {
      events.push(event);
      if (event.progress !== undefined) void renewClaim(world, event.subject);
    };
    await runDueJobs(world.core, { signal, onEvent });
    expect(events).toEqual([
      { kind: 'test', subject: 'a', end: 'done' },
      { kind: 'test', subject: 'b', progress: 'claimed by another process, which may have been killed' },
      { kind: 'test', subject: 'b', end: 'held' },
    ]);
    events.length = 0;
    for (const filter of [
      { kind: 'test', subject: 'later' },
      { kind: 'other' },
      { organization: 'org_other' },
    ])
      await runDueJobs(world.core, { ...filter, signal, onEvent });
    expect(events).toEqual([]);
    await runDueJobs(world.core, { kind: 'test', subject: 'b', signal, isBrief: true, onEvent });
    expect(events).toEqual([{ kind: 'test', subject: 'b', end: 'held' }]);
    await endClaim(world, 'b');
    world.pass(11_000);
    expect((await work(world)).map(({ subject, end }) => `${subject} ${end}`).sort()).toEqual([
      'b done',
      'later done',
    ]);
  });

  it('fail if their last write fails', async () => {
    world = await worldWith(async () => ({
      write: async () => {
        throw new Problem('conflict', 'No.');
      },
    }));
    await ask(world, 'a');
    expect((await work(world)).map(({ end }) => end)).toEqual(['failed']);
    expect(await rowOf(world, 'a')).toMatchObject({
      queue: 'failed',
      problem: { reason: 'conflict', message: 'No.' },
    });
  });

  it('run when they are due, and again at the time they return', async () => {
    world = await worldWith(async ({ now }) => ({
      repeatAt: new Date(Date.parse(now()) + hour).toISOString(),
    }));
    await ask(world, 'a', { dueAt: '2026-01-05T12:00:00.000Z' });
    expect(await work(world)).toEqual([]);
    world.pass(4 * hour);
    expect((await work(world)).map(({ end }) => end)).toEqual(['again']);
    expect(await work(world)).toEqual([]);
    world.pass(hour + 1);
    expect(await work(world)).toHaveLength(1);
  });

  it('that fail temporarily are retried after growing pauses, and given up after 8 attempts', async () => {
    const events: string[] = [];
    world = await worldWith(() => Promise.reject(new Problem('unreachable', 'Nobody there.')), {
      failed: async (_, { subject }, problem) => void events.push(`${subject}: ${problem.message}`),
    });
    await ask(world, 'a');
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt++) {
      const [event] = await work(world);
      expect(event?.end).toBe(attempt < 8 ? 'later' : 'failed');
      const row = (await rowOf(world, 'a'))!;
      expect(row.attempts).toBe(attempt);
      if (attempt < 8) pauses.push(Date.parse(row.dueAt) - Date.parse(row.problem!.at));
      world.pass(hour);
    }
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    // The pauses depend on the job and the attempt, but are not random.
    expect(pauses.map(Math.round)).toEqual([5705, 9815, 16_440, 46_500, 80_240, 134_960, 378_880]);
    expect(pauses[0]).toBeGreaterThanOrEqual(3750);
    expect(pauses.at(-1)).toBeLessThanOrEqual(1.25 * 320_000);
    expect(events).toEqual(['a: Nobody there.']);
    expect(await work(world)).toEqual([]);
  });

  it('are retried after temporary failures of the store, but not after damage', async () => {
    const away = { retryAfter: 5 };
    for (const [options, end] of [
      [away, 'later'],
      [{}, 'failed'],
    ] as const) {
      world = await worldWith(() => Promise.reject(new Problem('store-failed', 'Slow down.', options)));
      await ask(world, 'a');
      expect((await work(world)).map((event) => event.end)).toEqual([end]);
    }
  });

  it('are retried after the pause that a service requests', async () => {
    world = await worldWith(() =>
      Promise.reject(new Problem('rate-limited', 'Slowly.', { retryAfter: 600 })),
    );
    await ask(world, 'a');
    await work(world);
    const row = (await rowOf(world, 'a'))!;
    expect(Date.parse(row.dueAt) - Date.parse(row.problem!.at)).toBe(600_000);
  });

  it('that fail with an internal error do not stop other jobs', async () => {
    world = await worldWith(({ job }) =>
      job.subject === 'a' ? Promise.reject(new TypeError('x is not a function')) : Promise.resolve(),
    );
    await ask(world, 'a');
    await ask(world, 'b');
    expect((await work(world)).map(({ subject, end, problem }) => [subject, end, problem?.reason])).toEqual([
      ['a', 'failed', 'unexpected'],
      ['b', 'done', undefined],
    ]);
  });

  it('are claimed by only one of several concurrent processes', async () => {
    world = await worldWith(async () => {});
    for (let number = 0; number < 20; number++) await ask(world, `s${number}`);
    const taken = await Promise.all(Array.from({ length: 40 }, () => claimJob(world.core)));
    const ids = taken.flatMap((job) => (job === undefined ? [] : [job.id]));
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
  });

  it('of a dead process are claimed by another one, and late writes of the first are refused', async () => {
    let first: JobContext | undefined;
    world = await worldWith(async (context) => {
      first ??= context;
    });
    const { core } = world;
    await ask(world, 'a');
    const dead = (await claimJob(core))!;
    await expect(claimJob(core)).resolves.toBeUndefined();
    await endClaim(world, 'a');
    const taken = (await claimJob(core))!;
    expect(taken.owner).not.toBe(dead.owner);
    expect(await runJob(core, dead, { signal })).toEqual({ end: 'lost' });
    const late = first!.write((tx) => tx.insert(teams, { id: 'team_late' } as never));
    await expect(late).rejects.toThrow();
    expect(await core.store.read((view) => view.get(teams, 'team_late'))).toBeUndefined();
    expect(await runJob(core, taken, { signal })).toEqual({ end: 'done' });
  });

  it('are due at the exact millisecond, and held until their claim has been watched for a minute', async () => {
    world = await worldWith(async () => {});
    const { core } = world;
    const start = core.clock() + hour;
    const at = (time: number) => ({ ...core, clock: () => time });
    await ask(world, 'a', { dueAt: new Date(start).toISOString() });
    for (const filter of [{}, { id: 'test.a' }])
      expect(await claimJob(at(start - 1), filter)).toBeUndefined();
    expect(await claimJob(at(start))).toMatchObject({ id: 'test.a', attempts: 0 });
    for (const filter of [{}, { id: 'test.a' }])
      for (const time of [start - hour, start, start + hour]) {
        expect(await listHeldJobs(at(time), filter)).toHaveLength(1);
        expect(await claimJob(at(time), filter)).toBeUndefined();
      }
    await endClaim(world, 'a');
    expect(await claimJob(at(start - 2 * hour), { id: 'test.a' })).toMatchObject({ attempts: 1 });
  });

  it('store 1,000 characters of an error message', async () => {
    world = await worldWith(({ job }) =>
      Promise.reject(new Problem('conflict', 'x'.repeat(Number(job.subject)))),
    );
    for (const length of ['1000', '1001']) await ask(world, length);
    await work(world);
    for (const length of ['1000', '1001'])
      expect((await rowOf(world, length))?.problem?.message).toBe('x'.repeat(1000));
  });

  it('whose process dies 8 times are given up', async () => {
    const events: string[] = [];
    world = await worldWith(async () => {}, {
      failed: async (_, __, problem) => void events.push(problem.message),
    });
    await ask(world, 'a');
    for (let death = 0; death < 8; death++) {
      expect(await claimJob(world.core)).toBeDefined();
      await endClaim(world, 'a');
    }
    expect((await work(world)).map(({ end }) => end)).toEqual(['failed']);
    expect(events).toEqual(['Gave up: the worker died 8 times on this job.']);
  });

  it('that were dequeued while running end as lost', async () => {
    world = await worldWith(async ({ job }) => {
      await world.core.store.write((tx) => dequeue(tx, 'test', job.subject));
    });
    await ask(world, 'a');
    expect((await work(world)).map(({ end }) => end)).toEqual(['lost']);
  });

  it('that are stopped wait for the next worker', async () => {
    const controller = new AbortController();
    world = await worldWith(async () => {
      controller.abort();
      throw new Problem('interrupted', 'Stopped.');
    });
    await ask(world, 'a');
    const ends: unknown[] = [];
    await runDueJobs(world.core, { signal: controller.signal, onEvent: ({ end }) => ends.push(end) });
    expect(ends).toEqual(['stopped']);
    expect(await rowOf(world, 'a')).toMatchObject({ owner: null, attempts: 0 });
  });

  it('can be run by kind, subject and organization', async () => {
    const done: string[] = [];
    world = await worldWith(async ({ job }) => void done.push(job.id));
    await ask(world, 'a');
    await ask(world, 'b');
    await world.core.store.write((tx) =>
      enqueue(tx, '2026-01-05T09:00:00.000Z', { kind: 'other', organization: world.otherOrg, subject: 'c' }),
    );
    await runDueJobs(world.core, { signal, kind: 'test', subject: 'b' });
    await runDueJobs(world.core, { signal, organization: world.otherOrg });
    expect(done).toEqual(['test.b', 'other.c']);
  });

  it('are listed with their problem, and can be retried on request', async () => {
    let isBroken = true;
    world = await worldWith(() =>
      isBroken ? Promise.reject(new Problem('invalid-input', 'Broken.')) : Promise.resolve(),
    );
    await ask(world, 'a');
    await work(world);
    const api = world.as('admin');
    const params = { organizationId: world.org };
    const failed = await api.call(listJobs, { params, query: { state: 'failed' } });
    expect(failed.items).toMatchObject([
      { id: 'test.a', state: 'failed', attempts: 1, problem: { message: 'Broken.' } },
    ]);
    expect(violationsOf(listJobs.returns.schema, failed, '')).toEqual([]);
    expect((await api.call(listJobs, { params, query: { state: 'running' } })).items).toEqual([]);
    isBroken = false;
    expect(await api.call(retryJob, { params: { ...params, jobId: 'test.a' } })).toMatchObject({
      state: 'waiting',
      attempts: 0,
      problem: null,
    });
    expect((await work(world)).map(({ end }) => end)).toEqual(['done']);
    await expect(api.call(getJob, { params: { ...params, jobId: 'test.a' } })).rejects.toMatchObject({
      reason: 'not-found',
    });
  });
});

describe('jobs of several organizations', () => {
  const none: Engine['run'] = async () => {};
  const at = ({ core }: World) => new Date(core.clock()).toISOString();
  const enqueueMany = (organization: string, count: number, kind = 'test') =>
    world.core.store.write(async (tx) => {
      for (let nth = 0; nth < count; nth++)
        await enqueue(tx, at(world), { kind, organization, subject: `${organization}_${nth}` });
    });

  it('take turns, regardless of their order and number', async () => {
    world = await worldWith(none);
    await enqueueMany('org_a', 5);
    world.pass(1000);
    await enqueueMany('org_c', 2);
    await enqueueMany('org_b', 1);
    expect((await work(world)).map(({ subject }) => subject)).toEqual([
      'org_a_0',
      'org_b_0',
      'org_c_0',
      'org_a_1',
      'org_c_1',
      'org_a_2',
      'org_a_3',
      'org_a_4',
    ]);
  });

  it('run up to the limit of an organization, counted over all processes', async () => {
    world = await worldWith(none);
    await enqueueMany('org_a', 5);
    const claim = async () =>
      (await claimJobs(world.core, 'work', { turns: {}, maxRunning: 2, limit: 1 }))[0]?.organization;
    expect([await claim(), await claim(), await claim()]).toEqual(['org_a', 'org_a', undefined]);
    await enqueueMany('org_b', 1);
    expect([await claim(), await claim()]).toEqual(['org_b', undefined]);
    // Without a limit, as in a command, any job is claimed.
    const third = (await claimJob(world.core))!;
    expect(third.organization).toBe('org_a');
    // Claims of dead processes stop counting when they end.
    for (const subject of ['org_a_0', 'org_a_1', 'org_a_2', 'org_b_0']) await endClaim(world, subject);
    expect([await claim(), await claim(), await claim()]).toEqual(['org_a', 'org_a', 'org_b']);
  });

  it('are claimed in batches, one per organization in turn, up to the limit of each', async () => {
    world = await worldWith(none);
    await enqueueMany('org_a', 5);
    await enqueueMany('org_b', 1);
    await enqueueMany('org_c', 3);
    const turns = { work: 'org_a' };
    const claim = async (limit: number) =>
      (await claimJobs(world.core, 'work', { turns, maxRunning: 2, limit })).map(({ id }) => id.slice(5));
    expect(await claim(2)).toEqual(['org_b_0', 'org_c_0']);
    expect(await claim(2)).toEqual(['org_a_0', 'org_c_1']);
    // An organization at its limit is skipped, even if there is room for only one job.
    expect(turns).toEqual({ work: 'org_c' });
    expect(await claim(1)).toEqual(['org_a_1']);
    await enqueueMany('org_d', 1);
    expect(await claim(1)).toEqual(['org_d_0']);
    expect(await claim(9)).toEqual([]);
    expect(turns).toEqual({ work: 'org_d' });
  });

  it('do not wait for jobs of the network lane', async () => {
    world = await worldWith(none);
    await enqueueMany('org_a', 5, 'openapi');
    await enqueueMany('org_a', 1);
    const claim = async (lane: 'work' | 'network') =>
      (await claimJobs(world.core, lane, { turns: {}, maxRunning: 9, limit: 1 })).map(({ kind }) => kind);
    expect([await claim('work'), await claim('work'), await claim('network')]).toEqual([
      ['test'],
      [],
      ['openapi'],
    ]);
  });

  it('are found among 100,000 jobs of another organization with few reads', async () => {
    world = await worldWith(none);
    await enqueueMany('org_a', 100_000);
    await enqueueMany('org_b', 1);
    let reads = 0;
    const counted = {
      ...world.core,
      store: countReads(world.core.store, (rows) => {
        reads += rows;
      }),
    };
    const turns = { work: 'org_a' };
    const claim = async () =>
      (await claimJobs(counted, 'work', { turns, maxRunning: 1, limit: 1 })).map(
        ({ organization }) => organization,
      );
    expect([await claim(), await claim(), await claim()]).toEqual([['org_b'], ['org_a'], []]);
    expect(reads).toBeLessThan(30);
  });

  it('from before lanes were stored take turns as well', async () => {
    world = await worldWith(none);
    await enqueueMany('org_a', 1200);
    await enqueueMany('org_b', 1);
    await world.core.store.write(async (tx) => {
      for (const { id } of await tx.find(jobs, { index: 'byTurn', equals: ['work'], limit: 5000 }))
        await tx.update(jobs, id, { ready: undefined });
    });
    const turns = {};
    const claim = async () => (await claimJob(world.core, {}, turns))?.organization;
    expect([await claim(), await claim(), await claim()]).toEqual(['org_a', 'org_b', 'org_a']);
  });
});

/** Returns a store that reports how many rows each query returns. */
function countReads(store: Store, onRows: (rows: number) => void): Store {
  const counting = <T extends ReadTransaction>(view: T): T =>
    new Proxy(view, {
      get: (target, name) =>
        name === 'find'
          ? async (...query: Parameters<ReadTransaction['find']>) => {
              const rows = await target.find(...query);
              onRows(rows.length);
              return rows;
            }
          : (Reflect.get(target, name) as () => unknown).bind(target),
    });
  return {
    ...store,
    url: store.url,
    read: (run) => store.read((view) => run(counting(view))),
    write: (run, options) => store.write((tx) => run(counting(tx)), options),
    close: () => store.close(),
  };
}
