import { expect, it } from 'vitest';
import { ProcessPool, type ScriptProcess } from '../../src/script-runtime/process-pool.ts';

/** An idle process that ends some time after it is killed. */
function idleProcess(idleSince = 0): ScriptProcess & { isKilled: boolean } {
  return {
    isIdle: true,
    isClosed: false,
    idleSince,
    closed: new Promise(() => {}),
    isKilled: false,
    kill() {
      this.isKilled = true;
    },
  };
}

it('ends the process that has been idle longest, and does not return it while it ends', async () => {
  const pool = new ProcessPool({ maxProcesses: 2, idle: 1000 });
  const [a, b, c, again] = [idleProcess(1), idleProcess(2), idleProcess(3), idleProcess(4)];
  await pool.acquire('b', () => b);
  expect(await pool.acquire('a', () => a)).toBe(a);
  await pool.acquire('c', () => c);
  expect([a.isKilled, b.isKilled, c.isKilled]).toEqual([true, false, false]);
  expect(await pool.acquire('b', () => again)).toBe(b);
  expect(await pool.acquire('a', () => again)).toBe(again);
});
