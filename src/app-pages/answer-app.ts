import type { Api } from '../contract/api.ts';
import type { CallSource } from '../core/audit/record-call.ts';
import type { Caller, Credential } from '../core/callers.ts';
import { decodePercent, defined, ownValue } from '../contract/values.ts';
import { callOperation, type Core } from '../core/embedded.ts';
import { isProblem, orUndefined, Problem } from '../errors/problem.ts';
import { opensLink } from '../publishing/site-request.ts';
import { markup, type Content } from '../render/markup.ts';
import type { TextReader } from '../publishing/text-reader.ts';
import { redeemCode } from '../resources/saml/sign-in.ts';
import { getOrganization } from '../resources/organizations/contract.ts';
import { me } from '../resources/users/contract.ts';
import { appHeaders, redirectTo, type AppAnswer } from './app-answers.ts';
import type { AppSessions } from './app-sessions.ts';
import { answerDownload } from './downloads.ts';
import { findPage } from './page-routes.ts';
import type { PageContext, TrailLink } from './page-view.ts';
import { basePathOf, endedCookies, readCookie, sessionCookies, signInCookie } from './session-cookie.ts';
import { linksOf, styleFiles, writeNotice, writePage, type Frame } from './shell.ts';
import { providerLinks, readSignIn, signInText, startBrowserSignIn } from './sign-in-pages.ts';
import { parseUrl } from '../contract/parse-url.ts';

/** A request of a browser for a page of the app. */
interface AppRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  /** The host in the request, with its port. */
  readonly host: string;
  /** The unchanged path with its query, below the base of the server. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The source of the request, for audit events. */
  readonly from: CallSource;
  /** Aborted when nobody waits for the answer. */
  readonly signal: AbortSignal;
  /** Receives the caller, for the log. */
  readonly onCaller?: (caller: Caller | undefined) => void;
}

/** The address of the pages, and the way in which browsers sign in. */
export interface App {
  readonly core: Core;
  readonly sessions: AppSessions;
  readonly texts: TextReader;
}

const html = { ...appHeaders, 'content-type': 'text/html; charset=utf-8' };
const forever = { 'cache-control': 'public, max-age=31536000, immutable' };

/** Answers a request for a page of the app. Its content comes from answers of the API to the member of the session. */
export async function answerApp(app: App, request: AppRequest): Promise<AppAnswer> {
  const { core } = app;
  const at = request.url.indexOf('?');
  const path = at < 0 ? request.url : request.url.slice(0, at);
  const query = new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1));
  const base = basePathOf(core);
  const href = (to: string): string => base + to;
  const frame: Frame = { href };
  if (!isKnownHost(request.host, core.publicUrl))
    return notice(
      frame,
      421,
      'This is not the address of the server',
      'Open the address that docsctl shows.',
    );
  const parts = path
    .split('/')
    .slice(1)
    .map((part) => decodePercent(part));
  const known = parts.filter((part) => part !== undefined);
  if (known.length !== parts.length) return missing(frame);
  const visit: Visit = { app, request, query, parts: known, href, frame };
  if (known[0] === 'o' && known[1]?.startsWith('~') === true) {
    const special = ownValue(specialPaths, known[1]);
    return special === undefined ? missing(frame) : special(visit);
  }
  return withSession(visit, (session) => answerPage(visit, session));
}

/** The state of a request that is being answered. */
interface Visit {
  readonly app: App;
  readonly request: AppRequest;
  readonly query: URLSearchParams;
  /** The parts of the path, decoded. */
  readonly parts: readonly string[];
  readonly href: (path: string) => string;
  readonly frame: Frame;
}

/** Paths under `/o/` that are not pages of an organization. */
const specialPaths: Readonly<Record<string, (visit: Visit) => Promise<AppAnswer>>> = {
  '~assets': async ({ parts, frame }) => {
    const file = styleFiles().find(({ name }) => name === parts[2]);
    return file === undefined || parts.length !== 3
      ? missing(frame)
      : {
          status: 200,
          headers: { ...appHeaders, ...forever, 'content-type': file.contentType },
          body: file.bytes,
        };
  },
  '~download': (visit) =>
    withSession(visit, async ({ api, frame }) => {
      const { parts, query, request } = visit;
      return (await answerDownload(api, parts.slice(2), query, request.signal)) ?? missing(frame);
    }),
  '~session': startSession,
  '~sign-in': async (visit) => {
    const { app, parts, query, frame, href } = visit;
    if (app.sessions.startOfToken === undefined || parts.length !== 3) return missing(frame);
    try {
      return await startBrowserSignIn(
        app.core,
        parts[2] ?? '',
        ownPath(query.get('to'), href) ?? href('/o/'),
      );
    } catch (error) {
      if (isProblem(error, 'not-found')) return missing(frame);
      if (isProblem(error, 'conflict'))
        return notice(frame, 409, 'Single sign-on is not set up', error.message);
      throw error;
    }
  },
  '~sign-out': signOut,
};

