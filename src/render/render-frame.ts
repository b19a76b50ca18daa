import { attributes, classes, empty, markup, join, Markup } from './markup.ts';
import { markerOf, type Icons } from './icons.ts';
import { renderNavigation, type NavigationEntry } from './render-navigation.ts';
import type { Words } from './words.ts';

export interface PageLink {
  readonly title: string;
  readonly href: string;
  readonly icon?: string | undefined;
  readonly emoji?: string | undefined;
  readonly description?: string | undefined;
  readonly isCurrent?: boolean | undefined;
  readonly language?: string | undefined;
}

/** An item of the header: a section or a link, or a menu of several. */
export interface SectionTab extends PageLink {
  readonly children?: readonly SectionTab[] | undefined;
  /** The style of a link in the header (default: link). */
  readonly style?: 'link' | 'button-primary' | 'button-secondary' | undefined;
}

/** A link to an account on another service. Without an address, it is only text. */
export interface SocialLink {
  readonly title: string;
  readonly href?: string | undefined;
  readonly icon?: string | undefined;
}

/** The files that the pages of a site load. */
export interface PageAssets {
  readonly styles: readonly string[];
  /** The script that runs before the page is drawn. It sets the theme. */
  readonly early: string;
  readonly script: string;
  /** The document of the frame that draws diagrams; undefined if the site draws none. */
  readonly diagrams?: string | undefined;
  readonly scripts: readonly string[];
  /** Scripts that need cookies. The reader is asked first. */
  readonly consent?:
    | {
        readonly scripts: readonly string[];
        /** The path of the cookie that stores the answer. */
        readonly path: string;
        readonly policy?: string | undefined;
      }
    | undefined;
  readonly favicon?: { readonly light: string; readonly dark?: string | undefined } | undefined;
}

/** An image for the light and one for the dark theme. */
interface Picture {
  readonly light: string;
  readonly dark?: string | undefined;
}

export interface SiteFrame {
  readonly title: string;
  readonly home: string;
  /** Whether there is a header. Without one, its contents are above the table of contents. */
  readonly hasHeader: boolean;
  readonly logo?: Picture | undefined;
  /** The target of links to other sites; undefined for the same tab. */
  readonly externalTarget?: '_blank' | undefined;
  readonly icon?: string | undefined;
  readonly emoji?: string | undefined;
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly sections: readonly SectionTab[];
  readonly variants: readonly PageLink[];
  readonly languages: readonly PageLink[];
  readonly headerLinks: readonly SectionTab[];
  readonly social: readonly SocialLink[];
  readonly footer: {
    readonly logo?: Picture | undefined;
    readonly groups: readonly { readonly title: string; readonly links: readonly PageLink[] }[];
    readonly copyright?: string | undefined;
    readonly social: readonly SocialLink[];
    /** The address of the privacy policy. */
    readonly privacyPolicy?: string | undefined;
    readonly hasTrademark: boolean;
  };
  readonly announcement?:
    | { readonly message: string; readonly style: string; readonly link?: PageLink | undefined }
    | undefined;
  readonly theme: 'light' | 'dark' | 'auto';
  readonly hasThemeToggle: boolean;
  /** The address where the visitor signs out; undefined if nobody is signed in. */
  readonly signOut?: string | undefined;
  /** The address of the search; undefined for a site without search. */
  readonly search?: string | undefined;
  /** The path of the current space below the site. A search shows its pages first. */
  readonly searchFrom?: string | undefined;
  readonly isIndexed: boolean;
}

export interface FrameContext {
  readonly words: Words;
  readonly icons: Icons;
}

/** A page of a site, without its frame. */
interface FramedPage {
  readonly site: SiteFrame;
  readonly assets: PageAssets;
  readonly title: string;
  /** Additional content of the head of the page. */
  readonly head?: Markup | undefined;
  readonly isIndexed: boolean;
  readonly navigation: readonly NavigationEntry[];
  /** Whether the table of contents is shown next to the page. On small screens it is always in the menu. */
  readonly hasSidebar: boolean;
  readonly isWide: boolean;
  readonly main: Markup;
  /** Content after the page, such as its outline. */
  readonly aside?: Markup | undefined;
}

/** Renders a whole page: the head, and the header, menu and footer of the site. */
export function renderFrame(page: FramedPage, context: FrameContext): string {
  const { site, hasSidebar, isWide, main, aside = empty } = page;
  const { words } = context;
  const document = markup`<!doctype html><html${attributes({ lang: site.language, dir: site.direction, 'data-theme': site.theme })}>${renderHead(page)}<body${attributes({ 'data-copy': words.copy, 'data-copied': words.copied, 'data-search': words.search, 'data-no-results': words.noResults, 'data-results': words.results, ...diagramAttributes(page.assets, words) })}><a class="skip" href="#~content">${words.skipToContent}</a>${renderAnnouncement(site, words)}${renderHeader(page, context)}<div${classes('layout', !hasSidebar && 'layout-plain', isWide && 'layout-wide')}>${renderSidebar(page, context)}<main id="~content" tabindex="-1">${main}</main>${aside}</div>${renderFooter(site, context)}${renderConsent(page, words)}</body></html>`;
  return document.text;
}

