import { describe, expect, it } from 'vitest';
import { createQuota, firstHeader, pauseBefore, requestedWait } from '../../src/client/retry.ts';

it('the longest random pause doubles with each attempt, up to a maximum', () => {
  const longest = (attempt: number, max?: number) => pauseBefore(attempt, 50, () => 1, max);
  expect([1, 2, 3].map((attempt) => longest(attempt))).toEqual([50, 100, 200]);
  expect(longest(10)).toBe(20_000);
  expect(longest(10, 300)).toBe(300);
  expect(pauseBefore(3, 50, () => 0.5)).toBe(100);
});

describe('requestedWait', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each<[string, Record<string, string>, number | undefined]>([
    ['nothing', {}, undefined],
    ['seconds', { 'retry-after': ' 7 ' }, 7000],
    ['zero seconds', { 'retry-after': '0' }, 0],
    ['more seconds than a number can hold', { 'retry-after': '9'.repeat(30) }, Number.MAX_SAFE_INTEGER],
    ['a time', { 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, 5000],
    ['a time in the past', { 'retry-after': 'Wed, 31 Dec 2025 23:59:59 GMT' }, 0],
    [
      'a time relative to the clock of the server',
      { 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT', date: 'Thu, 01 Jan 2026 00:00:04 GMT' },
      1000,
    ],
    ['a time in another format', { 'retry-after': '2026-01-01T00:00:05Z' }, undefined],
    ['a word', { 'retry-after': 'Tomorrow' }, undefined],
    [
      'a limit that is not used up',
      { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '1767225605' },
      undefined,
    ],
    ['a used up limit', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767225605' }, 5000],
    ['a limit that has already been renewed', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' }, 0],
    ['a limit without a time', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' }, undefined],
    [
      'seconds rather than a limit',
      { 'retry-after': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767225605' },
      1000,
    ],
    [
      'a limit beside an empty header',
      { 'retry-after': ' ', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767225605' },
      5000,
    ],
  ])('reads %s', (_name, headers, expected) => {
    expect(requestedWait(headers, now)).toBe(expected);
  });
});

it('firstHeader returns the first of several headers', () => {
  expect(firstHeader({ a: ['1', '2'], b: '3', c: [] }, 'a')).toBe('1');
  expect(firstHeader({ b: '3' }, 'b')).toBe('3');
  expect(firstHeader({ c: [] }, 'c')).toBeUndefined();
  expect(firstHeader({}, 'd')).toBeUndefined();
});

it('a quota is used up, and refilled up to its size', () => {
  const quota = createQuota(2);
  expect([quota.take(), quota.take(), quota.take()]).toEqual([true, true, false]);
  quota.refill();
  expect([quota.take(), quota.take()]).toEqual([true, false]);
  for (let count = 0; count < 5; count++) quota.refill();
  expect([quota.take(), quota.take(), quota.take()]).toEqual([true, true, false]);
});
