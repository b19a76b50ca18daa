import { attributes, classes, empty, markup, join, Markup, type Content } from './markup.ts';
import type { OutlineEntry } from './render-context.ts';
import type { Icons } from './icons.ts';
import { emojiOf } from './emoji.ts';
import { renderNavigation, type NavigationEntry } from './render-navigation.ts';
import type { Words } from './words.ts';

/** A link of a page's frame. */
export interface PageLink {
  readonly title: string;
  readonly href: string;
  readonly icon?: string | undefined;
  readonly emoji?: string | undefined;
  readonly isCurrent?: boolean | undefined;
  readonly language?: string | undefined;
}

/** A tab of the header: a section, or a group of sections in a menu. */
export interface SectionTab extends PageLink {
  readonly children?: readonly PageLink[] | undefined;
}

/** The look of a page, as its author chose it. */
export interface PageLayout {
  readonly isWide: boolean;
  readonly title: boolean;
  readonly description: boolean;
  readonly tableOfContents: boolean;
  readonly outline: boolean;
  readonly pagination: boolean;
  readonly metadata: boolean;
  readonly tags: boolean;
  readonly actions: boolean;
  readonly cover: 'none' | 'hero' | 'full' | 'background';
  readonly hasCoverMask: boolean;
}

export interface Cover {
  readonly light: string;
  readonly dark?: string | undefined;
  /** Where the picture is cut, in percent from its middle, rounded to 5. */
  readonly shift: number;
  /** In pixels, rounded to 20. */
  readonly height: number;
}

/** The addresses of a page other than the one it is read at. */
export interface PageAddresses {
  readonly canonical: string;
  readonly markdown?: string | undefined;
  readonly pdf?: string | undefined;
  readonly feed?: string | undefined;
  readonly edit?: { readonly href: string; readonly title: string } | undefined;
  readonly languages: readonly { readonly language: string; readonly href: string }[];
}

/** The files of a site that its pages load. */
export interface PageAssets {
  readonly styles: readonly string[];
  /** Runs before the page is drawn: it sets the theme. */
  readonly early: string;
  readonly script: string;
  readonly favicon?: string | undefined;
}

/** The site around a page. */
export interface SiteFrame {
  readonly title: string;
  readonly home: string;
  readonly logo?: { readonly light: string; readonly dark?: string | undefined } | undefined;
  readonly icon?: string | undefined;
  readonly emoji?: string | undefined;
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly sections: readonly SectionTab[];
  readonly variants: readonly PageLink[];
  readonly languages: readonly PageLink[];
  readonly headerLinks: readonly PageLink[];
  readonly footer: {
    readonly groups: readonly { readonly title: string; readonly links: readonly PageLink[] }[];
    readonly copyright?: string | undefined;
    readonly social: readonly PageLink[];
  };
  readonly announcement?:
    | { readonly message: string; readonly style: string; readonly link?: PageLink | undefined }
    | undefined;
  readonly theme: 'light' | 'dark' | 'auto';
  readonly hasThemeToggle: boolean;
  /** Where searches are sent; undefined for a site without search. */
  readonly search?: string | undefined;
  readonly isIndexed: boolean;
}

/** All that a page shows. */
export interface PageModel {
  readonly site: SiteFrame;
  readonly assets: PageAssets;
  readonly title: string;
  readonly description?: string | undefined;
  readonly icon?: string | undefined;
  readonly emoji?: string | undefined;
  readonly layout: PageLayout;
  readonly cover?: Cover | undefined;
  readonly tags: readonly { readonly label: string; readonly icon?: string | undefined }[];
  readonly breadcrumbs: readonly PageLink[];
  readonly navigation: readonly NavigationEntry[];
  readonly outline: readonly OutlineEntry[];
  readonly body: Markup;
  readonly previous?: PageLink | undefined;
  readonly next?: PageLink | undefined;
  /** ISO time. */
  readonly updatedAt?: string | undefined;
  readonly addresses: PageAddresses;
  readonly isIndexed: boolean;
}

interface Frame {
  readonly words: Words;
  readonly icons: Icons;
}

