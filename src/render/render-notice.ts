import { attributes, empty, markup, type Content, type Markup } from './markup.ts';
import { searchOriginField } from './render-frame.ts';
import type { Words } from './words.ts';

/** What a page says that is none of a space: that there is no page, or what a search found. */
export interface Notice {
  readonly title: string;
  readonly text?: string | undefined;
  readonly links?: readonly { readonly href: string; readonly title: string }[];
  /** A form that searches the site. */
  readonly search?:
    | { readonly action: string; readonly query: string; readonly from?: string | undefined }
    | undefined;
  readonly results?: readonly {
    readonly href: string;
    readonly title: string;
    readonly place?: string | undefined;
    readonly excerpt?: string | undefined;
  }[];
}

/** Renders a notice, for the frame of a site. */
export function renderNotice(
  { title, text, links = [], search, results = [] }: Notice,
  words: Words,
): Markup {
  const form: Content =
    search === undefined
      ? empty
      : markup`<form class="search-form" role="search" action="${search.action}" method="get"><label class="visually-hidden" for="~query">${words.search}</label><input id="~query" type="search" name="q" value="${search.query}">${searchOriginField(search.from)}<button class="button button-primary" type="submit">${words.search}</button></form>`;
  const found = results.map(
    ({ href, title: name, place = '', excerpt }) =>
      markup`<li>${place === '' ? empty : markup`<span class="found-place">${place}</span>`}<a href="${href}">${name}</a>${excerpt === undefined ? empty : markup`<p>${excerpt}</p>`}</li>`,
  );
  const others = links.map(({ href, title: name }) => markup`<li><a href="${href}">${name}</a></li>`);
  const list = (items: readonly Content[], name: string): Content =>
    items.length === 0 ? empty : markup`<ul class="${name}">${items}</ul>`;
  return markup`<div class="notice"><h1>${title}</h1>${form}${text === undefined ? empty : markup`<p role="status">${text}</p>`}${list(found, 'results')}${list(others, 'notice-links')}</div>`;
}

/** Renders a page that says nothing of any site. `styles` and `early` are addresses of files that all sites have. */
export function renderBareNotice(notice: Notice, { words, language, styles, early }: BareContext): string {
  return markup`<!doctype html><html${attributes({ lang: language, 'data-theme': 'auto' })}><head><meta charset="utf-8"><title>${notice.title}</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><script src="${early}"></script><link rel="stylesheet" href="${styles}"></head><body class="bare"><main id="~content">${renderNotice(notice, words)}</main></body></html>`
    .text;
}

interface BareContext {
  readonly words: Words;
  readonly language: string;
  readonly styles: string;
  readonly early: string;
}
