import type { FastifyRequest } from 'fastify';
import { isoTime, type Clock } from '../core/clock.ts';
import type { Caller } from '../core/callers.ts';
import { RecentMap } from '../core/recent-map.ts';
import type { Store } from '../core/store.ts';

export interface KeptResult {
  readonly json: string;
  readonly etag: string;
  readonly caller: Caller | undefined;
  /** The ID of the organization that it is about. */
  readonly organization: string | undefined;
}

interface Entry extends KeptResult {
  readonly stamp: string;
}

/** The most characters of answers that are kept. */
const maxSize = 16 * 1024 * 1024;
/** The most characters of one answer that is kept. */
const maxResultSize = 1024 * 1024;
/** What an entry takes besides its answer, in characters, about. */
const overhead = 1000;
/** The most characters of a key. Whoever writes a query in many long ways must not fill the memory with them. */
const maxKey = 1000;

/**
 * The answers to reads, kept as long as nothing in the store changes and the token of the caller is valid. A request with the
 * same token for the same address then gets the answer that it would get anyway.
 */
export class KeptResults {
  readonly #store: Pick<Store, 'stamp' | 'fetchStamp'>;
  readonly #clock: Clock;
  readonly #entries = new RecentMap<Entry>(maxSize, ({ json }) => json.length + overhead);
  /** The stamp that the store was asked for last. It may be older than the store. */
  #fetched: string | undefined;

  constructor(store: Pick<Store, 'stamp' | 'fetchStamp'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Returns a text that is equal for requests with the same answer; undefined for requests whose answers are not kept. */
  keyOf({ url, headers: { authorization } }: Pick<FastifyRequest, 'url' | 'headers'>): string | undefined {
    // A header has no line break.
    const key = `${authorization}\n${url}`;
    return key.length > maxKey ? undefined : key;
  }

  /**
   * Returns a stamp of the store, to be taken before an answer is looked up or made. If it takes a query, it is sent only if an
   * answer to requests with the key is kept. What is made is otherwise kept with an older stamp, which is just as safe.
   */
  stamp(key: string): string | undefined | Promise<string | undefined> {
    if (this.#store.stamp !== undefined) return this.#store.stamp();
    if (this.#fetched !== undefined && this.#entries.get(key) === undefined) return this.#fetched;
    return this.#store.fetchStamp?.().then((stamp) => (this.#fetched = stamp));
  }

  /** Returns the answer to requests with a key; undefined if none is kept, or if it was kept with another stamp. */
  find(key: string, stamp: string | undefined): KeptResult | undefined {
    const kept = this.#entries.get(key);
    if (kept === undefined || kept.stamp !== stamp) return undefined;
    const ends = kept.caller?.expiresAt;
    return ends !== undefined && ends <= isoTime(this.#clock()) ? undefined : kept;
  }

  /** Keeps an answer that depends on nothing else. `stamp` was taken before it was made. */
  keep(key: string, stamp: string, result: KeptResult): void {
    if (result.json.length <= maxResultSize) this.#entries.set(key, { ...result, stamp });
  }
}
