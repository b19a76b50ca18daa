import { isIPv6 } from 'node:net';
import { findByPattern, type Span } from './span.ts';

const findIpv4 = findByPattern(/(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?!\w|\.\d)/g, (found) =>
  found.split('.').every((part) => Number(part) <= 255),
);
const findIpv6 = findByPattern(
  /(?<![\w.:])(?=[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:)[0-9A-Fa-f:]{2,39}(?:\d?\.\d{1,3}){0,3}(?![\w:]|\.\d)/g,
  (found) => /[0-9A-Fa-f]/.test(found) && isIPv6(found),
);

/** Finds IPv4 and IPv6 addresses. */
export function findIps(text: string): Span[] {
  const v6 = text.includes(':') ? findIpv6(text) : [];
  const v4 = findIpv4(text).filter(({ from, to }) => v6.every((span) => to <= span.from || from >= span.to));
  return v6.length === 0 ? v4 : [...v6, ...v4].sort((a, b) => a.from - b.from);
}
