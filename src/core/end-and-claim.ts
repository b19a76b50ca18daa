import {
  claiming,
  endTurn,
  findShares,
  isAnyWaiting,
  listRunning,
  takeJobs,
  type ClaimedRow,
  type JobShare,
} from './claim-job.ts';
import { isoTime } from './clock.ts';
import type { Core } from './embedded.ts';
import type { JobOutcome } from './jobs.ts';
import type { JobRow, Lane } from './rows/jobs.ts';
import { endJob, type JobEnd } from './run-job.ts';

/** A finished job that has no last write. */
export interface DoneJob {
  readonly job: JobRow;
  readonly outcome: JobOutcome;
}

/** The result of `endAndClaim`: how each finished job ended, in the given order, and the jobs that it claimed. */
interface Turnover {
  readonly ends: readonly JobEnd[];
  readonly claimed: readonly ClaimedRow[];
  /** Whether there may be more jobs that can be claimed now. */
  readonly hasMore: boolean;
}

/**
 * Ends finished jobs of a lane and claims the next ones like `claimJobs`, both in one write. This costs little more for several
 * jobs than for one. A job that another process has claimed in the meantime is left to that process.
 */
export async function endAndClaim(
  core: Core,
  lane: Lane,
  done: readonly DoneJob[],
  share: JobShare,
): Promise<Turnover> {
  const { turns, maxRunning, limit, ahead = 0, watch } = share;
  const last = turns[lane];
  const turnover = await core.store.write(
    async (tx): Promise<Turnover> => {
      const now = isoTime(core.clock());
      const running = await listRunning(tx, lane);
      const hasEnded = (watch?.look(running).ended ?? []).length > 0;
      const isWaiting = hasEnded || (await isAnyWaiting(tx, now));
      const owners = new Map(running.map((row) => [row.id, row]));
      const ended = done.map(({ job }) => {
        const row = owners.get(job.id);
        return row?.owner === job.owner ? row : undefined;
      });
      const others = running.filter((row) => !ended.includes(row));
      // Due jobs that are not ready must take turns with the others. `claimJobs` makes them ready first.
      const found = isWaiting ? [] : await findShares(tx, lane, others, share);
      const ends: JobEnd[] = [];
      for (const [at, { outcome }] of done.entries()) {
        const row = ended[at];
        ends.push(row === undefined ? 'lost' : await endJob(tx, row, outcome, now));
      }
      return {
        ends,
        claimed: await takeJobs(core, tx, found),
        hasMore: isWaiting || (limit > 0 && found.length === limit + ahead) || ends.includes('again'),
      };
    },
    {
      ...claiming,
      like: `ends and ready jobs in turn ${maxRunning + ahead}`,
      given: () => [lane, last ?? null],
    },
  );
  endTurn(turns, lane, turnover.claimed);
  return turnover;
}
