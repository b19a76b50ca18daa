import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { waitAtMost } from '../../src/contract/wait-at-most.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<string>(() => {});
const fail = (): never => {
  throw new Error('late');
};

it('returns the result if it is in time, and clears the timer', async () => {
  expect(await waitAtMost(10, Promise.resolve('done'), fail)).toBe('done');
  expect(vi.getTimerCount()).toBe(0);
});

it('throws the error of the work if it is in time, and clears the timer', async () => {
  await expect(waitAtMost(10, Promise.reject(new Error('broken')), fail)).rejects.toThrow('broken');
  expect(vi.getTimerCount()).toBe(0);
});

it('returns or throws what the callback does when the time is up', async () => {
  const returned = waitAtMost(10, never, () => 'late');
  const thrown = expect(waitAtMost(10, never, fail)).rejects.toThrow('late');
  await vi.advanceTimersByTimeAsync(9);
  expect(vi.getTimerCount()).toBe(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(await returned).toBe('late');
  await thrown;
});

it('causes no unhandled rejection if the work fails after the time limit', async () => {
  const work = new Promise<string>((_, reject) => setTimeout(() => reject(new Error('too late')), 20));
  const returned = waitAtMost(10, work, () => 'late');
  await vi.advanceTimersByTimeAsync(30);
  expect(await returned).toBe('late');
});

it('sets no timer if the limit is infinite', async () => {
  const work = waitAtMost(Infinity, Promise.resolve('done'), fail);
  expect(vi.getTimerCount()).toBe(0);
  expect(await work).toBe('done');
});
