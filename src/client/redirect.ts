import type { OutgoingRequest } from '../core/outgoing.ts';
import { Problem } from '../errors/problem.ts';
import { describeOrigin } from './outgoing-target.ts';
import { parseUrl } from '../contract/parse-url.ts';

export interface Hop {
  readonly method: NonNullable<OutgoingRequest['method']>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/**
 * Returns the request for the next hop. To another origin, it contains neither credentials nor a body.
 *
 * @throws Problem(forbidden) for a redirect from https to http, or of a body to another origin
 */
export function followRedirect({ method, headers, body }: Hop, status: number, from: URL, to: URL): Hop {
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new Problem(
      'forbidden',
      `${describeOrigin(from)} redirects from https to http, which docsctl does not follow.`,
      { hint: 'Use an address that stays on https.' },
    );
  }
  const stays = from.origin === to.origin;
  const keptHeaders = stays
    ? headers
    : Object.fromEntries(
        Object.entries(headers).filter(
          ([name]) => name.toLowerCase() === 'accept' || name.toLowerCase() === 'user-agent',
        ),
      );
  const isBodyless = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  if (isBodyless || status < 307) {
    return {
      method: method === 'HEAD' ? 'HEAD' : 'GET',
      headers: Object.fromEntries(
        Object.entries(keptHeaders).filter(([name]) => !name.toLowerCase().startsWith('content-')),
      ),
      body: undefined,
    };
  }
  if (!stays)
    throw new Problem(
      'forbidden',
      `${describeOrigin(from)} redirects a request with a body to another server, which docsctl does not follow.`,
      { hint: 'Use the address that it redirects to.' },
    );
  return { method, headers: keptHeaders, body };
}

/** Whether a status is a redirect with a location. */
export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/** Whether the location of a redirect has the same origin as a URL. */
export function leadsToOrigin({ origin }: URL, location: string, from: URL): boolean {
  return parseUrl(location, from)?.origin === origin;
}
