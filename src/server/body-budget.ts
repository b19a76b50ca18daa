import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../errors/problem.ts';

const MiB = 1024 * 1024;
/** Bytes of a body that needs no place. */
const smallBody = 64 * 1024;
/** Bytes of the larger bodies that are in memory at the same time: of all clients, and of one. */
const maxBytes = 256 * MiB;
const maxOfClient = 64 * MiB;

/** What is read of a request here. */
type BodyRequest = Pick<FastifyRequest, 'headers' | 'method'>;

/** Limits the memory of the bodies that a server receives and works on. Whoever sends a body slowly keeps its place. */
export class BodyBudget {
  readonly #ofClients = new Map<string, number>();
  #taken = 0;

  /** Whether a request has a body that needs a place. `limit` is the number of bytes that it may have. */
  needsPlace(request: BodyRequest, limit: number): boolean {
    return sizeOf(request, limit) > smallBody;
  }

  /**
   * Takes a place for the body of a request until it is answered, or its client is gone.
   *
   * @throws Problem(rate-limited) with a time to wait, if there is none
   */
  take(
    request: BodyRequest,
    reply: { readonly raw: Pick<FastifyReply['raw'], 'destroyed' | 'once'> },
    { client, limit }: { client: string; limit: number },
  ): void {
    // The client left while its token was checked.
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

/** The bytes of a body, as far as the headers tell; 0 for one that is refused anyway. */
function sizeOf({ headers, method }: BodyRequest, limit: number): number {
  if (method === 'GET' || method === 'HEAD') return 0;
  if (headers['transfer-encoding'] !== undefined) return limit;
  const size = Number(headers['content-length'] ?? 0);
  return size > limit ? 0 : size;
}
