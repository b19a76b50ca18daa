import { parseUrl } from './parse-url.ts';

/** Returns the scheme of an address, such as "https"; undefined for a path. */
export function schemeOf(address: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1];
}

/** Whether sites and PDFs open addresses of a scheme. They show others, such as javascript: or ftp:, as text. */
export function isOpenScheme(scheme: string): boolean {
  return /^(?:https?|mailto|tel)$/i.test(scheme);
}

/** Whether a value is a URL that starts with https:// or http://. */
export function isHttpUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && parseUrl(value) !== undefined;
}

/** The address of something in a space, for texts of other spaces. */
export function spaceAddress(space: string, path: string): string {
  return `https://app.gitbook.com/s/${space}/${path}`;
}
