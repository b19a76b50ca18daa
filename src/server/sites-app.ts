import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { decodePercent } from '../contract/values.ts';
import { servicesOf, type Core } from '../core/embedded.ts';
import { HeavyCallError, leaveThread } from '../core/heavy-call-error.ts';
import { Problem } from '../errors/problem.ts';
import { refusalOf, type Refusal } from './errors.ts';
import { createApp, type AppOptions } from './app.ts';
import { opensLink, type SiteAnswer, type SiteRequest } from '../publishing/site-request.ts';
import { identifyClient, limitByAddress } from './client-limit.ts';
import { KeptAnswers } from './kept-answers.ts';
import { whenGranted } from './rate-limit.ts';
import { fileTimeoutFactor, sourceOf, withTimeout } from './routes.ts';
import type { Threads } from './threads/threads.ts';
import { defaultLimits, type ServerLimits } from './limits.ts';
import { listen, type ListenOptions } from './listen.ts';
import { VisitorNames, type DailyKey } from './visitor-names.ts';
import { encodingOf, sendReply, sendSiteAnswer, toReply, toSiteRequest } from './site-reply.ts';
import { startingProblem, stopApp } from './stop.ts';
import { readFrom } from './store-health.ts';

/** Options of the server of published sites. */
export interface SitesServerOptions extends Omit<AppOptions, 'limits' | 'clock'> {
  readonly core: Core;
  readonly limits?: Partial<ServerLimits>;
  /** Whether page views are stored as events of sites (default false). */
  readonly countViews?: boolean;
  /** Counts hits and misses of the cached replies (default: not counted). */
  readonly countKept?: ((result: 'hit' | 'miss') => void) | undefined;
  /** The key for the pseudonyms of visitors (default: a new one). */
  readonly visitorKey?: DailyKey | undefined;
  /** Whether the server accepts requests (default: true). */
  readonly isReady?: (() => boolean) | undefined;
  /**
   * Threads that read long texts, search large sites, and make PDFs and texts of whole sites (default: this thread does this).
   */
  readonly threads?: Pick<Threads, 'readMarkdown' | 'answerSite'> | undefined;
  /** Maximum milliseconds that a reader waits for pages that scripts compute (default 2000). After that, the scripts continue. */
  readonly scriptWait?: number;
}

/** The published sites over HTTP. They are separate from the API and share no origin and no cookies with it. */
export interface SitesServer {
  /** Sends a request without a socket, for tests. */
  readonly inject: ReturnType<typeof createApp>['inject'];
  readonly listen: (options: ListenOptions) => Promise<{ url: string }>;
  /** Returns the approximate sizes of cached pages and of cached replies, in bytes. */
  readonly cached: () => { readonly pages: number; readonly replies: number };
  /** Makes the server report that it is not ready. It still answers requests. */
  readonly drain: () => void;
  /** Waits at most `grace` milliseconds for open requests. */
  readonly close: (grace: number) => Promise<void>;
}

/** Requests per minute of one address to blocks of integrations and the MCP server; and feedback per minute. */
const postsPerMinute = 600;
const feedbackPerMinute = 20;

