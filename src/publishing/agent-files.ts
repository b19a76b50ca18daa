import { markup, type Markup } from '../render/markup.ts';
import { MarkdownLinks } from './markdown-links.ts';
import { withoutComments } from '../richtext/without-comments.ts';
import { hrefOf, type OpenSpace } from './page-links.ts';
import { isListedPage } from './page-address.ts';
import { readDescribed } from './page-document.ts';
import { markdownHref } from './show-page.ts';
import { indexedPages, maxPagesInSitemap, sitemapNames } from './sitemap-names.ts';
import type { ShownSpace, SiteMap } from './site-map.ts';
import type { SiteView } from './site-view.ts';
import { documentsOf, type SitePage } from './space-pages.ts';

/** Writes robots.txt. Only public sites allow search engines, and they may disallow AI agents. */
export function robotsOf({ map, origin }: SiteView): string {
  if (map.site.visibility !== 'public') return 'User-agent: *\nDisallow: /\n';
  const agents =
    map.site.agentsContext === 'excluded'
      ? `${agentNames.map((name) => `User-agent: ${name}`).join('\n')}\nDisallow: ${map.base}\n\n`
      : '';
  return `${agents}User-agent: *\nAllow: ${map.base}\nDisallow: ${map.base}~gitbook/\n\nSitemap: ${origin}${map.base}sitemap.xml\n`;
}

/** Returns the spaces to list: those that are not hidden on the site. */
export function listedSpaces({ spaces }: SiteMap): ShownSpace[] {
  return spaces.filter(({ row }) => !row.hidden);
}

/** User agents of programs that read sites for language models, as their makers publish them. */
const agentNames = [
  'GPTBot',
  'ChatGPT-User',
  'OAI-SearchBot',
  'ClaudeBot',
  'Claude-User',
  'Claude-SearchBot',
  'anthropic-ai',
  'Google-Extended',
  'PerplexityBot',
  'Perplexity-User',
  'CCBot',
  'Applebot-Extended',
  'Bytespider',
  'meta-externalagent',
];

/** Writes a sitemap index with the sitemaps of all spaces. */
export async function sitemapIndexOf(view: SiteView): Promise<string> {
  const opened = await Promise.all(listedSpaces(view.map).map((shown) => view.openSpace(shown)));
  const entries = opened.flatMap((open) =>
    sitemapNames(open).map(
      (name) => markup`<sitemap><loc>${view.origin}${open.shown.base}${name}</loc></sitemap>`,
    ),
  );
  return xml(
    markup`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</sitemapindex>`,
  );
}

/** Writes a sitemap of a space: the pages that search engines may list, with their canonical addresses. */
export async function sitemapOf(view: SiteView, open: OpenSpace, at: number): Promise<string> {
  const entries: Markup[] = [];
  const start = at * maxPagesInSitemap;
  for (const page of indexedPages(open).slice(start, start + maxPagesInSitemap))
    if (await isListedPage(view, open, page))
      entries.push(
        markup`<url><loc>${view.origin}${hrefOf(open, page)}</loc><lastmod>${page.updatedAt.slice(0, 10)}</lastmod></url>`,
      );
  return xml(markup`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`);
}

/** Writes llms.txt: the pages of the site with the addresses of their Markdown. */
export async function llmsOf(view: SiteView): Promise<string> {
  const lines = [`# ${line(view.titleOf())}`, ''];
  const described = new Set<string>();
  for (const shown of listedSpaces(view.map)) {
    const open = await view.openSpace(shown);
    const listed = documentsOf(open.pages.roots).filter(({ isSearched }) => isSearched);
    // The visitor may not see any page of the space.
    if (listed.length === 0) continue;
    lines.push(
      `## ${line(shown.section === undefined ? shown.title : `${shown.section.row.title}: ${shown.title}`)}`,
      '',
    );
    const { id = '', description: about = '' } = shown.section?.row ?? {};
    if (about !== '' && !described.has(id)) lines.push(line(about), '');
    described.add(id);
    for (const page of listed) {
      const description =
        page.description === undefined || page.description === '' ? '' : `: ${line(page.description)}`;
      lines.push(`- [${line(page.title)}](${view.origin}${markdownHref(open, page)})${description}`);
    }
    lines.push('');
  }
  return lines.join('\n');
}

/** Writes a page as Markdown for readers: its title, its description and its text. Its links are absolute. */
export async function markdownPageOf(
  view: SiteView,
  open: OpenSpace,
  page: SitePage,
  links = new MarkdownLinks(view, open),
): Promise<string> {
  const text = withoutComments(await readDescribed(view.contentOf(open.shown), page)).trim();
  const [heading, rest] = splitHeading(await links.absolute(text, page));
  const title = heading ?? `# ${line(page.title)}`;
  // A description is plain text, also if it starts like a heading, a list or a quote.
  const description = line(page.description ?? '').replace(/^(?=[#>+*-])|(?<=^\d{1,9})(?=[.)])/, '\\');
  const parts = [title, description, rest].filter((part) => part !== '');
  return `${parts.join('\n\n')}\n`;
}

/** Splits a text into the level-1 heading at its start and the rest. */
function splitHeading(text: string): [heading: string | undefined, rest: string] {
  const [heading] = /^# [^\n]*/.exec(text) ?? [];
  return [heading?.trimEnd(), heading === undefined ? text : text.slice(heading.length).trim()];
}

function xml(content: Markup): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${content.text}\n`;
}

/** Converts a text to one line of Markdown without links and HTML. */
function line(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[[\]\\]|<(?=[a-z/!?])/gi, '\\$&')
    .trim();
}
