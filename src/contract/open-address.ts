import { parseUrl } from './parse-url.ts';

/** Returns the scheme of an address, such as "https"; undefined for a path. */
export function schemeOf(address: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1];
}

/** Whether sites and PDFs link addresses with a scheme. Other addresses, such as javascript: or ftp:, are shown as text. */
export function isOpenScheme(scheme: string): boolean {
  return /^(?:https?|mailto|tel)$/i.test(scheme);
}

/** Whether a value is a URL that starts with https:// or http://. */
export function isHttpUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && parseUrl(value) !== undefined;
}

/** Returns the address of a target in a space, for use in texts of other spaces. */
export function spaceAddress(space: string, path: string): string {
  return `https://app.gitbook.com/s/${space}/${path}`;
}
