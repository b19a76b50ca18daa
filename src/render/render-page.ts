import { markerOf } from './icons.ts';
import { attributes, classes, empty, markup, type Content, type Markup } from './markup.ts';
import type { OutlineEntry } from './render-context.ts';
import {
  renderFrame,
  type FrameContext,
  type PageAssets,
  type PageLink,
  type SiteFrame,
} from './render-frame.ts';
import { renderTag, type PageTag } from './page-tag.ts';
import type { NavigationEntry } from './render-navigation.ts';

/** The layout of a page, chosen by its author. */
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
  /** The vertical position of the visible part of the picture, in percent from its center, rounded to 5. */
  readonly shift: number;
  /** In pixels, rounded to 20. */
  readonly height: number;
}

/** The addresses of a page besides its current one. */
export interface PageAddresses {
  readonly canonical: string;
  readonly markdown?: string | undefined;
  readonly pdf?: string | undefined;
  readonly feed?: string | undefined;
  /** The address for editing the page, and the name of the service. */
  readonly edit?: { readonly href: string; readonly title: string } | undefined;
  /** Whether the menu of the page contains a link to its Markdown. */
  readonly showsMarkdown: boolean;
  /** The address of the MCP server of the site, if it is in the menu of the page. */
  readonly mcp?: string | undefined;
  /** Services that answer questions about the page. */
  readonly assistants: readonly { readonly href: string; readonly title: string }[];
  /** The preview image for links to the page on other services. */
  readonly preview?: string | undefined;
  /** Other languages and versions of the page. */
  readonly alternates: readonly { readonly language?: string | undefined; readonly href: string }[];
}

export interface PageModel {
  readonly site: SiteFrame;
  readonly assets: PageAssets;
  readonly title: string;
  readonly description?: string | undefined;
  readonly icon?: string | undefined;
  readonly emoji?: string | undefined;
  readonly layout: PageLayout;
  readonly cover?: Cover | undefined;
  readonly tags: readonly PageTag[];
  readonly breadcrumbs: readonly PageLink[];
  readonly navigation: readonly NavigationEntry[];
  readonly outline: readonly OutlineEntry[];
  readonly body: Markup;
  readonly previous?: PageLink | undefined;
  readonly next?: PageLink | undefined;
  /** ISO time. */
  readonly updatedAt?: string | undefined;
  readonly addresses: PageAddresses;
  /** The address for feedback about the page; undefined if the site does not ask for it. */
  readonly feedback?:
    | { readonly action: string; readonly fields: Readonly<Record<string, string>> }
    | undefined;
  readonly isIndexed: boolean;
}

/** Renders a whole page of a site. */
export function renderPage(page: PageModel, context: FrameContext): string {
  const { layout, site, assets, title, navigation, isIndexed } = page;
  const outline = layout.outline ? topOutline(page.outline) : [];
  const isBehindTitle = layout.cover === 'background' && page.cover !== undefined;
  const head = markup`${isBehindTitle ? empty : renderCover(page)}<article>${isBehindTitle ? markup`<div class="cover-frame">${renderCover(page)}${renderPageHead(page, context)}</div>` : renderPageHead(page, context)}`;
  return renderFrame(
    {
      site,
      assets,
      title,
      head: renderMetadata(page),
      isIndexed,
      navigation,
      hasSidebar: layout.tableOfContents,
      isWide: layout.isWide,
      main: markup`${head}<div class="content">${page.body}</div>${renderPageFoot(page, context)}</article>`,
      aside: outline.length > 1 ? renderOutline(outline, context) : empty,
    },
    context,
  );
}

/** Returns the headings of the two highest levels that a page uses, as levels 2 and 3. */
function topOutline(outline: readonly OutlineEntry[]): OutlineEntry[] {
  const top = Math.min(...outline.map(({ level }) => level));
  return outline.flatMap((entry) =>
    entry.level <= top + 1 ? [{ ...entry, level: entry.level - top + 2 }] : [],
  );
}

