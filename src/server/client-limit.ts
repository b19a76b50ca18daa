import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseAddress } from '../core/addresses.ts';
import type { Problem } from '../errors/problem.ts';
import { tokenOf } from './credential.ts';
import { isProbe } from './probes.ts';
import { createRateLimit } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Called when the token turns out to be valid: counts the request for the token. @throws Problem(rate-limited) */
    onKnown: (() => void) | undefined;
    /** Whether the request was counted, for its token or its address. */
    isCounted: boolean;
  }
}

/**
 * Limits the requests per minute of each client. A client is a valid token, or an address for requests without one, so
 * a caller cannot become a new client by making up tokens.
 *
 * Returns a function that counts a failed request that was not counted yet, and returns a Problem if the limit is exceeded.
 */
export function limitClients(
  app: FastifyInstance,
  perMinute: number,
  clock: () => number,
): (request: FastifyRequest, reply: FastifyReply) => Problem | undefined {
  const limit = createRateLimit(perMinute, clock);
  const count = (client: string, request: FastifyRequest, reply: FastifyReply): Problem | undefined => {
    request.isCounted = true;
    request.onKnown = undefined;
    const { remaining, reset, problem } = limit.take(client);
    reply.headers({
      'x-ratelimit-limit': String(perMinute),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(reset),
    });
    return problem;
  };
  const countOrThrow = (client: string, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = count(client, request, reply);
    if (problem !== undefined) throw problem;
  };
  app.decorateRequest('onKnown', undefined);
  app.decorateRequest('isCounted', false);
  app.addHook('onRequest', (request, reply, done) => {
    // Health probes are never limited.
    if (isProbe(request.url)) {
      request.isCounted = true;
      return done();
    }
    // Only operations read tokens.
    const token =
      request.routeOptions.config.nodes === undefined ? undefined : tokenOf(request.headers.authorization);
    const client =
      token === undefined ? identifyClient(request) : createHash('sha256').update(token).digest('base64');
    if (token === undefined || limit.knows(client)) countOrThrow(client, request, reply);
    else request.onKnown = () => countOrThrow(client, request, reply);
    done();
  });
  return (request, reply) => (request.isCounted ? undefined : count(identifyClient(request), request, reply));
}

/** Returns the IPv4 address of a request, or its IPv6 /64 network, since one client usually has a whole /64. */
export function identifyClient({
  ip,
  socket,
}: {
  readonly ip: string;
  readonly socket: { readonly remoteAddress?: string | undefined };
}): string {
  // Some proxies add a port, and X-Forwarded-For can contain anything.
  const bare = /^\[?([\da-f:.]{2,45}?)\]?(?::\d{1,5})?$/i.exec(isIP(ip) === 0 ? ip : '')?.[1] ?? ip;
  const address = isIP(bare) === 0 ? (socket.remoteAddress ?? '') : bare;
  // The zone of an IPv6 address names an interface of this machine.
  const bytes = parseAddress(address.replace(/%.*/s, ''));
  if (bytes === undefined) return address;
  if (bytes.length === 4) return bytes.join('.');
  const buffer = Buffer.from(bytes);
  // An IPv4-mapped address (::ffff:0:0/96) is the IPv4 client.
  if (buffer.readBigUInt64BE(0) === 0n && buffer.readUInt32BE(8) === 0xffff) return bytes.slice(12).join('.');
  return `${[0, 2, 4, 6].map((at) => buffer.readUInt16BE(at).toString(16)).join(':')}::/64`;
}
