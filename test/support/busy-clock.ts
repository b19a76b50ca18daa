import { vi } from 'vitest';

/** Never goes back, also between files that share their modules: the program remembers when it yielded last. */
let now = process.uptime();

/**
 * Makes every look at `process.uptime` find that work has held the event loop for long, so that it yields wherever it may.
 * `vi.restoreAllMocks` ends it.
 */
export function mockBusyClock(): void {
  now = Math.max(now, process.uptime());
  vi.spyOn(process, 'uptime').mockImplementation(() => (now += 0.1));
}
