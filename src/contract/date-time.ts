const form = /^\d{4}-\d\d-\d\dT(?!24)\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i;
const range = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')] as const;

/** Whether a text is a date and time of RFC 3339 on an existing day, in the years 1 to 9999 of UTC. Seconds may be absent. */
export function isDateTime(text: string): boolean {
  if (!form.test(text)) return false;
  const time = Date.parse(text);
  if (!(time >= range[0] && time <= range[1])) return false;
  // Date.parse would accept 31 February as 3 March.
  const day = Number(text.slice(8, 10));
  return (
    day <= 28 || day <= new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate()
  );
}
