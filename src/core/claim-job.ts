import { defined } from '../contract/values.ts';
import { isoTime } from './clock.ts';
import type { Core } from './embedded.ts';
import { jobs, laneOf, lanes, type JobRow, type Lane } from './rows/jobs.ts';
import type { Key, ReadTransaction } from './store.ts';

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
  { store, clock, newId }: Core,
  filter: JobFilter = {},
  share: JobShare = {},
): Promise<JobRow | undefined> {
  const now = isoTime(clock());
  const hasWaiting = async (view: ReadTransaction): Promise<boolean> =>
    (await findWaiting(view, now, 1)).length > 0;
  while (await store.read(hasWaiting, { like: 'waiting jobs' })) {
    const isLast = await store.write(async (tx) => {
      const rows = await findWaiting(tx, now, batchSize);
      for (const { id, kind } of rows) await tx.update(jobs, id, { ready: laneOf(kind), running: undefined });
      return rows.length < batchSize;
    }, claiming);
    if (isLast) break;
  }
  const find = (view: ReadTransaction): Promise<JobRow | undefined> => findReady(view, now, filter, share);
  // Mostly nothing is due. A read finds that out without the lock of a write.
  if ((await store.read(find, { like: 'ready jobs' })) === undefined) return undefined;
  const taken = await store.write(async (tx) => {
    const job = await find(tx);
    // A job with an owner has lost its process, perhaps because of the job itself, so this counts as a failed attempt.
    const attempts = (job?.attempts ?? 0) + (job?.owner == null ? 0 : 1);
    return job === undefined
      ? undefined
      : tx.update(jobs, job.id, {
          ...claimed(job.kind, clock()),
          owner: newId('run'),
          again: false,
          attempts,
        });
  }, claiming);
  if (taken !== undefined && share.turns !== undefined) share.turns[laneOf(taken.kind)] = taken.organization;
  return taken;
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
