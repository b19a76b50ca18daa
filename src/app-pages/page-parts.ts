import { plural } from '../contract/values.ts';
import { safeAddress } from '../render/addresses.ts';
import { empty, markup, type Content, type Markup } from '../render/markup.ts';
import { wordsOf } from '../render/words.ts';
import type { PageContext } from './page-view.ts';

/** The words of the pages. They are in English, like the answers of the API. */
export const words = wordsOf('en');

/** Descriptions of the visibility of sites, and of spaces on sites. */
export const visibilityWords = {
  public: 'Everyone can read it, and search engines list it.',
  unlisted: 'Everyone who knows the address can read it. Search engines do not list it.',
  'share-link': 'People with an active share link can read it.',
  'visitor-auth': 'Visitors that your backend signs in can read it.',
} as const;

/** Formats a time of the API for people. */
export function timeOf(time: string): Markup {
  return markup`<time datetime="${time}">${words.date(time.slice(0, 10))}, ${time.slice(11, 16)} UTC</time>`;
}

/** A list of properties; those without a value are left out. */
export function facts(list: readonly (readonly [name: string, value: Content])[]): Markup {
  const shown = list.filter(
    ([, value]) => value !== undefined && value !== null && value !== '' && value !== false,
  );
  return shown.length === 0
    ? empty
    : markup`<dl class="facts">${shown.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Renders a part of a page with a heading. */
export function section(title: string, content: Content, count?: number): Markup {
  return markup`<section class="part"><h2>${title}${count === undefined ? empty : markup` <span class="count">${count}</span>`}</h2>${content}</section>`;
}

export interface Row {
  readonly title: Content;
  readonly href?: string | undefined;
  /** Labels after the title, such as a status. */
  readonly tags?: readonly (string | undefined)[];
  readonly note?: Content;
}

/** Renders a list of rows, or a sentence that says that there are none. */
export function rows(list: readonly Row[], none: string): Markup {
  if (list.length === 0) return markup`<p class="none">${none}</p>`;
  return markup`<ul class="rows">${list.map(
    ({ title, href, tags = [], note }) =>
      markup`<li><span class="row-title">${href === undefined ? title : markup`<a href="${href}">${title}</a>`}${tags.map((tag) => (tag === undefined || tag === '' ? empty : markup` <span class="tag">${tag}</span>`))}</span>${note === undefined ? empty : markup`<span class="row-note">${note}</span>`}</li>`,
  )}</ul>`;
}

/** Renders a picture from another site; nothing if a browser must not load it. */
export function picture(url: string | undefined): Markup {
  const address = url === undefined ? undefined : safeAddress(url);
  return address === undefined || !/^https?:/i.test(address)
    ? empty
    : markup`<img class="app-picture" src="${address}" alt="" loading="lazy" referrerpolicy="no-referrer">`;
}

/** Renders a link to any external address; only its text if a browser must not open it. */
export function outsideLink(url: string | undefined): Content {
  const address = url === undefined ? undefined : safeAddress(url);
  return address === undefined
    ? url
    : markup`<a class="external" href="${address}" rel="noopener">${url}</a>`;
}

export interface Listed {
  readonly next?: { readonly page: string };
  readonly count?: number;
}

/** Number of items of a list on one page. */
export const perPage = 50;

/** Returns the query for one page of a list; `key` identifies the list in the address of the page. */
export function pageQuery(
  { query }: PageContext,
  key: string,
): { readonly limit: number; readonly page?: string } {
  const page = query.get(key);
  return page === null || page === '' ? { limit: perPage } : { limit: perPage, page: page.slice(0, 2048) };
}

/** Renders a field that filters a list of the page. */
export function findForm({ query, path }: PageContext, label: string): Markup {
  const value = query.get('find') ?? '';
  const reset = value === '' ? empty : markup`<a href="${path}">Show all</a>`;
  return markup`<form class="find" role="search" action="${path}" method="get"><label for="find">${label}</label><input id="find" type="search" name="find" value="${value}" maxlength="50"><button class="button button-secondary">Find</button>${reset}</form>`;
}

/** Renders links to the next items of a list, and back to the first. */
export function pager(
  { query, path }: PageContext,
  key: string,
  { next, count }: Listed,
  /** The query field that filters the list. */
  filter?: string,
): Markup {
  const kept = filter === undefined || !query.has(filter) ? {} : { [filter]: query.get(filter) ?? '' };
  const start = new URLSearchParams(kept).toString();
  const isFirst = !query.has(key);
  if (next === undefined && isFirst) return empty;
  const links = [
    isFirst
      ? empty
      : markup`<li><a href="${start === '' ? path : `${path}?${start}`}">First ${perPage}</a></li>`,
    next === undefined
      ? empty
      : markup`<li><a href="${path}?${new URLSearchParams({ ...kept, [key]: next.page }).toString()}" rel="next">Next ${perPage}</a></li>`,
  ];
  const all = count === undefined ? empty : markup`<span>${plural(count, 'item')} in all</span>`;
  return markup`<nav class="pager" aria-label="${`Pages of ${key}`}"><ul>${links}</ul>${all}</nav>`;
}
