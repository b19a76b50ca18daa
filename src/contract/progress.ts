import type { OnProgress } from './api.ts';
import { isYieldDue, yieldToEvents } from './event-loop.ts';

/** Shows the progress of long work. */
export interface Progress {
  tick(count?: number): void;
  /** Shows the current step, next to the count. */
  note(text: string): void;
  /** Removes the line. */
  done(): void;
}

/** The progress callback of a caller, and the signal that interrupts the work. */
export interface Watcher {
  readonly onProgress?: OnProgress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reports one step of work in a loop, and lets events run. Only every hundredth step is reported, so that short work reports
 * nothing.
 *
 * @throws Problem(interrupted) if the signal was aborted
 */
export function reportStep(
  { onProgress, signal }: Watcher,
  done: number,
  total: number,
  what: string,
): Promise<void> | undefined {
  if (done > 0 && done % 100 === 0) onProgress?.(done, total, what);
  return isYieldDue(signal) ? yieldToEvents(signal) : undefined;
}
