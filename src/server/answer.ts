import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EncodedJson } from './threads/encode-json.ts';
import { hasTag } from '../contract/entity-tag.ts';
import type { FileAnswer } from '../contract/file.ts';
import { errorBody, refusalOf, type Refusal } from './errors.ts';
import { pageHeaders } from './saml-page.ts';

/** The result of an operation as JSON that another thread has encoded. */
export class JsonPieces {
  readonly json: readonly Uint8Array[];
  readonly etag: string;

  constructor({ pieces, etag }: EncodedJson) {
    this.json = pieces;
    this.etag = etag;
  }
}

/** Sends a text with the standard headers. Pieces are sent as fast as the client reads them. `contentType` defaults to JSON. */
export function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  text: string | readonly Uint8Array[],
  contentType = 'application/json; charset=utf-8',
): FastifyReply {
  addStandardHeaders(request, reply);
  reply.code(status).header('content-type', contentType);
  if (typeof text === 'string') return reply.send(text);
  const size = text.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return reply.header('content-length', size).send(Readable.from(takeAll([...text]), { objectMode: false }));
}

/** Yields the items of a list and removes them from it, so that their memory is free as soon as a client has read them. */
function* takeAll<T>(items: T[]): Generator<T> {
  for (let item = items.shift(); item !== undefined; item = items.shift()) yield item;
}

/** Sends the result of an operation as JSON, or an empty answer if there is no result or the status is 204. */
export function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  body: unknown,
): FastifyReply {
  if (body !== undefined && status !== 204)
    return sendText(request, reply, status, body instanceof JsonPieces ? body.json : JSON.stringify(body));
  addStandardHeaders(request, reply);
  return reply.code(status).send();
}

/** Sends the result of a read with its entity tag, or 304 if the client already has it (RFC 9110, section 13.1.2). */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { json, etag }: { json: string | readonly Uint8Array[]; etag: string },
): FastifyReply {
  reply.header('etag', etag);
  if (!hasTag(request.headers['if-none-match'] ?? '', etag)) return sendText(request, reply, 200, json);
  addStandardHeaders(request, reply);
  return reply.code(304).send();
}

/** Sends a file. The headers prevent a browser from running it as a page of this server. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, contentType, bytes, hash }: FileAnswer,
): FastifyReply {
  addStandardHeaders(request, reply);
  const etag = `"${hash}"`;
  if (hash !== undefined) reply.headers({ etag, 'accept-ranges': 'bytes' });
  reply.headers({
    'content-type': contentType,
    'content-disposition': contentDisposition(name, contentType),
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-cache',
  });
  if (hash !== undefined && hasTag(request.headers['if-none-match'] ?? '', etag))
    return reply.code(304).send();
  return reply.code(200).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

/** Sends the error answer for anything that was thrown, and returns the refusal. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): Refusal {
  const refusal = refusalOf(error);
  const { problem, status } = refusal;
  request.refusal = problem;
  const retryAfter = problem.retryAfter ?? (status === 503 ? 1 : undefined);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfter))));
  // Fastify would close the connection, and a client that is still sending would lose the answer. Node reads and discards the
  // rest.
  reply.removeHeader('connection');
  const body = errorBody(refusal, request.id);
  const { errorPage } = request.routeOptions.config;
  if (errorPage !== undefined && request.headers.accept?.includes('text/html') === true)
    sendText(request, reply.headers(pageHeaders), status, errorPage(body.error), pageHeaders['content-type']);
  else sendText(request, reply, status, JSON.stringify(body));
  return refusal;
}

/** Returns the status of an answer that has ended, for logs and metrics: 499 if the client left before that. */
export function statusOf(response: ServerResponse): number {
  return response.writableFinished || response.writableEnded ? response.statusCode : 499;
}

/** Adds the headers of every answer. */
export function addStandardHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply
    .header('request-id', request.id)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store');
  if (reply.server.state.isDraining) reply.header('connection', 'close');
}

/** Types of images that a browser may show in place. SVG is missing because it can contain a script. */
const inlineImageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

/**
 * Returns the Content-Disposition header of a file (RFC 6266). `filename*` has the exact name (RFC 8187), and `filename`
 * has the name in ASCII, without folders, for old clients.
 */
export function contentDisposition(name: string, contentType: string): string {
  const [type = ''] = contentType.split(';', 1);
  const kind = inlineImageTypes.has(type.trim().toLowerCase()) ? 'inline' : 'attachment';
  const plain = name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .replace(/[^ !#$&'()+,.\w-]/gu, '_');
  // encodeURIComponent leaves these four characters, and RFC 8187 does not allow them.
  const exact = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`;
}
