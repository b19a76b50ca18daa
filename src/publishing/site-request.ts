import type { Deferred } from '../core/handler.ts';

/** A request of a reader to a published site. */
export interface SiteRequest {
  readonly method: 'GET' | 'HEAD';
  /** The host that the reader asked, with its port. */
  readonly host: string;
  /** As it was sent, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
  readonly authorization?: string | undefined;
  readonly accept?: string | undefined;
  readonly isSecure: boolean;
}

/** What a site answers. */
export interface SiteAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array | undefined;
}

/** What an address of a site answers: at once, or after the transaction that found it. */
export type EndpointAnswer = SiteAnswer | Deferred<SiteAnswer>;

/** Reads the Cookie header. A name may occur more than once. */
export function readCookies(header: string | undefined): SiteRequest['cookies'] {
  return (header ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) return [];
    const name = decode(pair.slice(0, at).trim());
    const value = decode(pair.slice(at + 1).trim());
    return name === undefined || value === undefined ? [] : [{ name, value }];
  });
}

/** Decodes percent-encoding; undefined for text that is not valid UTF-8. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
