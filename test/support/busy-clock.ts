import { onTestFinished, vi } from 'vitest';
import { yieldToEvents } from '../../src/contract/event-loop.ts';

/**
 * Makes every look at `process.uptime` find that work has held the event loop for long, so that it yields wherever it may,
 * until the test is done or `vi.restoreAllMocks` is called. To be called in a test or before each.
 */
export function mockBusyClock(): void {
  let now = process.uptime();
  vi.spyOn(process, 'uptime').mockImplementation(() => (now += 0.1));
  onTestFinished(restoreClock);
}

/** The program remembers when it yielded last. Lets it yield once more by the true clock, or it would wait until `now`. */
async function restoreClock(): Promise<void> {
  vi.spyOn(process, 'uptime').mockRestore();
  const late = vi.spyOn(process, 'uptime').mockReturnValueOnce(Number.POSITIVE_INFINITY);
  await yieldToEvents();
  late.mockRestore();
}