/** Creates the server of published sites. Call `listen` to start it. */
export async function createSitesServer({
  core,
  limits,
  countViews = false,
  countKept,
  scriptWait = 2000,
  threads,
  visitorKey,
  isReady = () => true,
  ...options
}: SitesServerOptions): Promise<SitesServer> {
  const [
    { answerSite },
    { answerMemberPreview },
    { PageCache },
    { TextReader },
    { EventCounter },
    { eventOf },
    { sitePosts },
    { onlyMethods },
  ] = await Promise.all([
    import('../publishing/answer-site.ts'),
    import('../publishing/member-preview.ts'),
    import('../publishing/page-cache.ts'),
    import('../publishing/text-reader.ts'),
    import('../publishing/event-counter.ts'),
    import('../publishing/visitor-event.ts'),
    import('../publishing/endpoints.ts'),
    import('../publishing/notices.ts'),
  ]);
  const cache = new PageCache({ texts: new TextReader(threads?.readMarkdown) });
  const kept = new KeptAnswers(core.store, (options.proxies ?? []).length > 0);
  const isLogged = options.log?.isEnabled('info') === true;
  const app = createApp({
    ...options,
    clock: core.clock,
    limits: { ...defaultLimits, ...limits },
    answerError: answerReader,
    // If requests are not counted, logged or limited, a cached answer can be sent directly.
    answerFirst:
      countViews || isLogged || (limits?.rateLimit ?? 0) > 0
        ? undefined
        : (request, response) => {
            const isKept = kept.answer(request, response);
            if (isKept) countKept?.('hit');
            return isKept;
          },
  });
  const visitors = new VisitorNames(core.clock, visitorKey);
  const counter = countViews ? new EventCounter(servicesOf(core)) : undefined;
  const [posts, feedback] = [
    app.createLimit({ name: 'posts', limit: postsPerMinute }),
    app.createLimit({ name: 'feedback', limit: feedbackPerMinute }),
  ];
  const limitPosts = async (request: FastifyRequest): Promise<void> => {
    const limit = isFeedback(request.url) ? feedback : posts;
    const { problem } = await whenGranted(() => limit.take(identifyClient(request)));
    if (problem !== undefined) throw problem;
  };
  const cookie = previewCookie(core);
  const { answerTimeout } = { ...defaultLimits, ...limits };
  // The connection is silent while a PDF is made. A PDF that is finished after the timeout is cached for the next request.
  const inTime = async <T>(request: FastifyRequest, work: Promise<T>): Promise<T> => {
    if (!/\/~gitbook\/pdf(?:\?|$)/.test(request.url)) return work;
    const timeout = fileTimeoutFactor * answerTimeout;
    // An injected request has no socket with a timeout.
    (request.raw.socket as Partial<Socket>).setTimeout?.(timeout + answerTimeout);
    return withTimeout(work, timeout, unfinishedPdf);
  };
  const answerHereOrApart = async (asked: SiteRequest): Promise<SiteAnswer> => {
    const given = { counts: counter !== undefined, maxWait, scriptWait };
    if (threads === undefined) return answerSite(core, cache, asked, given);
    const answerApart = (): Promise<SiteAnswer> => {
      const { query, ...request } = asked;
      return threads.answerSite(sitesOf(asked), { request, query: query.toString(), ...given });
    };
    try {
      return await answerSite(core, cache, asked, { ...given, onHeavy: leaveThread, answerApart });
    } catch (error) {
      if (!(error instanceof HeavyCallError)) throw error;
      return answerApart();
    }
  };
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (request.method === 'POST') await limitPosts(request);
    const key = kept.keyOf(request.raw);
    const { 'user-agent': userAgent, 'if-none-match': ifNoneMatch } = request.headers;
    const visitor =
      counter === undefined && request.method !== 'POST'
        ? undefined
        : visitors.nameOf(identifyClient(request), userAgent);
    const count = ({ counted }: Pick<SiteAnswer, 'counted'>): void => {
      if (counted !== undefined && request.method === 'GET')
        counter?.add(counted.siteId, eventOf(counted.event, { visitor, userAgent }));
    };
    const stamp = key === undefined ? undefined : await kept.stamp();
    const known = key === undefined ? undefined : kept.find(key, ifNoneMatch, stamp);
    if (key !== undefined) countKept?.(known === undefined ? 'miss' : 'hit');
    if (known !== undefined) {
      count(known);
      return sendReply(request, reply, known.reply);
    }
    const sent = toSiteRequest(request);
    // If there are two cookies, another site of the same domain may have set one of them.
    const [session, ...others] = sent.cookies.filter(({ name }) => name === cookie).map(({ value }) => value);
    const asked = { ...sent, visitor, seesPreviews: session !== undefined };
    const preview =
      asked.method === 'POST' || others.length > 0
        ? undefined
        : await inTime(request, answerMemberPreview(core, cache, asked, session));
    if (preview !== undefined) return sendSiteAnswer(request, reply, preview);
    const answer = await inTime(request, answerHereOrApart(asked));
    count(answer);
    const encoding = encodingOf(request.headers['accept-encoding']);
    const made = await toReply(answer, { ifNoneMatch, encoding });
    if (answer.isShared === true && key !== undefined && stamp !== undefined)
      kept.keep(key, { stamp, reply: made, counted: answer.counted });
    return sendReply(request, reply, made);
  };
  addPreviewLinks(app, core, cookie);
  // Not /healthz, because a site with its own host may have a page with that name.
  app.get('/~gitbook/healthz', async (_, reply) => reply.send({ status: 'ok' }));
  app.get('/~gitbook/readyz', async (_, reply) => {
    if (!isReady()) throw startingProblem();
    await withTimeout(readFrom(core.store), answerTimeout);
    return reply.send({ status: 'ready' });
  });
  app.get('/*', handler);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, bytes: Buffer, done) => done(null, bytes));
  app.post('/*', handler);
  // All other paths are answered by sites.
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?');
    const isPosted = Object.keys(sitePosts).some((posted) => path.endsWith(`/${posted}`));
    return sendSiteAnswer(request, reply, onlyMethods(isPosted ? 'POST' : 'GET, HEAD'));
  });
  await app.ready();
  return {
    inject: app.inject.bind(app),
    cached: () => ({ pages: cache.size, replies: kept.size }),
    listen: (place) => listen(app.server, place),
    drain: () => {
      app.state.isDraining = true;
    },
    close: async (grace) => {
      await stopApp(app, grace);
      await counter?.store();
    },
  };
}

