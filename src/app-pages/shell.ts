import { readSiteFile, type SiteFile } from '../publishing/site-file.ts';
import { openSiteFiles } from '../publishing/site-files.ts';
import { attributes, empty, join, markup, type Content, type Markup } from '../render/markup.ts';
import { picture } from './page-parts.ts';
import type { PageView, TrailLink } from './page-view.ts';

/** The frame around every page. */
export interface Frame {
  /** Returns the address of a path of this server. */
  readonly href: (path: string) => string;
  /** The signed-in user; undefined for a page that anyone may see. */
  readonly user?: { readonly displayName: string; readonly email?: string; readonly photoURL?: string };
  /** Whether the session can be ended here. */
  readonly canSignOut?: boolean;
}

let opened: readonly SiteFile[] | undefined;

/** Returns the style sheets of the pages: the one of sites, because content looks the same here, and an additional one. */
export function styleFiles(): readonly SiteFile[] {
  opened ??= [openSiteFiles().styles, readSiteFile('app', 'css', 'text/css; charset=utf-8')];
  return opened;
}

/** Renders a page as HTML. */
export function writePage(view: PageView, frame: Frame): string {
  const { title, trail, body, side, links = [], kind } = view;
  const head = markup`<header class="app-head"><p class="kind">${kind}</p><h1>${picture(view.picture)}${title}</h1>${linksOf(links)}</header>`;
  const main = markup`<main id="content" tabindex="-1">${head}${body}</main>`;
  const inside =
    side === undefined
      ? markup`<div class="app-layout">${main}</div>`
      : markup`<div class="app-layout app-layout-side">${main}<aside class="app-side">${side}</aside></div>`;
  return documentOf(`${title} · docsctl`, [headerOf(trail, title, frame), inside], frame).text;
}

/** Renders a page that explains why the requested page cannot be shown. */
export function writeNotice({ title, text }: { title: string; text: Content }, frame: Frame): string {
  const main = markup`<main id="content" class="notice" tabindex="-1"><h1>${title}</h1>${text}</main>`;
  return documentOf(`${title} · docsctl`, [headerOf([], title, frame), main], frame).text;
}

/** Renders a list of links below a title. */
export function linksOf(links: readonly TrailLink[]): Markup {
  return links.length === 0
    ? empty
    : markup`<ul class="app-links">${links.map(({ title, href }) => markup`<li><a href="${href}">${title}</a></li>`)}</ul>`;
}

function headerOf(trail: readonly TrailLink[], title: string, { href, user, canSignOut }: Frame): Markup {
  const way =
    trail.length === 0
      ? markup`<span class="brand">docsctl</span>`
      : markup`<nav class="breadcrumbs" aria-label="Breadcrumbs"><ol>${trail.map((link) => markup`<li><a href="${link.href}">${link.title}</a></li>`)}<li><span aria-current="page">${title}</span></li></ol></nav>`;
  const who =
    user === undefined
      ? empty
      : markup`<div class="app-user">${picture(user.photoURL)}<span${attributes({ title: user.email })}>${user.displayName}</span>${canSignOut === true ? markup`<form method="post" action="${href('/o/~sign-out')}"><button type="submit">Sign out</button></form>` : empty}</div>`;
  return markup`<a class="skip" href="#content">Skip to the content</a><header class="app-header"><div class="app-header-row">${way}${who}</div></header>`;
}

function documentOf(title: string, body: readonly Content[], { href }: Frame): Markup {
  const styles = styleFiles().map(
    ({ name }) => markup`<link rel="stylesheet" href="${href(`/o/~assets/${name}`)}">`,
  );
  return markup`<!doctype html><html lang="en" data-theme="auto"><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">${styles}</head><body class="app">${join(body)}</body></html>`;
}