/** Renders a whole page of a site. */
export function renderPage(page: PageModel, frame: Frame): string {
  const { site, layout } = page;
  const outline = layout.outline ? topOutline(page.outline) : [];
  const document = markup`<!doctype html><html${attributes({ lang: site.language, dir: site.direction, 'data-theme': site.theme })}>${renderHead(page)}<body${attributes({ 'data-copy': frame.words.copy, 'data-copied': frame.words.copied, 'data-search': frame.words.search, 'data-no-results': frame.words.noResults })}><a class="skip" href="#content">${frame.words.skipToContent}</a>${renderAnnouncement(site)}${renderHeader(site, frame)}<div${classes('layout', !layout.tableOfContents && 'layout-plain', layout.isWide && 'layout-wide')}>${layout.tableOfContents ? renderSidebar(page, frame) : empty}<main id="content">${renderCover(page)}<article>${renderPageHead(page, frame)}<div class="content">${page.body}</div>${renderPageFoot(page, frame)}</article></main>${outline.length > 1 ? renderOutline(outline, frame) : empty}</div>${renderFooter(site, frame)}</body></html>`;
  return document.text;
}

/** The headings of the two highest levels that a page has, with these as levels 2 and 3. */
function topOutline(outline: readonly OutlineEntry[]): OutlineEntry[] {
  const top = Math.min(...outline.map(({ level }) => level));
  return outline.flatMap((entry) =>
    entry.level <= top + 1 ? [{ ...entry, level: entry.level - top + 2 }] : [],
  );
}

function renderHead({ site, assets, title, description, addresses, isIndexed, cover }: PageModel): Markup {
  const whole = title === site.title ? title : `${title} | ${site.title}`;
  return markup`<head><meta charset="utf-8"><title>${whole}</title><meta name="viewport" content="width=device-width, initial-scale=1">${description === undefined || description === '' ? empty : markup`<meta name="description" content="${description}">`}${isIndexed && site.isIndexed ? empty : new Markup('<meta name="robots" content="noindex">')}<meta name="color-scheme" content="light dark"><script src="${assets.early}"></script>${assets.styles.map((href) => markup`<link rel="stylesheet" href="${href}">`)}<script src="${assets.script}" defer></script>${assets.favicon === undefined ? empty : markup`<link rel="icon" href="${assets.favicon}">`}<link rel="canonical" href="${addresses.canonical}">${addresses.languages.map(({ language, href }) => markup`<link rel="alternate" hreflang="${language}" href="${href}">`)}${addresses.markdown === undefined ? empty : markup`<link rel="alternate" type="text/markdown" href="${addresses.markdown}">`}${addresses.feed === undefined ? empty : markup`<link rel="alternate" type="application/rss+xml" href="${addresses.feed}">`}<meta property="og:type" content="article"><meta property="og:title" content="${title}"><meta property="og:site_name" content="${site.title}"><meta property="og:url" content="${addresses.canonical}">${description === undefined || description === '' ? empty : markup`<meta property="og:description" content="${description}">`}${cover === undefined ? empty : markup`<meta property="og:image" content="${cover.light}">`}</head>`;
}

function renderAnnouncement({ announcement }: SiteFrame): Markup {
  if (announcement === undefined) return empty;
  const { link, message, style } = announcement;
  const kind = /^(?:info|success|warning|danger)$/.test(style) ? style : 'info';
  return markup`<div class="announcement announcement-${kind}" role="note"><p>${message}${link === undefined ? empty : markup` <a href="${link.href}">${link.title}</a>`}</p></div>`;
}

function renderHeader(site: SiteFrame, { words, icons }: Frame): Markup {
  const brand =
    site.logo === undefined
      ? markup`${markerOf(site, icons)}<span class="brand-title">${site.title}</span>`
      : pictures(site.logo, site.title, 'logo');
  const search =
    site.search === undefined
      ? empty
      : markup`<form class="search-form" role="search" action="${site.search}" method="get"><label class="visually-hidden" for="search">${words.search}</label>${icons.draw('magnifying-glass')}<input id="search" type="search" name="q" placeholder="${words.search}" autocomplete="off" data-search="${site.search}"></form>`;
  const toggle = site.hasThemeToggle
    ? markup`<button type="button" class="icon-button theme-toggle" data-theme-toggle aria-label="${words.changeTheme}" hidden>${icons.draw('circle-half-stroke')}</button>`
    : empty;
  const links = site.headerLinks.map(
    (link) =>
      markup`<a href="${link.href}"${attributes({ 'aria-current': link.isCurrent === true ? 'page' : undefined })}>${link.title}</a>`,
  );
  return markup`<header class="site-header"><div class="header-row"><button type="button" class="icon-button menu-toggle" data-menu-toggle aria-expanded="false" aria-controls="sidebar" aria-label="${words.menu}" hidden>${icons.draw('bars')}</button><a class="brand" href="${site.home}">${brand}</a>${renderPicker(site.variants, words.version, 'variants', icons)}${renderPicker(site.languages, words.language, 'languages', icons)}<div class="header-space"></div>${search}${links.length === 0 ? empty : markup`<nav class="header-links" aria-label="${words.links}">${links}</nav>`}${toggle}</div>${renderSections(site.sections, { words, icons })}</header>`;
}

