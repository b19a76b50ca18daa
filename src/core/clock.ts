/** Returns the time in milliseconds since 1970. It is passed in, so that tests are exact. */
export type Clock = () => number;

/** Returns a time in ISO 8601, in UTC and with milliseconds. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Returns a time a number of milliseconds after an ISO time. */
export function addTime(time: string, milliseconds: number): string {
  return isoTime(Date.parse(time) + milliseconds);
}

/** The milliseconds of an hour and of a day. */
export const hour = 3_600_000;
export const day = 24 * hour;