/** Returns the path of a page of this server; undefined for any other address. */
function ownPath(given: string | null, href: Visit['href']): string | undefined {
  if (given === null || !/^\/[\w./~%:@!$&'()*+,;=?-]{0,2000}$/.test(given)) return undefined;
  const isPage = ['/o/', '/integrations/'].some((start) => given.startsWith(href(start)));
  return isPage && !given.includes('..') ? given : undefined;
}

/** Exchanges the code of a link, or of a sign-in with an identity provider, for a session of this browser. */
async function startSession({ app, request, query, href, frame }: Visit): Promise<AppAnswer> {
  const { core, sessions } = app;
  const code = query.get('code') ?? '';
  const refused = (): AppAnswer =>
    notice(frame, 401, 'This link cannot be opened', [
      markup`<p>A link opens these pages once, within two minutes. This link has been used already, has expired, or was made by another server.</p>`,
      signInText(app.core, ''),
    ]);
  if (!opensLink(request, code)) return refused();
  const cookie = query.has('state') ? readCookie(core, 'sign-in', headerOf(request, 'cookie')) : undefined;
  if (query.has('state')) {
    if (cookie === undefined || sessions.startOfToken === undefined) return refused();
    const { verifier, to } = readSignIn(cookie);
    const path = ownPath(to, href) ?? href('/o/');
    const signedIn = await orUndefined(redeemCode(core, code, verifier, request.from), 'forbidden');
    const started = signedIn && (await sessions.startOfToken(signedIn.token, { path, from: request.from }));
    return started === undefined
      ? refused()
      : redirectTo(path, { 'set-cookie': [...cookiesOf(core, started), signInCookie(core, '', 0)] });
  }
  const started = await sessions.redeem(code, request.from);
  return started === undefined
    ? refused()
    : redirectTo(started.path, { 'set-cookie': cookiesOf(core, started) });
}

function cookiesOf(
  core: Core,
  { session, expiresAt }: { session: string; expiresAt: string },
): readonly string[] {
  const seconds = Math.max(0, Math.floor((Date.parse(expiresAt) - core.clock()) / 1000));
  return sessionCookies(core, session, seconds);
}

/** Ends the session of a browser. Only a form of these pages can request it. */
async function signOut({ app, request, frame }: Visit): Promise<AppAnswer> {
  const { core, sessions } = app;
  const session = readCookie(core, 'session', headerOf(request, 'cookie'));
  const site = headerOf(request, 'sec-fetch-site');
  const origin = headerOf(request, 'origin');
  const isOwn =
    site === undefined
      ? origin !== undefined && parseUrl(origin)?.host === request.host
      : site === 'same-origin';
  if (request.method !== 'POST' || !isOwn || sessions.end === undefined)
    return notice(frame, 403, 'Nothing was changed', 'Sign out with the button on a page.');
  if (session !== undefined) await sessions.end(session);
  return {
    status: 200,
    headers: { ...html, 'set-cookie': endedCookies(core) },
    body: writeNotice(
      { title: 'Signed out', text: markup`<p>The session of this browser has ended.</p>` },
      frame,
    ),
  };
}

interface OpenSession {
  readonly api: Api;
  /** The frame for the member's pages, with the name and a sign-out button. */
  readonly frame: Frame;
}

/** Answers with the rights of the session of a request, or with a page that explains how to sign in. */
async function withSession(
  visit: Visit,
  answer: (session: OpenSession) => Promise<AppAnswer>,
): Promise<AppAnswer> {
  const { app, request, frame } = visit;
  const session = readCookie(app.core, 'session', headerOf(request, 'cookie'));
  const credential = session === undefined ? undefined : app.sessions.credentialOf(session);
  if (credential === undefined) return notSignedIn(visit);
  const api = readOnlyApi(app.core, credential, request);
  let signedIn: Frame = frame;
  try {
    const user = await api.call(me, {});
    signedIn = { ...frame, user, canSignOut: app.sessions.end !== undefined };
    return await answer({ api, frame: signedIn });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    switch (error.reason) {
      case 'unauthenticated':
        return notSignedIn(visit, endedCookies(app.core));
      case 'not-found':
      case 'invalid-input':
        return missing(signedIn, await wayBack(api, visit));
      case 'forbidden':
        return notice(signedIn, 403, 'You are not allowed to see this', [
          markup`<p>${error.message}</p>`,
          await linksToSignIn(visit),
        ]);
      case 'too-large':
      case 'conflict':
        return notice(signedIn, error.status, 'This cannot be shown', error.message);
      default:
        throw error;
    }
  }
}

async function answerPage(visit: Visit, { api, frame }: OpenSession): Promise<AppAnswer> {
  const { app, request, parts, query, href } = visit;
  const found = findPage(parts);
  const { publicUrl } = app.core;
  const context: PageContext = {
    api,
    query,
    path: href(`/${parts.map(encodeURIComponent).join('/')}`),
    href,
    texts: app.texts,
    pageOf: (url) => {
      const isPage = ['/o/', '/integrations/'].some((start) => url.startsWith(publicUrl + start));
      return isPage ? href(url.slice(publicUrl.length)) : undefined;
    },
  };
  if (found === undefined || request.method === 'POST') return missing(frame, await wayBack(api, visit));
  const view = await found.page(context, found.params);
  if ('status' in view) return view;
  return { status: 200, headers: html, body: writePage(view, frame) };
}

/** Returns an Api with the rights of a session that rejects all changes, whatever the credential allows. */
function readOnlyApi(core: Core, credential: Credential, { signal, onCaller, from }: AppRequest): Api {
  return {
    place: core.publicUrl,
    close: async () => {},
    call: (operation, input, options) => {
      if (!operation.safe) throw new Error(`A page cannot call ${operation.id}, which changes something.`);
      return callOperation(core, credential, operation, input, {
        signal,
        from: () => from,
        ...defined({ onCaller }),
        ...options,
      });
    },
  };
}

/** Returns the page for a browser without a session. It depends only on the organization in the path. */
async function notSignedIn(visit: Visit, cookies: readonly string[] = []): Promise<AppAnswer> {
  const { request, frame } = visit;
  return {
    status: 401,
    headers: { ...html, ...(cookies.length === 0 ? {} : { 'set-cookie': cookies }) },
    body:
      request.method === 'POST'
        ? ''
        : writeNotice(
            { title: 'Sign in', text: signInText(visit.app.core, await linksToSignIn(visit)) },
            frame,
          ),
  };
}

async function linksToSignIn({ app, parts, request, href }: Visit): Promise<Content> {
  const [first, organizationId = ''] = parts;
  if (app.sessions.startOfToken === undefined || first !== 'o' || organizationId.startsWith('~')) return '';
  return providerLinks(app.core, { organizationId, to: href(request.url), href });
}

/** Returns the page for a path without a page, with links for a signed-in member. */
function missing(frame: Frame, links: readonly TrailLink[] = []): AppAnswer {
  const text = markup`<p>There is no such page, or you are not allowed to see it.</p>`;
  return notice(
    frame,
    404,
    'There is nothing here',
    links.length === 0 ? text : markup`${text}${linksOf(links)}`,
  );
}

/**
 * Returns links for a path without a page: to the organization in the path, if the member can see it, and to the list of
 * organizations.
 */
async function wayBack(api: Api, { parts, href }: Visit): Promise<readonly TrailLink[]> {
  const [first, organizationId = ''] = parts;
  const start = { title: 'Organizations', href: href('/o/') };
  if (first !== 'o' || organizationId === '') return [start];
  try {
    const { id, title } = await api.call(getOrganization, { params: { organizationId } });
    return [{ title, href: href(`/o/${encodeURIComponent(id)}`) }, start];
  } catch (error) {
    if (error instanceof Problem) return [start];
    throw error;
  }
}

function notice(frame: Frame, status: number, title: string, text: Content): AppAnswer {
  const paragraphs = typeof text === 'string' ? markup`<p>${text}</p>` : text;
  return { status, headers: html, body: writeNotice({ title, text: paragraphs }, frame) };
}

function headerOf({ headers }: AppRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.join(', ');
}

/**
 * Whether a Host header names this server: the host of its public address, or this machine. Other names that resolve to the same
 * machine (DNS rebinding) are rejected.
 */
function isKnownHost(host: string, publicUrl: string): boolean {
  const { protocol, host: own } = new URL(publicUrl);
  const asked = /^[\w.:[\]-]{1,255}$/.test(host) ? parseUrl(`${protocol}//${host}`) : undefined;
  if (asked === undefined) return false;
  return asked.host === own || /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(asked.hostname);
}
