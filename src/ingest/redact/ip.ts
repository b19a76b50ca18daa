import { isIPv6 } from 'node:net';
import { findByPattern, type Span } from './span.ts';

const findFour = findByPattern(/(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?!\w|\.\d)/g, (found) =>
  found.split('.').every((part) => Number(part) <= 255),
);
const findSix = findByPattern(
  /(?<![\w.:])(?=[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:)[0-9A-Fa-f:]{2,39}(?:\d?\.\d{1,3}){0,3}(?![\w:]|\.\d)/g,
  (found) => /[0-9A-Fa-f]/.test(found) && isIPv6(found),
);

/** Addresses of the net, of both kinds. */
export function findIps(text: string): Span[] {
  const six = text.includes(':') ? findSix(text) : [];
  const four = findFour(text).filter(({ from, to }) => six.every((one) => to <= one.from || from >= one.to));
  return six.length === 0 ? four : [...six, ...four].sort((a, b) => a.from - b.from);
}
