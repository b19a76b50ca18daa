import type { IncomingMessage, ServerResponse } from 'node:http';
import { RecentMap } from '../core/recent-map.ts';
import type { Store } from '../core/store.ts';
import { readCookies, wantsMarkdown, type CountedEvent } from '../publishing/site-request.ts';
import { encodingOf, isKnown, type SiteReply } from './site-reply.ts';

/** A reply that is the same for all who send the same request, as long as the store has the stamp. */
interface KeptAnswer {
  readonly stamp: string;
  readonly reply: SiteReply;
  /** What is counted each time that it is sent. */
  readonly counted: CountedEvent | undefined;
}

/** With the names and values of the headers in turn: of the whole reply, and of one to somebody who has the body. */
interface KeptReply extends KeptAnswer {
  readonly headers: string[];
  readonly headersIfKnown: string[];
}

/** The most bytes of replies that are kept, unless another number is given. */
const defaultBytes = 32 * 1024 * 1024;
const maxBody = 1024 * 1024;
/** What a reply takes in memory besides its body, about. */
const overhead = 3000;
/** The most characters of a key. Whoever writes an address in many long ways must not fill the memory with them. */
const maxKey = 1000;
/** The cookies that sites read: those of visitors, and of members who see previews. */
const ownCookie = /^(?:gitbook-visitor|(?:__Secure-)?docsctl-)/;

/**
 * Keeps whole replies of sites that do not depend on who asks, and sends them again without a transaction as long as nothing in
 * the store changes. A store in a database is asked each time whether something has changed. After any change, none of the replies
 * is sent again; pages that did not change are still in the page cache.
 */
export class KeptAnswers {
  readonly #store: Pick<Store, 'stamp' | 'fetchStamp'>;
  readonly #isProxied: boolean;
  readonly #kept: RecentMap<KeptReply>;

  /** With `isProxied`, headers of proxies say which host was asked. */
  constructor(store: Pick<Store, 'stamp' | 'fetchStamp'>, isProxied: boolean, maxBytes = defaultBytes) {
    this.#store = store;
    this.#isProxied = isProxied;
    this.#kept = new RecentMap(maxBytes, ({ reply }) => overhead + (reply.body?.length ?? 0));
  }

  /** About how many bytes the kept replies take. */
  get size(): number {
    return this.#kept.weight;
  }

  /** Returns the stamp of the store. It must be taken before an answer is looked up or made. */
  async stamp(): Promise<string | undefined> {
    return this.#store.stamp === undefined ? this.#store.fetchStamp?.() : this.#store.stamp();
  }

  /**
   * Returns a text that is equal for requests with the same reply, if the reply does not depend on who asks. Undefined for
   * requests that may come from a visitor with claims or from a member, and for those with a query or a body.
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
    // No header has a line break, so that no two requests have the same key by chance.
    const key = `${form}\n${proxy}\n${host}\n${url}`;
    return key.length > maxKey ? undefined : key;
  }

  /** Returns the answer to requests with a key; undefined if none is kept, or if it was kept with another stamp. */
  find(key: string, ifNoneMatch: string | undefined, stamp: string | undefined): KeptReply | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    // The cached reply was for a client that had the body already, so it has none.
    if (kept.reply.body === undefined && !isKnown(kept.reply, ifNoneMatch)) return undefined;
    return kept.stamp === stamp ? kept : undefined;
  }

  /** Keeps an answer. The caller knows that it does not depend on who asks. */
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
   * Answers a request if its answer is kept, and skips everything else that the server does for requests. Returns false if the
   * answer is not kept, if the store has to be asked for its stamp, or if the request is for a part of a file.
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
