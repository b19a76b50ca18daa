import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import type { Outgoing, OutgoingAnswer } from '../core/outgoing.ts';
import { sizeText } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { normalizedHost, portOf, readAllowList, type AllowList } from './allow-list.ts';
import { findProxy, type ConnectionOptions, type NetworkSettings } from './connection.ts';
import { createDispatcher } from './dispatcher.ts';
import { describeOrigin, readTarget, resolveTarget, type Lookup, type Target } from './outgoing-target.ts';
import { describeConnectionFailure, isGeneralHint } from './connection-failure.ts';
import { followRedirect, isRedirect, leadsToOrigin, type Hop } from './redirect.ts';
import { firstHeader, type Headers } from './retry.ts';

export { readAllowList };

export interface OutgoingOptions {
  /** The private addresses that may be reached. */
  readonly allow: AllowList;
  /** The proxy and the certificate authorities (default: no proxy, and the authorities of Node.js). */
  readonly network?: NetworkSettings;
  readonly lookup?: Lookup;
  /** Calls `act` after some milliseconds, unless the returned function is called first. */
  readonly after?: (milliseconds: number, act: () => void) => () => void;
}

const defaults = { maxRedirects: 3, maxBytes: 10 * 2 ** 20, timeout: 15_000 };
/** Headers of the connection, which are not copied from a request. */
const connectionHeaders = new Set([
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'proxy-authorization',
]);

/**
 * Creates the outgoing requests with the restrictions of the environment and the settings.
 *
 * @throws Problem(invalid-input)
 */
export function configuredOutgoing(network: NetworkSettings): Outgoing {
  return createOutgoing({ allow: readAllowList(network.env['DOCSCTL_ALLOW_PRIVATE']), network });
}

/**
 * Creates restricted requests to other services with undici. Checks every address when it connects, and does not reuse
 * connections.
 */
export function createOutgoing({
  allow,
  network = { env: {} },
  lookup = lookupAll,
  after = startTimer,
}: OutgoingOptions): Outgoing {
  return async (request) => {
    const { maxRedirects, maxBytes, headersOnly = false, timeout, signal } = { ...defaults, ...request };
    const limits = { maxBytes, headersOnly };
    const stop = new AbortController();
    const interrupt = (): void => stop.abort(new Problem('interrupted', 'The request was canceled.'));
    if (signal?.aborted === true) interrupt();
    signal?.addEventListener('abort', interrupt, { once: true });
    let origin = 'The server';
    const cancel = after(timeout, () =>
      stop.abort(
        new Problem('timed-out', `${origin} did not answer completely within ${timeout / 1000} s.`, {
          hint: 'Try again later.',
        }),
      ),
    );
    try {
      const trusted = request.trusted === true;
      const first = readTarget(request.url, undefined, { allow, trusted });
      let url = first;
      let hop: Hop = { method: request.method ?? 'GET', headers: request.headers ?? {}, body: request.body };
      for (let hops = 0; ; hops++) {
        origin = describeOrigin(url);
        stop.signal.throwIfAborted();
        // Only the origin of the request is trusted, not the targets of redirects.
        const isTrusted = trusted && url.origin === first.origin;
        const proxy = findProxy(url, network.env);
        const rules = { allow, trusted: isTrusted, isProxied: proxy !== undefined, lookup };
        const connection = { proxy, ca: network.ca };
        const answer = await awaitHop(
          url,
          proxy,
          stop.signal,
          resolveTarget(url, rules).then((target) => exchange(target, connection, hop, limits, stop.signal)),
        );
        const location =
          isRedirect(answer.status) && maxRedirects > 0 ? answer.headers['location'] : undefined;
        if (location === undefined) return answer;
        if (hops === maxRedirects)
          throw new Problem(
            'unreachable',
            `${describeOrigin(first)} redirects more than ${maxRedirects} times.`,
            { hint: 'Open the address in a browser, and use the address where the redirects end.' },
          );
        const next = readTarget(location, url.href, {
          allow,
          trusted: trusted && leadsToOrigin(first, location, url),
        });
        hop = followRedirect(hop, answer.status, url, next);
        url = next;
      }
    } finally {
      cancel();
      signal?.removeEventListener('abort', interrupt);
    }
  };
}

