import { Problem } from '../errors/problem.ts';
import { plural } from './values.ts';

/** Seconds that work may hold the event loop: short enough that Ctrl-C seems to work at once. */
const maxHold = 0.02;
/** When events last had their turn, on the clock of `process.uptime()`, which costs no module to load. */
let freeAt = 0;

/**
 * Lets signals, timers and other requests have their turn, if work has held the event loop for 20 ms. To be awaited in loops
 * of work that would otherwise never wait.
 * @throws Problem(interrupted) when the signal was aborted
 */
export async function yieldToEvents(signal?: AbortSignal): Promise<void> {
  if (process.uptime() - freeAt >= maxHold) {
    await new Promise((resolve) => setImmediate(resolve));
    freeAt = process.uptime();
  }
  if (signal?.aborted === true) throw interruptedProblem();
}

/** Seconds that short steps may hold the event loop: each turn of it lets the garbage collector do work that costs time. */
let maxStepsHold = 0.1;
/** How many short steps, such as reads of a row, share one look at the clock, which costs as much as a small step. */
const stepsPerLook = 16;
let steps = 0;

/** From now on, short steps hold the event loop no longer than other work. For servers, where others wait. */
export function yieldOften(): void {
  maxStepsHold = maxHold;
}

/**
 * Whether short steps of work should call `yieldToEvents`: the signal was aborted, or they have held the event loop for
 * long.
 */
export function isYieldDue(signal?: AbortSignal): boolean {
  if (signal?.aborted === true) return true;
  if (++steps < stepsPerLook) return false;
  steps = 0;
  return process.uptime() - freeAt >= maxStepsHold;
}

/** The message of a command that was interrupted and does not know what it has changed. */
const interruptedMessage = 'Interrupted.';

/** The Problem of work that was interrupted. The command says what was changed. */
export function interruptedProblem(): Problem {
  return new Problem('interrupted', interruptedMessage);
}

/** The Problem of files that were not all written. */
export function interruptedFiles(done: number, total: number): Problem {
  return done === 0
    ? new Problem('interrupted', 'Interrupted. Nothing was written.')
    : new Problem('interrupted', `Interrupted after ${done} of ${plural(total, 'file')} were written.`, {
        hint: 'Run the export again to write the rest.',
      });
}

/** Whether an error says only that work was interrupted. */
export function isBareInterruption(error: unknown): boolean {
  return error instanceof Problem && error.reason === 'interrupted' && error.message === interruptedMessage;
}
