import type { OpenSpace } from './page-links.ts';
import { documentsOf, type SitePage } from './space-pages.ts';

/**
 * Maximum pages in a sitemap. The protocol allows 50,000 addresses and 50 MB (https://www.sitemaps.org/protocol.html); this
 * number stays below both, even with long addresses.
 */
export const maxPagesInSitemap = 10_000;

/** Returns the pages of a space that the visitor can see and search engines may list. */
export function indexedPages({ pages }: OpenSpace): SitePage[] {
  return documentsOf(pages.roots).filter(({ isIndexed }) => isIndexed);
}

/** Returns the names of the sitemaps of a space. Only large spaces have several; a space without pages to list has none. */
export function sitemapNames(open: OpenSpace): string[] {
  const count = Math.ceil(indexedPages(open).length / maxPagesInSitemap);
  return Array.from({ length: count }, (_, at) => `sitemap-pages${at === 0 ? '' : `-${at + 1}`}.xml`);
}

/** Returns the index of a sitemap of a space, from 0, given its path; -1 for other paths. */
export function sitemapAt(open: OpenSpace, path: string): number {
  return path.startsWith('sitemap-pages') ? sitemapNames(open).indexOf(path) : -1;
}
