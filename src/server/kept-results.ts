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

/** Maximum characters of all cached answers. */
const maxSize = 16 * 1024 * 1024;
/** Maximum characters of one cached answer. */
const maxResultSize = 1024 * 1024;
/** Approximate size of an entry besides its answer, in characters. */
const overhead = 1000;
/** Maximum characters of a key, so that clients cannot fill the memory with long queries. */
const maxKey = 1000;

/**
 * Caches answers to reads as long as the store does not change and the token of the caller is valid. A request with the same
 * token and address gets the same answer as without the cache.
 */
export class KeptResults {
  readonly #store: Pick<Store, 'stamp' | 'fetchStamp'>;
  readonly #clock: Clock;
  readonly #entries = new RecentMap<Entry>(maxSize, ({ json }) => json.length + overhead);
  /** The stamp of the last query. It may be older than the current one. */
  #fetched: string | undefined;

  constructor(store: Pick<Store, 'stamp' | 'fetchStamp'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Returns a text that is equal for requests with the same answer; undefined for requests whose answers are not cached. */
  keyOf({ url, headers: { authorization } }: Pick<FastifyRequest, 'url' | 'headers'>): string | undefined {
    // Headers contain no line breaks.
    const key = `${authorization}\n${url}`;
    return key.length > maxKey ? undefined : key;
  }

  /**
   * Returns a stamp of the store. Take it before an answer is looked up or made. If the stamp needs a query, the query is sent
   * only if an answer with the key is cached. Otherwise an older stamp is returned, which is just as safe for a new answer.
   */
  stamp(key: string): string | undefined | Promise<string | undefined> {
    if (this.#store.stamp !== undefined) return this.#store.stamp();
    if (this.#fetched !== undefined && this.#entries.get(key) === undefined) return this.#fetched;
    return this.#store.fetchStamp?.().then((stamp) => (this.#fetched = stamp));
  }

  /** Returns the answer to requests with a key; undefined if none is cached, or if it has another stamp. */
  find(key: string, stamp: string | undefined): KeptResult | undefined {
    const kept = this.#entries.get(key);
    if (kept === undefined || kept.stamp !== stamp) return undefined;
    const ends = kept.caller?.expiresAt;
    return ends !== undefined && ends <= isoTime(this.#clock()) ? undefined : kept;
  }

  /** Caches an answer that depends only on the store. `stamp` was taken before it was made. */
  keep(key: string, stamp: string, result: KeptResult): void {
    if (result.json.length <= maxResultSize) this.#entries.set(key, { ...result, stamp });
  }
}
