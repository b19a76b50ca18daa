import { readEpoch } from '../../content/collection/record-references.ts';
import { defined } from '../../contract/values.ts';
import { listRunning } from '../../core/claim-job.ts';
import { addTime } from '../../core/clock.ts';
import type { Engine, JobContext } from '../../core/jobs.ts';
import { answers } from '../../core/rows/organizations.ts';
import { spaces } from '../../core/rows/spaces.ts';
import {
  maxHold,
  type ReadTransaction,
  type Row,
  type Table,
  type WriteTransaction,
} from '../../core/store.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { isCollectionNeeded, startCollection, type Collector } from '../../content/collection/collector.ts';
import { samlCodes, samlUsed } from '../saml/rows.ts';
import { lifetimeOfDeleted } from '../spaces/rules.ts';
import { referringTables } from './content-references.ts';
import { purgeSpaces } from './purge-spaces.ts';

/** Milliseconds after which the job lets other jobs run. */
const maxSlice = 500;
/** Milliseconds until the next attempt if other work has to end first. */
const pause = 60_000;
/** Milliseconds until the next attempt after a failure of the store. */
const longPause = 10 * pause;
const maxExpired = 200;

const tooLarge =
  'The store was not rewritten, because it is larger than 1 GB or its disk has too little space for a copy. Copies of parts of deleted rows may be left in its free space. Run `docsctl jobs run --kind removal` at a quiet time.';

/**
 * Milliseconds for which a server waits for a pause between writes. Then it rewrites the store even though writes have to wait.
 */
const maxPatience = 30 * 60_000;

const tooBusy = `The store was not rewritten: it is written all the time, and rewriting it would make writes wait for more than ${maxHold / 1000} s. Copies of parts of deleted rows may be left in its free space. Run \`docsctl jobs run --kind removal\` at a quiet time.`;

/** The garbage collections that this process has started, by epoch. After a kill, a collection starts again. */
const collectors = new Map<string, Collector>();
const maxCollectors = 4;

/** Permanently removes deleted data: spaces after 7 days, expired rows, and content that nothing refers to. */
export const engine: Engine = {
  async run(context) {
    const { job, now, write, signal } = context;
    const end = performance.now() + maxSlice;
    const isOver = () => signal.aborted || performance.now() > end;
    const { busySince } = job;
    const later = (delay = 0) => defined({ repeatAt: addTime(now(), delay), busySince });
    while (await write((tx) => purgeSpaces(tx, now()))) {
      context.progress('removing deleted spaces');
      if (isOver()) return later();
      await new Promise(setImmediate);
    }
    for (const table of [answers, samlUsed, samlCodes] as const)
      while (await write((tx) => removeExpired(tx, table, now()))) if (isOver()) return later();
    const collected = await collect(context, isOver);
    if (collected === 'later') return later();
    if (collected === 'blocked') return later(pause);
    const goesAhead =
      busySince !== undefined && Date.parse(now()) - Date.parse(busySince) >= maxPatience && !signal.aborted;
    const scrubbed = await context.scrub(goesAhead).catch(failureOfStore);
    if (scrubbed instanceof Problem)
      return { ...later(longPause), warning: `Not everything was removed. ${scrubbed.message}` };
    if (scrubbed === 'busy')
      return {
        ...later(pause),
        // After an attempt that made writes wait, the full patience applies again before the next one.
        ...(goesAhead && !signal.aborted
          ? { busySince: now(), warning: tooBusy }
          : { busySince: busySince ?? now() }),
      };
    const next = await context.read(nextExpiry);
    return defined({ repeatAt: next, warning: scrubbed === 'large' ? tooLarge : undefined });
  },
};

/**
 * Returns a failure that may be temporary, such as that of an object store. The job then runs again, however often it has failed.
 * Throws other errors.
 */
function failureOfStore(error: unknown): Problem {
  if (isProblem(error, 'store-failed')) return error;
  throw error;
}

/**
 * Removes content that nothing refers to. Returns `blocked` while a translation runs, because nothing refers to its texts yet.
 */
async function collect(
  { read, write, now, newId, progress }: JobContext,
  isOver: () => boolean,
): Promise<'done' | 'later' | 'blocked'> {
  const known = await read(async (view) => ({
    isNeeded: await isCollectionNeeded(view),
    epoch: await readEpoch(view),
  }));
  if (!known.isNeeded) return 'done';
  let collector = collectors.get(known.epoch ?? '');
  if (collector === undefined) {
    const epoch = newId('gc');
    collector = await write(async (tx) =>
      (await isTranslating(tx)) ? undefined : startCollection(tx, referringTables, { epoch, at: now() }),
    );
    if (collector === undefined) return 'blocked';
    for (const oldest of [...collectors.keys()].slice(0, -(maxCollectors - 1))) collectors.delete(oldest);
    collectors.set(epoch, collector);
  }
  while (!(await collector.step({ read, write }, now()))) {
    progress(`unused content: ${collector.progress}`);
    if (isOver()) return 'later';
    // Other requests run between two transactions.
    await new Promise(setImmediate);
  }
  collectors.delete(collector.epoch);
  return 'done';
}

/** Whether a translation runs: it stores texts in one transaction and their pages in a later one. */
async function isTranslating(view: ReadTransaction): Promise<boolean> {
  return (await listRunning(view, 'network')).some(({ kind }) => kind === 'translation');
}

async function removeExpired(
  tx: WriteTransaction,
  table: Table<Row & { expiresAt: string }, 'byExpiry'>,
  now: string,
): Promise<boolean> {
  const rows = await tx.find(table, { index: 'byExpiry', equals: [], limit: maxExpired });
  const expired = rows.filter(({ expiresAt }) => expiresAt <= now);
  for (const { id } of expired) await tx.remove(table, id);
  return expired.length === maxExpired;
}

async function nextExpiry(view: ReadTransaction): Promise<string | undefined> {
  const [oldest] = await view.find(spaces, { index: 'byDeletion', equals: ['deleted'], limit: 1 });
  if (oldest?.deletedAt == null) return undefined;
  return addTime(oldest.deletedAt, lifetimeOfDeleted);
}
