import { readBytes } from '../content/blobs.ts';
import { isoTime } from '../core/clock.ts';
import { readFresh, urlIn, type Core } from '../core/embedded.ts';
import type { ReadTransaction } from '../core/store.ts';
import { renderNavigation } from '../render/render-navigation.ts';
import { wordsOf } from '../render/words.ts';
import { directAddress, hasOwnHost, readerAddress } from '../resources/sites/address.ts';
import { visitorKeys } from '../resources/site-publishing-auth/rows.ts';
import { capturedBy, findRedirect } from '../resources/site-redirects/match.ts';
import { appendPath } from '../resources/site-redirects/targets.ts';
import type { SiteRedirectRow } from '../resources/site-redirects/rows.ts';
import { segmentOf } from '../resources/site-structure/paths.ts';
import { admitVisitor, type AdmittedVisitor } from './admit-visitor.ts';
import { llmsFullOf, llmsOf, markdownPageOf, robotsOf, sitemapIndexOf, sitemapOf } from './agent-files.ts';
import { commonHeaders, fileHeaders, redirectTo } from './answer-headers.ts';
import { locateSite, type LocatedSite } from './locate-site.ts';
import { renderNotice } from './notice-page.ts';
import { hrefOf, type OpenSpace } from './page-links.ts';
import { createBranch } from './page-navigation.ts';
import { maxQueryLength, searchSite } from './search-site.ts';
import type { PageCache } from './page-cache.ts';
import { showPage, themeFile } from './show-page.ts';
import { openSiteFiles } from './site-files.ts';
import { findSpace } from './site-map.ts';
import { decode, type SiteAnswer, type SiteRequest } from './site-request.ts';
import { SiteView } from './site-view.ts';
import { firstDocument, type SitePage } from './space-pages.ts';
import { similarPages } from './similar-pages.ts';

/** A site as one request finds it. */
interface Visit {
  readonly request: SiteRequest;
  readonly located: LocatedSite;
  readonly visitor: AdmittedVisitor;
  readonly view: SiteView;
  readonly cache: PageCache;
  /** Whether the answer depends on who asks. */
  readonly isPrivate: boolean;
}

const html = { 'content-type': 'text/html; charset=utf-8' };
const plain = { 'content-type': 'text/plain; charset=utf-8' };
const markdown = { 'content-type': 'text/markdown; charset=utf-8' };
const xml = { 'content-type': 'application/xml; charset=utf-8' };

/** Answers a request to a published site. All of an answer is read in one transaction. */
export async function answerSite(core: Core, cache: PageCache, request: SiteRequest): Promise<SiteAnswer> {
  return readFresh(core.store, (view) => answerIn(core, cache, view, request));
}

async function answerIn(
  core: Core,
  cache: PageCache,
  tx: ReadTransaction,
  request: SiteRequest,
): Promise<SiteAnswer> {
  const url = (path: string): string => urlIn(core, path);
  const located = await locateSite(tx, request);
  if (located === undefined) return unknownSite(request);
  const { site, organization, base } = located;
  const address = readerAddress({ url, organization }, site);
  const visitor = await admitVisitor(located, request, {
    view: tx,
    now: isoTime(core.clock()),
    audience: [site.id, address, address.replace(/\/$/, '')],
  });
  if (visitor.kind === 'unknown') return unknownSite(request);
  const canonical = canonicalAddress(located, request, address, url);
  if (canonical !== undefined) return redirectTo(canonical, { permanent: true });
  const place = {
    isSecure: request.isSecure || address.startsWith('https:'),
    isPrivate:
      visitor.kind !== 'admitted' ||
      visitor.isPrivate ||
      visitor.cookies.length > 0 ||
      site.visibility === 'visitor-auth',
    hasKey: site.visibility === 'share-link',
  };
  const headers = commonHeaders(place);
  if (visitor.kind === 'unauthenticated') {
    // Robots may know that they may read nothing.
    if (located.segments.join('/') === 'robots.txt')
      return { status: 200, headers: { ...headers, ...plain }, body: 'User-agent: *\nDisallow: /\n' };
    const asset = assetOf(located.segments);
    if (asset !== undefined) return asset;
    const fallback = (await tx.get(visitorKeys, site.id))?.fallbackURL;
    if (fallback !== undefined) return redirectTo(signInAddress(fallback, located), { headers });
    const words = wordsOf('en');
    return {
      status: 401,
      headers: { ...headers, ...html },
      body: renderNotice({ title: words.signIn, base }, words, 'en'),
    };
  }
  if (visitor.isToRedirect)
    return redirectTo(withoutCredentials(request), {
      headers: { ...headers, 'set-cookie': visitor.cookies },
    });
  const origin = new URL(address).origin;
  const view = await SiteView.open(located, visitor, { tx, url, origin });
  const answer = await answerVisit({ request, located, visitor, view, cache, isPrivate: place.isPrivate });
  return { ...answer, headers: { ...headers, ...answer.headers } };
}

