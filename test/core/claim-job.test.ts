import { afterEach, describe, expect, it, vi } from 'vitest';
import { claimed, claimJobs, type JobShare } from '../../src/core/claim-job.ts';
import { ClaimWatch } from '../../src/core/claim-watch.ts';
import { hour, isoTime } from '../../src/core/clock.ts';
import { endAndClaim } from '../../src/core/end-and-claim.ts';
import { enqueue } from '../../src/core/jobs.ts';
import { jobs } from '../../src/core/rows/jobs.ts';
import { startWorkers } from '../../src/core/workers.ts';
import { announceWork } from '../../src/core/work-signal.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
afterEach(() => world.core.store.close());

const start = Date.parse('2026-01-01T00:00:00.000Z');
const ask = (subject: string, organization = 'org_1') =>
  world.core.store.write((tx) =>
    enqueue(tx, isoTime(start), { kind: 'test', organization, subject, dueAt: isoTime(start) }),
  );

describe('a server', () => {
  /** A server with its own wall clock, and with a monotonic clock that only this test advances. */
  function serverAt(wall: () => number) {
    let elapsed = 0;
    const held = new Set<string>();
    const core = { ...world.core, clock: wall };
    const share: JobShare = {
      turns: {},
      maxRunning: 1,
      limit: 5,
      held,
      watch: new ClaimWatch(held, () => elapsed),
    };
    const claim = () => claimJobs(core, 'work', share);
    /** Looks at the claims at least every five seconds, and returns what the last look claimed. */
    const watch = async (milliseconds: number) => {
      for (let left = milliseconds; left > 0; left -= 5000) {
        elapsed += Math.min(left, 5000);
        const taken = await claim();
        if (taken.length > 0 || left <= 5000) return taken;
      }
      return [];
    };
    return {
      core,
      share,
      held,
      pass: (milliseconds: number) => void (elapsed += milliseconds),
      claim,
      watch,
    };
  }

  const extend = (id: string, now: number) =>
    world.core.store.write((tx) => tx.update(jobs, id, claimed('test', now)));
  it('does not take a running job again when its clock jumps forward', async () => {
    world = await createWorld();
    let wall = start;
    const server = serverAt(() => wall);
    await ask('a');
    expect(await server.claim()).toHaveLength(1);
    expect(await server.claim()).toEqual([]);
    wall += hour;
    expect(await server.claim()).toEqual([]);
    expect(await server.watch(59_999)).toEqual([]);
    // The worker died.
    expect(await server.watch(1)).toMatchObject([{ id: 'test.a', attempts: 1 }]);
  });

  it('does not take its own running jobs again after it was paused', async () => {
    world = await createWorld();
    const server = serverAt(() => start);
    await ask('a');
    const [taken] = await server.claim();
    server.held.add(taken!.owner);
    await server.claim();
    expect(await server.watch(hour)).toEqual([]);
    server.held.clear();
    expect(await server.watch(65_000)).toMatchObject([{ id: 'test.a', attempts: 1 }]);
  });

  it('does not take the jobs of another one when both were paused', async () => {
    world = await createWorld();
    const [one, other] = [serverAt(() => start), serverAt(() => start)];
    await ask('a');
    await one.claim();
    await other.claim();
    other.pass(hour);
    expect(await other.claim()).toEqual([]);
    expect(await other.watch(54_999)).toEqual([]);
    expect(await other.watch(1)).toMatchObject([{ id: 'test.a', attempts: 1 }]);
  });

  it('takes the job of a dead process although each server lives only for twenty seconds', async () => {
    world = await createWorld();
    await ask('a');
    const [dead] = await serverAt(() => start).claim();
    const lives: unknown[] = [];
    for (const hours of [0, 3, -3, 1]) {
      const server = serverAt(() => start + hours * hour);
      expect(await server.claim()).toEqual([]);
      lives.push((await server.watch(20_000)).map(({ id, attempts }) => [id, attempts]));
    }
    expect(lives).toEqual([[], [], [['test.a', 1]], []]);
    const row = await world.core.store.read((view) => view.get(jobs, 'test.a'));
    expect(row).not.toMatchObject({ owner: dead?.owner });
  });

  it('counts the time once in which two servers watch a claim', async () => {
    world = await createWorld();
    await ask('a');
    await serverAt(() => start).claim();
    const servers = [serverAt(() => start), serverAt(() => start)];
    for (const server of servers) await server.claim();
    for (let passed = 0; passed < 55_000; passed += 5000)
      for (const server of servers) expect(await server.watch(5000)).toEqual([]);
    expect(await servers[1]?.watch(5000)).toMatchObject([{ id: 'test.a' }]);
  });

  it('records nothing about claims that it watches after its first minute', async () => {
    world = await createWorld();
    const server = serverAt(() => start);
    await server.watch(60_000);
    await ask('a');
    await claimJobs(world.core, 'work', { turns: {}, maxRunning: 1, limit: 1 });
    await server.claim();
    await server.watch(55_000);
    expect(await world.core.store.read((view) => view.get(jobs, 'test.a'))).not.toHaveProperty('watched');
    expect(await server.watch(5000)).toMatchObject([{ id: 'test.a', attempts: 1 }]);
  });

  it.each([
    ['ahead', 3 * hour],
    ['behind', -3 * hour],
  ])('whose clock is hours %s neither ends nor shortens the claims of another one', async (_, skew) => {
    world = await createWorld();
    const [one, other] = [serverAt(() => start), serverAt(() => start + skew)];
    await ask('a');
    const [taken] = await one.claim();
    for (let passed = 0; passed < 5 * 60_000; passed += 20_000) {
      const row = await extend('test.a', start + passed);
      for (const server of [one, other]) {
        expect(await server.claim()).toEqual([]);
        expect(await server.watch(20_000)).toEqual([]);
      }
      expect(await world.core.store.read((view) => view.get(jobs, 'test.a'))).toMatchObject({
        dueAt: row.dueAt,
        owner: taken?.owner,
      });
    }
    expect(await other.watch(40_000)).toMatchObject([{ id: 'test.a', attempts: 1 }]);
  });

  it('finds due jobs behind claims that look as if they have ended', async () => {
    world = await createWorld();
    let wall = start;
    const server = serverAt(() => wall);
    for (const organization of ['org_1', 'org_2', 'org_3']) await ask(organization, organization);
    expect(await server.claim()).toHaveLength(3);
    await world.core.store.write((tx) =>
      enqueue(tx, isoTime(start), {
        kind: 'test',
        organization: 'org_4',
        subject: 'b',
        dueAt: isoTime(start + hour),
      }),
    );
    wall += 2 * hour;
    expect(await server.claim()).toMatchObject([{ id: 'test.b', attempts: 0 }]);
  });

  it('notices that the claim of another job has ended, also when it ends a job and claims the next', async () => {
    world = await createWorld();
    const server = serverAt(() => start);
    for (const organization of ['org_1', 'org_2']) await ask(organization, organization);
    const [done] = await server.claim();
    await server.claim();
    await server.watch(55_000);
    server.pass(5000);
    await extend(done!.id, start + 1);
    const turnover = await endAndClaim(server.core, 'work', [{ job: done!, outcome: {} }], server.share);
    expect(turnover).toMatchObject({ ends: ['done'], claimed: [], hasMore: true });
    expect(await server.claim()).toMatchObject([{ id: 'test.org_2', attempts: 1 }]);
  });
});

