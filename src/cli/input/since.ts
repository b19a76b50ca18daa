import { isDateTime } from '../../contract/date-time.ts';
import { Problem } from '../../errors/problem.ts';

const units = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * Converts a number of minutes, hours, days or weeks, such as 7d, or a date (midnight UTC) to an ISO time. Returns undefined for
 * anything else. `sign` is -1 for a time in the past, and 1 for a time in the future.
 */
export function readPeriod(text: string, now: number, sign: 1 | -1): string | undefined {
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined)
    return new Date(now + sign * Number(count) * units[unit as keyof typeof units]).toISOString();
  const time = `${text}T00:00:00Z`;
  return /^\d{4}-\d\d-\d\d$/.test(text) && isDateTime(time) ? new Date(time).toISOString() : undefined;
}

/**
 * Converts the start of a period to an ISO time: a number of minutes, hours, days or weeks ago, such as 7d, or a date with an
 * optional time. `before` is the text before the period in errors.
 * @throws Problem(invalid-input)
 */
export function readSince(text: string, now: number, before = '--since '): string {
  const time = readPeriod(text, now, -1);
  if (time !== undefined) return time;
  if (isDateTime(text)) return new Date(text).toISOString();
  throw new Problem(
    'invalid-input',
    `${before.replace(/[ :]$/, '')} takes a period such as 7d, or a date, not "${text}".`,
    {
      hint: `Write it like ${before}12h, ${before}7d or ${before}2025-01-31. A date begins at midnight UTC.`,
    },
  );
}
