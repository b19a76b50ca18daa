/** Weeks of a sparkline: the last three months. */
export const sparklineWeeks = 13;
const day = 86_400_000;

/** Returns the number of a time's week since 1970; weeks start on Monday, UTC. */
export function weekOf(time: string | number): number {
  // 1 January 1970 was a Thursday.
  return Math.floor((new Date(time).getTime() / day + 3) / 7);
}

/** Whether the counts of all weeks are 0. */
export function isQuiet(counts: readonly number[]): boolean {
  return counts.every((count) => count === 0);
}

/** Returns the counts of the last 13 weeks, oldest first; the last one is the week of `now`. */
export function sparkline(countByWeek: ReadonlyMap<number, number>, now: number): number[] {
  const first = weekOf(now) - sparklineWeeks + 1;
  return Array.from({ length: sparklineWeeks }, (_, index) => countByWeek.get(first + index) ?? 0);
}