/** Returns a core that adds the index and values of each query to `read`. */
function watchReads(): { core: World['core']; read: string[] } {
  const { store } = world.core;
  const read: string[] = [];
  const counted: typeof store = {
    ...store,
    read: (work, options) =>
      store.read(
        (view) =>
          work({
            ...view,
            get: view.get.bind(view),
            find: (table, range) => {
              read.push(`${range.index} ${String(range.equals)}`);
              return view.find(table, range);
            },
          }),
        options,
      ),
  };
  return { core: { ...world.core, store: counted }, read };
}

it('reads the running jobs of a lane once to find that there is nothing to claim', async () => {
  world = await createWorld();
  const { core, read } = watchReads();
  await claimJobs(core, 'work', { turns: {}, maxRunning: 1, limit: 5 });
  expect(read.filter((one) => one.startsWith('byRunning'))).toEqual(['byRunning work']);
});

it('reads many claims together that look as if they have ended', async () => {
  world = await createWorld();
  for (let number = 0; number < 40; number++) await ask(`s${number}`, `org_${number}`);
  const share: JobShare = { turns: {}, maxRunning: 1, limit: 40, watch: new ClaimWatch(new Set()) };
  expect(await claimJobs({ ...world.core, clock: () => start }, 'work', share)).toHaveLength(40);
  const { core, read } = watchReads();
  expect(await claimJobs({ ...core, clock: () => start + hour }, 'work', share)).toEqual([]);
  expect(read.filter((one) => one.startsWith('byReadiness'))).toHaveLength(2);
});

it('workers keep running a job once when the clock jumps forward', async () => {
  let runs = 0;
  let end = (): void => {};
  const run = () => {
    runs++;
    return new Promise<void>((resolve) => void (end = resolve));
  };
  world = await createWorld('memory:', { engines: () => Promise.resolve({ run }) });
  let wall = start;
  let looks = 0;
  const { store } = world.core;
  const counted: typeof store = {
    ...store,
    read: (work, options) => {
      looks++;
      return store.read(work, options);
    },
  };
  const core = { ...world.core, store: counted, clock: () => wall };
  await ask('a');
  const workers = startWorkers(core, { count: 1, onError: () => {} });
  await vi.waitFor(() => expect(runs).toBe(1));
  wall += hour;
  const before = looks;
  await vi.waitFor(() => {
    announceWork(counted);
    expect(looks).toBeGreaterThan(before + 8);
  });
  expect(await store.read((view) => view.get(jobs, 'test.a'))).toMatchObject({ attempts: 0 });
  end();
  await workers.stop(1000);
});