/** Adds the route of preview links, which start a session. */
function addPreviewLinks(app: ReturnType<typeof createApp>, core: Core, cookie: string): void {
  const onRequest = limitByAddress(app, 'preview links', sessionsPerMinute);
  app.get('/sites/~session', { onRequest }, async (request, reply) => {
    const code = toSiteRequest(request).query.get('code') ?? '';
    const { redeemLink } = await import('../resources/users/app-sessions.ts');
    const started = opensLink(request, code)
      ? await redeemLink(core, code, { from: sourceOf(request), isPreview: true })
      : undefined;
    if (started === undefined)
      return reply
        .code(404)
        .header('cache-control', 'no-store')
        .type(plainText)
        .send('This link has been used already, or has expired. Create another one.\n');
    const age = Math.max(0, Math.floor((Date.parse(started.expiresAt) - core.clock()) / 1000));
    const secure = (core.sitesUrl ?? core.publicUrl).startsWith('https:') ? '; Secure' : '';
    return reply
      .code(303)
      .headers({
        location: started.path,
        'set-cookie': `${cookie}=${started.session}; Path=/sites/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      })
      .send();
  });
}

/**
 * Returns the group of sites that takes turns with others for threads: those of an organization at the host of the server, or
 * those of a custom hostname.
 */
function sitesOf({ host, path }: SiteRequest): string {
  const [, organization = ''] = /^\/sites\/([^/]*)/.exec(path) ?? [];
  return `${host} ${organization}`;
}

/** Whether a URL takes feedback, in any encoding of its path. */
function isFeedback(url: string): boolean {
  const [path = ''] = url.split('?');
  const segments = (decodePercent(path) ?? path).split('/').filter((segment) => segment !== '');
  return segments.slice(-2).join('/') === '~gitbook/feedback';
}

/** Maximum milliseconds that a reader waits for an index that lags behind. The job that updates it continues. */
const maxWait = 10_000;

/** Preview links per minute that one address may open. */
const sessionsPerMinute = 60;

/**
 * Returns the name of the cookie of members who see previews. It contains the port, because browsers send cookies to all ports of
 * a host. With the prefix, browsers accept the cookie only from https.
 */
function previewCookie({ sitesUrl, publicUrl }: Pick<Core, 'sitesUrl' | 'publicUrl'>): string {
  const { protocol, port } = new URL(sitesUrl ?? publicUrl);
  return `${protocol === 'https:' ? '__Secure-' : ''}docsctl-preview${port === '' ? '' : `-${port}`}`;
}

const plainText = 'text/plain; charset=utf-8';

function unfinishedPdf(): Problem {
  return new Problem('timed-out', 'The PDF is still being made. Request it again in a minute.');
}

/** Answers an error with a text for readers. */
export function answerReader(request: FastifyRequest, reply: FastifyReply, error: unknown): Refusal {
  const refusal = refusalOf(error);
  const { problem, status } = refusal;
  request.refusal = problem;
  if (status === 503) reply.header('retry-after', '1');
  void reply
    .code(status)
    .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .type(plainText)
    .send(`${problem.message}\n`);
  return refusal;
}
