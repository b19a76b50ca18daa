/** Weeks of a pulse: the past three months. */
export const pulseWeeks = 13;
const day = 86_400_000;

/** The number of the week of a time, by Mondays in UTC: what a counter of issues a week is kept under. */
export function weekOf(time: string | number): number {
  // 1970 began on a Thursday.
  return Math.floor((new Date(time).getTime() / day + 3) / 7);
}

/** How many were created in each of the past 13 weeks, oldest first; the last is the week of `now`. */
export function weeklyPulse(createdAt: Iterable<string>, now: number): number[] {
  const counts = new Map<number, number>();
  for (const time of createdAt) counts.set(weekOf(time), (counts.get(weekOf(time)) ?? 0) + 1);
  return pulseOf(counts, now);
}

/** The same from counts kept by week. */
export function pulseOf(counts: ReadonlyMap<number, number>, now: number): number[] {
  const last = weekOf(now);
  return Array.from({ length: pulseWeeks }, (_, index) => counts.get(last - pulseWeeks + 1 + index) ?? 0);
}
