import { sparkline, weekOf } from '../../src/analysis/sparkline.ts';

/** Returns the weekly counts of some times, like a cluster has them. */
export function weeklyCounts(times: readonly string[], now: number): number[] {
  const counts = new Map<number, number>();
  for (const time of times) counts.set(weekOf(time), (counts.get(weekOf(time)) ?? 0) + 1);
  return sparkline(counts, now);
}
