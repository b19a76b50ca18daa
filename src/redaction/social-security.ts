import type { Span } from './span.ts';

/** A whole number, which may have one digit too many or too few, or its last four digits. */
const whole = '\\d{3}[- ]\\d{2}[- ]\\d{4}|\\d{8,10}';
const digits = `(?:${whole}|\\d{4})(?![\\p{L}\\p{N}_]|[-.,]\\d)`;
const lastFour = 'last (?:four|4)(?: digits?| numbers?)?';
const owner = '(?:my|his|her|their|your|the)';
const is = "(?:is|are|was|were|it(?:['’]s| is| was)|ends? (?:in|with)|ending (?:in|with))";

/** "SSN", and the possible text between it and the number. */
const announced = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:` +
    `(?<cue>ssn|ss ?#|social security)` +
    `(?<number> ?(?:numbers?|num|nr|no|#)\\.?)?(?<last>,? \\(?(?:the )?${lastFour}\\)?)?` +
    `(?<link> {0,2}[:=#] {0,2}(?:${is} )?| [–-] | ${is} #?| #?)` +
    `|(?:my|his|her|their|your) social(?: number)? ${is} ` +
    `)(?<digits>${digits})`,
  'giu',
);
/** Requires a whole number: "social is 123456789". */
const social = new RegExp(
  `(?<![\\p{L}\\p{N}])social(?: ${is}|:) (?<digits>(?:${whole})(?![\\p{L}\\p{N}_]))`,
  'giu',
);
/** The number comes first: "7883 are the last four of my SSN", and "7883 ssn" on its own line. */
const before = new RegExp(
  `(?<![\\p{L}\\p{N}_./#-])(?<digits>\\d{4})(?= (?:is|are) (?:the |my )?${lastFour} (?:of|on|for|from) ${owner} (?:ssn|social)(?![\\p{L}\\p{N}]))` +
    `|^ {0,3}(?<line>${whole}|\\d{4})(?= {1,3}ssn {0,3}[.!]?$)`,
  'gimu',
);
/** Units after a number that is a count: "the SSN number is 1000 characters". */
const units = /^\s*(?:-\s*)?(?:char|digit|letter|symbol|times|people|users|days|years)/iu;

/** Finds US social security numbers and their last four digits if a text calls them so: "SSN number is 7883". */
export function findSocialSecurityNumbers(text: string): Span[] {
  const spans: Span[] = [];
  if (!/ssn|ss ?#|social/i.test(text)) return spans;
  for (const pattern of [announced, social, before])
    for (const { 0: found, index, groups = {} } of text.matchAll(pattern)) {
      const number = groups['digits'] ?? groups['line'] ?? '';
      const from = index + found.length - number.length;
      const to = from + number.length;
      if (!units.test(text.slice(to, to + 12)) && isAnnounced(groups, number)) spans.push({ from, to });
    }
  return spans;
}

/** Whether the text says that four digits are a number: "social security 1935" may be about a year. */
function isAnnounced(
  { cue, number, last, link }: Readonly<Record<string, string | undefined>>,
  digitsFound: string,
): boolean {
  const isBare = cue !== undefined && /^ #?$/.test(link ?? '') && number === undefined && last === undefined;
  return !isBare || cue.toLowerCase() !== 'social security' || digitsFound.length > 4;
}
