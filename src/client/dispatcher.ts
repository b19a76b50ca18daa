import type { LookupFunction } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import type { Dispatcher, Pool, ProxyAgent } from 'undici';
import type { ConnectionOptions } from './connection.ts';

/** The options of connections to one origin; times are in milliseconds. */
interface DispatcherOptions extends ConnectionOptions {
  readonly connections: number;
  readonly connectTimeout: number;
  /** Times for the headers of an answer, and between two parts of its body; 0 for no limit. */
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
  readonly maxHeaderSize?: number;
  /** Resolves the addresses to connect to, if no proxy is used. */
  readonly lookup?: LookupFunction;
  /** The host name that the certificate must have, if the origin contains an address instead. */
  readonly servername?: string | undefined;
  /** Whether a proxy opens tunnels for plain HTTP, too (default false, because few proxies do). */
  readonly tunnelsHttp?: boolean;
}

/**
 * Creates connections to an origin with undici, directly or through a proxy. Except for `createFirstRequests`, all HTTP requests
 * use them.
 */
export async function createDispatcher(origin: string, options: DispatcherOptions): Promise<Dispatcher> {
  // The HTTP parser is WebAssembly. With the default budget of V8, one request already starts the optimizing compiler, and the
  // process waits for it at its end: half the time of a command. Long runs still optimize it later.
  setFlagsFromString('--wasm-tiering-budget=100000000');
  const { proxy, ca, connectTimeout, lookup, servername, tunnelsHttp = false, ...limits } = options;
  const trusted = ca === undefined ? {} : { ca: [...(await import('node:tls')).rootCertificates, ca] };
  const tls = { timeout: connectTimeout, ...trusted };
  const shared = { ...limits, allowH2: false };
  // @ts-expect-error undici only has types for its whole index, which contains this file.
  const { default: Connections } = (await import('undici/lib/dispatcher/pool.js')) as {
    default: typeof Pool;
  };
  if (proxy === undefined)
    return new Connections(origin, { ...shared, connect: lookup === undefined ? tls : { ...tls, lookup } });
  const [{ default: Agent }, { default: connect }] = (await Promise.all([
    // @ts-expect-error undici only has types for its whole index, which contains this file.
    import('undici/lib/dispatcher/proxy-agent.js'),
    // @ts-expect-error undici only has types for its whole index, which contains this file.
    import('undici/lib/api/api-connect.js'),
  ])) as [{ default: typeof ProxyAgent }, { default: OpenTunnel }];
  return new Agent({
    ...shared,
    uri: proxy,
    proxyTunnel: tunnelsHttp,
    requestTls: servername === undefined ? tls : { ...tls, servername },
    proxyTls: tls,
    // The index of undici, which is not loaded, adds this method to every pool.
    clientFactory: (url, own) => {
      const pool = new Connections(url, own);
      return Object.assign(pool, { connect: openTunnel.bind(pool, connect) });
    },
  });
}

type OpenTunnel = (
  this: Dispatcher,
  options: Dispatcher.ConnectOptions,
) => Promise<Dispatcher.ConnectData<undefined>>;

/** Requests a tunnel from a proxy once. undici would retry without end if the proxy closes the connection. */
async function openTunnel(
  this: Dispatcher,
  connect: OpenTunnel,
  options: Dispatcher.ConnectOptions,
): ReturnType<OpenTunnel> {
  try {
    return await connect.call(this, options);
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'UND_ERR_SOCKET') throw cause;
    throw Object.assign(new Error('The proxy closed the connection.', { cause }), { code: 'ECONNRESET' });
  }
}
