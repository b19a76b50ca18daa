import type { FastifyReply, FastifyRequest } from 'fastify';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import type { Core } from '../core/embedded.ts';
import { refusalOf, type Refusal } from './errors.ts';
import { readCookies, type SiteAnswer, type SiteRequest } from '../publishing/site-request.ts';
import { createApp, type AppOptions } from './app.ts';
import { defaultLimits, type ServerLimits } from './limits.ts';
import { listen, type ListenOptions } from './listen.ts';
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
    answerError,
  });
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    send(request, reply, await answerSite(core, cache, toSiteRequest(request)));
  app.get('/healthz', async (_, reply) => reply.send({ status: 'ok' }));
  app.get('/*', handler);
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
function answerError(_: FastifyRequest, reply: FastifyReply, error: unknown): Refusal {
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

function toSiteRequest({ method, url, headers, protocol, host }: FastifyRequest): SiteRequest {
  const at = url.indexOf('?');
  return {
    method: method === 'HEAD' ? 'HEAD' : 'GET',
    host,
    path: at < 0 ? url : url.slice(0, at),
    query: new URLSearchParams(at < 0 ? '' : url.slice(at + 1)),
    cookies: readCookies(headers.cookie),
    authorization: headers.authorization,
    accept: headers.accept,
    isSecure: protocol === 'https',
  };
}

const compressible = /^(?:text\/|application\/(?:json|xml)|image\/svg)/;
const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)];
/** The encodings, the best first. What was compressed is kept as long as the cache keeps the page. */
const encodings = [
  {
    name: 'br',
    kept: new WeakMap<Uint8Array, Buffer>(),
    compress: (body: Uint8Array) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  },
  { name: 'gzip', kept: new WeakMap<Uint8Array, Buffer>(), compress: (body: Uint8Array) => gzipped(body) },
];
/** Bytes below which compression gains nothing. */
const minCompressed = 1000;

/** The tags of bodies, kept as long as the cache keeps the page. */
const etags = new WeakMap<Uint8Array, string>();

function etagOf(body: Uint8Array): string {
  const known = etags.get(body);
  if (known !== undefined) return known;
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  etags.set(body, etag);
  return etag;
}

async function send(request: FastifyRequest, reply: FastifyReply, answer: SiteAnswer): Promise<FastifyReply> {
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
  reply.code(answer.status);
  for (const [name, value] of Object.entries(answer.headers))
    reply.header(name, typeof value === 'string' ? value : [...value]);
  if (body === undefined) return reply.send();
  const { 'content-type': type = '', 'cache-control': caching = '' } = answer.headers;
  const isStored = !String(caching).includes('no-store');
  if (answer.status === 200 && isStored) {
    const etag = answer.headers['etag'] ?? etagOf(body);
    reply.header('etag', etag);
    if (request.headers['if-none-match']?.includes(String(etag)) === true) return reply.code(304).send();
  }
  if (!compressible.test(String(type)) || body.length < minCompressed) return reply.send(body);
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = encodings.find(({ name }) => new RegExp(`\\b${name}\\b`).test(accepted));
  if (encoding === undefined) return reply.send(body);
  const { name, kept, compress } = encoding;
  const small = kept.get(body) ?? (await compress(body));
  kept.set(body, small);
  return reply.header('content-encoding', name).send(small);
}