/** A menu of the other versions or languages; it opens without a script. */
function renderPicker(links: readonly PageLink[], label: string, name: string, icons: Icons): Markup {
  if (links.length < 2) return empty;
  const current = links.find(({ isCurrent }) => isCurrent === true);
  return markup`<details class="picker picker-${name}" data-menu><summary><span class="visually-hidden">${label}: </span>${current?.title ?? label}${icons.draw('chevron-down')}</summary><ul>${links.map(
    (link) =>
      markup`<li><a${attributes({ href: link.href, lang: link.language, hreflang: link.language, 'aria-current': link.isCurrent === true ? 'true' : undefined })}>${link.title}</a></li>`,
  )}</ul></details>`;
}

function renderSections(sections: readonly SectionTab[], { words, icons }: Frame): Markup {
  if (sections.length < 2) return empty;
  const link = (section: PageLink) =>
    markup`<a${attributes({ href: section.href, 'aria-current': section.isCurrent === true ? 'true' : undefined })}>${markerOf(section, icons)}${section.title}</a>`;
  const tab = (section: SectionTab) =>
    section.children === undefined
      ? markup`<li>${link(section)}</li>`
      : markup`<li><details class="picker" data-menu><summary${classes(section.isCurrent === true && 'current')}>${markerOf(section, icons)}${section.title}${icons.draw('chevron-down')}</summary><ul>${section.children.map((child) => markup`<li>${link(child)}</li>`)}</ul></details></li>`;
  return markup`<nav class="sections" aria-label="${words.sections}"><ul>${sections.map(tab)}</ul></nav>`;
}

function renderSidebar({ navigation }: PageModel, { words, icons }: Frame): Markup {
  return markup`<aside class="sidebar" id="sidebar"><nav aria-label="${words.pages}">${renderNavigation(navigation, icons, words)}</nav></aside>`;
}

function renderCover({ cover, layout }: PageModel): Markup {
  if (cover === undefined || layout.cover === 'none') return empty;
  const names = `cover-shift-${cover.shift} cover-height-${cover.height}`;
  const image = (src: string, theme: string) =>
    markup`<img class="${`${theme} ${names}`.trim()}" src="${src}" alt="" decoding="async">`;
  return markup`<div${classes('cover', `cover-${layout.cover}`, layout.hasCoverMask && 'cover-masked')}>${
    cover.dark === undefined
      ? image(cover.light, '')
      : [image(cover.light, 'only-light'), image(cover.dark, 'only-dark')]
  }</div>`;
}

function renderPageHead(page: PageModel, frame: Frame): Markup {
  const { layout, title, description, tags, breadcrumbs } = page;
  const { words, icons } = frame;
  const trail =
    breadcrumbs.length === 0
      ? empty
      : markup`<nav class="breadcrumbs" aria-label="${words.breadcrumbs}"><ol>${breadcrumbs.map((link) => markup`<li><a href="${link.href}">${markerOf(link, icons)}${link.title}</a></li>`)}</ol></nav>`;
  const labels =
    layout.tags && tags.length > 0
      ? markup`<ul class="tags" aria-label="${words.tags}">${tags.map(({ label, icon }) => markup`<li class="tag">${icon === undefined ? empty : icons.draw(icon)}${label}</li>`)}</ul>`
      : empty;
  return markup`<header class="page-head">${trail}${layout.actions ? renderActions(page, frame) : empty}<h1${classes(!layout.title && 'visually-hidden')}>${markerOf(page, icons)}${title}</h1>${
    layout.description && description !== undefined && description !== ''
      ? markup`<p class="lead">${description}</p>`
      : empty
  }${labels}</header>`;
}

