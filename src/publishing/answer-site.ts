import { readBytes } from '../content/blobs.ts';
import { defined, ownValue } from '../contract/values.ts';
import { isoTime } from '../core/clock.ts';
import { readFresh, servicesOf, urlIn, type Core } from '../core/embedded.ts';
import { yieldingTransaction } from '../core/yielding-transaction.ts';
import { Deferred, type Services } from '../core/handler.ts';
import type { ReadTransaction } from '../core/store.ts';
import { isProblem } from '../errors/problem.ts';
import { readerAddress, tokenAudience } from '../resources/sites/address.ts';
import { serverHosts } from '../resources/custom-hostnames/rules.ts';
import { visitorKeys } from '../resources/site-publishing-auth/rows.ts';
import { admitVisitor, signOutCookies } from './admit-visitor.ts';
import { markdownPageOf } from './agent-files.ts';
import {
  commonHeaders,
  contentPolicyWith,
  fileHeaders,
  notIndexed,
  partHeaders,
  redirectTo,
} from './answer-headers.ts';
import { assetOf, themeOf } from './assets.ts';
import { html, markdown, plain } from './content-types.ts';
import { siteEndpoints, sitePosts, spaceEndpoint } from './endpoints.ts';
import { fillSlots } from './block-slots.ts';
import { feedAnswer } from './feed-answer.ts';
import { findDefaultSite, locateSite } from './locate-site.ts';
import { canonicalHeader } from './meta-links.ts';
import { customizationOf } from '../resources/site-customization/shape.ts';
import { bareNotice, missing, unknownSite, onlyMethods } from './notices.ts';
import type { PageCache } from './page-cache.ts';
import { hrefOf, pageAt, type OpenSpace } from './page-links.ts';
import { pageWithBlocks } from './page-with-blocks.ts';
import { movedAnswer } from './redirect-answer.ts';
import {
  beforeProxy,
  canonicalAddress,
  isSamePath,
  queryOf,
  signInAddress,
  signOutPath,
  withoutCredentials,
} from './request-addresses.ts';
import { readComputing } from './read-computing.ts';
import { markdownHref, showPage } from './show-page.ts';
import { findSpace } from './site-map.ts';
import { scriptAnswer } from './script-answer.ts';
import { scriptOrigins } from './site-scripts.ts';
import {
  isFromElsewhere,
  wantsMarkdown,
  type CountedEvent,
  type EndpointAnswer,
  type SiteAnswer,
  type SiteRequest,
} from './site-request.ts';
import { SiteView } from './site-view.ts';
import { firstDocument, isUnlisted, type SitePage } from './space-pages.ts';
import { visitorEvent } from './visitor-event.ts';
import type { Visit } from './visit.ts';

/** Options of `answerSite`. */
interface AnswerOptions {
  /** Whether answers include the event to count (default false). */
  readonly counts?: boolean;
  /** Maximum milliseconds to wait for an index that lags behind (default: no limit). */
  readonly maxWait?: number;
  /** Called before work that blocks this thread for long. It may throw to stop it (default: does nothing). */
  readonly onHeavy?: (() => void) | undefined;
  /** Answers the same request in another thread (default: the whole answer is made in this thread). */
  readonly answerApart?: (() => Promise<SiteAnswer>) | undefined;
  /** Maximum milliseconds to wait for pages that scripts compute. After that, the answer leaves them out (default: no limit). */
  readonly scriptWait?: number;
}

/**
 * Answers a request to a published site. An answer is read in one transaction, which yields to other work between its reads. Slow
 * answers, such as a PDF, are made afterwards in short transactions.
 *
 * @throws Problem(timed-out) after `maxWait`
 */
