/** Tells the time in milliseconds since 1970; passed in, so that tests are exact. */
export type Clock = () => number;

export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
