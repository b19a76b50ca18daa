/**
 * Parses an address; undefined if it is not a URL. Use this instead of `URL.canParse`, which in Node 20 rejects addresses with
 * letters such as "ü" in the host once V8 has optimized its caller.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