export async function answerSite(
  core: Core,
  cache: PageCache,
  request: SiteRequest,
  { counts = false, maxWait, scriptWait, onHeavy, answerApart }: AnswerOptions = {},
): Promise<SiteAnswer> {
  let counted: CountedEvent | undefined;
  const services = (): Services => servicesOf(core);
  const read = (view: ReadTransaction): Promise<EndpointAnswer> => {
    // If the read runs again, its event must not be counted twice.
    counted = undefined;
    const onEvent = counts ? (event: CountedEvent): void => void (counted = event) : undefined;
    return answerIn(core, cache, yieldingTransaction(view), request, { onEvent, onHeavy, answerApart });
  };
  const made = await finish(services, () =>
    readComputing(services, () => readFresh(core.store, read, defined({ maxWait })), scriptWait),
  );
  return counted === undefined ? made : { ...made, counted };
}

/**
 * Finishes an answer after its transaction. If a space was permanently removed in the meantime, the answer is read again. If the
 * store is damaged, it fails again.
 */
export async function finish(
  services: () => Services,
  read: () => Promise<EndpointAnswer>,
): Promise<SiteAnswer> {
  const attempt = async (): Promise<SiteAnswer> => {
    const answer = await read();
    return answer instanceof Deferred ? answer.make(services()) : answer;
  };
  return attempt().catch((error: unknown) => {
    if (!isProblem(error, 'store-failed')) throw error;
    return attempt();
  });
}

async function answerIn(
  core: Core,
  cache: PageCache,
  tx: ReadTransaction,
  sent: SiteRequest,
  {
    onEvent,
    onHeavy,
    answerApart,
  }: Pick<AnswerOptions, 'onHeavy' | 'answerApart'> & {
    onEvent?: ((event: CountedEvent) => void) | undefined;
  },
): Promise<EndpointAnswer> {
  const url = (path: string): string => urlIn(core, path);
  // These files are the same for all sites and all visitors.
  const shared = assetOf(sent.path.split('/').slice(1));
  if (shared !== undefined) return { ...shared, isShared: true };
  // Sites are also available below the hosts of the server, even if they have a custom hostname.
  const isServerHost = serverHosts(url).includes(sent.host.replace(/:\d+$/, '').toLowerCase());
  const found = await locateSite(tx, isServerHost ? { ...sent, host: '' } : sent);
  if (found === undefined) {
    const first = isServerHost ? await findDefaultSite(tx, sent.path) : undefined;
    return first === undefined
      ? unknownSite(sent)
      : redirectTo(readerAddress({ url, organization: first.organization }, first.site), {
          headers: commonHeaders({
            isSecure: sent.isSecure,
            isPrivate: true,
            hasKey: false,
            isIndexed: true,
          }),
        });
  }
  const { site, organization } = found;
  const address = readerAddress({ url, organization }, site);
  const { located, request } = beforeProxy(found, sent, address);
  const visitor = await admitVisitor(located, request, {
    view: tx,
    now: isoTime(core.clock()),
    audience: tokenAudience({ url, organization }, site),
  });
  if (visitor.kind === 'unknown') return unknownSite(request);
  const place = {
    isSecure: request.isSecure || address.startsWith('https:'),
    isPrivate:
      visitor.kind !== 'admitted' ||
      visitor.isPrivate ||
      visitor.cookies.length > 0 ||
      site.visibility === 'visitor-auth',
    hasKey: site.visibility === 'share-link',
    isIndexed: site.visibility === 'public',
  };
  const headers = commonHeaders(place);
  const canonical = canonicalAddress(located, request, address, url);
  // No cache headers, because browsers would keep the redirect even after the address of the site changes.
  if (canonical !== undefined) return redirectTo(canonical, { permanent: true, headers });
  const textAnswer = (status: number, body: string): SiteAnswer => ({
    status,
    headers: { ...headers, ...plain },
    body: `${body}\n`,
  });
  if (request.method === 'POST' && isFromElsewhere(request))
    return textAnswer(403, 'Requests from pages of other sites are refused.');
  if (visitor.kind === 'too-long')
    return textAnswer(
      400,
      'The visitor token is too long for a cookie, which can hold 4,096 bytes. Put fewer claims into the token.',
    );
  const { base, segments } = visitor.kind === 'admitted' ? visitor : located;
  if (segments.join('/') === signOutPath) {
    const logout = (await tx.get(visitorKeys, site.id))?.logoutURL ?? base;
    const signedOut = signOutCookies(located, base, request);
    const cookies = { 'cache-control': 'private, no-store', 'set-cookie': signedOut };
    return redirectTo(logout, { headers: { ...headers, ...cookies } });
  }
  if (visitor.kind === 'unauthenticated') {
    // Robots may always read robots.txt, which forbids them to read the site.
    if (located.segments.join('/') === 'robots.txt') return textAnswer(200, 'User-agent: *\nDisallow: /');
    const asset = assetOf(located.segments);
    if (asset !== undefined) return asset;
    if (request.method === 'POST')
      return withHeaders(textAnswer(401, 'This site requires a visitor token.'), {
        'www-authenticate': 'Bearer',
      });
    const fallback = (await tx.get(visitorKeys, site.id))?.fallbackURL;
    if (fallback !== undefined) return redirectTo(signInAddress(fallback, located), { headers });
    // The title of the site and its contents are only for visitors who are signed in. The page has the language of the site.
    return {
      status: 401,
      headers: { ...headers, ...html, 'www-authenticate': 'Bearer' },
      body: bareNotice('signIn', located.base, customizationOf({ site }).internationalization.locale),
    };
  }
  if (visitor.isToRedirect)
    return redirectTo(withoutCredentials(request), {
      headers: { ...headers, 'set-cookie': visitor.cookies },
    });
  const origin = new URL(address).origin;
  // Only a site with its own host has the base "/". A target of a proxy is at a path.
  const sharesOrigin = found.base !== '/';
  const findComputed = cache.findComputedAt(core.clock(), () => servicesOf(core));
  // Scripts of integrations could read previews that the same browser has open at this origin.
  const hasScripts = !(sharesOrigin && request.seesPreviews === true);
  const { texts } = cache;
  const context = { tx, url, origin, sharesOrigin, hasScripts, findComputed, texts, onHeavy };
  const view = await SiteView.open(located, visitor, context);
  const answer = await answerVisit({
    request,
    located,
    visitor,
    view,
    cache,
    isPrivate: place.isPrivate,
    answerApart,
    onEvent: onEvent && ((event) => onEvent({ siteId: site.id, event })),
  });
  const policy = contentPolicyWith(scriptOrigins(await view.scripts()));
  const complete = withHeaders(answer, { ...headers, 'content-security-policy': policy });
  const isOwn = place.isPrivate || view.hasComputedPages;
  return isOwn && !(complete instanceof Deferred) ? { ...complete, isShared: false } : complete;
}

