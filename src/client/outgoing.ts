import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Client, Dispatcher } from 'undici';
import type { Outgoing, OutgoingAnswer } from '../core/outgoing.ts';
import { Problem } from '../errors/problem.ts';
import type { AllowList } from './address-allowed.ts';
import { originOf, readTarget, resolveTarget, type Lookup, type Target } from './address-target.ts';
import { connectionFailure } from './connection-failure.ts';
import { follow, isRedirect, leadsTo, type Hop } from './outgoing-redirect.ts';
import { header, type Headers } from './retry.ts';

export { readAllowed } from './address-allowed.ts';

export interface OutgoingOptions {
  /** What may be reached beside the public internet; see readAllowed. */
  readonly allow: AllowList;
  readonly lookup?: Lookup;
  /** Calls back after so many milliseconds, unless the function given back is called before. */
  readonly after?: (milliseconds: number, act: () => void) => () => void;
}

const defaults = { maxRedirects: 3, maxBytes: 10 * 2 ** 20, timeout: 15_000 };
/** What the connection decides, not the request. */
const ownHeaders = new Set([
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

/** The guarded way out on undici: every address is judged where the connection is made, and no connection is kept. */
export function createOutgoing({ allow, lookup = lookupAll, after = timer }: OutgoingOptions): Outgoing {
  return async (request) => {
    const { maxRedirects, maxBytes, timeout, signal } = { ...defaults, ...request };
    const stop = new AbortController();
    const interrupt = (): void => stop.abort(new Problem('interrupted', 'The request was given up.'));
    if (signal?.aborted === true) interrupt();
    signal?.addEventListener('abort', interrupt, { once: true });
    let place = 'The server';
    const cancel = after(timeout, () =>
      stop.abort(
        new Problem('timed-out', `${place} did not answer completely within ${timeout / 1000} s.`, {
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
        place = originOf(url);
        stop.signal.throwIfAborted();
        // Trust is in the place that was named, not in where it sends us.
        const rules = { allow, trusted: trusted && url.origin === first.origin, lookup };
        const answer = await tell(
          url,
          stop.signal,
          resolveTarget(url, rules).then((target) => exchange(target, hop, maxBytes, stop.signal)),
        );
        const location =
          isRedirect(answer.status) && maxRedirects > 0 ? answer.headers['location'] : undefined;
        if (location === undefined) return answer;
        if (hops === maxRedirects)
          throw new Problem('unreachable', `${originOf(first)} redirects more than ${maxRedirects} times.`, {
            hint: 'Give the address that it leads to.',
          });
        const next = readTarget(location, url.href, {
          allow,
          trusted: trusted && leadsTo(first, location, url),
        });
        hop = follow(hop, answer.status, url, next);
        url = next;
      }
    } finally {
      cancel();
      signal?.removeEventListener('abort', interrupt);
    }
  };
}

/** Waits for one hop, at most until the signal; says errors of the network in words. */
async function tell(url: URL, signal: AbortSignal, work: Promise<OutgoingAnswer>): Promise<OutgoingAnswer> {
  const { promise: stopped, reject } = settleable<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, stopped]);
  } catch (error) {
    if (error instanceof Problem) throw error;
    if ((error as { code?: unknown }).code === 'UND_ERR_INVALID_ARG')
      throw new Problem('forbidden', `A header for ${originOf(url)} holds what no header can.`, {
        hint: 'Leave out line breaks.',
      });
    const failure = connectionFailure(originOf(url), error as Error)?.problem;
    if (failure === undefined) throw error;
    throw new Problem(failure.reason, failure.message, {
      hint: 'Check the address, and that the server is running.',
    });
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function exchange(
  { url, addresses }: Target,
  { method, headers, body }: Hop,
  limit: number,
  signal: AbortSignal,
): Promise<OutgoingAnswer> {
  // @ts-expect-error undici types only its whole index, of which this file is a small part.
  const { default: Connection } = (await import('undici/lib/dispatcher/client.js')) as {
    default: typeof Client;
  };
  signal.throwIfAborted();
  const client = new Connection(url.origin, {
    connect: { lookup: pinned(addresses), timeout: 10_000 },
    maxHeaderSize: 16_384,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const sent = Object.entries(headers).filter(([name]) => !ownHeaders.has(name.toLowerCase()));
  const request = {
    method,
    path: url.pathname + url.search,
    headers: { ...Object.fromEntries(sent), 'accept-encoding': 'identity' },
    body: body ?? null,
    reset: true,
  } as const;
  const onAbort = (): void => void client.destroy().catch(() => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await receive(client, request, url, limit);
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Whatever is left of the answer is not wanted, and the connection neither.
    await client.destroy();
  }
}

/** A resolver that knows the judged addresses only, so that the connection cannot go to any other. */
function pinned(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
}

function receive(
  client: Client,
  request: Dispatcher.DispatchOptions,
  url: URL,
  limit: number,
): Promise<OutgoingAnswer> {
  const { promise, resolve, reject } = settleable<OutgoingAnswer>();
  const chunks: Buffer[] = [];
  let size = 0;
  let status = 0;
  let answered: Headers = {};
  const refuse = (reason: 'unreachable' | 'too-large', message: string): void =>
    reject(new Problem(reason, `${originOf(url)} ${message}`));
  client.dispatch(request, {
    // By this method undici knows that the handler is of the new kind.
    onRequestStart: () => undefined,
    onResponseStart(_, code, fields) {
      if (code < 200) return;
      [status, answered] = [code, fields];
      const encoding = (header(fields, 'content-encoding') ?? 'identity').trim().toLowerCase();
      // Of a redirect only the place counts: its body may be what it likes.
      if (isRedirect(code))
        resolve({ status, headers: plain(answered), bytes: new Uint8Array(), url: url.href });
      else if (encoding !== 'identity' && encoding !== '')
        refuse('unreachable', 'sent a compressed answer, which was not asked for.');
      else if (Number(header(fields, 'content-length') ?? 0) > limit)
        refuse('too-large', `sends more than ${limit} bytes.`);
    },
    onResponseData(_, chunk) {
      size += chunk.length;
      if (size > limit) refuse('too-large', `sends more than ${limit} bytes.`);
      else chunks.push(chunk);
    },
    onResponseEnd: () =>
      resolve({ status, headers: plain(answered), bytes: Buffer.concat(chunks, size), url: url.href }),
    onResponseError: (_, error) => reject(error),
  });
  return promise;
}

function plain(headers: Headers): Record<string, string> {
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

function timer(milliseconds: number, act: () => void): () => void {
  const running = setTimeout(act, milliseconds);
  return () => clearTimeout(running);
}

function settleable<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((yes, no) => ([resolve, reject] = [yes, no]));
  return { promise, resolve, reject };
}
