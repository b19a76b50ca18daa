import type { IncomingMessage, ServerResponse } from 'node:http';
import { RecentMap } from '../core/recent-map.ts';
import type { Store } from '../core/store.ts';
import { readCookies, wantsMarkdown, type CountedEvent } from '../publishing/site-request.ts';
import { encodingOf, isKnown, type SiteReply } from './site-reply.ts';

/** A reply that is the same for all equal requests, as long as the store has the same stamp. */
interface KeptAnswer {
  readonly stamp: string;
  readonly reply: SiteReply;
  /** The event to count each time the reply is sent. */
  readonly counted: CountedEvent | undefined;
}

/** An answer with its headers as alternating names and values: for a full reply, and for clients that already have the body. */
interface KeptReply extends KeptAnswer {
  readonly headers: string[];
  readonly headersIfKnown: string[];
}

/** Default size of the cached replies, in bytes. */
const defaultBytes = 32 * 1024 * 1024;
const maxBody = 1024 * 1024;
/** Approximate memory of a reply besides its body, in bytes. */
const overhead = 3000;
/** Maximum characters of a key, so that clients cannot fill the memory with long addresses. */
const maxKey = 1000;
/** The cookies that sites read: of visitors, and of members who see previews. */
const ownCookie = /^(?:gitbook-visitor|(?:__Secure-)?docsctl-)/;

/**
 * Caches whole replies of sites that do not depend on the visitor, and sends them again without a transaction until the store
 * changes. A store in a database is asked each time whether it has changed. After any change, the cached replies are not used;
 * unchanged pages are still in the page cache.
 */
export class KeptAnswers {
  readonly #store: Pick<Store, 'stamp' | 'fetchStamp'>;
  readonly #isProxied: boolean;
  readonly #kept: RecentMap<KeptReply>;

  /** With `isProxied`, headers of proxies tell the requested host. */
  constructor(store: Pick<Store, 'stamp' | 'fetchStamp'>, isProxied: boolean, maxBytes = defaultBytes) {
    this.#store = store;
    this.#isProxied = isProxied;
    this.#kept = new RecentMap(maxBytes, ({ reply }) => overhead + (reply.body?.length ?? 0));
  }

  /** The approximate size of the cached replies, in bytes. */
  get size(): number {
    return this.#kept.weight;
  }

  /** Returns the stamp of the store. It must be taken before an answer is looked up or made. */
  async stamp(): Promise<string | undefined> {
    return this.#store.stamp === undefined ? this.#store.fetchStamp?.() : this.#store.stamp();
  }

  /**
   * Returns a text that is equal for requests with the same reply. Undefined for requests whose reply may depend on the visitor:
   * those from visitors with claims or from members, and those with a query or a body.
   */
  keyOf({ method, url = '', headers, rawHeaders, socket }: IncomingMessage): string | undefined {
    if ((method !== 'GET' && method !== 'HEAD') || !url.startsWith('/') || url.includes('?'))
      return undefined;
    const { host, cookie, accept } = headers;
    if (
      host === undefined ||
      headers.authorization !== undefined ||
      headers['content-length'] !== undefined ||
      headers['transfer-encoding'] !== undefined ||
      headers['content-encoding'] !== undefined ||
      !hasOneHost(rawHeaders) ||
      (cookie !== undefined && readCookies(cookie).some(({ name }) => ownCookie.test(name)))
    )
      return undefined;
    const form = (encodingOf(headers['accept-encoding'])?.name ?? '') + (wantsMarkdown(accept) ? ' md' : '');
    const proxy = this.#isProxied
      ? `${socket.remoteAddress ?? ''}\n${String(headers['x-forwarded-host'])}\n${String(headers['x-forwarded-proto'])}`
      : '';
    // Headers contain no line breaks, so different requests have different keys.
    const key = `${form}\n${proxy}\n${host}\n${url}`;
    return key.length > maxKey ? undefined : key;
  }

  /** Returns the answer to requests with a key; undefined if none is cached, or if it has another stamp. */
  find(key: string, ifNoneMatch: string | undefined, stamp: string | undefined): KeptReply | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    // The cached reply was for a client that already had the body, so it has none.
    if (kept.reply.body === undefined && !isKnown(kept.reply, ifNoneMatch)) return undefined;
    return kept.stamp === stamp ? kept : undefined;
  }

  /** Caches an answer. The caller must be sure that it does not depend on the visitor. */
  keep(key: string, answer: KeptAnswer): void {
    const { status, headers, body } = answer.reply;
    if (status !== 200 || (body?.length ?? 0) > maxBody) return;
    const pairs = Object.entries(headers).flatMap(([name, value]) =>
      [value].flat().map((each) => [name, each] as const),
    );
    this.#kept.set(key, {
      ...answer,
      headers: [...pairs.flat(), 'content-length', String(body?.length ?? 0)],
      headersIfKnown: pairs.filter(([name]) => name !== 'content-encoding').flat(),
    });
  }

  /**
   * Answers a request from the cache, and skips everything else that the server does for requests. Returns false if the answer is
   * not cached, if the store has to be queried for its stamp, or if the request is for a part of a file.
   */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const key = this.keyOf(request);
    if (key === undefined || request.headers.range !== undefined) return false;
    const ifNoneMatch = request.headers['if-none-match'];
    const kept = this.find(key, ifNoneMatch, this.#store.stamp?.());
    if (kept === undefined) return false;
    if (isKnown(kept.reply, ifNoneMatch)) response.writeHead(304, kept.headersIfKnown).end();
    else response.writeHead(200, kept.headers).end(kept.reply.body);
    return true;
  }
}

function hasOneHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1;
}
