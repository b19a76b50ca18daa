import { defined, groupBy } from '../contract/values.ts';
import { claimDuration, ClaimWatch } from './claim-watch.ts';
import { isoTime } from './clock.ts';
import type { Core } from './embedded.ts';
import { jobs, laneOf, lanes, unclaimed, type JobRow, type Lane } from './rows/jobs.ts';
import {
  collectRows,
  type Key,
  type ReadOptions,
  type ReadTransaction,
  type WriteTransaction,
} from './store.ts';

/** Maximum number of due jobs that one write makes ready. It limits how long other writes wait. */
const batchSize = 500;
const pageSize = 50;

/** Which jobs to take: one by id, those of a kind or organization, or any. */
interface JobFilter {
  readonly id?: string | undefined;
  readonly kind?: string | undefined;
  readonly organization?: string | undefined;
}

/** The organization whose job was claimed last, for each lane. The next organization has its turn. */
export type Turns = Partial<Record<Lane, string>>;

/** Options that decide which of the due jobs a worker claims. */
export interface JobShare {
  readonly turns: Turns;
  /** The number of jobs of one organization that may run in a lane at the same time, in all processes. */
  readonly maxRunning: number;
  /** The maximum number of jobs to claim, not counting those that are claimed in advance. */
  readonly limit: number;
  /** The owners (claim IDs) of the jobs that this process runs (default: none). */
  readonly held?: ReadonlySet<string>;
  /**
   * Maximum number of jobs to claim in advance, beyond those that may run now (default 0). Only jobs of organizations for which
   * no other process runs jobs are claimed in advance. Other processes count them as running.
   */
  readonly ahead?: number;
  /** Finds the claims that have ended (default: those that other processes have watched for long enough). */
  readonly watch?: ClaimWatch;
}

export interface ClaimedRow extends JobRow {
  readonly owner: string;
  /** ISO time at which it became due. */
  readonly dueSince: string;
}

/** Workers claim one after the other. If they claimed at the same time, they would all take the same jobs. */
export const claiming = { lane: 'jobs' } as const;

/**
 * Claims a job that is due. The organizations take turns. The jobs of one organization run in the order in which they became due.
 * Returns undefined when none is due.
 */
export async function claimJob(
  core: Core,
  filter: JobFilter = {},
  turns: Turns = {},
  watch?: ClaimWatch,
): Promise<JobRow | undefined> {
  const find = async (view: ReadTransaction, now: string): Promise<readonly JobRow[]> => {
    const job = await findReady(view, now, filter, turns);
    return job === undefined ? [] : [job];
  };
  const [job] = await claimFound(core, { lanes, find, reads: { like: 'ready jobs' }, watch });
  if (job !== undefined) turns[laneOf(job.kind)] = job.organization;
  return job;
}

/**
 * Claims the jobs of a lane that are due, in one write: one of each organization in turn, then a second one of each, and so on.
 */
export async function claimJobs(core: Core, lane: Lane, share: JobShare): Promise<readonly ClaimedRow[]> {
  const { turns, maxRunning, watch } = share;
  const last = turns[lane];
  const found = await claimFound(core, {
    lanes: [lane],
    find: async (view, _, running) =>
      findShares(view, lane, running ?? (await listRunning(view, lane)), share),
    reads: { like: `ready jobs in turn ${maxRunning}`, given: () => [lane, last ?? null] },
    watch,
  });
  endTurn(turns, lane, found);
  return found;
}

/** Remembers the organization whose job was claimed last. */
export function endTurn(turns: Turns, lane: Lane, claimedJobs: readonly JobRow[]): void {
  const end = claimedJobs.at(-1);
  if (end !== undefined) turns[lane] = end.organization;
}

interface ClaimRequest {
  /** The lanes whose claims may have ended. */
  readonly lanes: readonly Lane[];
  /** Finds the jobs to claim. `running` are those of `lanes` if they were read already. */
  readonly find: (
    view: ReadTransaction,
    now: string,
    running?: readonly JobRow[],
  ) => Promise<readonly JobRow[]>;
  readonly reads: ReadOptions;
  readonly watch?: ClaimWatch | undefined;
}

