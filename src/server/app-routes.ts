import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import type { App } from '../app-pages/answer-app.ts';
import type { AppAnswer } from '../app-pages/app-answers.ts';
import type { AppSessions } from '../app-pages/app-sessions.ts';
import type { Core } from '../core/embedded.ts';
import type { ReadApart } from '../publishing/text-reader.ts';
import { limitByAddress } from './client-limit.ts';
import { nothingHere } from './errors.ts';
import { fileTimeoutFactor, sourceOf, withTimeout } from './routes.ts';

/** The pages are loaded when a browser requests the first one. */
const pages = () => import('../app-pages/answer-app.ts');

/** Sign-ins per minute that one address may start or finish without a session. */
const perMinute = 60;
/** Maximum size of a form, in bytes. The form of "Sign out" is empty. */
const formLimit = 1024;

/** Options of `addAppRoutes`. `answerTimeout` is in milliseconds. */
interface AppRouteOptions {
  readonly core: Core;
  /** Returns the sessions of browsers. Called at the first request. */
  readonly sessions: () => Promise<AppSessions>;
  readonly answerTimeout: number;
  /** Reads long texts in another thread (default: this thread reads them). */
  readonly readApart?: ReadApart | undefined;
}

/**
 * Adds the routes of the pages at `urls.app`. They are not operations of the API, but call operations with the session of the
 * browser.
 */
export function addAppRoutes(
  app: FastifyInstance,
  { core, sessions, answerTimeout, readApart }: AppRouteOptions,
): void {
  const limit = limitByAddress(app, 'sign-in', perMinute);
  const isSecure = core.publicUrl.startsWith('https:');
  const open = async (): Promise<App> => {
    const { TextReader } = await import('../publishing/text-reader.ts');
    return { core, sessions: await sessions(), texts: new TextReader(readApart) };
  };
  let opened: Promise<App> | undefined;
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { url, method } = request;
    // Decoded like in the pages, because a path can be encoded in several ways.
    const { '*': below = '' } = request.params as { readonly '*'?: string };
    if (request.routeOptions.url === '/o/*' && /^~(?:session|sign-in)\b/.test(below)) await limit(request);
    const isFile = url.startsWith('/o/~download/');
    const timeout = isFile ? fileTimeoutFactor * answerTimeout : answerTimeout;
    // The connection is silent while a PDF is made. An injected request has no socket with a timeout.
    if (isFile) (request.raw.socket as Partial<Socket>).setTimeout?.(timeout + answerTimeout);
    const stop = new AbortController();
    reply.raw.once('close', () => stop.abort());
    opened ??= open();
    const { answerApp } = await pages();
    const work = answerApp(await opened, {
      method: method === 'POST' || method === 'HEAD' ? method : 'GET',
      host: request.host,
      url,
      headers: request.headers,
      from: sourceOf(request),
      signal: stop.signal,
      onCaller: (caller) => {
        request.caller = caller;
      },
    });
    if (isSecure) reply.header('strict-transport-security', 'max-age=31536000');
    return send(request, reply, await withTimeout(work, timeout).finally(() => isFile && stop.abort()));
  };
  // Registered as a plugin, so that only these routes accept forms.
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      /^application\/x-www-form-urlencoded\s*(?:;|$)/i,
      { parseAs: 'string' },
      (_request, _text: string, done) => done(null, undefined),
    );
    // A person who opens the address of the server in a browser is sent to the pages. A program gets the usual answer.
    scope.get('/', async ({ headers: { accept = '' } }, reply) => {
      if (!accept.includes('text/html')) throw nothingHere();
      return reply.redirect(new URL(`${core.publicUrl}/o/`).pathname, 303);
    });
    scope.get('/o/*', answer);
    scope.get('/integrations/*', answer);
    scope.post('/o/~sign-out', { bodyLimit: formLimit }, answer);
  });
}

async function send(request: FastifyRequest, reply: FastifyReply, answer: AppAnswer): Promise<FastifyReply> {
  reply.header('request-id', request.id);
  const { sendSiteAnswer } = await import('./site-reply.ts');
  return sendSiteAnswer(request, reply, answer);
}
