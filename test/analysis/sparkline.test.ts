import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sparkline, sparklineWeeks, weekOf } from '../../src/analysis/sparkline.ts';
import { weeklyCounts } from '../support/weekly-counts.ts';

const now = Date.parse('2026-04-05T12:00:00Z');
const week = 7 * 86_400_000;

it('counts by weeks that begin on Monday, oldest first', () => {
  const counts = weeklyCounts(
    [
      '2026-04-05T11:00:00Z',
      '2026-03-30T00:00:00Z',
      '2026-03-29T23:59:59Z',
      '2026-01-05T00:00:00Z',
      '2026-01-04T23:59:59Z',
    ],
    now,
  );
  expect(counts).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
});

it('counts exactly the times between the Monday of 12 weeks ago and now', () => {
  const monday = Date.parse('2026-03-30T00:00:00Z');
  const time = fc.integer({ min: now - 120 * 86_400_000, max: now });
  fc.assert(
    fc.property(fc.array(time), (times) => {
      const counts = new Map<number, number>();
      for (const each of times) counts.set(weekOf(each), (counts.get(weekOf(each)) ?? 0) + 1);
      const expected = Array.from({ length: sparklineWeeks }, (_, index) => {
        const start = monday - (sparklineWeeks - 1 - index) * week;
        return times.filter((each) => each >= start && each < start + week).length;
      });
      expect(sparkline(counts, now)).toEqual(expected);
    }),
  );
});