/** Waits for one hop or the signal, and describes network errors. */
async function awaitHop(
  url: URL,
  proxy: string | undefined,
  signal: AbortSignal,
  work: Promise<OutgoingAnswer>,
): Promise<OutgoingAnswer> {
  let onAbort = (): void => {};
  const stopped = new Promise<never>((_, reject) => (onAbort = () => reject(signal.reason as Error)));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, stopped]);
  } catch (error) {
    if (error instanceof Problem) throw error;
    if ((error as { code?: unknown }).code === 'UND_ERR_INVALID_ARG')
      throw new Problem(
        'forbidden',
        `A header for ${describeOrigin(url)} contains characters that are not allowed.`,
        { hint: 'Remove line breaks from it.' },
      );
    // The name server of this machine answered, not the proxy.
    const isUnknown = (error as { code?: unknown }).code === 'ENOTFOUND';
    const via = isUnknown ? undefined : proxy;
    const failure = describeConnectionFailure(describeOrigin(url), error as Error, { proxy: via })?.problem;
    if (failure === undefined) throw error;
    throw new Problem(failure.reason, failure.message, {
      hint: isGeneralHint(failure.hint)
        ? failure.hint
        : isUnknown && proxy !== undefined
          ? 'docsctl checks addresses before it uses a proxy. Let this machine resolve public names, or add the host to DOCSCTL_ALLOW_PRIVATE to trust it without a check.'
          : 'Check the address, and whether the server is running.',
    });
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

interface ReadLimits {
  readonly maxBytes: number;
  readonly headersOnly: boolean;
}

async function exchange(
  { url, addresses }: Target,
  { proxy, ca }: ConnectionOptions,
  { method, headers, body }: Hop,
  limits: ReadLimits,
  signal: AbortSignal,
): Promise<OutgoingAnswer> {
  // The proxy gets the checked address. Given a name, it would resolve it again, maybe to another address.
  const pinned = proxy === undefined ? undefined : addresses[0];
  const origin = pinned === undefined ? url.origin : originOf(url, pinned);
  const client = await createDispatcher(origin, {
    proxy,
    ca,
    connections: 1,
    connectTimeout: 10_000,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
    lookup: pinAddresses(addresses),
    servername: pinned === undefined || isIP(normalizedHost(url)) !== 0 ? undefined : normalizedHost(url),
    // Without a tunnel, a proxy would replace the Host header by the address.
    tunnelsHttp: pinned !== undefined,
  });
  const sent = Object.entries(headers).filter(([name]) => !connectionHeaders.has(name.toLowerCase()));
  const request = {
    origin,
    method,
    path: url.pathname + url.search,
    headers: { ...Object.fromEntries(sent), host: url.host, 'accept-encoding': 'identity' },
    body: body ?? null,
    reset: true,
  } as const;
  const onAbort = (): void => void client.destroy().catch(() => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    return await receive(client, request, url, limits);
  } finally {
    signal.removeEventListener('abort', onAbort);
    await client.destroy();
  }
}

function originOf(url: URL, { address, family }: LookupAddress): string {
  return `${url.protocol}//${family === 6 ? `[${address}]` : address}:${portOf(url)}`;
}

/** Creates a resolver that returns only the checked addresses, so that the connection cannot go to another one. */
function pinAddresses(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all === true || first === undefined) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

function receive(
  client: Dispatcher,
  request: Dispatcher.DispatchOptions,
  url: URL,
  { maxBytes: limit, headersOnly }: ReadLimits,
): Promise<OutgoingAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let status = 0;
    let answered: Headers = {};
    const refuse = (reason: 'unreachable' | 'too-large', message: string): void =>
      reject(new Problem(reason, `${describeOrigin(url)} ${message}`));
    client.dispatch(request, {
      // The presence of this method tells undici that the handler has the new interface.
      onRequestStart: () => undefined,
      onResponseStart(_, code, fields) {
        if (code < 200) return;
        [status, answered] = [code, fields];
        const encoding = (firstHeader(fields, 'content-encoding') ?? 'identity').trim().toLowerCase();
        // The body of a redirect is not needed.
        if (isRedirect(code) || headersOnly)
          resolve({ status, headers: joinHeaders(answered), bytes: new Uint8Array(), url: url.href });
        else if (encoding !== 'identity' && encoding !== '')
          refuse('unreachable', 'sent a compressed answer, which docsctl did not accept.');
        else if (Number(firstHeader(fields, 'content-length') ?? 0) > limit)
          refuse('too-large', `sent more than ${sizeText(limit)}.`);
      },
      onResponseData(_, chunk) {
        size += chunk.length;
        if (size > limit) refuse('too-large', `sent more than ${sizeText(limit)}.`);
        else chunks.push(chunk);
      },
      onResponseEnd: () =>
        resolve({
          status,
          headers: joinHeaders(answered),
          bytes: Buffer.concat(chunks, size),
          url: url.href,
        }),
      onResponseError: (_, error) => reject(error),
    });
  });
}

function joinHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
    ),
  );
}

async function lookupAll(host: string): Promise<readonly LookupAddress[]> {
  const { lookup } = await import('node:dns/promises');
  return lookup(host, { all: true });
}

function startTimer(milliseconds: number, act: () => void): () => void {
  const running = setTimeout(act, milliseconds);
  return () => clearTimeout(running);
}
