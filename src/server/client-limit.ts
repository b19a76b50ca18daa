import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseAddress, isWithin, parseNetwork } from '../core/addresses.ts';
import type { Problem } from '../errors/problem.ts';
import { tokenOf } from './credential.ts';
import { createRateLimit } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Counts the request to its token, which is known to be one now; throws where that has used up its minute. */
    onKnown: (() => void) | undefined;
    isCounted: boolean;
  }
}

const mapped = parseNetwork('::ffff:0:0/96')!;
const probes = new Set(['/healthz', '/readyz']);

/**
 * Counts requests: to the token that they show once it is known to be one, else to their address. So neither many tokens
 * that are none nor many ways to write one are many clients. Gives what counts a request that failed before that.
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
    // Nothing but operations reads tokens.
    const token =
      request.routeOptions.config.nodes === undefined ? undefined : tokenOf(request.headers.authorization);
    const client =
      token === undefined ? clientOf(request) : createHash('sha256').update(token).digest('base64');
    if (token === undefined || limit.knows(client)) demand(client, request, reply);
    else request.onKnown = () => demand(client, request, reply);
    done();
  });
  return (request, reply) => (request.isCounted ? undefined : count(clientOf(request), request, reply));
}

/** The address that a request comes from; of IPv6 the network of 64 bits, which one client has as a whole. */
export function clientOf({
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
  const bytes = parseAddress(address.split('%')[0]!);
  if (bytes === undefined) return address;
  if (bytes.length === 4) return bytes.join('.');
  // IPv4 in IPv6 is the IPv4 client.
  if (isWithin(bytes, mapped)) return bytes.slice(12).join('.');
  return `${[0, 2, 4, 6].map((at) => ((bytes[at]! << 8) | bytes[at + 1]!).toString(16)).join(':')}::/64`;
}
