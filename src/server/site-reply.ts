import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { hasTag } from '../contract/entity-tag.ts';
import { RecentMap } from '../core/recent-map.ts';
import { readCookies, type SiteAnswer, type SiteRequest } from '../publishing/site-request.ts';

/** Returns the data of a request that sites use. */
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
/** The encodings, best first. Compressed bodies are cached as long as the body is in memory. */
const encodings = [
  {
    name: 'br',
    kept: new WeakMap<Uint8Array, Buffer>(),
    compress: (body: Uint8Array) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  },
  {
    name: 'gzip',
    kept: new WeakMap<Uint8Array, Buffer>(),
    compress: (body: Uint8Array) => gzipped(body),
  },
];
type Encoding = (typeof encodings)[number];
/** Minimum size of a body that is compressed, in bytes. */
const minCompressed = 1000;

/** The encodings for the latest values of the header. */
const keptEncodings = new RecentMap<Encoding>(20);

/**
 * Returns the encoding for a request with this Accept-Encoding header; undefined for none (RFC 9110, section 12.5.3). An encoding
 * with `q=0` is not acceptable, and `*` stands for all that are not named. If nothing is acceptable, the body is not encoded.
 */
export function encodingOf(accepted = ''): Encoding | undefined {
  const known = keptEncodings.get(accepted);
  if (known !== undefined) return known;
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((each) => {
        const [name = '', ...parameters] = each.split(';').map((part) => part.trim());
        const weight = parameters.find((part) => part.startsWith('q='));
        return [name, weight === undefined ? 1 : Number(weight.slice(2))] as const;
      }),
  );
  const found = encodings.find(({ name }) => (weights.get(name) ?? weights.get('*') ?? 0) > 0);
  if (found !== undefined) keptEncodings.set(accepted, found);
  return found;
}

/** The entity tags of bodies, cached as long as the body is in memory. */
const etags = new WeakMap<Uint8Array, string>();

function etagOf(body: Uint8Array): string {
  const known = etags.get(body);
  if (known !== undefined) return known;
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  etags.set(body, etag);
  return etag;
}

/** Returns the entity tag of an encoded body. It differs from that of the body itself (RFC 9110, section 8.8.3.3). */
function tagOf(etag: string, encoding: Encoding | undefined): string {
  return encoding === undefined ? etag : etag.replace(/"$/, `-${encoding.name}"`);
}

export interface SiteReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** The entity tag of an answer that browsers may cache. */
  readonly etag: string | undefined;
  /** Absent if the answer has no body, or the client already has it. */
  readonly body?: Uint8Array | undefined;
}

/** Whether the browser already has the body of a reply, according to its header If-None-Match. */
export function isKnown({ etag }: SiteReply, ifNoneMatch: string | undefined): boolean {
  return etag !== undefined && ifNoneMatch !== undefined && hasTag(ifNoneMatch, etag);
}

/** Converts an answer to a reply: with an entity tag if browsers may cache it, and compressed if that is useful. */
export async function toReply(
  { status, headers: given, body: content }: SiteAnswer,
  { ifNoneMatch, encoding }: { ifNoneMatch: string | undefined; encoding: Encoding | undefined },
): Promise<SiteReply> {
  const body = typeof content === 'string' ? Buffer.from(content) : content;
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(given))
    headers[name] = typeof value === 'string' ? value : [...value];
  if (body === undefined) return { status, headers, etag: undefined };
  const { 'content-type': type = '', 'cache-control': caching = '' } = given;
  const used = compressible.test(String(type)) && body.length >= minCompressed ? encoding : undefined;
  const isStored = status === 200 && !String(caching).includes('no-store');
  const etag = isStored ? tagOf(String(given['etag'] ?? etagOf(body)), used) : undefined;
  if (etag !== undefined) headers['etag'] = etag;
  const reply = { status, headers, etag };
  if (isKnown(reply, ifNoneMatch)) return reply;
  if (used === undefined) return { ...reply, body };
  const { name, kept, compress } = used;
  const small = kept.get(body) ?? (await compress(body));
  kept.set(body, small);
  return { ...reply, headers: { ...headers, 'content-encoding': name }, body: small };
}

/** Sends a reply, or 304 if the browser has it. */
export function sendReply(request: FastifyRequest, reply: FastifyReply, made: SiteReply): FastifyReply {
  const known = isKnown(made, request.headers['if-none-match']);
  reply.code(known ? 304 : made.status);
  for (const [name, value] of Object.entries(made.headers))
    if (!known || name !== 'content-encoding') reply.header(name, value);
  return known || made.body === undefined ? reply.send() : reply.send(made.body);
}

/** Sends the answer of a site. */
export async function sendSiteAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: SiteAnswer,
): Promise<FastifyReply> {
  const { 'if-none-match': ifNoneMatch, 'accept-encoding': accepted } = request.headers;
  return sendReply(request, reply, await toReply(answer, { ifNoneMatch, encoding: encodingOf(accepted) }));
}
