import { expect, it } from 'vitest';
import { compare } from '../../bench/check.js';

const kept = {
  start: { ratio: 2, spread: 0.1, better: 'less' },
  serve: { ratio: 0.5, spread: 0.25, better: 'more' },
} as const;

it.each([
  ['as before', { start: 2, serve: 0.5 }, []],
  ['better', { start: 1, serve: 2 }, []],
  ['at their limits', { start: 2.19, serve: 0.41 }, []],
  ['slower to start', { start: 2.21, serve: 0.5 }, ['start']],
  ['slower to serve', { start: 2, serve: 0.39 }, ['serve']],
  ['partly not measured', { serve: 0.5 }, []],
])('detects measurements that are worse than their limits: %s', (_, ratios, worse) => {
  const measured = Object.fromEntries(Object.entries(ratios).map(([name, ratio]) => [name, { ratio }]));
  const { lines, isGood } = compare(measured, kept);
  expect(lines.filter((line) => line.endsWith('WORSE')).map((line) => line.split(' ')[0])).toEqual(worse);
  expect(isGood).toBe(worse.length === 0);
});

it('moves the limits three times as far with a tolerance of 3', () => {
  const at = (start: number, serve: number) =>
    compare({ start: { ratio: start }, serve: { ratio: serve } }, kept, 3).isGood;
  expect([at(2.59, 0.29), at(2.61, 0.5), at(2, 0.28)]).toEqual([true, false, false]);
});
