import type { FastifyInstance } from 'fastify';
import type { ServerResponse } from 'node:http';
import { getOrInsert, isObject } from '../contract/values.ts';
import { identifyClient } from './client-limit.ts';
import { wholeOf } from './ranges.ts';

/** Maximum size of an answer that is not counted, in bytes. */
const smallAnswer = 16 * 1024;
/** Default of the maximum bytes of larger answers that clients have not received yet. */
const defaultBytes = 256 * 1024 * 1024;

/** The members of a response that are used here. */
type Response = Pick<ServerResponse, 'destroyed' | 'once'>;

interface Answer {
  readonly client: string;
  /** The size in bytes. */
  readonly size: number;
  /** An object that is the same for answers that share their bytes. */
  readonly body: unknown;
  /** Closes the connection. Only this frees the memory of all answers to its requests. */
  readonly cut: () => void;
}

interface Held {
  readonly client: string;
  readonly cut: () => void;
  /** Answers with the same body have the same key. */
  readonly key: object;
  readonly size: number;
}

/** Counts the bytes of bodies. A body that several answers share counts once. */
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
  /** The answers, oldest first. */
  readonly answers: Set<Held>;
}

/**
 * Limits the memory of answers that clients have not received yet. A slow client keeps its answers in memory. If all answers
 * together need too much, the connection of the oldest answer of the client with the largest total is closed.
 */
export class HeldAnswers {
  readonly #all = new DistinctBytes();
  readonly #clients = new Map<string, Client>();
  readonly #maxBytes: number;

  constructor(maxBytes = defaultBytes) {
    this.#maxBytes = maxBytes;
  }

  /** The size of the answers that clients have not received yet, in bytes. */
  get bytes(): number {
    return this.#all.bytes;
  }

  /** Counts an answer until its client has received it. */
  add(response: Response, { client, size, body, cut }: Answer): void {
    if (size <= smallAnswer || response.destroyed) return;
    const key = isObject(body) ? body : {};
    const held = { client, cut, key, size };
    const ofClient = getOrInsert(this.#clients, client, () => ({
      size: new DistinctBytes(),
      answers: new Set(),
    }));
    ofClient.answers.add(held);
    ofClient.size.add(held);
    this.#all.add(held);
    response.once('close', () => this.#remove(held));
    while (this.#all.bytes > this.#maxBytes && this.#cutOldest(held));
  }

  /** Closes the connection of the oldest answer of the client with the largest total. Returns false if that is `added`. */
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

/** Counts the answers of a server, and closes connections of slow clients if they need too much memory. */
export function limitHeldAnswers(app: FastifyInstance, held: HeldAnswers): void {
  app.addHook('onSend', (request, reply, sent, done) => {
    // Sends the answer. Usually the system takes all of it, and it is not in memory afterwards.
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
