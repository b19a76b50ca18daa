import { empty, markup, type Content } from '../render/markup.ts';
import type { Words } from '../render/words.ts';
import { openSiteFiles } from './site-files.ts';

/** A page that says why there is no other. */
export interface Notice {
  readonly title: string;
  readonly text?: string | undefined;
  readonly links?: readonly { readonly href: string; readonly title: string }[];
  /** The path of the site that the page belongs to, if there is one. */
  readonly base?: string | undefined;
  /** A form that searches the site. */
  readonly search?: { readonly action: string; readonly query: string } | undefined;
  readonly results?: readonly {
    readonly href: string;
    readonly title: string;
    readonly place?: string | undefined;
    readonly excerpt?: string | undefined;
  }[];
}

/** Renders a notice, in the language of the site. */
export function renderNotice(
  { title, text, links = [], base, search, results = [] }: Notice,
  words: Words,
  language: string,
): string {
  const { styles, early } = openSiteFiles();
  const assets: Content =
    base === undefined
      ? empty
      : markup`<script src="${base}~assets/${early.name}"></script><link rel="stylesheet" href="${base}~assets/${styles.name}">`;
  const form: Content =
    search === undefined
      ? empty
      : markup`<form class="search-form notice-search" role="search" action="${search.action}" method="get"><label class="visually-hidden" for="search">${words.search}</label><input id="search" type="search" name="q" value="${search.query}"><button type="submit">${words.search}</button></form>`;
  const list = (items: readonly Content[]): Content =>
    items.length === 0 ? empty : markup`<ul class="notice-links">${items}</ul>`;
  const found = results.map(
    ({ href, title: name, place, excerpt }) =>
      markup`<li>${place === undefined || place === '' ? empty : markup`<span class="found-place">${place}</span>`}<a href="${href}">${name}</a>${excerpt === undefined ? empty : markup`<p>${excerpt}</p>`}</li>`,
  );
  return markup`<!doctype html><html lang="${language}" data-theme="auto"><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">${assets}</head><body><main class="notice" id="content"><h1>${title}</h1>${form}${text === undefined ? empty : markup`<p>${text}</p>`}${list(found)}${list(links.map(({ href, title: name }) => markup`<li><a href="${href}">${name}</a></li>`))}</main></body></html>`
    .text;
}
