import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '../core/embedded.ts';
import { refusalOf, type Refusal } from './errors.ts';
import { createApp, type AppOptions } from './app.ts';
import { defaultLimits, type ServerLimits } from './limits.ts';
import { listen, type ListenOptions } from './listen.ts';
import { sendSiteAnswer, toSiteRequest } from './site-reply.ts';
import { stopApp } from './stop.ts';

/** What the listener of published sites needs. */
export interface SitesServerOptions extends Omit<AppOptions, 'limits' | 'clock'> {
  readonly core: Core;
  readonly limits?: Partial<ServerLimits>;
}

/** The published sites over HTTP, apart from the API: they share no origin and no cookies. */
export interface SitesServer {
  /** Sends a request without a socket, for tests. */
  readonly inject: ReturnType<typeof createApp>['inject'];
  readonly listen: (options: ListenOptions) => Promise<{ url: string }>;
  /** Waits at most `grace` milliseconds for open requests. */
  readonly close: (grace: number) => Promise<void>;
}

/** Creates the server of published sites. Call `listen` to start it. */
export async function createSitesServer({
  core,
  limits,
  ...options
}: SitesServerOptions): Promise<SitesServer> {
  const [{ answerSite }, { PageCache }] = await Promise.all([
    import('../publishing/answer-site.ts'),
    import('../publishing/page-cache.ts'),
  ]);
  const cache = new PageCache();
  const app = createApp({
    ...options,
    clock: core.clock,
    limits: { ...defaultLimits, ...limits },
    answerError: answerReader,
  });
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    sendSiteAnswer(request, reply, await answerSite(core, cache, toSiteRequest(request)));
  app.get('/healthz', async (_, reply) => reply.send({ status: 'ok' }));
  app.get('/*', handler);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, bytes: Buffer, done) => done(null, bytes));
  app.post('/*', handler);
  app.setNotFoundHandler((_, reply) => reply.code(404).type(plainText).send('There is no site here.\n'));
  await app.ready();
  return {
    inject: app.inject.bind(app),
    listen: (place) => listen(app.server, place),
    close: (grace) => stopApp(app, grace),
  };
}

const plainText = 'text/plain; charset=utf-8';

/** Answers what was thrown as a text for readers. */
export function answerReader(_: FastifyRequest, reply: FastifyReply, error: unknown): Refusal {
  const refusal = refusalOf(error);
  const { problem, status } = refusal;
  if (status === 503) reply.header('retry-after', '1');
  void reply
    .code(status)
    .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .type(plainText)
    .send(`${problem.message}\n`);
  return refusal;
}
