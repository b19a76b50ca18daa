/** Returns the time in milliseconds since 1970. It is passed in, so that tests are exact. */
export type Clock = () => number;

/** Returns a time in ISO 8601, in UTC and with milliseconds. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
