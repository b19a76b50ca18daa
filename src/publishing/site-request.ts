import { decodePercent } from '../contract/values.ts';
import type { Static } from '../contract/schema.ts';
import type { Deferred } from '../core/handler.ts';
import type { SiteEvent } from '../resources/site-insights/contract.ts';
import { parseUrl } from '../contract/parse-url.ts';

/** A request of a reader to a published site. */
export interface SiteRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  /** The host that the reader asked, with its port. */
  readonly host: string;
  /** As it was sent, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
  readonly authorization?: string | undefined;
  readonly accept?: string | undefined;
  readonly isSecure: boolean;
  readonly userAgent?: string | undefined;
  /** A name that the visitor has for a day, which cannot be traced to an address (default: one for all). */
  readonly visitor?: string | undefined;
  /** Whether the browser of a member can open previews at this host (default false). */
  readonly seesPreviews?: boolean;
  /** The header Origin, which browsers send with what they post. */
  readonly origin?: string | undefined;
  /** The header Sec-Fetch-Site: how the page that a browser sends the request from is related to this server. */
  readonly fetchSite?: string | undefined;
  /** The headers of the Model Context Protocol, which begin with "mcp-". */
  readonly mcpHeaders?: Readonly<Record<string, string>> | undefined;
  /** Of a POST. */
  readonly body?: { readonly type: string; readonly bytes: Uint8Array } | undefined;
}

/** Whether a browser sends a request from a page of another origin. A program that is no browser sends neither header. */
export function isFromElsewhere({ host, origin, fetchSite }: SiteRequest): boolean {
  if (fetchSite !== undefined) return fetchSite !== 'same-origin' && fetchSite !== 'none';
  if (origin === undefined) return false;
  const page = parseUrl(origin);
  if (page === undefined) return true;
  const { protocol, host: from } = page;
  const own = `${protocol}//${host}`;
  // The port that belongs to the protocol may be left out.
  return parseUrl(own)?.host !== from;
}

/** What a site answers. */
export interface SiteAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array | undefined;
  /**
   * Whether all get it who send the same request without a query, cookies of visitors and credentials, until something in the
   * store changes (default false).
   */
  readonly isShared?: boolean;
  /** A hash of everything that the body is made of. Set for a body that is made after the transaction, such as a PDF. */
  readonly madeOf?: string;
  /** What is counted when it is sent, if the site is asked to count. */
  readonly counted?: CountedEvent | undefined;
}

/** An event of a visitor on a site. */
export interface CountedEvent {
  readonly siteId: string;
  readonly event: Static<typeof SiteEvent>;
}

/** What an address of a site answers: at once, or after the transaction that found it. */
export type EndpointAnswer = SiteAnswer | Deferred<SiteAnswer>;

/** Whether a request with this header Accept wants pages as Markdown. */
export function wantsMarkdown(accept = ''): boolean {
  return /^\s*text\/markdown\b/i.test(accept);
}

/** Reads the Cookie header. A name may occur more than once. */
export function readCookies(header: string | undefined): SiteRequest['cookies'] {
  return (header ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) return [];
    const name = decodePercent(pair.slice(0, at).trim());
    const value = decodePercent(pair.slice(at + 1).trim());
    return name === undefined || value === undefined ? [] : [{ name, value }];
  });
}

/** Whether a browser opens a link that works once: what loads an address in advance must not use it up. */
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
