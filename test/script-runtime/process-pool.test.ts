import { expect, it } from 'vitest';
import { ProcessPool, type ScriptProcess } from '../../src/script-runtime/process-pool.ts';

interface FakeProcess extends ScriptProcess {
  isIdle: boolean;
  isKilled: boolean;
}

/** An idle process that ends some time after it is killed. */
function idleProcess(idleSince = 0): FakeProcess {
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

it('stops the process that was idle longest, and does not use it while it stops', async () => {
  const pool = new ProcessPool<FakeProcess>({ maxProcesses: 2, idle: 1000 });
  const use = (key: string, made: FakeProcess) =>
    pool.use(
      key,
      () => made,
      async (used) => used,
    );
  const [a, b, c, again] = [idleProcess(1), idleProcess(2), idleProcess(3), idleProcess(4)];
  await use('b', b);
  expect(await use('a', a)).toBe(a);
  await use('c', c);
  expect([a.isKilled, b.isKilled, c.isKilled]).toEqual([true, false, false]);
  expect(await use('b', again)).toBe(b);
  expect(await use('a', again)).toBe(again);
});

it('serves all keys in turn, and stops no process that has just received work', async () => {
  const pool = new ProcessPool<FakeProcess>({ maxProcesses: 1, idle: 1000 });
  const order: string[] = [];
  const made: FakeProcess[] = [];
  const ends: (() => void)[] = [];
  const use = (key: string): Promise<void> =>
    pool.use(
      key,
      (onIdle) => {
        const one = idleProcess();
        made.push(one);
        ends.push(() => {
          one.isIdle = true;
          onIdle();
        });
        return one;
      },
      async (used) => {
        used.isIdle = false;
        order.push(`${key}${used.isKilled ? ' killed' : ''}`);
      },
    );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  await use('a');
  await use('a');
  const rest = [use('b'), use('a'), use('c')];
  await settle();
  expect(order).toEqual(['a', 'a']);
  for (const count of [3, 4, 5]) {
    ends.at(-1)!();
    await settle();
    expect(order).toHaveLength(count);
  }
  await Promise.all(rest);
  expect(order).toEqual(['a', 'a', 'b', 'a', 'c']);
  expect(made.map(({ isKilled }) => isKilled)).toEqual([true, true, true, false]);
});
