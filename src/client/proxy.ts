import type { Dispatcher, EnvHttpProxyAgent } from 'undici';

type Tls = NonNullable<EnvHttpProxyAgent.Options['requestTls']>;

interface ProxyAgentOptions extends Omit<EnvHttpProxyAgent.Options, 'tls'> {
  readonly proxy: string;
  readonly noProxy: string;
  readonly tls: Tls;
}

/** Makes an agent that sends requests through a proxy, except to the hosts of NO_PROXY. */
export async function createProxyAgent({
  proxy,
  noProxy,
  tls,
  ...options
}: ProxyAgentOptions): Promise<Dispatcher> {
  const [{ default: Agent }, { default: Base }, { default: connect }] = (await Promise.all([
    // @ts-expect-error undici types only its whole index, of which these files are a small part.
    import('undici/lib/dispatcher/env-http-proxy-agent.js'),
    // @ts-expect-error undici types only its whole index, of which these files are a small part.
    import('undici/lib/dispatcher/dispatcher.js'),
    // @ts-expect-error undici types only its whole index, of which these files are a small part.
    import('undici/lib/api/api-connect.js'),
  ])) as [
    { default: typeof EnvHttpProxyAgent },
    { default: typeof Dispatcher },
    { default: Dispatcher['connect'] },
  ];
  // The index of undici, which is not loaded, adds this method. Tunnels need it.
  Object.assign(Base.prototype, { connect });
  return new Agent({
    ...options,
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy,
    // Proxies seldom open tunnels to plain HTTP.
    proxyTunnel: false,
    requestTls: tls,
    proxyTls: tls,
  });
}
