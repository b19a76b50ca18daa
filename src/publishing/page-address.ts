import { decodePercent } from '../contract/values.ts';
import { readMetaLinks } from './meta-links.ts';
import { hrefOf, pageAt, type OpenSpace } from './page-links.ts';
import { findSpace } from './site-map.ts';
import { sitemapAt } from './sitemap-names.ts';
import type { SiteView } from './site-view.ts';
import { isUnlisted, type SitePage } from './space-pages.ts';
import { reservedFolders, reservedPaths } from '../resources/site-structure/paths.ts';

/** Finds the page that a site shows at a path with an optional query; undefined if it shows none, or redirects. */
export async function pageAtAddress(
  view: SiteView,
  address: string,
): Promise<{ readonly open: OpenSpace; readonly page: SitePage } | undefined> {
  const { map } = view;
  const [path = ''] = address.split('?');
  if (!path.startsWith(map.base)) return undefined;
  const segments = path
    .slice(map.base.length)
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => decodePercent(segment) ?? segment);
  const found = findSpace(map, segments);
  if (found === undefined || isReserved(segments, found.segments)) return undefined;
  const open = await view.openSpace(found.shown);
  const inSpace = found.segments.join('/');
  const page = sitemapAt(open, inSpace) === -1 ? pageAt(open, inSpace) : undefined;
  return page?.type === 'document' ? { open, page } : undefined;
}

function isReserved(inSite: readonly string[], inSpace: readonly string[]): boolean {
  if (inSite.length === 1 && reservedPaths.includes(inSite[0] ?? '')) return true;
  return [inSite, inSpace].some(([first = '']) => reservedFolders.has(first));
}

/**
 * Whether search engines may list a page at its own address: it is neither hidden nor excluded, the site shows it at this
 * address, and its `metaLinks` do not name another address as the canonical one.
 */
export async function isListedPage(view: SiteView, open: OpenSpace, page: SitePage): Promise<boolean> {
  if (!page.isIndexed || isUnlisted(open.pages, page)) return false;
  const href = hrefOf(open, page);
  const shown = await pageAtAddress(view, href);
  if (shown?.page.id !== page.id || shown.open.shown.row.id !== open.shown.row.id) return false;
  const { canonical = href } = await readMetaLinks(view, open, page);
  return canonical === href || canonical === view.origin + href;
}