/** Makes due jobs ready, then claims the jobs that `find` returns. */
async function claimFound(
  core: Core,
  { lanes: claimedLanes, find, reads, watch = new ClaimWatch() }: ClaimRequest,
): Promise<readonly ClaimedRow[]> {
  const { store, clock } = core;
  const now = isoTime(clock());
  const look = async (view: ReadTransaction) => {
    const [waiting, running] = await Promise.all([
      findWaiting(view, now, 1),
      listRunningIn(view, claimedLanes),
    ]);
    const { ended, unrecorded } = watch.look(running);
    const found = await find(view, now, running);
    return { hasWaiting: waiting.length + ended.length + unrecorded.length > 0, hasFound: found.length > 0 };
  };
  // Usually nothing is due. A read finds that out without the lock of a write.
  let seen = await store.read(look, reads);
  while (seen.hasWaiting) {
    const isLast = await store.write(async (tx) => {
      const rows = await findWaiting(tx, now, batchSize);
      const { ended, unrecorded } = watch.look(await listRunningIn(tx, claimedLanes));
      for (const { id, kind, dueAt } of [...rows, ...ended])
        await tx.update(jobs, id, {
          dueAt: dueAt < now ? dueAt : now,
          ready: laneOf(kind),
          running: undefined,
        });
      for (const { id, watched } of unrecorded) await tx.update(jobs, id, { watched });
      return rows.length < batchSize;
    }, claiming);
    seen = await store.read(look, reads);
    if (isLast) break;
  }
  if (!seen.hasFound) return [];
  return store.write(async (tx) => takeJobs(core, tx, await find(tx, now)), { ...reads, ...claiming });
}

/** Claims jobs that were found, and returns their new rows. */
export async function takeJobs(
  { clock, newId }: Core,
  tx: WriteTransaction,
  found: readonly JobRow[],
): Promise<readonly ClaimedRow[]> {
  const taken: ClaimedRow[] = [];
  for (const { id, kind, attempts, owner: before, dueAt: dueSince } of found) {
    const owner = newId('run');
    const row = await tx.update(jobs, id, {
      ...claimed(kind, clock()),
      owner,
      again: false,
      // If a job still has an owner, its process died, perhaps because of the job. This counts as a failed attempt.
      attempts: attempts + (before === null ? 0 : 1),
    });
    taken.push({ ...row, owner, dueSince });
  }
  return taken;
}

/** Releases jobs that were claimed but not started. They are due at the same time as before the claim. */
export async function releaseJobs({ store, clock }: Core, claims: readonly ClaimedRow[]): Promise<void> {
  await store.write(async (tx) => {
    for (const { id, kind, owner, dueSince } of claims) {
      const row = await tx.get(jobs, id);
      if (row?.owner !== owner) continue;
      await tx.update(jobs, id, { ...unclaimed(kind, dueSince, isoTime(clock())), again: false });
    }
  }, claiming);
}

/** Returns the fields of a job that is claimed at a time, in milliseconds since 1970. */
export function claimed(kind: string, time: number): Pick<JobRow, 'dueAt' | 'ready' | 'running'> {
  return { dueAt: isoTime(time + claimDuration), ready: undefined, running: laneOf(kind) };
}

/** Lists the jobs of a lane that processes have claimed. */
export function listRunning(view: ReadTransaction, lane: Lane): Promise<readonly JobRow[]> {
  return collectRows(view, jobs, 'byRunning', [lane]);
}

async function listRunningIn(view: ReadTransaction, someLanes: readonly Lane[]): Promise<readonly JobRow[]> {
  return (await Promise.all(someLanes.map((lane) => listRunning(view, lane)))).flat();
}

/** Whether a job that nobody has claimed has become due. */
export async function isAnyWaiting(view: ReadTransaction, now: string): Promise<boolean> {
  return (await findWaiting(view, now, 1)).length > 0;
}