function renderMetadata({ site, title, description = '', addresses }: PageModel): Markup {
  const { canonical, alternates, markdown, feed, preview } = addresses;
  const [described, shared] =
    description === ''
      ? []
      : [
          markup`<meta name="description" content="${description}">`,
          markup`<meta property="og:description" content="${description}">`,
        ];
  return markup`${described}<link rel="canonical" href="${canonical}">${alternates.map(({ language, href }) => markup`<link rel="alternate"${attributes({ hreflang: language, href })}>`)}${markdown === undefined ? empty : markup`<link rel="alternate" type="text/markdown" href="${markdown}">`}${feed === undefined ? empty : markup`<link rel="alternate" type="application/rss+xml" href="${feed}">`}<meta property="og:type" content="article"><meta property="og:title" content="${title}"><meta property="og:site_name" content="${site.title}"><meta property="og:url" content="${canonical}">${shared}${preview === undefined ? empty : markup`<meta property="og:image" content="${preview}"><meta name="twitter:card" content="summary_large_image">`}`;
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

function renderPageHead(page: PageModel, frame: FrameContext): Markup {
  const { layout, title, description, tags, breadcrumbs } = page;
  const { words, icons } = frame;
  const trail =
    breadcrumbs.length === 0
      ? empty
      : markup`<nav class="breadcrumbs" aria-label="${words.breadcrumbs}"><ol>${breadcrumbs.map((link) => markup`<li><a href="${link.href}">${markerOf(link, icons)}${link.title}</a></li>`)}</ol></nav>`;
  const labels =
    layout.tags && tags.length > 0
      ? markup`<ul class="tags" aria-label="${words.tags}">${tags.map((tag) => markup`<li>${renderTag(tag, icons)}</li>`)}</ul>`
      : empty;
  return markup`<header class="page-head">${trail}${layout.actions ? renderActions(page, frame) : empty}<h1${classes(!layout.title && 'visually-hidden')}>${markerOf(page, icons)}${title}</h1>${
    layout.description && description !== undefined && description !== ''
      ? markup`<p class="lead">${description}</p>`
      : empty
  }${labels}</header>`;
}

function renderActions(
  { addresses: { markdown: source, showsMarkdown, pdf, edit, mcp, assistants }, site }: PageModel,
  { words, icons }: FrameContext,
): Markup {
  const markdown = showsMarkdown ? source : undefined;
  const target = site.externalTarget;
  const links = [
    markdown === undefined ? undefined : { href: markdown, title: words.viewMarkdown, icon: 'file-lines' },
    pdf === undefined ? undefined : { href: pdf, title: words.pdf, icon: 'file-pdf' },
    edit === undefined
      ? undefined
      : { href: edit.href, title: words.editOn.replace('{name}', edit.title), icon: 'pen-to-square', target },
    ...assistants.map(({ href, title }) => ({
      href,
      title: words.openIn.replace('{name}', title),
      icon: 'comments',
      target,
      'data-assistant': true,
    })),
  ].filter((link) => link !== undefined);
  if (links.length === 0 && mcp === undefined) return empty;
  const copy =
    markdown === undefined
      ? empty
      : markup`<li><button type="button" data-copy-page="${markdown}" hidden>${icons.draw('copy')}${words.copyPage}</button></li>`;
  const server =
    mcp === undefined
      ? empty
      : markup`<li><button type="button" data-copy-text="${mcp}" hidden>${icons.draw('server')}${words.copyMcp}</button></li>`;
  return markup`<details class="picker page-actions" data-menu><summary aria-label="${words.actions}">${icons.draw('ellipsis')}</summary><ul>${copy}${links.map(({ href, title, icon, ...more }) => markup`<li><a${attributes({ href, rel: href.startsWith('/') ? undefined : 'noopener', ...more })}>${icons.draw(icon)}${title}</a></li>`)}${server}</ul></details>`;
}

function renderPageFoot(
  { layout, previous, next, updatedAt, feedback }: PageModel,
  { words, icons }: FrameContext,
): Markup {
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
  return markup`<footer class="page-foot">${renderFeedback(feedback, words)}${pagination}${updated}</footer>`;
}

/** Renders the feedback form, which works without a script. */
function renderFeedback(feedback: PageModel['feedback'], words: FrameContext['words']): Markup {
  if (feedback === undefined) return empty;
  const hidden = Object.entries(feedback.fields).map(
    ([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`,
  );
  const button = (value: string, label: string) =>
    markup`<button class="feedback-button" name="rating" value="${value}">${label}</button>`;
  return markup`<form class="feedback" method="post" action="${feedback.action}" data-feedback="${words.feedbackThanks}">${hidden}<fieldset><legend>${words.feedbackQuestion}</legend>${button('good', words.feedbackGood)}${button('ok', words.feedbackOk)}${button('bad', words.feedbackBad)}</fieldset><details><summary>${words.feedbackComment}</summary><textarea name="comment" maxlength="512" rows="3" aria-label="${words.feedbackComment}"></textarea></details></form>`;
}

function renderOutline(outline: readonly OutlineEntry[], { words }: FrameContext): Markup {
  return markup`<nav class="outline" aria-labelledby="~outline"><p id="~outline">${words.onThisPage}</p><ul>${outline.map(({ level, title, anchor }) => markup`<li class="outline-${level}"><a href="#${anchor}">${title}</a></li>`)}</ul></nav>`;
}
