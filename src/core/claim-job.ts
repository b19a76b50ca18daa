import { defined } from '../contract/values.ts';
import { isoTime } from './clock.ts';
import type { Core } from './embedded.ts';
import { jobs, laneOf, lanes, type JobRow, type Lane } from './rows/jobs.ts';
import type { Key, ReadOptions, ReadTransaction } from './store.ts';

/** How long a claim lasts without a heartbeat, in milliseconds. */
export const claimDuration = 60_000;
/** Jobs whose time has come that one write makes ready. It limits how long others wait for it. */
const batchSize = 500;
const pageSize = 50;

/** Which jobs to take: one by id, those of a kind, organization or lane, or any. */
export interface JobFilter {
  readonly id?: string | undefined;
  readonly kind?: string | undefined;
  readonly organization?: string | undefined;
  readonly lane?: Lane;
}

/** Whose turn it is: the organization whose job was claimed last, for each lane. */
export type Turns = Partial<Record<Lane, string>>;

/** How jobs are shared among organizations. */
export interface JobShare {
  readonly turns?: Turns;
  /** The number of jobs of one organization that may run in a lane at the same time, in all processes (default: any). */
  readonly maxRunning?: number;
}

/** Workers claim one after the other: at once, they would all take the same job. */
const claiming = { lane: 'jobs' } as const;

/**
 * Claims a job that is due. The organizations take turns, and of one of them the job that has been due the longest comes first.
 * Returns undefined when none is due.
 */
export async function claimJob(
  core: Core,
  filter: JobFilter = {},
  share: JobShare = {},
): Promise<JobRow | undefined> {
  const find = async (view: ReadTransaction, now: string): Promise<readonly JobRow[]> => {
    const job = await findReady(view, now, filter, share);
    return job === undefined ? [] : [job];
  };
  const [job] = await claimFound(core, find, { like: 'ready jobs' });
  if (job !== undefined && share.turns !== undefined) share.turns[laneOf(job.kind)] = job.organization;
  return job;
}

/**
 * Claims the jobs of a lane that are due, up to `limit`, in one write: one of each organization in turn, then a second one of
 * each, and so on.
 */
export async function claimJobs(
  core: Core,
  lane: Lane,
  { limit, turns, maxRunning }: Required<JobShare> & { readonly limit: number },
): Promise<readonly JobRow[]> {
  const last = turns[lane];
  const found = await claimFound(core, (view) => findShares(view, lane, { limit, last, maxRunning }), {
    like: `ready jobs in turn ${limit}`,
    given: () => [lane, last ?? null],
  });
  const end = found.at(-1);
  if (end !== undefined) turns[lane] = end.organization;
  return found;
}

/** Makes jobs ready whose time has come, and claims those that are found then. */
async function claimFound(
  { store, clock, newId }: Core,
  find: (view: ReadTransaction, now: string) => Promise<readonly JobRow[]>,
  reads: ReadOptions,
): Promise<readonly JobRow[]> {
  const now = isoTime(clock());
  const look = async (view: ReadTransaction) => {
    const [waiting, found] = await Promise.all([findWaiting(view, now, 1), find(view, now)]);
    return { hasWaiting: waiting.length > 0, hasFound: found.length > 0 };
  };
  // Mostly nothing is due. A read finds that out without the lock of a write.
  let seen = await store.read(look, reads);
  while (seen.hasWaiting) {
    const isLast = await store.write(async (tx) => {
      const rows = await findWaiting(tx, now, batchSize);
      for (const { id, kind } of rows) await tx.update(jobs, id, { ready: laneOf(kind), running: undefined });
      return rows.length < batchSize;
    }, claiming);
    seen = await store.read(look, reads);
    if (isLast) break;
  }
  if (!seen.hasFound) return [];
  return store.write(
    async (tx) => {
      const taken: JobRow[] = [];
      for (const { id, kind, attempts, owner } of await find(tx, now))
        taken.push(
          await tx.update(jobs, id, {
            ...claimed(kind, clock()),
            owner: newId('run'),
            again: false,
            // A job with an owner has lost its process, perhaps because of the job itself, so this counts as a failed attempt.
            attempts: attempts + (owner === null ? 0 : 1),
          }),
        );
      return taken;
    },
    { ...reads, ...claiming },
  );
}

/** Returns the fields of a job that is claimed from a time, in milliseconds since 1970. */
export function claimed(kind: string, time: number): Pick<JobRow, 'dueAt' | 'ready' | 'running'> {
  return { dueAt: isoTime(time + claimDuration), ready: undefined, running: laneOf(kind) };
}

/** Lists jobs that are not ready, although their time has come or their claim has ended. */
async function findWaiting(view: ReadTransaction, now: string, limit: number): Promise<readonly JobRow[]> {
  const rows = await view.find(jobs, { index: 'byReadiness', equals: ['open', null], limit });
  return rows.filter(({ dueAt }) => dueAt <= now);
}