async function answerVisit(visit: Visit): Promise<SiteAnswer> {
  const { request, visitor, view, cache } = visit;
  const { segments } = visitor;
  const asset = assetOf(segments) ?? themeOf(view, segments);
  if (asset !== undefined) return asset;
  const special = await specialAnswer(visit, segments);
  if (special !== undefined) return special;
  const found = findSpace(view.map, segments);
  if (found === undefined) {
    const [first] = view.map.spaces;
    // The space at the root may be for other visitors.
    return segments.length === 0 && first !== undefined ? redirectTo(first.base) : missing(visit, undefined);
  }
  const open = await view.openSpace(found.shown);
  if (found.segments[0] === '~files') return fileAnswer(visit, open, found.segments[1] ?? '');
  const [last = ''] = found.segments.slice(-1);
  if (last === 'sitemap-pages.xml' && found.segments.length === 1 && view.map.site.visibility === 'public')
    return { status: 200, headers: xml, body: sitemapOf(view, open) };
  const isMarkdown = last.endsWith('.md');
  const path = found.segments.join('/').replace(/\.md$/, '');
  const wantsMarkdown = isMarkdown || /^\s*text\/markdown\b/i.test(request.accept ?? '');
  const page = pageAt(open, isMarkdown && path === 'index' ? '' : path);
  if (page === undefined) return (await redirectAnswer(visit)) ?? fallbackAnswer(visit, open);
  if (page.type !== 'document') {
    const first = firstDocument(page.children);
    return first === undefined ? missing(visit, open) : redirectTo(hrefOf(open, first));
  }
  if (wantsMarkdown) return { status: 200, headers: markdown, body: await markdownPageOf(view, open, page) };
  const canonical = hrefOf(open, page);
  if (!isSamePath(request.path, canonical))
    return redirectTo(canonical + queryOf(request), { permanent: true });
  return {
    status: 200,
    headers: html,
    body: await cache.get(view, open, page, () => showPage(view, open, page)),
  };
}

/** The page at a path; the first one at the root of its space. */
function pageAt(open: OpenSpace, path: string): SitePage | undefined {
  return path === '' ? firstDocument(open.pages.roots) : open.pages.byPath.get(path.toLowerCase());
}

async function specialAnswer(visit: Visit, segments: readonly string[]): Promise<SiteAnswer | undefined> {
  const { request, view } = visit;
  const { site } = view.map;
  switch (segments.join('/')) {
    case 'robots.txt':
      return { status: 200, headers: plain, body: robotsOf(view) };
    case 'sitemap.xml':
      return site.visibility === 'public'
        ? { status: 200, headers: xml, body: sitemapIndexOf(view) }
        : missing(visit, undefined);
    case 'llms.txt':
    case 'llms-full.txt': {
      if (site.agentsContext === 'excluded') return missing(visit, undefined);
      const body = segments[0] === 'llms.txt' ? await llmsOf(view) : await llmsFullOf(view);
      return { status: 200, headers: markdown, body };
    }
    case '~gitbook/search':
      return searchAnswer(visit, (request.query.get('q') ?? '').slice(0, maxQueryLength));
    case '~gitbook/navigation':
      return branchAnswer(visit, request.query.get('page') ?? '');
    case '~gitbook/visitor':
      return { status: 200, headers: jsonHeaders, body: JSON.stringify({ claims: view.map.claims }) };
    default:
      return undefined;
  }
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };

