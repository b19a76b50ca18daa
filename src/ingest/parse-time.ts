import { isDateTime } from '../contract/date-time.ts';

const dateTimePattern =
  /^(?:(\d{4})([-/])(\d\d)\2(\d\d)|(\d\d?)\.(\d\d?)\.(\d{4}))(?:[T ](\d?\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|UTC|[+-]\d\d:?\d\d)?)?$/i;
/** "Fri, 24 Feb 2026 15:02:39 +0100" of mails, "Feb 24, 2026 3:02 PM" and "24 Feb 26 3:02 PM" of exports. */
const namedMonth =
  /^(?:[a-z]{3,9}, )?(?:\d{1,2} [a-z]{3,9},?|[a-z]{3,9} \d{1,2},) (?:\d\d)?\d\d(?:,? (?:at )?\d?\d:\d\d(?::\d\d)?(?: ?[ap]m)?)?( (?:Z|UTC|GMT|[+-]\d{4}))?$/i;

/**
 * Converts a time to RFC 3339. Accepts RFC 3339, `2026-02-24 15:02:39` and `24.02.2026 15:02`, dates, English names of months, and
 * Unix time in seconds or milliseconds. A time without a time zone is UTC. Returns undefined for any other value.
 */
export function parseTime(value: unknown): string | undefined {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d{9,13}(?:\.\d{1,9})?$/.test(value)))
    return timeFromEpoch(Number(value));
  if (typeof value !== 'string') return undefined;
  // Mails can name the time zone again, and X writes the year last. Other exports have "24/Feb/26" and "24-Feb-2026".
  const given = value
    .trim()
    .replace(/ \([a-z]+\)$/i, '')
    .replace(/^[a-z]{3} ([a-z]{3} \d\d)( \d\d:\d\d:\d\d [+-]\d{4}) (\d{4})$/i, '$1, $3$2')
    .replace(/^(\d\d?)([/-])([a-z]{3,9})\2(\d{2,4})\b/i, '$1 $3 $4');
  const named = namedMonth.exec(given);
  if (named !== null) {
    const zone = named[1] ?? '';
    const clockTime = given.slice(0, given.length - zone.length).replace(/,? at /i, ' ');
    const time = Date.parse(clockTime + (zone || ' UTC'));
    // Date.parse takes February 30 for March 2.
    const date = new Date(Date.parse(`${clockTime} UTC`)).getUTCDate();
    return Number.isNaN(time) || date !== Number(/\d+/.exec(clockTime)?.[0])
      ? undefined
      : new Date(time).toISOString();
  }
  const [, year, , month, day, ownDay, ownMonth, ownYear, clock = '00:00', zone = 'Z'] =
    dateTimePattern.exec(given) ?? [];
  const date = [year ?? ownYear, month ?? ownMonth?.padStart(2, '0'), day ?? ownDay?.padStart(2, '0')];
  const time = clock.padStart(clock.length + Number(/^\d:/.test(clock)), '0');
  const offset = /^(z|utc)$/i.test(zone) ? 'Z' : zone.replace(/(\d\d):?(\d\d)$/, '$1:$2');
  const text = `${date.join('-')}T${time.length === 5 ? `${time}:00` : time}${offset}`;
  return isDateTime(text) ? text : undefined;
}

function timeFromEpoch(count: number): string | undefined {
  const milliseconds = count >= 1e11 ? count : count * 1000;
  const isInRange = Number.isFinite(milliseconds) && milliseconds > 0 && milliseconds < 253_402_300_800_000;
  return isInRange ? new Date(milliseconds).toISOString() : undefined;
}
