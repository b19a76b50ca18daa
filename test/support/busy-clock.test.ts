import { afterEach, expect, it, vi } from 'vitest';
import { yieldToEvents } from '../../src/contract/event-loop.ts';
import { mockBusyClock } from './busy-clock.ts';

afterEach(() => vi.restoreAllMocks());

/** Returns whether other work runs during one yield. */
async function othersHaveTheirTurn(): Promise<boolean> {
  let hadTurn = false;
  setImmediate(() => (hadTurn = true));
  await yieldToEvents();
  return hadTurn;
}

it('mockBusyClock makes every call of yieldToEvents yield', async () => {
  mockBusyClock();
  for (let look = 0; look < 100; look++) expect(await othersHaveTheirTurn()).toBe(true);
});

it('restoring the mocks makes yieldToEvents use the real clock again', async () => {
  const soon = process.uptime() + 1;
  // This mock is also restored.
  mockBusyClock();
  vi.spyOn(process, 'uptime').mockReturnValue(soon);
  expect(await othersHaveTheirTurn()).toBe(true);
  expect(await othersHaveTheirTurn()).toBe(false);
});