function diagramAttributes({ diagrams }: PageAssets, words: Words): Record<string, string> {
  return diagrams === undefined
    ? {}
    : {
        'data-diagrams': diagrams,
        'data-diagram': words.diagram,
        'data-diagram-source': words.diagramSource,
      };
}

/** Renders the question about cookies. The script of the page shows it to readers who have not answered yet. */
function renderConsent({ assets: { consent } }: FramedPage, words: FrameContext['words']): Markup {
  if (consent === undefined) return empty;
  const { scripts, path, policy } = consent;
  const link = policy === undefined ? empty : markup` <a href="${policy}">${words.privacyPolicy}</a>`;
  return markup`<div class="consent" role="region" aria-label="${words.cookies}" data-consent="${scripts.join(' ')}" data-path="${path}" hidden><p>${words.cookiesQuestion}${link}</p><button type="button" class="button button-primary" data-answer="yes">${words.cookiesAccept}</button><button type="button" class="button button-secondary" data-answer="no">${words.cookiesDecline}</button></div>`;
}

function renderHead({ site, assets, title, head = empty, isIndexed }: FramedPage): Markup {
  const whole = title === site.title ? title : `${title} | ${site.title}`;
  return markup`<head><meta charset="utf-8"><title>${whole}</title><meta name="viewport" content="width=device-width, initial-scale=1">${isIndexed && site.isIndexed ? empty : new Markup('<meta name="robots" content="noindex">')}<meta name="color-scheme" content="light dark"><script src="${assets.early}"></script>${assets.styles.map((href) => markup`<link rel="stylesheet" href="${href}">`)}<script src="${assets.script}" defer></script>${assets.scripts.map((src) => markup`<script src="${src}" defer></script>`)}${renderFavicon(assets)}${head}</head>`;
}

function renderFavicon({ favicon }: PageAssets): Markup {
  if (favicon === undefined) return empty;
  const { light, dark } = favicon;
  return dark === undefined || dark === light
    ? markup`<link rel="icon" href="${light}">`
    : markup`<link rel="icon" href="${light}" media="(prefers-color-scheme: light)"><link rel="icon" href="${dark}" media="(prefers-color-scheme: dark)">`;
}

function renderAnnouncement({ announcement, externalTarget }: SiteFrame, words: Words): Markup {
  if (announcement === undefined) return empty;
  const { link, message, style } = announcement;
  const kind = /^(?:info|success|warning|danger)$/.test(style) ? style : 'info';
  return markup`<aside class="announcement announcement-${kind}" aria-label="${words.announcement}"><p>${message}${link === undefined ? empty : markup` <a${linkAttributes(link.href, externalTarget)}>${link.title}</a>`}</p></aside>`;
}

function renderHeader(page: FramedPage, context: FrameContext): Markup {
  const { site } = page;
  const { words, icons } = context;
  // The menu opens and closes without a script: styles depend on whether it is open.
  const menu = markup`<details class="menu"><summary class="icon-button" aria-label="${words.menu}" aria-controls="~sidebar">${icons.draw('bars')}</summary></details>`;
  const tools = isHeaderless(page)
    ? empty
    : markup`${renderSearch(site, context)}${renderLinks(site, context, 'header-links')}${renderSocial(site.social, site, context, 'social header-social')}${renderThemeButton(site, context)}${renderSignOut(site, words)}`;
  return markup`<header class="site-header"><div class="header-row">${menu}${renderBrand(site, context)}<div class="header-extras">${renderPickers(site, context)}</div><div class="header-space"></div>${tools}</div>${renderSections(site, context)}</header>`;
}

/** Whether the contents of the header are above the table of contents. A page without one keeps its header. */
function isHeaderless({ site, hasSidebar }: FramedPage): boolean {
  return !site.hasHeader && hasSidebar;
}

function renderBrand(site: SiteFrame, { icons }: FrameContext): Markup {
  const brand =
    site.logo === undefined
      ? markup`${markerOf(site, icons)}<span class="brand-title" dir="auto">${site.title}</span>`
      : pictures(site.logo, site.title);
  return markup`<a class="brand" href="${site.home}">${brand}</a>`;
}