async function searchAnswer({ request, view }: Visit, query: string): Promise<SiteAnswer> {
  const items = await searchSite(view, query);
  if (/\bapplication\/json\b/.test(request.accept ?? ''))
    return { status: 200, headers: jsonHeaders, body: JSON.stringify({ items }) };
  const { language, words } = wordsFor(view);
  const body = renderNotice(
    {
      title: words.search,
      text: query !== '' && items.length === 0 ? words.noResults : undefined,
      base: view.map.base,
      search: { action: `${view.map.base}~gitbook/search`, query },
      results: items.map(({ section, title, ...item }) => ({
        ...item,
        title: section === undefined ? title : `${title} › ${section}`,
      })),
    },
    words,
    language,
  );
  return { status: 200, headers: html, body };
}

async function branchAnswer(visit: Visit, id: string): Promise<SiteAnswer> {
  const { view } = visit;
  for (const shown of view.map.spaces) {
    const open = await view.openSpace(shown);
    const page = open.pages.byId.get(id);
    if (page === undefined) continue;
    const { words } = wordsFor(view);
    const entries = createBranch(open, page, view.map.base);
    const body = renderNavigation(entries, openSiteFiles().icons, words).text;
    return { status: 200, headers: html, body };
  }
  return missing(visit, undefined);
}

async function fileAnswer(visit: Visit, open: OpenSpace, id: string): Promise<SiteAnswer> {
  const file = open.pages.files.get(id);
  if (file === undefined) return missing(visit, open);
  const body = await readBytes(visit.view.tx, file.blob);
  return {
    status: 200,
    headers: {
      ...fileHeaders(file.contentType, file.name),
      etag: `"${file.blob}"`,
      ...(visit.isPrivate ? {} : { 'cache-control': 'public, max-age=300' }),
    },
    body,
  };
}

/** The answer of the redirect of a site for the path, if there is one that leads to what the visitor may see. */
async function redirectAnswer({ view, visitor, request }: Visit): Promise<SiteAnswer | undefined> {
  const { map, tx } = view;
  const path = `/${visitor.segments.join('/')}`;
  const redirect = await findRedirect(tx, map.site.id, path);
  if (redirect === undefined) return undefined;
  const target = await targetFor(view, redirect.destination);
  if (target === undefined) return undefined;
  const captured = redirect.captureWildcard ? capturedBy(redirect, path) : '';
  // What a reader wrote cannot change the host, nor lead out of the target.
  const rest = captured
    .split(/[\\/]/)
    .filter((segment) => !/^\.{0,2}$/.test(segment))
    .map(segmentOf)
    .join('/');
  const { permanent } = redirect;
  if (redirect.destination.kind === 'external') return redirectTo(appendPath(target, rest), { permanent });
  const joined = rest === '' ? target : `${target.replace(/\/$/, '')}/${rest}`;
  return redirectTo(joined + queryOf(request), { permanent });
}

/** Where a redirect leads for this visitor: a path of the site, or a URL. */
async function targetFor(
  view: SiteView,
  destination: SiteRedirectRow['destination'],
): Promise<string | undefined> {
  const { spaces } = view.map;
  switch (destination.kind) {
    case 'external':
      return destination.url;
    case 'site-section':
      return spaces.find(({ section }) => section?.row.id === destination.siteSectionId)?.section?.base;
    case 'site-space':
      return spaces.find(({ row }) => row.id === destination.siteSpaceId)?.base;
    case 'site-page': {
      const shown = spaces.find(({ row }) => row.id === destination.siteSpaceId);
      const open = shown && (await view.openSpace(shown));
      const page = open?.pages.byId.get(destination.pageId);
      return open === undefined || page === undefined ? undefined : hrefOf(open, page);
    }
  }
}

/** Another version of a page that this space does not have: its first page. */
function fallbackAnswer(visit: Visit, open: OpenSpace): SiteAnswer {
  return visit.request.query.get('fallback') === 'true' ? redirectTo(open.shown.base) : missing(visit, open);
}