function renderActions({ addresses: { markdown, pdf, edit } }: PageModel, { words, icons }: Frame): Markup {
  const links = [
    markdown === undefined ? undefined : { href: markdown, title: words.viewMarkdown, icon: 'file-lines' },
    pdf === undefined ? undefined : { href: pdf, title: words.pdf, icon: 'file-pdf' },
    edit === undefined ? undefined : { ...edit, icon: 'pen-to-square' },
  ].filter((link) => link !== undefined);
  if (links.length === 0) return empty;
  const copy =
    markdown === undefined
      ? empty
      : markup`<li><button type="button" data-copy-page="${markdown}" hidden>${icons.draw('copy')}${words.copyPage}</button></li>`;
  return markup`<details class="picker page-actions" data-menu><summary aria-label="${words.actions}">${icons.draw('ellipsis')}</summary><ul>${copy}${links.map((link) => markup`<li><a href="${link.href}">${icons.draw(link.icon)}${link.title}</a></li>`)}</ul></details>`;
}

function renderPageFoot({ layout, previous, next, updatedAt }: PageModel, { words, icons }: Frame): Markup {
  const step = (link: PageLink | undefined, label: string, name: string, icon: string): Content =>
    link === undefined
      ? empty
      : markup`<a class="${name}" rel="${name}" href="${link.href}">${icons.draw(icon)}<span><span class="pagination-label">${label}</span><span class="pagination-title">${link.title}</span></span></a>`;
  const pagination =
    layout.pagination && (previous !== undefined || next !== undefined)
      ? markup`<nav class="pagination" aria-label="${words.pagination}">${step(previous, words.previous, 'prev', 'chevron-left')}${step(next, words.next, 'next', 'chevron-right')}</nav>`
      : empty;
  const day = updatedAt?.slice(0, 10);
  const updated =
    layout.metadata && day !== undefined
      ? markup`<p class="updated">${words.updated} <time datetime="${updatedAt}">${words.date(day)}</time></p>`
      : empty;
  return markup`<footer class="page-foot">${pagination}${updated}</footer>`;
}

function renderOutline(outline: readonly OutlineEntry[], { words }: Frame): Markup {
  return markup`<aside class="outline"><nav aria-labelledby="outline-title"><p id="outline-title">${words.onThisPage}</p><ul>${outline.map(({ level, title, anchor }) => markup`<li class="outline-${level}"><a href="#${anchor}">${title}</a></li>`)}</ul></nav></aside>`;
}

function renderFooter({ footer }: SiteFrame, { words, icons }: Frame): Markup {
  const { groups, social, copyright } = footer;
  if (groups.length === 0 && social.length === 0 && copyright === undefined) return empty;
  const columns = groups.map(
    ({ title, links }) =>
      markup`<div class="footer-group"><p>${title}</p><ul>${links.map((link) => markup`<li><a href="${link.href}">${link.title}</a></li>`)}</ul></div>`,
  );
  return markup`<footer class="site-footer" aria-label="${words.footer}"><div class="footer-groups">${columns}</div><div class="footer-end">${copyright === undefined ? empty : markup`<p>${copyright}</p>`}${
    social.length === 0
      ? empty
      : markup`<ul class="social">${social.map((link) => markup`<li><a href="${link.href}" rel="noopener" aria-label="${link.title}">${link.icon === undefined ? link.title : icons.draw(link.icon)}</a></li>`)}</ul>`
  }</div></footer>`;
}

/** The emoji or the icon in front of a title. */
function markerOf({ emoji, icon }: Pick<PageLink, 'emoji' | 'icon'>, icons: Icons): Markup {
  if (emoji !== undefined && emoji !== '')
    return markup`<span class="emoji" aria-hidden="true">${emojiOf(emoji)}</span>`;
  return icon === undefined || icon === '' ? empty : icons.draw(icon);
}

function pictures(
  logo: { readonly light: string; readonly dark?: string | undefined },
  alt: string,
  name: string,
): Markup {
  return logo.dark === undefined
    ? markup`<img class="${name}" src="${logo.light}" alt="${alt}">`
    : join([
        markup`<img class="${name} only-light" src="${logo.light}" alt="${alt}">`,
        markup`<img class="${name} only-dark" src="${logo.dark}" alt="${alt}">`,
      ]);
}
