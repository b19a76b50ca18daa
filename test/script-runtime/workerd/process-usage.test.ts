import { pid } from 'node:process';
import { expect, it } from 'vitest';
import { readFromPs, readUsage } from '../../../src/script-runtime/workerd/process-usage.ts';

it.each([
  ['the files of the system', readUsage],
  ['ps', readFromPs],
])('returns the memory and CPU time of a process, read from %s', async (_, read) => {
  const MiB = 2 ** 20;
  const usage = await read(pid);
  expect(usage?.memory).toBeGreaterThan(20 * MiB);
  expect(usage?.memory).toBeLessThan(8192 * MiB);
  expect(usage?.computed).toBeGreaterThanOrEqual(0);
  // On all systems, this process ID is too large.
  expect(await read(2 ** 30)).toBeUndefined();
});
