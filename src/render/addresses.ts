import { isOpenScheme } from '../contract/open-address.ts';

/** The longest address that is linked. */
const maxLength = 4000;

/** Returns the address where a browser may follow it: relative, or of a kind that runs no script; undefined for all others. */
export function safeAddress(address: string): string | undefined {
  // Browsers drop blanks and control characters in front of and within a scheme.
  const text = address.trim();
  if (text.length > maxLength || /[\0-\x1f\x7f]/.test(text)) return undefined;
  const [, scheme] = /^([^/?#]*?):/.exec(text) ?? [];
  return scheme === undefined || isOpenScheme(scheme) ? text : undefined;
}

/** Whether an address leads to another site. */
export function isExternal(address: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address);
}
