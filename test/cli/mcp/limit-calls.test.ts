import { expect, it } from 'vitest';
import { limitCalls } from '../../../src/cli/mcp/limit-calls.ts';

/** Returns work that records when it starts, and ends when `ends` is called. */
function steps() {
  const started: number[] = [];
  interface End {
    readonly resolve: (value: number) => void;
    readonly reject: (reason: Error) => void;
  }
  const ends = new Map<number, End>();
  const work = (index: number) => () => {
    started.push(index);
    return new Promise<number>((resolve, reject) => ends.set(index, { resolve, reject }));
  };
  return { started, work, ends };
}

/** Waits until all pending promises have continued. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

const idle = new AbortController().signal;

it('limitCalls starts calls in order, and at most the given number at the same time', async () => {
  const run = limitCalls(2);
  const { started, work, ends } = steps();
  const results = [0, 1, 2, 3].map((index) => run(idle, work(index)));
  await settle();
  expect(started).toEqual([0, 1]);
  ends.get(1)?.resolve(1);
  expect(await results[1]).toBe(1);
  await settle();
  expect(started).toEqual([0, 1, 2]);
  ends.get(0)?.reject(new Error('failed'));
  await expect(results[0]).rejects.toThrow('failed');
  await settle();
  expect(started).toEqual([0, 1, 2, 3]);
  ends.get(2)?.resolve(2);
  ends.get(3)?.resolve(3);
  expect(await Promise.all([results[2], results[3]])).toEqual([2, 3]);
});

it('limitCalls never starts a cancelled call, and starts the calls after it', async () => {
  const run = limitCalls(1);
  const { started, work, ends } = steps();
  const first = run(idle, work(0));
  const cancelled = new AbortController();
  const second = run(cancelled.signal, work(1));
  const third = run(idle, work(2));
  cancelled.abort(new Error('cancelled'));
  await expect(second).rejects.toThrow('cancelled');
  await expect(run(cancelled.signal, work(3))).rejects.toThrow('cancelled');
  ends.get(0)?.resolve(0);
  expect(await first).toBe(0);
  await settle();
  ends.get(2)?.resolve(2);
  expect(await third).toBe(2);
  expect(started).toEqual([0, 2]);
});
