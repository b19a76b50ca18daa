import type { JobRow } from './rows/jobs.ts';

/** How long a claim lasts without a heartbeat, in milliseconds. */
export const claimDuration = 60_000;
/** How often a watch is recorded in the store, in milliseconds. A longer pause between two looks counts as this time. */
const step = 5000;

/** What a look at the claims of jobs has found. */
interface Look {
  /** The jobs whose claims have ended. */
  readonly ended: readonly JobRow[];
  /** The claims whose watched time is to be recorded, so that a process that starts after this one does not begin again. */
  readonly unrecorded: readonly { readonly id: string; readonly watched: NonNullable<JobRow['watched']> }[];
}

/**
 * Finds the claims that nobody has extended while processes watched them for `claimDuration`. It compares no times of different
 * clocks, so a clock that is wrong or jumps ends no claim of a process that is alive.
 */
export class ClaimWatch {
  readonly #held: ReadonlySet<string>;
  readonly #time: () => number;
  readonly #start: number;
  #lastLook: number;
  #seen = new Map<string, number>();

  /**
   * `held`: the owners (claim IDs) of the jobs that this process runs. Their claims never end here, even after a pause of the
   * process. `time` returns milliseconds that never jump.
   */
  constructor(held: ReadonlySet<string> = new Set(), time: () => number = () => performance.now()) {
    this.#held = held;
    this.#time = time;
    this.#start = this.#lastLook = time();
  }

  /** Watches the claims of the given jobs, which are all jobs that are running. */
  look(running: readonly JobRow[]): Look {
    const now = this.#time();
    // While this process was paused, the others may have been paused too.
    const passed = Math.min(now - this.#lastLook, step);
    this.#lastLook = now;
    const others = running.filter(({ owner }) => owner === null || !this.#held.has(owner));
    const seen = others.map((row) => {
      const claim = claimOf(row);
      const before = this.#seen.get(claim);
      const recorded = row.watched?.until === row.dueAt ? row.watched.time : 0;
      const time = Math.max(recorded, before === undefined ? 0 : before + passed);
      return { row, claim, recorded, time };
    });
    this.#seen = new Map(seen.map(({ claim, time }) => [claim, time]));
    // A process that lives longer than a claim takes over without a record.
    const records = now - this.#start < claimDuration;
    return {
      ended: seen.flatMap(({ row, time }) => (time < claimDuration ? [] : [row])),
      unrecorded: seen.flatMap(({ row: { id, dueAt }, recorded, time }) =>
        records && time >= recorded + step ? [{ id, watched: { until: dueAt, time } }] : [],
      ),
    };
  }
}

/** Returns a text that changes whenever a job is claimed or its claim is extended. */
export function claimOf({ owner, dueAt }: JobRow): string {
  return `${owner} ${dueAt}`;
}
