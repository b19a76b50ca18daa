import { isOpenScheme } from '../contract/open-address.ts';

/** Maximum length of a linked address. */
const maxLength = 4000;

/**
 * Returns an address that a browser may safely open: a relative one, or one whose scheme cannot run scripts. Returns undefined
 * for others.
 */
export function safeAddress(address: string): string | undefined {
  // Browsers ignore blanks and control characters before and inside a scheme.
  const text = address.trim();
  if (text.length > maxLength || /[\0-\x1f\x7f]/.test(text)) return undefined;
  const [, scheme] = /^([^/?#]*?):/.exec(text) ?? [];
  return scheme === undefined || isOpenScheme(scheme) ? text : undefined;
}

/** Whether an address leads to another site. */
export function isExternal(address: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address);
}
