import { posix } from 'node:path';
import { rewriteLinks } from './rewrite-links.ts';

/** Links that do not start at the folder of their file: addresses, and the names of notes. */
const absolute = /^(?:[a-z][a-z0-9+.-]*:|[/#?]|\[\[)/i;

/** The length, in characters, that longer links may add to a text. A text may have many links, and its path may be long. */
const maxAdded = 1_000_000;

/**
 * Rewrites the relative links of the file `from` so that they work in the file `to`; without `to`, they start at the root. Code
 * is not changed.
 */
export function rebaseLinks(markdown: string, from: string, to: string | undefined): string {
  if (to !== undefined && posix.dirname(from) === posix.dirname(to)) return markdown;
  let left = maxAdded;
  return rewriteLinks(markdown, (href) => {
    if (left < 0 || absolute.test(href)) return undefined;
    const path = posix.join(posix.dirname(from), href);
    if (path === '..' || path.startsWith('../')) return undefined;
    const rebased =
      to === undefined
        ? `/${path}`
        : (posix.relative(posix.dirname(to), path) || '.') + (path.endsWith('/') ? '/' : '');
    left -= rebased.length - href.length;
    return rebased;
  });
}
