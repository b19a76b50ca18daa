import { parseUrl } from '../contract/parse-url.ts';

/**
 * Whether a Host header names this server: the host of its public address, or this machine. A page of another name that
 * leads to the same machine (DNS rebinding) is refused.
 */
export function isKnownHost(host: string, publicUrl: string): boolean {
  const { protocol, host: own } = new URL(publicUrl);
  const asked = /^[\w.:[\]-]{1,255}$/.test(host) ? parseUrl(`${protocol}//${host}`) : undefined;
  if (asked === undefined) return false;
  return asked.host === own || /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(asked.hostname);
}