/** Returns an answer with additional headers. Headers of the answer are not replaced. */
export function withHeaders(answer: EndpointAnswer, headers: SiteAnswer['headers']): EndpointAnswer {
  const complete = (made: SiteAnswer): SiteAnswer => ({ ...made, headers: { ...headers, ...made.headers } });
  return answer instanceof Deferred
    ? new Deferred(async (services) => complete(await answer.make(services)))
    : complete(answer);
}

/** Answers a request of an admitted visitor. */
export async function answerVisit(visit: Visit): Promise<EndpointAnswer> {
  const { request, visitor, view, cache } = visit;
  const { segments } = visitor;
  if (request.method === 'POST') {
    const endpoint = own(sitePosts, segments);
    return endpoint === undefined ? onlyMethods('GET, HEAD') : endpoint(visit);
  }
  const asset = assetOf(segments) ?? themeOf(view, segments);
  if (asset !== undefined) return { ...asset, isShared: true };
  if (segments.length === 3 && segments[0] === '~gitbook' && segments[1] === 'scripts')
    return scriptAnswer(visit, segments[2] ?? '');
  const endpoint = own(siteEndpoints, segments);
  if (endpoint !== undefined) return endpoint(visit);
  const found = findSpace(view.map, segments);
  if (found === undefined || found.segments.length > 0 || !(await view.hasStart(found.shown))) {
    // The visitor may not be able to open the space at the root of the site or of a section.
    const first = await view.firstWithStart(segments);
    if (first !== undefined) return redirectTo(first.base + queryOf(request));
  }
  if (found === undefined) return missing(visit, undefined);
  const open = await view.openSpace(found.shown);
  if (found.segments[0] === '~files') return fileAnswer(visit, open, found.segments[1] ?? '');
  const fullPath = found.segments.join('/');
  const ofSpace = spaceEndpoint(open, fullPath);
  if (ofSpace !== undefined) return ofSpace(visit);
  const [last = ''] = found.segments.slice(-1);
  const named = pageAt(open, fullPath);
  if (named === undefined && last === 'rss.xml') {
    const page = pageAt(open, found.segments.slice(0, -1).join('/'));
    if (page?.type === 'document')
      return withHeaders(await feedAnswer(visit, open, page), robotsTagOf(open, page));
  }
  // The path of the page itself may end with `.md`.
  const isMarkdown = named === undefined && last.endsWith('.md');
  const path = fullPath.replace(/\.md$/, '');
  const isText = isMarkdown || wantsMarkdown(request.accept);
  const page = named ?? pageAt(open, isMarkdown && path === 'index' ? '' : path);
  if (page === undefined)
    return (await movedAnswer(visit, open, path, isMarkdown)) ?? fallbackAnswer(visit, open);
  if (page.type !== 'document') {
    const first = firstDocument(page.children);
    if (first === undefined) return missing(visit, open);
    return redirectTo(isMarkdown ? markdownHref(open, first) : hrefOf(open, first));
  }
  const count = (type: 'page_view' | 'page_markdown_request'): void =>
    visit.onEvent?.(visitorEvent(visit, open, page, { type }));
  if (isText) {
    count('page_markdown_request');
    return {
      status: 200,
      headers: {
        ...markdown,
        ...robotsTagOf(open, page),
        ...(await canonicalHeader(view, open, page)),
      },
      body: await markdownPageOf(view, open, page),
      isShared: true,
    };
  }
  const canonical = hrefOf(open, page);
  if (!isSamePath(request.path, canonical))
    return redirectTo(canonical + queryOf(request), { permanent: true });
  const made = await cache.get(view, open, page, () => showPage(view, open, page));
  count('page_view');
  if (made.blocks.length === 0) return { status: 200, headers: html, body: made.body, isShared: true };
  return visit.runsScripts === false
    ? { status: 200, headers: html, body: fillSlots(made.body.toString(), new Map()) }
    : pageWithBlocks(visit, open, page, made);
}

