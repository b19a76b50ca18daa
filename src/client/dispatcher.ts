import type { LookupFunction } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import type { Dispatcher, Pool, ProxyAgent } from 'undici';
import type { ConnectionOptions } from './connection.ts';

/** How the connections to one origin are made and used; times are in milliseconds. */
interface DispatcherOptions extends ConnectionOptions {
  readonly connections: number;
  readonly connectTimeout: number;
  /** Times for the headers of an answer, and between two parts of its body; 0 for no limit. */
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
  readonly maxHeaderSize?: number;
  /** Finds the addresses to connect to, where no proxy is used. */
  readonly lookup?: LookupFunction;
  /** The host whose certificate is expected, if the origin names an address instead. */
  readonly servername?: string | undefined;
  /** Whether a proxy opens a tunnel for plain HTTP, too. It seldom does, so the default is false. */
  readonly tunnelsHttp?: boolean;
}

/** Makes the connections to an origin with undici, directly or through a proxy. Every HTTP request goes through here. */
export async function createDispatcher(origin: string, options: DispatcherOptions): Promise<Dispatcher> {
  // The HTTP parser is WebAssembly. With the default budget of V8, one request already starts the optimizing compiler, for
  // which the process waits at its end: half the time of a command. Long runs still optimize it later.
  setFlagsFromString('--wasm-tiering-budget=100000000');
  const { proxy, ca, connectTimeout, lookup, servername, tunnelsHttp = false, ...limits } = options;
  const trusted = ca === undefined ? {} : { ca: [...(await import('node:tls')).rootCertificates, ca] };
  const tls = { timeout: connectTimeout, ...trusted };
  const shared = { ...limits, allowH2: false };
  // @ts-expect-error undici types only its whole index, of which this file is a small part.
  const { default: Connections } = (await import('undici/lib/dispatcher/pool.js')) as {
    default: typeof Pool;
  };
  if (proxy === undefined)
    return new Connections(origin, { ...shared, connect: lookup === undefined ? tls : { ...tls, lookup } });
  const [{ default: Agent }, { default: connect }] = (await Promise.all([
    // @ts-expect-error undici types only its whole index, of which these files are a small part.
    import('undici/lib/dispatcher/proxy-agent.js'),
    // @ts-expect-error undici types only its whole index, of which these files are a small part.
    import('undici/lib/api/api-connect.js'),
  ])) as [{ default: typeof ProxyAgent }, { default: OpenTunnel }];
  return new Agent({
    ...shared,
    uri: proxy,
    proxyTunnel: tunnelsHttp,
    requestTls: servername === undefined ? tls : { ...tls, servername },
    proxyTls: tls,
    // The index of undici, which is not loaded, gives every pool this method.
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

/** Asks a proxy for a tunnel once. undici would ask one that closes the connection again and again, without end. */
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
