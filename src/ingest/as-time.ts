import { isDateTime } from '../contract/date-time.ts';

const full = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|UTC|[+-]\d\d:?\d\d)?)?$/i;

/** A time as the API takes it, from RFC 3339, `2026-02-24 15:02:39` and `2026-02-24` (UTC), and seconds or milliseconds since 1970. */
export function asTime(value: unknown): string | undefined {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d{9,13}$/.test(value)))
    return fromCount(Number(value));
  if (typeof value !== 'string') return undefined;
  const [, day, time = '00:00', zone = 'Z'] = full.exec(value.trim()) ?? [];
  if (day === undefined) return undefined;
  const offset = /^(z|utc)$/i.test(zone) ? 'Z' : zone.replace(/(\d\d):?(\d\d)$/, '$1:$2');
  const text = `${day}T${time.length === 5 ? `${time}:00` : time}${offset}`;
  return isDateTime(text) ? text : undefined;
}

function fromCount(count: number): string | undefined {
  const milliseconds = count >= 1e11 ? count : count * 1000;
  const isMeant = Number.isFinite(milliseconds) && milliseconds > 0 && milliseconds < 253_402_300_800_000;
  return isMeant ? new Date(milliseconds).toISOString() : undefined;
}
