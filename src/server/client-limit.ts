import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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

const probes = new Set(['/healthz', '/readyz']);

/**
 * Counts requests: to the token that they show once it is known to be one, else to their address. So neither many tokens
 * that are none nor many ways to write one are many clients. Gives what counts a request that failed before that.
 */
export function limitClients(app: FastifyInstance, perMinute: number, clock: () => number): (request: FastifyRequest, reply: FastifyReply) => Problem | undefined {
  const limit = createRateLimit(perMinute, clock);
  const count = (client: string, request: FastifyRequest, reply: FastifyReply): Problem | undefined => {
    request.isCounted = true;
    request.onKnown = undefined;
    const { remaining, reset, problem } = limit.take(client);
    reply.headers({ 'x-ratelimit-limit': String(perMinute), 'x-ratelimit-remaining': String(remaining), 'x-ratelimit-reset': String(reset) });
    return problem;
  };
  const demand = (client: string, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = count(client, request, reply);
    if (problem !== undefined) throw problem;
  };
  app.decorateRequest('onKnown', undefined);
  app.decorateRequest('isCounted', false);
  app.addHook('onRequest', (request, reply, done) => {
    // Who watches over the server is told how it is, whatever others do from that address.
    if (probes.has(request.url)) {
      request.isCounted = true;
      return done();
    }
    // Nothing but operations reads tokens.
    const token = request.routeOptions.config.nodes === undefined ? undefined : tokenOf(request.headers.authorization);
    const client = token === undefined ? networkOf(request) : createHash('sha256').update(token).digest('base64');
    if (token === undefined || limit.knows(client)) demand(client, request, reply);
    else request.onKnown = () => demand(client, request, reply);
    done();
  });
  return (request, reply) => (request.isCounted ? undefined : count(networkOf(request), request, reply));
}

/** The address that a request comes from; of IPv6 the network of 64 bits, which one client has as a whole. */
export function networkOf({ ip, socket }: { readonly ip: string; readonly socket: { readonly remoteAddress?: string | undefined } }): string {
  // Some proxies tell ports as well, and what they were told by others may be anything.
  const bare = /^\[?([\da-f:.]{2,45}?)\]?(?::\d{1,5})?$/i.exec(isIP(ip) === 0 ? ip : '')?.[1] ?? ip;
  const address = isIP(bare) === 0 ? (socket.remoteAddress ?? '') : bare;
  if (isIP(address) !== 6) return address;
  // In the one way that it is written: a tail in dots as digits, no zeros in front.
  const [head = '', tail] = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1).split('::');
  const groups = head === '' ? [] : head.split(':');
  const behind = tail === undefined || tail === '' ? [] : tail.split(':');
  const all = [...groups, ...Array<string>(8 - groups.length - behind.length).fill('0'), ...behind];
  // IPv4 in IPv6 is the IPv4 client.
  const numbers = all.map((group) => Number.parseInt(group, 16));
  if (numbers[5] === 0xffff && numbers.slice(0, 5).every((number) => number === 0))
    return numbers
      .slice(6)
      .flatMap((number) => [number >> 8, number & 255])
      .join('.');
  return `${all.slice(0, 4).join(':')}::/64`;
}