function renderSearch({ search, searchFrom }: SiteFrame, { words, icons }: FrameContext): Markup {
  if (search === undefined) return empty;
  return markup`<form class="search-form" role="search" action="${search}" method="get"><label class="visually-hidden" for="~search">${words.search}</label>${icons.draw('magnifying-glass')}<input id="~search" type="search" name="q" placeholder="${words.search}" autocomplete="off" data-search="${search}">${searchOriginField(searchFrom)}<kbd class="search-key" hidden aria-hidden="true">/</kbd></form>`;
}

/** Renders the hidden field of a form with the space from which its reader searches. */
export function searchOriginField(from: string | undefined): Markup {
  return from === undefined ? empty : markup`<input type="hidden" name="space" value="${from}">`;
}

/** A sun with rays. The icon of Font Awesome has a ring in it, and looks like the gear of settings. */
const sun = new Markup(
  '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><circle cx="12" cy="12" r="5" fill="currentColor"/><path fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" d="M12 1.5v2M12 20.5v2M1.5 12h2M20.5 12h2M4.6 4.6 6 6M18 18l1.4 1.4M4.6 19.4 6 18M18 6l1.4-1.4"/></svg>',
);

/** Renders the button that switches the theme. Only the script shows it, because it does not work without the script. */
function renderThemeButton({ hasThemeToggle }: SiteFrame, { words, icons }: FrameContext): Markup {
  if (!hasThemeToggle) return empty;
  const { themeAuto, themeLight, themeDark } = words;
  return markup`<button type="button" class="icon-button theme-toggle"${attributes({ 'data-theme-toggle': true, 'data-auto': themeAuto, 'data-light': themeLight, 'data-dark': themeDark })} aria-label="${words.changeTheme}" hidden><span class="for-auto">${icons.draw('circle-half-stroke')}</span><span class="for-light">${sun}</span><span class="for-dark">${icons.draw('moon')}</span></button>`;
}

function renderSignOut({ signOut }: SiteFrame, words: Words): Markup {
  return signOut === undefined
    ? empty
    : markup`<a class="sign-out" href="${signOut}" rel="nofollow">${words.signOut}</a>`;
}

function renderLinks(
  { headerLinks, externalTarget }: SiteFrame,
  { words, icons }: FrameContext,
  name: string,
): Markup {
  if (headerLinks.length === 0) return empty;
  const classOf = ({ style = 'link' }: SectionTab): string | undefined =>
    style === 'link' ? undefined : `button ${style}`;
  const linkTo = (link: SectionTab): Markup =>
    markup`<a${attributes({ ...externalOf(link.href, externalTarget), class: classOf(link), 'aria-current': link.isCurrent === true ? 'page' : undefined })}>${link.title}</a>`;
  const links = headerLinks.map((link) =>
    link.children === undefined
      ? linkTo(link)
      : markup`<details class="picker" data-menu><summary${attributes({ class: classOf(link) })}>${link.title}${icons.draw('chevron-down')}</summary><ul>${link.children.map((child) => markup`<li>${linkTo(child)}</li>`)}</ul></details>`,
  );
  return markup`<nav class="${name}" aria-label="${words.links}">${links}</nav>`;
}

function renderPickers(site: SiteFrame, { words, icons }: FrameContext): Markup {
  return join([
    renderPicker(site.variants, words.version, 'variants', icons),
    renderPicker(site.languages, words.language, 'languages', icons),
  ]);
}

/** Renders a menu of the other versions or languages, which opens without a script. */
function renderPicker(links: readonly PageLink[], label: string, name: string, icons: Icons): Markup {
  if (links.length < 2) return empty;
  const current = links.find(({ isCurrent }) => isCurrent === true);
  return markup`<details class="picker picker-${name}" data-menu><summary><span class="visually-hidden">${label}: </span>${current?.title ?? label}${icons.draw('chevron-down')}</summary><ul>${links.map(
    (link) =>
      markup`<li><a${attributes({ href: link.href, lang: link.language, hreflang: link.language, 'aria-current': link.isCurrent === true ? 'true' : undefined })}>${link.title}</a></li>`,
  )}</ul></details>`;
}

function renderSections({ sections, externalTarget }: SiteFrame, { words, icons }: FrameContext): Markup {
  if (countLinks(sections) < 2) return empty;
  const link = (section: PageLink, content: Markup, title?: string) =>
    markup`<a${attributes({ ...externalOf(section.href, externalTarget), title, 'aria-current': section.isCurrent === true ? 'true' : undefined })}>${markerOf(section, icons)}${content}</a>`;
  const entry = (section: SectionTab): Markup => {
    const { title, description = '', children } = section;
    if (children !== undefined)
      return markup`<li class="menu-group"><p>${markerOf(section, icons)}${title}</p><ul>${children.map(entry)}</ul></li>`;
    const note = description === '' ? empty : markup`<span class="menu-note">${description}</span>`;
    return markup`<li>${link(section, markup`<span>${title}${note}</span>`)}</li>`;
  };
  const tab = (section: SectionTab): Markup =>
    section.children === undefined
      ? markup`<li>${link(section, markup`${section.title}`, section.description)}</li>`
      : markup`<li><details class="picker" data-menu><summary${classes(section.isCurrent === true && 'current')}>${markerOf(section, icons)}${section.title}${icons.draw('chevron-down')}</summary><ul>${section.children.map(entry)}</ul></details></li>`;
  return markup`<nav class="sections" aria-label="${words.sections}"><ul>${sections.map(tab)}</ul></nav>`;
}

