import type { OnProgress } from './api.ts';
import { isYieldDue, yieldToEvents } from './event-loop.ts';

/** How far a long piece of work is. */
export interface Progress {
  tick(count?: number): void;
  /** Shows what is being done now, beside the count. */
  note(text: string): void;
  /** Removes the line. */
  done(): void;
}

/** Who hears how far work is, and what interrupts it. */
export interface Watcher {
  readonly onProgress?: OnProgress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reports one step of work in a loop, and lets events have their turn. Only every hundredth step is reported, so that small
 * work says nothing.
 * @throws Problem(interrupted) when the signal was aborted
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
