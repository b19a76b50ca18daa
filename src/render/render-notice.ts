import { markedParts } from './marked-parts.ts';
import { attributes, empty, markup, type Content, type Markup } from './markup.ts';
import { searchOriginField } from './render-frame.ts';
import type { Words } from './words.ts';

interface NoticeLink {
  readonly href: string;
  readonly title: string;
}

/** A page that belongs to no space, such as a missing page or search results. */
export interface Notice {
  readonly title: string;
  readonly text?: string | undefined;
  readonly links?: readonly NoticeLink[];
  /** Links with a heading. */
  readonly group?: { readonly title: string; readonly links: readonly NoticeLink[] } | undefined;
  /** Further links for the reader, as buttons. */
  readonly ways?: readonly NoticeLink[];
  readonly search?:
    | { readonly action: string; readonly query: string; readonly from?: string | undefined }
    | undefined;
  readonly results?: readonly {
    readonly href: string;
    readonly title: string;
    readonly place?: string | undefined;
    readonly excerpt?: string;
    /** See `markedParts`. */
    readonly marks: readonly number[];
  }[];
}

/** Renders a notice, for the frame of a site. */
export function renderNotice(
  { title, text, links = [], group, ways = [], search, results = [] }: Notice,
  words: Words,
): Markup {
  const form: Content =
    search === undefined
      ? empty
      : markup`<form class="search-form" role="search" action="${search.action}" method="get"><label class="visually-hidden" for="~query">${words.search}</label><input id="~query" type="search" name="q" value="${search.query}">${searchOriginField(search.from)}<button class="button button-primary" type="submit">${words.search}</button></form>`;
  const found = results.map(
    ({ href, title: name, place = '', excerpt, marks }) =>
      markup`<li>${place === '' ? empty : markup`<span class="found-place">${place}</span>`}<a href="${href}">${name}</a>${excerpt === undefined ? empty : markup`<p>${marked(excerpt, marks)}</p>`}</li>`,
  );
  const linked = (items: readonly NoticeLink[]): Content[] =>
    items.map(({ href, title: name }) => markup`<li><a href="${href}">${name}</a></li>`);
  const list = (items: readonly Content[], name: string): Content =>
    items.length === 0 ? empty : markup`<ul class="${name}">${items}</ul>`;
  const grouped =
    group === undefined ? empty : markup`<h2>${group.title}</h2>${list(linked(group.links), 'notice-links')}`;
  const buttons = ways.map(
    ({ href, title: name }) => markup`<a class="button button-secondary" href="${href}">${name}</a>`,
  );
  const others = ways.length === 0 ? empty : markup`<div class="notice-ways">${buttons}</div>`;
  return markup`<div class="notice"><h1>${title}</h1>${form}${text === undefined ? empty : markup`<p role="status">${text}</p>`}${list(found, 'results')}${list(linked(links), 'notice-links')}${grouped}${others}</div>`;
}

function marked(text: string, marks: readonly number[]): Content {
  return markedParts(text, marks).map((part) =>
    part.isMarked ? markup`<mark>${part.text}</mark>` : part.text,
  );
}

/** Renders a notice that does not belong to a site. `styles` and `early` are addresses of files that all sites have. */
export function renderBareNotice(
  notice: Notice,
  { words, language, direction, styles, early }: BareContext,
): string {
  return markup`<!doctype html><html${attributes({ lang: language, dir: direction, 'data-theme': 'auto' })}><head><meta charset="utf-8"><title>${notice.title}</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><script src="${early}"></script><link rel="stylesheet" href="${styles}"></head><body class="bare"><main id="~content">${renderNotice(notice, words)}</main></body></html>`
    .text;
}

interface BareContext {
  readonly words: Words;
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly styles: string;
  readonly early: string;
}
