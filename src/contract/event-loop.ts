import { Problem } from '../errors/problem.ts';
import { plural } from './values.ts';

/** Maximum time in seconds that work may block the event loop: short enough that Ctrl-C seems to work at once. */
const maxHold = 0.02;
/** The last time when events were handled, on the clock of `process.uptime()`, which needs no module. */
let freeAt = 0;

/**
 * Lets signals, timers and other requests run if work has blocked the event loop for 20 ms. Loops without other waits should
 * await this.
 *
 * @throws Problem(interrupted) if the signal was aborted
 */
export async function yieldToEvents(signal?: AbortSignal): Promise<void> {
  if (process.uptime() - freeAt >= maxHold) {
    await new Promise((resolve) => setImmediate(resolve));
    freeAt = process.uptime();
  }
  if (signal?.aborted === true) throw interruptedProblem();
}

/**
 * Maximum time in seconds that short steps may block the event loop. It is longer, because each pause also costs time for garbage
 * collection.
 */
let maxStepsHold = 0.1;
/**
 * Number of short steps, such as reads of a row, between two checks of the clock, because a check costs as much as a short step.
 */
const stepsPerLook = 16;
let steps = 0;

/** Makes short steps pause as often as other work. For servers, where other requests wait. */
export function yieldOften(): void {
  maxStepsHold = maxHold;
}

/**
 * Whether short steps of work should call `yieldToEvents`: the signal was aborted, or they have blocked the event loop for too
 * long.
 */
export function isYieldDue(signal?: AbortSignal): boolean {
  if (signal?.aborted === true) return true;
  if (++steps < stepsPerLook) return false;
  steps = 0;
  return process.uptime() - freeAt >= maxStepsHold;
}

/** The message of an interrupted command that does not know what it has changed. */
const interruptedMessage = 'Interrupted.';

/** Returns the Problem for interrupted work. The command adds what was changed. */
export function interruptedProblem(): Problem {
  return new Problem('interrupted', interruptedMessage);
}

/** Returns the Problem for files that were not all written. */
export function interruptedFiles(done: number, total: number): Problem {
  return done === 0
    ? new Problem('interrupted', 'Interrupted. Nothing was written.')
    : new Problem('interrupted', `Interrupted after ${done} of ${plural(total, 'file')} were written.`, {
        hint: 'Run the export again to write the rest.',
      });
}

/** Whether an error only says that work was interrupted. */
export function isBareInterruption(error: unknown): boolean {
  return error instanceof Problem && error.reason === 'interrupted' && error.message === interruptedMessage;
}
