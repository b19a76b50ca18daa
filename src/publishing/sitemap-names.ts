import type { OpenSpace } from './page-links.ts';
import { documentsOf } from './space-pages.ts';

/**
 * Maximum pages in a sitemap. The protocol allows 50,000 addresses and 50 MB (https://www.sitemaps.org/protocol.html); this
 * number stays below both, even with long addresses.
 */
export const maxPagesInSitemap = 10_000;

/** Returns the names of the sitemaps of a space. Only large spaces have several. */
export function sitemapNames({ pages }: OpenSpace): string[] {
  const count = Math.max(1, Math.ceil(documentsOf(pages.roots).length / maxPagesInSitemap));
  return Array.from({ length: count }, (_, at) => `sitemap-pages${at === 0 ? '' : `-${at + 1}`}.xml`);
}

/** Returns the index of a sitemap of a space, from 0, given its path; -1 for other paths. */
export function sitemapAt(open: OpenSpace, path: string): number {
  return path.startsWith('sitemap-pages') ? sitemapNames(open).indexOf(path) : -1;
}