/** Returns the number of sections and links, including those in groups. */
function countLinks(tabs: readonly SectionTab[]): number {
  return tabs.reduce((sum, { children }) => sum + (children === undefined ? 1 : countLinks(children)), 0);
}

/**
 * Renders the table of contents. On small screens it is a menu, which also contains the parts of the header that do not fit
 * there.
 */
function renderSidebar(page: FramedPage, context: FrameContext): Markup {
  const { site, navigation } = page;
  const { words, icons } = context;
  const top = isHeaderless(page)
    ? markup`<div class="sidebar-top">${renderBrand(site, context)}${renderSearch(site, context)}${renderThemeButton(site, context)}</div>`
    : empty;
  const extras = join([
    renderPickers(site, context),
    renderLinks(site, context, 'sidebar-links'),
    renderSocial(site.social, site, context, 'social'),
    renderSignOut(site, words),
  ]);
  const entries =
    navigation.length === 0
      ? empty
      : markup`<nav class="contents" aria-label="${words.pages}">${renderNavigation(navigation, { icons, words, externalTarget: site.externalTarget })}</nav>`;
  const menu =
    top.text === '' && extras.text === ''
      ? empty
      : markup`<section aria-label="${words.menu}">${top}${extras.text === '' ? empty : markup`<div class="sidebar-extras">${extras}</div>`}</section>`;
  return markup`<div class="sidebar" id="~sidebar">${menu}${entries}</div>`;
}

function renderFooter(site: SiteFrame, context: FrameContext): Markup {
  const { footer, externalTarget } = site;
  const { words } = context;
  const { logo, groups, social, copyright, privacyPolicy, hasTrademark } = footer;
  const columns = groups.map(
    ({ title, links }) =>
      markup`<div class="footer-group"><p>${title}</p><ul>${links.map((link) => markup`<li><a${linkAttributes(link.href, externalTarget)}>${link.title}</a></li>`)}</ul></div>`,
  );
  const end = [
    copyright === undefined ? empty : markup`<p>${copyright}</p>`,
    privacyPolicy === undefined
      ? empty
      : markup`<p><a${linkAttributes(privacyPolicy, externalTarget)}>${words.privacyPolicy}</a></p>`,
    hasTrademark
      ? markup`<p class="trademark">${words.publishedWith.replace('{name}', 'docsctl')}</p>`
      : empty,
    renderSocial(social, site, context, 'social'),
  ].filter(({ text }) => text !== '');
  if (logo === undefined && columns.length === 0 && end.length === 0) return empty;
  return markup`<footer class="site-footer" aria-label="${words.footer}">${logo === undefined ? empty : markup`<div class="footer-logo">${pictures(logo, site.title)}</div>`}<div class="footer-groups">${columns}</div><div class="footer-end">${end}</div></footer>`;
}

function renderSocial(
  links: readonly SocialLink[],
  { externalTarget }: SiteFrame,
  { icons }: FrameContext,
  name: string,
): Markup {
  if (links.length === 0) return empty;
  const items = links.map(({ title, href, icon }) =>
    href === undefined
      ? markup`<li>${title}</li>`
      : markup`<li><a${attributes({ ...externalOf(href, externalTarget), 'aria-label': icon === undefined ? undefined : title, rel: 'me noopener' })}>${icon === undefined ? title : icons.draw(icon)}</a></li>`,
  );
  return markup`<ul class="${name}">${items}</ul>`;
}

/** Returns the attributes of a link that may lead to another site. */
function externalOf(
  href: string,
  target: '_blank' | undefined,
): { readonly href: string; readonly target?: string; readonly rel?: string } {
  return target !== undefined && /^https?:/i.test(href) ? { href, target, rel: 'noopener' } : { href };
}

function linkAttributes(href: string, target: '_blank' | undefined): Markup {
  return attributes({ ...externalOf(href, target) });
}

function pictures(logo: { readonly light: string; readonly dark?: string | undefined }, alt: string): Markup {
  return logo.dark === undefined
    ? markup`<img class="logo" src="${logo.light}" alt="${alt}">`
    : join([
        markup`<img class="logo only-light" src="${logo.light}" alt="${alt}">`,
        markup`<img class="logo only-dark" src="${logo.dark}" alt="${alt}">`,
      ]);
}
