import type { Outgoing, OutgoingRequest } from '../core/outgoing.ts';
import { Problem } from '../errors/problem.ts';
import type { FetchAnswer, FetchRequest } from './protocol.ts';

/** Sends a request to the API of this program, without a network. Returns undefined for other addresses. */
export type ApiFetch = (request: FetchRequest) => Promise<FetchAnswer | undefined>;

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Returns the function that sends the requests of scripts. Requests to the API stay in this process; all others are sent with
 * `outgoing`, which restricts their targets.
 */
export function createScriptFetch({
  outgoing,
  api,
  maxBytes,
  timeout,
}: {
  outgoing: Outgoing;
  api: ApiFetch;
  maxBytes: number;
  timeout: number;
}): (request: FetchRequest, signal: AbortSignal) => Promise<FetchAnswer> {
  return async (request, signal) => {
    const own = await api(request);
    if (own !== undefined) return own;
    const { url, method, headers, redirect, body } = request;
    if (!methods.has(method)) throw new Problem('forbidden', `The method ${method} is not allowed.`);
    const answer = await outgoing({
      url,
      method: method as NonNullable<OutgoingRequest['method']>,
      headers: Object.fromEntries(headers),
      ...(body === undefined ? {} : { body }),
      maxRedirects: redirect === 'follow' ? 5 : 0,
      maxBytes,
      timeout,
      signal,
    });
    const isRedirect =
      answer.status >= 300 && answer.status < 400 && answer.headers['location'] !== undefined;
    if (isRedirect && redirect === 'error')
      throw new Problem(
        'unreachable',
        `${new URL(url).origin} redirects, but the script does not allow redirects.`,
      );
    return { status: answer.status, headers: answer.headers, url: answer.url, body: answer.bytes };
  };
}
