import type { FastifyInstance } from 'fastify';
import { isObject } from '../contract/values.ts';

/** The whole files of the parts that are sent. A part keeps its whole file in memory. */
const wholes = new WeakMap<object, Uint8Array>();

/** Returns the bytes that a body keeps in memory: the whole file if the body is a part of one. */
export function wholeOf(body: unknown): unknown {
  return (isObject(body) ? wholes.get(body) : undefined) ?? body;
}

/**
 * Sends a part of a file to clients that request one (RFC 9110, section 14), such as video players. Answers that support this
 * have the headers Accept-Ranges and ETag. A client that requests several parts gets the whole file.
 */
export function answerRanges(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, body, done) => {
    const { range, 'if-range': ifRange } = request.headers;
    if (
      range === undefined ||
      request.method !== 'GET' ||
      reply.statusCode !== 200 ||
      !(body instanceof Uint8Array)
    )
      return done(null, body);
    // A part of a compressed body is useless, because the next part may be compressed differently.
    if (reply.getHeader('accept-ranges') !== 'bytes' || reply.hasHeader('content-encoding'))
      return done(null, body);
    if (ifRange !== undefined && ifRange !== reply.getHeader('etag')) return done(null, body);
    const asked = readRange(range, body.length);
    if (asked === undefined) return done(null, body);
    const { start, end } = asked;
    if (start >= end) {
      reply.code(416).header('content-range', `bytes */${body.length}`).header('cache-control', 'no-store');
      return done(null, '');
    }
    const part = body.subarray(start, end);
    wholes.set(part, body);
    reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${body.length}`);
    return done(null, part);
  });
}

/**
 * Parses a Range header. Returns the first byte and the byte after the last: an empty range if the file has none of the bytes.
 * Undefined for several ranges, and for an invalid header.
 */
function readRange(header: string, size: number): { start: number; end: number } | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header) ?? [];
  if (first === '') return last === '' ? undefined : { start: Math.max(0, size - Number(last)), end: size };
  if (last !== '' && Number(last) < Number(first)) return undefined;
  return { start: Number(first), end: last === '' ? size : Math.min(size, Number(last) + 1) };
}