function missing({ view, visitor }: Visit, open: OpenSpace | undefined): SiteAnswer {
  const { language, words } = wordsFor(view, open);
  const similar =
    open === undefined
      ? []
      : similarPages(open, visitor.segments).map((page) => ({ href: hrefOf(open, page), title: page.title }));
  const body = renderNotice(
    {
      title: words.notFound,
      text: similar.length === 0 ? undefined : words.similarPages,
      base: view.map.base,
      search: {
        action: `${view.map.base}~gitbook/search`,
        query: visitor.segments.at(-1)?.replace(/[-_]+/g, ' ') ?? '',
      },
      links: [...similar, { href: view.map.base, title: view.map.site.title }],
    },
    words,
    language,
  );
  return { status: 404, headers: html, body };
}

function unknownSite(request: SiteRequest): SiteAnswer {
  const words = wordsOf('en');
  const headers = commonHeaders({ isSecure: request.isSecure, isPrivate: true, hasKey: true });
  return {
    status: 404,
    headers: { ...headers, ...html },
    body: renderNotice({ title: words.notFound }, words, 'en'),
  };
}

function wordsFor(view: SiteView, open?: OpenSpace) {
  const language =
    open?.shown.space.language ?? view.customizationOf(open?.shown).internationalization.locale;
  return { language, words: wordsOf(language) };
}

/** The address of a request at the one base that the site has; undefined where it is there already. */
function canonicalAddress(
  { site, organization, base }: LocatedSite,
  { path, query }: SiteRequest,
  address: string,
  url: (path: string) => string,
): string | undefined {
  const own = new URL(hasOwnHost(site) ? address : directAddress({ url, organization }, site));
  if (base === own.pathname || site.proxy !== null) return undefined;
  const place = own.pathname + path.slice(base.length) + searchOf(query);
  return hasOwnHost(site) ? own.origin + place : place;
}

/** Where a visitor signs in, with the path that the backend is to lead back to. */
function signInAddress(fallback: string, { segments }: LocatedSite): string {
  const url = new URL(fallback);
  url.searchParams.set('location', `/${segments.map(encodeURIComponent).join('/')}`);
  return url.href;
}

/** A file that pages of all sites load. */
function assetOf(segments: readonly string[]): SiteAnswer | undefined {
  if (segments.length !== 2 || segments[0] !== '~assets') return undefined;
  const { styles, script, early } = openSiteFiles();
  const file = [styles, script, early].find(({ name }) => name === segments[1]);
  return file === undefined
    ? undefined
    : { status: 200, headers: { 'content-type': file.contentType, ...forever }, body: file.bytes };
}

const forever = { 'cache-control': 'public, max-age=31536000, immutable' };

/** The colors and fonts of the site, or of one of its spaces. Old names get the present ones, for a short time. */
function themeOf(view: SiteView, segments: readonly string[]): SiteAnswer | undefined {
  if (segments.length !== 2 || segments[0] !== '~assets' || !segments[1]?.startsWith('theme-'))
    return undefined;
  const files = [undefined, ...view.map.spaces].map((shown) => themeFile(view, shown));
  const exact = files.find(({ name }) => name === segments[1]);
  const file = exact ?? files[0];
  return file === undefined
    ? undefined
    : {
        status: 200,
        headers: { 'content-type': file.contentType, ...(exact === undefined ? {} : forever) },
        body: file.bytes,
      };
}

/** The address of a request without tokens and claims, which cookies keep. */
function withoutCredentials({ path, query }: SiteRequest): string {
  return safePath(path) + searchOf(query, (name) => name !== 'jwt_token' && !name.startsWith('visitor.'));
}

function queryOf({ query }: SiteRequest): string {
  return searchOf(query, (name) => name !== 'fallback');
}

/** The query of an address with its question mark; '' where there is none. */
function searchOf(query: URLSearchParams, keep: (name: string) => boolean = () => true): string {
  const text = new URLSearchParams([...query].filter(([name]) => keep(name))).toString();
  return text === '' ? '' : `?${text}`;
}

/** A path that a browser cannot take for the address of another host. */
function safePath(path: string): string {
  return `/${path.replace(/^[/\\]+/, '')}`;
}

/** Whether two paths differ in their encoding at most. */
function isSamePath(one: string, other: string): boolean {
  return (decode(one) ?? one) === (decode(other) ?? other);
}
