import { flattenPages, plural } from '../contract/values.ts';
import { empty, markup, type Markup } from '../render/markup.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import { pageHref, type ContentPlace } from './content-place.ts';
import { findForm, rows } from './page-parts.ts';
import { pageTree } from './page-tree.ts';
import type { PageContext } from './page-view.ts';

/** Maximum number of pages of one level, and of search results, that are shown at once. */
const maxTogether = 100;

/** Renders pages as a tree. If a level has very many pages, only a part is shown, with a search field for the others. */
export function pageList(context: PageContext, place: ContentPlace, pages: readonly PageBody[]): Markup {
  const wanted = context.query.get('find') ?? '';
  const from = startOf(context, pages.length);
  const tree = (some: readonly PageBody[]): Markup =>
    markup`<nav class="app-tree" aria-label="List of pages">${pageTree(context, place, some)}</nav>`;
  if (pages.length <= maxTogether && wanted === '') return tree(pages);
  const form = findForm(context, 'Find a page by its title or path');
  if (wanted !== '') return markup`${form}${found(context, place, pages, wanted)}`;
  const to = Math.min(pages.length, from + maxTogether);
  const at = (start: number): string =>
    `${context.path}?${new URLSearchParams({ pages: String(start) }).toString()}`;
  const links = [
    from === 0
      ? empty
      : markup`<li><a href="${at(Math.max(0, from - maxTogether))}" rel="prev">Previous ${maxTogether}</a></li>`,
    to === pages.length
      ? empty
      : markup`<li><a href="${at(to)}" rel="next">Next ${Math.min(maxTogether, pages.length - to)}</a></li>`,
  ];
  return markup`${form}${tree(pages.slice(from, to))}<nav class="pager" aria-label="Parts of the list of pages"><ul>${links}</ul><span>${from + 1} to ${to} of ${plural(pages.length, 'page')}</span></nav>`;
}

/** Returns the index of the first page to show, from the query, counted from 0. */
function startOf({ query }: PageContext, count: number): number {
  const given = Number(query.get('pages') ?? 0);
  return Number.isSafeInteger(given) && given > 0 && given < count ? given : 0;
}

/** Renders the pages of a tree whose title or path contains a text. */
function found(
  context: PageContext,
  place: ContentPlace,
  pages: readonly PageBody[],
  wanted: string,
): Markup {
  const text = wanted.toLowerCase();
  const all = flattenPages(pages).filter(({ title, path = '' }) =>
    `${title}\n${path}`.toLowerCase().includes(text),
  );
  const list = rows(
    all.slice(0, maxTogether).map(({ title, path }) => ({
      title,
      href: path === undefined ? undefined : pageHref(context, place, path),
      note: path,
    })),
    `No page has "${wanted.slice(0, 100)}" in its title or path.`,
  );
  return all.length <= maxTogether
    ? list
    : markup`${list}<p class="row-note">The first ${maxTogether} of ${plural(all.length, 'page')}.</p>`;
}
