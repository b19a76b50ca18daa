import type { FastifyInstance } from 'fastify';
import type { ServerResponse } from 'node:http';
import { identifyClient } from './client-limit.ts';
import { wholeOf } from './ranges.ts';

/** Bytes of an answer that is not counted. */
const smallAnswer = 16 * 1024;
/** Bytes of the larger answers that clients have not received yet, unless another number is given. */
const defaultBytes = 256 * 1024 * 1024;

/** What is read of the response of an answer here. */
type Response = Pick<ServerResponse, 'destroyed' | 'once'>;

interface Answer {
  readonly client: string;
  /** Bytes. */
  readonly size: number;
  /** The same object for answers that share their bytes. */
  readonly body: unknown;
  /** Ends the connection: only then are all answers to its requests out of memory. */
  readonly cut: () => void;
}

interface Held {
  readonly client: string;
  readonly cut: () => void;
  /** Answers with the same body have the same key. */
  readonly key: object;
  readonly size: number;
}

/** Counts the bytes of bodies. A body that several answers have is in memory once. */
class DistinctBytes {
  readonly #answers = new Map<object, number>();
  bytes = 0;

  add({ key, size }: Held): void {
    const answers = this.#answers.get(key) ?? 0;
    if (answers === 0) this.bytes += size;
    this.#answers.set(key, answers + 1);
  }

  remove({ key, size }: Held): void {
    const answers = (this.#answers.get(key) ?? 0) - 1;
    if (answers > 0) this.#answers.set(key, answers);
    else if (this.#answers.delete(key)) this.bytes -= size;
  }
}

interface Client {
  readonly size: DistinctBytes;
  /** The oldest first. */
  readonly answers: Set<Held>;
}

/**
 * Limits the memory of answers that clients have not received yet. A client that reads slowly, or not at all, keeps its
 * answers in memory. If all answers need too much, the client whose answers need the most loses the oldest of them.
 */
export class HeldAnswers {
  readonly #all = new DistinctBytes();
  readonly #clients = new Map<string, Client>();
  readonly #maxBytes: number;

  constructor(maxBytes = defaultBytes) {
    this.#maxBytes = maxBytes;
  }

  /** The bytes of the answers that clients have not received yet. */
  get bytes(): number {
    return this.#all.bytes;
  }

  /** Counts an answer until its client has it. */
  add(response: Response, { client, size, body, cut }: Answer): void {
    if (size <= smallAnswer || response.destroyed) return;
    const key = typeof body === 'object' && body !== null ? body : {};
    const held = { client, cut, key, size };
    const ofClient = this.#clients.get(client) ?? { size: new DistinctBytes(), answers: new Set() };
    this.#clients.set(client, ofClient);
    ofClient.answers.add(held);
    ofClient.size.add(held);
    this.#all.add(held);
    response.once('close', () => this.#remove(held));
    while (this.#all.bytes > this.#maxBytes && this.#cutOldest(held));
  }

  /** Cuts the oldest answer of the client whose answers need the most. Returns false if it is the one that was added last. */
  #cutOldest(added: Held): boolean {
    let heaviest: Client | undefined;
    for (const client of this.#clients.values())
      if (heaviest === undefined || client.size.bytes > heaviest.size.bytes) heaviest = client;
    const [oldest] = heaviest?.answers ?? [];
    if (oldest === undefined || oldest === added) return false;
    this.#remove(oldest);
    oldest.cut();
    return true;
  }

  #remove(held: Held): void {
    const ofClient = this.#clients.get(held.client);
    if (ofClient?.answers.delete(held) !== true) return;
    ofClient.size.remove(held);
    this.#all.remove(held);
    if (ofClient.answers.size === 0) this.#clients.delete(held.client);
  }
}

/** Counts the answers of a server, and cuts those of slow clients if they need too much memory. */
export function limitHeldAnswers(app: FastifyInstance, held: HeldAnswers): void {
  app.addHook('onSend', (request, reply, sent, done) => {
    // Sends the answer. Most answers are out of memory then, because the system has taken them.
    done(null, sent);
    if (reply.raw.writableLength <= smallAnswer) return;
    const body = wholeOf(sent);
    const size =
      typeof body === 'string' || Buffer.isBuffer(body)
        ? body.length
        : Number(reply.getHeader('content-length') ?? 0);
    if (size > smallAnswer) {
      const cut = (): void => void request.raw.socket.destroy();
      held.add(reply.raw, { client: identifyClient(request), size, body, cut });
    }
  });
}
