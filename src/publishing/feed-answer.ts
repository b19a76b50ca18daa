import { createHash } from 'node:crypto';
import { markup } from '../render/markup.ts';
import type { UpdateEntry } from '../render/render-context.ts';
import { redirectTo } from './answer-headers.ts';
import { missing } from './notices.ts';
import { wordsFor } from './open-frame.ts';
import { hrefOf, type OpenSpace } from './page-links.ts';
import { isSamePath } from './request-addresses.ts';
import { drawPage, feedHref } from './show-page.ts';
import type { SiteAnswer } from './site-request.ts';
import type { SitePage } from './space-pages.ts';
import { visitorEvent } from './visitor-event.ts';
import type { Visit } from './visit.ts';

/** Maximum number of updates in a feed. */
const maxItems = 50;

/** Answers with the updates of a page as RSS 2.0 (https://www.rssboard.org/rss-specification), in the order of the page. */
export async function feedAnswer(visit: Visit, open: OpenSpace, page: SitePage): Promise<SiteAnswer> {
  const { request, view, cache } = visit;
  const canonical = feedHref(open, page);
  const { body } = await cache.get(
    view,
    open,
    page,
    async () => {
      const { updates, versions } = await drawPage(view, open, page, view.origin);
      const { language } = wordsFor(view, open);
      const feed = feedOf(visit, { open, page, updates, language });
      return { body: Buffer.from(feed), versions, blocks: [] };
    },
    'feed',
  );
  if (body.length === 0) return missing(visit, open);
  if (!isSamePath(request.path, canonical)) return redirectTo(canonical, { permanent: true });
  visit.onEvent?.(visitorEvent(visit, open, page, { type: 'rss_request' }));
  return { status: 200, headers: { 'content-type': 'application/rss+xml; charset=utf-8' }, body };
}

interface Feed {
  readonly open: OpenSpace;
  readonly page: SitePage;
  readonly updates: readonly UpdateEntry[];
  readonly language: string;
}

/** Writes a feed; an empty text for a page without updates. */
function feedOf({ view }: Visit, { open, page, updates, language }: Feed): string {
  if (updates.length === 0) return '';
  const url = view.origin + hrefOf(open, page);
  const ids = idsOf(page, updates);
  const items = updates.slice(0, maxItems).map(({ title, date, tags, anchor, body }, index) => {
    const time = timeOf(date);
    return markup`<item><title>${title === '' ? date : title}</title><link>${url}#${anchor}</link><guid isPermaLink="false">${ids[index]}</guid>${time === undefined ? '' : markup`<pubDate>${time}</pubDate>`}${tags.map((tag) => markup`<category>${tag}</category>`)}<description>${withWholeLinks(body.text, url, view.origin)}</description></item>`;
  });
  const site = view.titleOf(open.shown);
  const newest = updates.map(({ date }) => timeOf(date)).find((time) => time !== undefined);
  const channel = markup`<title>${page.title} | ${site}</title><link>${url}</link><description>${page.description || page.title}</description><language>${language}</language><lastBuildDate>${newest ?? new Date(page.updatedAt).toUTCString()}</lastBuildDate><generator>docsctl</generator><atom:link href="${view.origin}${feedHref(open, page)}" rel="self" type="application/rss+xml"/>${items}`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${markup`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>${channel}</channel></rss>`.text}\n`.toWellFormed();
}

/**
 * Returns the IDs of updates. They are made from the page, the date and the title, so that a new update does not change other
 * IDs. Equal updates are numbered from the last to the first, because new ones are added at the top.
 */
function idsOf(page: SitePage, updates: readonly UpdateEntry[]): string[] {
  const seen = new Map<string, number>();
  return updates
    .toReversed()
    .map(({ date, title }) => {
      const key = JSON.stringify([page.id, date, title]);
      const number = (seen.get(key) ?? 0) + 1;
      seen.set(key, number);
      const hash = createHash('sha256').update(key).digest('hex').slice(0, 20);
      return number === 1 ? hash : `${hash}-${number}`;
    })
    .toReversed();
}

/** Formats a day for RSS (RFC 822); undefined for a text that is not a day. */
function timeOf(date: string): string | undefined {
  const time = new Date(/^\d{4}-\d\d-\d\d$/.test(date) ? `${date}T00:00:00Z` : date);
  return Number.isNaN(time.getTime()) ? undefined : time.toUTCString();
}

/** Returns the HTML of an update for feed readers: with absolute URLs, without buttons and icons. */
function withWholeLinks(html: string, url: string, origin: string): string {
  return html
    .replace(/<(button|svg)\b[^>]*>.*?<\/\1>/gs, '')
    .replace(/ (?:class|id|data-[\w-]+)="[^"]*"/g, '')
    .replace(/ (href|src|poster)="([#/])/g, (_, name: string, start: string) =>
      start === '#' ? ` ${name}="${url}#` : ` ${name}="${origin}/`,
    );
}