/** Lists due jobs that nobody has claimed, up to a limit. Expired claims without a lane, of older versions, count as unclaimed. */
async function findWaiting(view: ReadTransaction, now: string, limit: number): Promise<readonly JobRow[]> {
  const found: JobRow[] = [];
  let page = limit;
  let after: readonly Key[] | undefined;
  for (;;) {
    const rows = await view.find(jobs, {
      index: 'byReadiness',
      equals: ['open', null],
      limit: page,
      ...defined({ after }),
    });
    const due = rows.filter(({ dueAt }) => dueAt <= now);
    found.push(...due.filter(({ owner, running }) => owner === null || running === undefined));
    const end = due[page - 1];
    if (end === undefined || found.length >= limit) return found.slice(0, limit);
    // Further pages are needed only if expired claims, by the clock of this process, fill this one.
    after = [end.dueAt, end.id];
    page = batchSize;
  }
}

async function findReady(
  view: ReadTransaction,
  now: string,
  filter: JobFilter,
  turns: Turns,
): Promise<JobRow | undefined> {
  if (filter.id !== undefined) {
    const job = await view.get(jobs, filter.id);
    if (job === undefined || job.running !== undefined || job.dueAt > now) return undefined;
    return matchesFilter(filter, job) ? job : undefined;
  }
  const found: JobRow[] = [];
  for (const lane of lanes) {
    const job = await findInLane(view, lane, now, filter, turns);
    if (job !== undefined) found.push(job);
  }
  return found.toSorted((a, b) => (a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.id < b.id) ? -1 : 1))[0];
}

/** Finds the next job of a lane: the first job of the next organization that has one. */
async function findInLane(
  view: ReadTransaction,
  lane: Lane,
  now: string,
  filter: JobFilter,
  turns: Turns,
): Promise<JobRow | undefined> {
  const last = turns[lane];
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
    if (found !== undefined) return found;
    // The page had only jobs of other kinds. Later jobs of the organization may match.
    const end = own.at(-1) as JobRow;
    after = limit > 1 ? [organization, end.dueAt, end.id] : behind(organization);
  }
}

/**
 * Finds the jobs of a lane that may run in addition to the running ones, up to a limit: one job of each organization in turn,
 * beginning after the organization of the last turn.
 */
export async function findShares(
  view: ReadTransaction,
  lane: Lane,
  running: readonly JobRow[],
  { turns, limit, maxRunning, held, ahead = 0 }: JobShare,
): Promise<readonly JobRow[]> {
  const last = turns[lane];
  const shares = new Map<string, readonly JobRow[]>();
  const page = maxRunning + ahead;
  // Each organization gets at least one job, as long as there is room.
  let count = 0;
  let after = last === undefined ? undefined : behind(last);
  let hasWrapped = last === undefined;
  while (count < limit) {
    const rows = await view.find(jobs, {
      index: 'byTurn',
      equals: [lane],
      limit: page,
      ...defined({ after }),
    });
    let isRound = false;
    for (const [organization, ready] of groupBy(rows, (job) => job.organization)) {
      isRound = shares.has(organization);
      if (isRound || count === limit) break;
      const own = running.filter((job) => job.organization === organization);
      const isAlone = own.every(({ owner }) => owner !== null && held?.has(owner) === true);
      const room = Math.max(0, maxRunning + (isAlone ? ahead : 0) - own.length);
      const share = ready.filter(({ queue }) => queue === 'open').slice(0, room);
      shares.set(organization, share);
      if (share.length > 0) count += 1;
    }
    const end = rows.length === page ? rows.at(-1)?.organization : undefined;
    if (isRound || (end === undefined && hasWrapped)) break;
    if (end !== undefined) after = behind(end);
    else [hasWrapped, after] = [true, undefined];
  }
  return roundRobin([...shares.values()]).slice(0, limit + ahead);
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

function matchesFilter({ id, kind, organization }: JobFilter, job: JobRow): boolean {
  return (
    job.queue === 'open' &&
    job.id === (id ?? job.id) &&
    job.kind === (kind ?? job.kind) &&
    // A job of the whole store belongs to no organization, and runs with those of any.
    (job.organization === '' || job.organization === (organization ?? job.organization))
  );
}

/** Lists the jobs that other processes have claimed, including killed processes whose claims have not ended yet. */
export async function listHeldJobs({ store }: Core, filter: JobFilter): Promise<readonly JobRow[]> {
  const running = await store.read((view) => listRunningIn(view, lanes));
  return running.filter((job) => matchesFilter(filter, job));
}
