import { onTestFinished, vi } from 'vitest';
import { yieldToEvents } from '../../src/contract/event-loop.ts';

/**
 * Makes every read of `process.uptime` return a later time, so that the program yields wherever it can, until the test ends or
 * `vi.restoreAllMocks` is called. Call it in a test or in `beforeEach`.
 */
export function mockBusyClock(): void {
  let now = process.uptime();
  vi.spyOn(process, 'uptime').mockImplementation(() => (now += 0.1));
  onTestFinished(restoreClock);
}

/** Yields once with a late clock, because the program remembers its last yield and would otherwise not yield until `now`. */
async function restoreClock(): Promise<void> {
  vi.spyOn(process, 'uptime').mockRestore();
  const late = vi.spyOn(process, 'uptime').mockReturnValueOnce(Number.POSITIVE_INFINITY);
  await yieldToEvents();
  late.mockRestore();
}
