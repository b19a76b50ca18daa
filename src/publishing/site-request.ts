import { decodePercent } from '../contract/values.ts';
import type { Static } from '../contract/schema.ts';
import type { Deferred } from '../core/handler.ts';
import type { SiteEvent } from '../resources/site-insights/contract.ts';
import { parseUrl } from '../contract/parse-url.ts';

/** A request of a reader to a published site. */
export interface SiteRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  /** The requested host with its port. */
  readonly host: string;
  /** The path as the client sent it, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
  readonly authorization?: string | undefined;
  readonly accept?: string | undefined;
  readonly isSecure: boolean;
  readonly userAgent?: string | undefined;
  /** A pseudonym of the visitor that changes daily and cannot be traced to an address (default: the same for all). */
  readonly visitor?: string | undefined;
  /** Whether members can open previews at this host (default false). */
  readonly seesPreviews?: boolean;
  /** The header Origin, which browsers send with POST requests. */
  readonly origin?: string | undefined;
  /** The header Sec-Fetch-Site: the relation between the page that sends the request and this server. */
  readonly fetchSite?: string | undefined;
  /** The headers of the Model Context Protocol, which start with "mcp-". */
  readonly mcpHeaders?: Readonly<Record<string, string>> | undefined;
  /** The body of a POST. */
  readonly body?: { readonly type: string; readonly bytes: Uint8Array } | undefined;
}

/** Whether a browser sends the request from a page of another origin. Other programs send neither header. */
export function isFromElsewhere({ host, origin, fetchSite }: SiteRequest): boolean {
  if (fetchSite !== undefined) return fetchSite !== 'same-origin' && fetchSite !== 'none';
  if (origin === undefined) return false;
  const page = parseUrl(origin);
  if (page === undefined) return true;
  const { protocol, host: from } = page;
  const own = `${protocol}//${host}`;
  // The default port of the protocol may be missing.
  return parseUrl(own)?.host !== from;
}

/** The answer of a site. */
export interface SiteAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array | undefined;
  /**
   * Whether the answer is the same for all requests to this address without a query, cookies of visitors and credentials, until
   * the store changes (default false).
   */
  readonly isShared?: boolean;
  /** A hash of everything that the body depends on. Set if the body is made after the transaction, such as a PDF. */
  readonly madeOf?: string;
  /** The event to count when the answer is sent, if counting is on. */
  readonly counted?: CountedEvent | undefined;
}

/** An event of a visitor on a site. */
export interface CountedEvent {
  readonly siteId: string;
  readonly event: Static<typeof SiteEvent>;
}

/** The answer of an address: complete, or to be completed after the transaction. */
export type EndpointAnswer = SiteAnswer | Deferred<SiteAnswer>;

/** Whether the header Accept prefers Markdown. */
export function wantsMarkdown(accept = ''): boolean {
  return /^\s*text\/markdown\b/i.test(accept);
}

/** Parses the Cookie header. A name may occur more than once. */
export function readCookies(header: string | undefined): SiteRequest['cookies'] {
  return (header ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) return [];
    const name = decodePercent(pair.slice(0, at).trim());
    const value = decodePercent(pair.slice(at + 1).trim());
    return name === undefined || value === undefined ? [] : [{ name, value }];
  });
}

/** Whether a browser opens a link that works only once. Prefetching must not use it up. */
export function opensLink(
  {
    method,
    headers,
  }: {
    method: string;
    headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  },
  code: string,
): boolean {
  const isPrefetch = ['sec-purpose', 'purpose'].some((name) =>
    /prefetch|prerender/.test(String(headers[name])),
  );
  return method === 'GET' && !isPrefetch && /^[\w-]{32}$/.test(code);
}
