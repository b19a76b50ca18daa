import { resolve } from 'node:path';
import { Problem } from '../errors/problem.ts';

export interface StoreUrl {
  readonly scheme: 'sqlite' | 'json' | 'memory' | 'postgres';
  /** Empty for a store in memory; the whole URL for a store in PostgreSQL. */
  readonly path: string;
}

const hint =
  'Use sqlite:PATH, json:PATH, postgres://USER@HOST/DATABASE, memory:, or a path that ends in .db, .sqlite or .json.';

/**
 * Parses the URL of a store: `sqlite:PATH`, `json:PATH`, `postgres://…`, `memory:`, or a path that ends in .db, .sqlite or
 * .json.
 *
 * @throws Problem(invalid-input) for any other text
 */
export function parseStoreUrl(text: string): StoreUrl {
  if (text.includes('\0'))
    throw new Problem('invalid-input', 'The store URL contains a NUL character.', { hint });
  if (/^postgres(ql)?:/i.test(text)) return { scheme: 'postgres', path: text };
  if (text === 'memory:') return { scheme: 'memory', path: '' };
  const named = /^(sqlite|json):(.*)$/s.exec(text);
  if (named !== null) {
    const path = named[2] as string;
    if (path === '') throw new Problem('invalid-input', `The store "${text}" has no path.`, { hint });
    return { scheme: named[1] as 'sqlite' | 'json', path };
  }
  // A single letter before the colon is a drive on Windows, not a scheme.
  if (!/^[a-z][a-z0-9+.-]+:/i.test(text)) {
    if (/.\.(db|sqlite)$/i.test(text)) return { scheme: 'sqlite', path: text };
    if (/.\.json$/i.test(text)) return { scheme: 'json', path: text };
  }
  throw new Problem('invalid-input', `"${text.slice(0, 200)}" is not the URL or path of a store.`, { hint });
}

/** Returns the path of the file of a store; undefined if it is not in a file. Relative paths start from `cwd`. */
export function pathOfStore(url: string, cwd = ''): string | undefined {
  const { scheme, path } = parseStoreUrl(url);
  return scheme === 'sqlite' || scheme === 'json' ? resolve(cwd, path) : undefined;
}

/** Returns the URL of a store with an absolute path and without the password, so that it is valid in every folder. */
export function absoluteUrl(url: string, cwd: string): string {
  const path = pathOfStore(url, cwd);
  return path === undefined ? withoutPassword(url) : `${parseStoreUrl(url).scheme}:${path}`;
}

/** Returns the URL of a store without the password in it. */
export function withoutPassword(url: string): string {
  return url
    .replace(/^([a-z][a-z\d+.-]*:\/\/[^/?#@:]*):[^/?#]*@/i, '$1@')
    .replace(/([?&]password=)[^&#]*/gi, '$1***');
}