async function findReady(
  view: ReadTransaction,
  now: string,
  filter: JobFilter,
  share: JobShare,
): Promise<JobRow | undefined> {
  if (filter.id !== undefined) {
    const job = await view.get(jobs, filter.id);
    return job !== undefined && job.dueAt <= now && matchesFilter(filter, job) ? job : undefined;
  }
  const found: JobRow[] = [];
  for (const lane of filter.lane === undefined ? lanes : [filter.lane]) {
    const job = await findInLane(view, lane, now, filter, share);
    if (job !== undefined) found.push(job);
  }
  return found.toSorted((a, b) => (a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.id < b.id) ? -1 : 1))[0];
}

/** Finds the next job of a lane: that of the first organization after the last turn that has one and may run it. */
async function findInLane(
  view: ReadTransaction,
  lane: Lane,
  now: string,
  filter: JobFilter,
  { turns, maxRunning = Number.POSITIVE_INFINITY }: JobShare,
): Promise<JobRow | undefined> {
  const last = turns?.[lane];
  const limit = filter.kind === undefined ? 1 : pageSize;
  let after = last === undefined ? undefined : behind(last);
  let hasWrapped = last === undefined;
  for (;;) {
    const rows = await view.find(jobs, { index: 'byTurn', equals: [lane], limit, ...defined({ after }) });
    const [first] = rows;
    if (first === undefined) {
      if (hasWrapped) return undefined;
      [hasWrapped, after] = [true, undefined];
      continue;
    }
    const { organization } = first;
    const own = rows.filter((job) => job.organization === organization);
    const found = own.find((job) => job.dueAt <= now && matchesFilter(filter, job));
    if (
      found !== undefined &&
      (maxRunning === Number.POSITIVE_INFINITY ||
        (await view.count(jobs, 'byRunning', [organization, lane])) < maxRunning)
    )
      return found;
    // Only jobs of another kind were in the way: further ones of the organization may match.
    const end = own.at(-1) as JobRow;
    after = found === undefined && limit > 1 ? [organization, end.dueAt, end.id] : behind(organization);
  }
}

/** Finds the jobs of a lane that the organizations after the last turn may run now, one of each in turn, up to a limit. */
async function findShares(
  view: ReadTransaction,
  lane: Lane,
  { limit, last, maxRunning }: { limit: number; last: string | undefined; maxRunning: number },
): Promise<readonly JobRow[]> {
  const shares = new Map<string, readonly JobRow[]>();
  // Each of as many organizations as there is room for gets at least one.
  let count = 0;
  let after = last === undefined ? undefined : behind(last);
  let hasWrapped = last === undefined;
  while (count < limit) {
    const rows = await view.find(jobs, { index: 'byTurn', equals: [lane], limit, ...defined({ after }) });
    const [first] = rows;
    if (first === undefined || shares.has(first.organization)) {
      if (hasWrapped) break;
      [hasWrapped, after] = [true, undefined];
      continue;
    }
    const { organization } = first;
    const running = await view.count(jobs, 'byRunning', [organization, lane]);
    const share = rows
      .filter((job) => job.organization === organization && job.queue === 'open')
      .slice(0, Math.max(0, maxRunning - running));
    shares.set(organization, share);
    if (share.length > 0) count += 1;
    after = behind(organization);
  }
  return roundRobin([...shares.values()]).slice(0, limit);
}

/** Returns the first of each list, then the second of each, and so on. */
function roundRobin<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/** The position behind all jobs of an organization in a lane. */
function behind(organization: string): readonly Key[] {
  return [organization, '~', ''];
}

function matchesFilter({ kind, organization }: JobFilter, job: JobRow): boolean {
  return (
    job.queue === 'open' &&
    job.kind === (kind ?? job.kind) &&
    // A job of the whole store belongs to no organization, and runs with those of any.
    (job.organization === '' || job.organization === (organization ?? job.organization))
  );
}

/** Lists the jobs that other processes have claimed, including killed processes whose claims have not ended yet. */
export async function listHeldJobs({ store, clock }: Core, filter: JobFilter = {}): Promise<JobRow[]> {
  const [now, last] = [isoTime(clock()), isoTime(clock() + claimDuration)];
  const isHeld = (job: JobRow): boolean =>
    job.owner !== null && job.dueAt > now && matchesFilter(filter, job);
  return store.read(async (view) => {
    if (filter.id !== undefined)
      return [await view.get(jobs, filter.id)].filter((job) => job !== undefined && isHeld(job)) as JobRow[];
    const held: JobRow[] = [];
    let after = [now, ''];
    for (;;) {
      const rows = await view.find(jobs, { index: 'byDue', equals: ['open'], limit: pageSize, after });
      held.push(...rows.filter(isHeld));
      const end = rows.at(-1);
      // No claim ends later than `last`. Jobs that are due later are only waiting.
      if (end === undefined || rows.length < pageSize || end.dueAt > last) return held;
      after = [end.dueAt, end.id];
    }
  });
}
