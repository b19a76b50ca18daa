import { decodePercent } from '../contract/values.ts';

export interface RedirectPattern {
  /** The source in the form in which paths are compared, including the star of a wildcard. */
  readonly key: string;
  /** The key of a wildcard without its star; absent otherwise. */
  readonly prefix?: string;
}

/** Returns a source in the form in which paths are compared: decoded and in lower case. With a star, it also has a prefix. */
export function patternOf(source: string): RedirectPattern {
  const key = comparable(source);
  return key.endsWith('*') ? { key, prefix: key.slice(0, -1) } : { key };
}

/** Returns a path in the form in which paths are compared. Sequences that are not UTF-8 stay encoded. */
export function comparable(path: string): string {
  return (
    path
      // Sites read an encoded slash like any other. An encoded star is no wildcard.
      .replace(
        /(?:%[0-9a-f]{2})+/gi,
        (encoded) => decodePercent(encoded)?.replace(/[*%]/g, encodeReserved) ?? encoded,
      )
      .toLowerCase()
  );
}

/**
 * Returns the path of a URL below one of the addresses of a site, such as `/old`, and '' for its start; undefined for any
 * other URL. Addresses end with a slash. http and https are the same.
 */
export function pathOnSite(addresses: readonly string[], url: string): string | undefined {
  const whole = withoutScheme(url);
  const start = addresses.map(withoutScheme).find((address) => startsWith(whole, address));
  return start === undefined ? undefined : whole.slice(start.length - 1).replace(/\/+$/, '');
}

/** The host and path of a URL, with a slash at the end. */
function withoutScheme(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/*$/, '/')}`;
}

function startsWith(text: string, start: string): boolean {
  return text.slice(0, start.length).toLowerCase() === start.toLowerCase();
}

function encodeReserved(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}
