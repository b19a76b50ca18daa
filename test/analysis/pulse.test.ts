import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pulseOf, weeklyPulse, weekOf } from '../../src/analysis/pulse.ts';

const now = Date.parse('2026-04-05T12:00:00Z');

it('counts by weeks from Monday, oldest first', () => {
  const pulse = weeklyPulse(
    [
      '2026-04-05T11:00:00Z',
      '2026-03-30T00:00:00Z',
      '2026-03-29T23:59:59Z',
      '2026-01-05T00:00:00Z',
      '2026-01-04T23:59:59Z',
    ],
    now,
  );
  expect(pulse).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
});

it('is the same from counts kept by week', () => {
  const time = fc.integer({ min: now - 120 * 86_400_000, max: now });
  fc.assert(
    fc.property(fc.array(time), (times) => {
      const counts = new Map<number, number>();
      for (const each of times) counts.set(weekOf(each), (counts.get(weekOf(each)) ?? 0) + 1);
      expect(pulseOf(counts, now)).toEqual(
        weeklyPulse(
          times.map((each) => new Date(each).toISOString()),
          now,
        ),
      );
    }),
  );
});
