import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { readCookies, type SiteAnswer, type SiteRequest } from '../publishing/site-request.ts';

/** Reads what a site needs of a request. */
export function toSiteRequest({ method, url, headers, protocol, host, body }: FastifyRequest): SiteRequest {
  const at = url.indexOf('?');
  return {
    method: method === 'HEAD' || method === 'POST' ? method : 'GET',
    host,
    path: at < 0 ? url : url.slice(0, at),
    query: new URLSearchParams(at < 0 ? '' : url.slice(at + 1)),
    cookies: readCookies(headers.cookie),
    authorization: headers.authorization,
    accept: headers.accept,
    isSecure: protocol === 'https',
    userAgent: headers['user-agent'],
    origin: headers.origin,
    fetchSite: headers['sec-fetch-site'],
    mcpHeaders: method === 'POST' ? mcpHeadersOf(headers) : undefined,
    body: Buffer.isBuffer(body) ? { type: headers['content-type'] ?? '', bytes: body } : undefined,
  };
}

function mcpHeadersOf(headers: FastifyRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith('mcp-') && typeof value === 'string' ? [[name, value]] : [],
    ),
  );
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

/** Sends the answer of a site: with a tag if browsers may keep it, and compressed if that is worth it. */
export async function sendSiteAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: SiteAnswer,
): Promise<FastifyReply> {
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
