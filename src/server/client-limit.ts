import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseAddress } from '../core/addresses.ts';
import type { Problem } from '../errors/problem.ts';
import { tokenOf } from './credential.ts';
import { createRateLimit } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Counts the request for its token once it is known to be valid. @throws Problem(rate-limited) */
    onKnown: (() => void) | undefined;
    isCounted: boolean;
  }
}

const probes = new Set(['/healthz', '/readyz']);

/**
 * Limits requests by their token once it is known to be valid, else by their address, so that invalid tokens do not make
 * new clients. Returns a function that counts a request that failed before it was counted.
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
  const demand = (client: string, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = count(client, request, reply);
    if (problem !== undefined) throw problem;
  };
  app.decorateRequest('onKnown', undefined);
  app.decorateRequest('isCounted', false);
  app.addHook('onRequest', (request, reply, done) => {
    // Health probes are never limited.
    if (probes.has(request.url)) {
      request.isCounted = true;
      return done();
    }
    // Only operations read tokens.
    const token =
      request.routeOptions.config.nodes === undefined ? undefined : tokenOf(request.headers.authorization);
    const client =
      token === undefined ? identifyClient(request) : createHash('sha256').update(token).digest('base64');
    if (token === undefined || limit.knows(client)) demand(client, request, reply);
    else request.onKnown = () => demand(client, request, reply);
    done();
  });
  return (request, reply) => (request.isCounted ? undefined : count(identifyClient(request), request, reply));
}

/** Returns the IPv4 address of a request, or its IPv6 network of 64 bits, which belongs to one client as a whole. */
export function identifyClient({
  ip,
  socket,
}: {
  readonly ip: string;
  readonly socket: { readonly remoteAddress?: string | undefined };
}): string {
  // Some proxies add ports, and forwarded values can be anything.
  const bare = /^\[?([\da-f:.]{2,45}?)\]?(?::\d{1,5})?$/i.exec(isIP(ip) === 0 ? ip : '')?.[1] ?? ip;
  const address = isIP(bare) === 0 ? (socket.remoteAddress ?? '') : bare;
  // A zone names an interface of this machine.
  const bytes = parseAddress(address.replace(/%.*/s, ''));
  if (bytes === undefined) return address;
  if (bytes.length === 4) return bytes.join('.');
  const buffer = Buffer.from(bytes);
  // An IPv4-mapped address (::ffff:0:0/96) is the IPv4 client.
  if (buffer.readBigUInt64BE(0) === 0n && buffer.readUInt32BE(8) === 0xffff) return bytes.slice(12).join('.');
  return `${[0, 2, 4, 6].map((at) => buffer.readUInt16BE(at).toString(16)).join(':')}::/64`;
}
