import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../errors/problem.ts';

const MiB = 1024 * 1024;
/** Maximum size of a body that is not counted, in bytes. */
const smallBody = 64 * 1024;
/** Maximum bytes of the larger bodies that are in memory at the same time: of all clients, and of one client. */
const maxBytes = 256 * MiB;
const maxOfClient = 64 * MiB;

/** The fields of a request that are used here. */
type BodyRequest = Pick<FastifyRequest, 'headers' | 'method'>;

/**
 * Limits the memory of the bodies that a server receives and processes. A body counts until its request is answered, even if the
 * client sends it slowly.
 */
export class BodyBudget {
  readonly #ofClients = new Map<string, number>();
  #taken = 0;

  /** Whether the body of a request has to be counted. `limit` is its maximum number of bytes. */
  needsPlace(request: BodyRequest, limit: number): boolean {
    return sizeOf(request, limit) > smallBody;
  }

  /**
   * Counts the body of a request until it is answered or its client disconnects.
   *
   * @throws Problem(rate-limited) with a time to wait, if there is not enough room
   */
  take(
    request: BodyRequest,
    reply: { readonly raw: Pick<FastifyReply['raw'], 'destroyed' | 'once'> },
    { client, limit }: { client: string; limit: number },
  ): void {
    // The client disconnected while its token was checked.
    if (reply.raw.destroyed) return;
    const size = sizeOf(request, limit);
    const ofClient = (this.#ofClients.get(client) ?? 0) + size;
    if (ofClient > maxOfClient || this.#taken + size > maxBytes)
      throw new Problem('rate-limited', 'The server is receiving too many large bodies.', {
        hint: 'Send fewer at the same time.',
        retryAfter: 2,
      });
    this.#add(client, size);
    reply.raw.once('close', () => this.#add(client, -size));
  }

  #add(client: string, size: number): void {
    this.#taken += size;
    const ofClient = (this.#ofClients.get(client) ?? 0) + size;
    if (ofClient === 0) this.#ofClients.delete(client);
    else this.#ofClients.set(client, ofClient);
  }
}

/** Returns the bytes of a body according to its headers; 0 for a body that will be refused. */
function sizeOf({ headers, method }: BodyRequest, limit: number): number {
  if (method === 'GET' || method === 'HEAD') return 0;
  if (headers['transfer-encoding'] !== undefined) return limit;
  const size = Number(headers['content-length'] ?? 0);
  return size > limit ? 0 : size;
}
