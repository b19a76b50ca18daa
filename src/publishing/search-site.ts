import { readBlob } from '../content/blobs.ts';
import { requireFreshSearch } from '../content/search-catch-up.ts';
import { sections } from '../content/rows.ts';
import { findPages } from '../resources/search/find-pages.ts';
import { TermFinder } from '../resources/search/snippet.ts';
import { plainText, tidy } from '../richtext/plain-text.ts';
import { readPageMarkdown } from './page-document.ts';
import { hrefOf, type OpenSpace } from './page-links.ts';
import type { SiteView } from './site-view.ts';
import type { SitePage } from './space-pages.ts';

/** One result of a search in a site. */
export interface FoundOnSite {
  readonly title: string;
  readonly section?: string | undefined;
  readonly excerpt?: string | undefined;
  /** Where the page is: its section and the pages above it. */
  readonly place?: string | undefined;
  readonly href: string;
}

/** The most characters of a query. */
export const maxQueryLength = 200;
/** The most pages of an answer. */
const maxFound = 20;

/** Searches the pages of a site that the visitor can open and that are not hidden. */
export async function searchSite(view: SiteView, query: string): Promise<FoundOnSite[]> {
  if (query.trim() === '' || view.map.spaces.length === 0) return [];
  const { tx } = view;
  await requireFreshSearch(
    tx,
    view.map.spaces.map(({ space }) => space),
  );
  const spaceIds = [...new Set(view.map.spaces.map(({ space }) => space.id))];
  const opened = await view.openSpaces(spaceIds);
  const finder = new TermFinder(query);
  const found: FoundOnSite[] = [];
  for (const { id, space, hits } of await findPages(tx, spaceIds, query)) {
    if (found.length >= maxFound) break;
    const open = opened.get(space);
    const page = open?.pages.byId.get(id);
    const above = open?.pages.above.get(id) ?? [];
    if (open === undefined || page === undefined || [...above, page].some(({ isHidden }) => isHidden))
      continue;
    const row = await tx.get(sections, hits[0] ?? '');
    if (row === undefined) continue;
    const own = await readOwnText(view, open, page);
    const excerpt = finder.excerpt(own ?? row.body);
    // What was found may be a part of the page that is for other visitors.
    if (own !== undefined && !excerpt.matches && !finder.excerpt(page.title).matches) continue;
    const names = [
      open.shown.section?.row.title ?? (view.map.spaces.length > 1 ? open.shown.title : undefined),
    ];
    found.push({
      title: page.title,
      section: own !== undefined || row.title === page.title ? undefined : row.title,
      excerpt: excerpt.text,
      place: [...names, ...above.map(({ label }) => label)].filter((name) => name !== undefined).join(' › '),
      href: hrefOf(open, page) + (own !== undefined || row.anchor === '' ? '' : `#${row.anchor}`),
    });
  }
  return found;
}

/** The words of a page as the visitor reads it, if its text depends on the visitor. */
async function readOwnText(
  view: SiteView,
  { shown }: OpenSpace,
  page: SitePage,
): Promise<string | undefined> {
  const { tx } = view;
  const stored = page.entry?.blob === undefined ? '' : await readBlob(tx, page.entry.blob);
  if (!/\{%-?\s*if\s|class="expression"/.test(stored)) return undefined;
  return tidy(plainText(await readPageMarkdown(view.contentOf(shown), page)));
}
