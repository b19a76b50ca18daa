import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseAddress } from '../core/addresses.ts';
import type { Problem } from '../errors/problem.ts';
import { tokenOf } from './credential.ts';
import { isProbe } from './probes.ts';
import { LeaseNeeded, whenGranted, type Allowance } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Called when the token is known to be valid. Counts the request for the token. @throws Problem(rate-limited) */
    onKnown: (() => void) | undefined;
    /** Called when the caller is authorized. Counts the request for the organization. @throws Problem(rate-limited) */
    onOrganization: ((id: string) => void) | undefined;
    /** Whether the request was counted for its token or its address. */
    isCounted: boolean;
  }
}

/** Requests per minute; 0 means no limit. */
interface Limits {
  readonly rateLimit: number;
  readonly organizationRateLimit: number;
}

/**
 * Limits the requests per minute of each client and of each organization. A client is a valid token, or an address for requests
 * without one, so inventing tokens does not help. A request counts for an organization only after its caller was authorized
 * there.
 *
 * Returns a function that counts a failed request that was not counted yet, and returns a Problem if the limit is exceeded. It
 * and the functions of the request throw LeaseNeeded, like limits do.
 */
export function limitClients(
  app: FastifyInstance,
  { rateLimit, organizationRateLimit }: Limits,
): (request: FastifyRequest, reply: FastifyReply) => Problem | undefined {
  const clients = app.createLimit({ name: 'client', limit: rateLimit });
  const organizations = app.createLimit({
    name: 'organization',
    limit: organizationRateLimit,
    what: 'requests of this organization',
  });
  const policy = [
    ...(rateLimit > 0 ? [`"client";q=${rateLimit};w=60`] : []),
    ...(organizationRateLimit > 0 ? [`"organization";q=${organizationRateLimit};w=60`] : []),
  ].join(', ');
  /** Adds the headers of draft-ietf-httpapi-ratelimit-headers-10. */
  const addHeaders = (reply: FastifyReply, name: string, { remaining, seconds }: Allowance): void => {
    const before = reply.getHeader('ratelimit');
    const own = `"${name}";r=${remaining};t=${seconds}`;
    reply.header('ratelimit-policy', policy);
    reply.header('ratelimit', before === undefined ? own : `${String(before)}, ${own}`);
  };
  const count = (client: string, request: FastifyRequest, reply: FastifyReply): Problem | undefined => {
    const allowance = rateLimit === 0 ? undefined : clients.take(client);
    request.isCounted = true;
    request.onKnown = undefined;
    if (allowance === undefined) return undefined;
    reply.header('x-ratelimit-limit', String(rateLimit));
    reply.header('x-ratelimit-remaining', String(allowance.remaining));
    reply.header('x-ratelimit-reset', String(allowance.reset));
    addHeaders(reply, 'client', allowance);
    return allowance.problem;
  };
  const countOrThrow = (client: string, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = count(client, request, reply);
    if (problem !== undefined) throw problem;
  };
  app.decorateRequest('onKnown', undefined);
  app.decorateRequest('onOrganization', undefined);
  app.decorateRequest('isCounted', false);
  app.addHook('onRequest', (request, reply, proceed) => {
    // Health probes are never limited.
    if (isProbe(request.url)) {
      request.isCounted = true;
      return proceed();
    }
    if (organizationRateLimit > 0)
      request.onOrganization = (id) => {
        const allowance = organizations.take(id);
        // The transaction may run again, but must count only once.
        request.onOrganization = undefined;
        addHeaders(reply, 'organization', allowance);
        if (allowance.problem !== undefined) throw allowance.problem;
      };
    // Only operations read tokens.
    const token =
      request.routeOptions.config.nodes === undefined ? undefined : tokenOf(request.headers.authorization);
    const client = token === undefined ? identifyClient(request) : hash('sha256', token);
    const countThis = (): void => countOrThrow(client, request, reply);
    if (token !== undefined && !clients.knows(client)) request.onKnown = countThis;
    else {
      try {
        countThis();
      } catch (error) {
        if (!(error instanceof LeaseNeeded)) throw error;
        void whenGranted(countThis).then(() => proceed(), proceed);
        return;
      }
    }
    proceed();
  });
  return (request, reply) => (request.isCounted ? undefined : count(identifyClient(request), request, reply));
}

/** Returns the address of a request for logs and events. Proxies can send any text, so it is shortened. */
export function addressOf({ ip }: { ip: string | undefined }): string {
  // A client that disconnected before its request was read has no address.
  return ip?.slice(0, 100) ?? 'unknown';
}

/** Returns the IPv4 address of a request, or its IPv6 /64 network, because one client usually has a whole /64. */
export function identifyClient({
  ip,
  socket,
}: {
  ip: string;
  socket: { readonly remoteAddress?: string | undefined };
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

/**
 * Returns a hook that counts a request for the address of its client. Headers do not count, because a client can change them.
 * @throws Problem(rate-limited) above `limit` per minute
 */
export function limitByAddress(
  app: FastifyInstance,
  name: string,
  limit: number,
): (request: FastifyRequest) => Promise<void> {
  const { take } = app.createLimit({ name, limit });
  return async (request) => {
    const { problem } = await whenGranted(() => take(identifyClient(request)));
    if (problem !== undefined) throw problem;
  };
}
