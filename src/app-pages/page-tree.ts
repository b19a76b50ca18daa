import { flattenPages, plural } from '../contract/values.ts';
import { empty, markup, type Markup } from '../render/markup.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import { pageHref, type ContentPlace } from './content-place.ts';
import { outsideLink } from './page-parts.ts';
import type { PageContext } from './page-view.ts';

/** Maximum number of pages for which a space is listed with all levels. */
const maxListed = 400;

/** Renders pages with their descendants; only the top level of a space with very many pages. */
export function pageTree(context: PageContext, place: ContentPlace, pages: readonly PageBody[]): Markup {
  const isDeep = flattenPages(pages).length <= maxListed;
  const list = (level: readonly PageBody[]): Markup =>
    level.length === 0
      ? empty
      : markup`<ul>${level.map((page) => markup`<li>${entry(page)}${isDeep ? list(page.pages ?? []) : empty}</li>`)}</ul>`;
  const entry = (page: PageBody): Markup => {
    const { path, title, linkTitle, hidden } = page;
    const mark = hidden === true ? markup` <span class="tag">hidden</span>` : empty;
    if (path === undefined)
      return markup`<span>${title}</span>${page.href === undefined ? empty : markup` <span class="row-note">${outsideLink(page.href)}</span>`}`;
    return markup`<a href="${pageHref(context, place, path)}">${linkTitle ?? title}</a>${mark}`;
  };
  return list(pages);
}

/** Number of pages that are shown before and after the current one. */
const reach = 40;

/** Renders the pages around a page: its siblings, below its ancestors. If there are very many siblings, only the nearest ones. */
export function pagesAround(
  context: PageContext,
  place: ContentPlace,
  pages: readonly PageBody[],
  current: string,
): Markup {
  const way = wayTo(pages, current);
  const list = (all: readonly PageBody[]): Markup => {
    const middle = Math.max(
      0,
      all.findIndex(({ id }) => way.has(id)),
    );
    const start = all.length <= 2 * reach ? 0 : Math.max(0, Math.min(middle - reach, all.length - 2 * reach));
    const level = all.length <= 2 * reach ? all : all.slice(start, start + 2 * reach);
    const end = start + level.length;
    return markup`<ul>${elided(start, all[Math.max(0, start - reach)])}${level.map((page) => {
      const { path, title, linkTitle, pages: below = [] } = page;
      const link =
        path === undefined
          ? markup`<span>${title}</span>`
          : markup`<a href="${pageHref(context, place, path)}"${page.id === current ? markup` aria-current="page"` : empty}>${linkTitle ?? title}</a>`;
      return markup`<li>${link}${way.has(page.id) && below.length > 0 ? list(below) : empty}</li>`;
    })}${elided(all.length - end, all[Math.min(all.length - 1, end + reach - 1)])}</ul>`;
  };
  /** Renders a placeholder for left-out pages. It links to one of them, whose page shows the pages around it. */
  const elided = (count: number, page: PageBody | undefined): Markup =>
    count === 0 || page?.path === undefined
      ? empty
      : markup`<li class="row-note"><a href="${pageHref(context, place, page.path)}">${plural(count, 'more page')}</a></li>`;
  return markup`<nav class="app-tree" aria-label="Pages">${list(pages)}</nav>`;
}

/** Returns the IDs of a page and of its ancestors. */
function wayTo(pages: readonly PageBody[], id: string): ReadonlySet<string> {
  for (const page of pages) {
    if (page.id === id) return new Set([id]);
    const below = wayTo(page.pages ?? [], id);
    if (below.size > 0) return new Set([page.id, ...below]);
  }
  return new Set();
}