function robotsTagOf({ pages }: OpenSpace, page: SitePage): SiteAnswer['headers'] {
  return page.isIndexed && !isUnlisted(pages, page) ? {} : notIndexed;
}

/** Returns the entry of a table for a path; undefined if there is none. */
function own<T>(table: Readonly<Record<string, T>>, segments: readonly string[]): T | undefined {
  const path = segments.join('/');
  return ownValue(table, path);
}

async function fileAnswer(visit: Visit, open: OpenSpace, id: string): Promise<SiteAnswer> {
  const offering = open.pages.downloads.get(id);
  const file = open.pages.files.get(id) ?? offering?.download;
  if (file === undefined) return missing(visit, open);
  const body = await visit.cache.files.get(file.blob, () => readBytes(visit.view.tx, file.blob));
  return {
    status: 200,
    headers: {
      ...fileHeaders(file.contentType, file.name),
      ...partHeaders(file.blob),
      ...(visit.isPrivate || offering ? {} : { 'cache-control': 'public, max-age=300' }),
      // New versions of a specification have the same address, so browsers revalidate the file each time.
      ...(offering && { 'content-type': file.contentType, ...robotsTagOf(open, offering) }),
    },
    body,
    isShared: true,
  };
}

/** Answers the request for another version of a page that this space does not have, with its first page. */
async function fallbackAnswer(visit: Visit, open: OpenSpace): Promise<SiteAnswer> {
  return visit.request.query.get('fallback') === 'true' ? redirectTo(open.shown.base) : missing(visit, open);
}
