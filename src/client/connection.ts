import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublic, parseAddress } from '../core/addresses.ts';
import { Problem } from '../errors/problem.ts';
import { isLoopback, readServer } from './request.ts';

/** How the connections of a transport are made. */
export interface ConnectionOptions {
  /** The URL of the proxy for the server. */
  readonly proxy?: string | undefined;
  /** Hosts that are reached without the proxy, as in NO_PROXY. */
  readonly noProxy?: string | undefined;
  /** Certificates of authorities in PEM form, trusted besides those of Node.js. */
  readonly ca?: string | undefined;
}

/** Reads the proxy variables that apply to a server. This machine is never reached through a proxy. */
export function readProxy(
  server: string,
  env: Readonly<Record<string, string | undefined>>,
): Pick<ConnectionOptions, 'proxy' | 'noProxy'> {
  const { origin } = readServer(server);
  if (isLoopback(origin)) return {};
  const name = origin.startsWith('https:') ? 'https_proxy' : 'http_proxy';
  // Web servers pass a header Proxy to programs as HTTP_PROXY; the lower-case name is preferred, as in curl.
  const proxy = env[name] || env[name.toUpperCase()];
  if (!proxy) return {};
  const url = /^\w+:\/\//.test(proxy) ? proxy : `http://${proxy}`;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Problem('usage', `${name.toUpperCase()} is not the http or https URL of a proxy.`, {
      hint: `Write it like ${name.toUpperCase()}=http://proxy.example.com:3128.`,
    });
  return { proxy: url, noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '' };
}

/** Reads a file of certificates in PEM form. @throws Problem(usage) */
export function readCaFile(path: string, from: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    return new X509Certificate(text).raw.length > 0 ? text : '';
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new Problem(
      'usage',
      isMissing
        ? `There is no file ${path} (from ${from}).`
        : `${path} (from ${from}) holds no certificate in PEM form.`,
      {
        hint: 'Give the file of a certificate authority that begins with -----BEGIN CERTIFICATE-----.',
        cause,
      },
    );
  }
}

/**
 * Checks whether a token may be sent over plain HTTP: to this machine always, to a private network if it is allowed.
 * @throws Problem(usage)
 */
export async function checkPlainHttp(
  server: string,
  isAllowed: boolean,
  lookupAll: (host: string) => Promise<readonly { readonly address: string }[]> = (host) =>
    lookup(host, { all: true }),
): Promise<void> {
  const { origin } = readServer(server);
  if (origin.startsWith('https:') || isLoopback(origin)) return;
  const refuse = (message: string, hint: string): Problem => new Problem('usage', message, { hint });
  if (!isAllowed)
    throw refuse(
      `The token would be sent to ${origin} without encryption.`,
      'Use an https address, or add --allow-http for a server in a private network.',
    );
  const host = new URL(origin).hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses =
    isIP(host) === 0
      ? await lookupAll(host).catch(() => {
          throw new Problem('unreachable', `The host ${host} is not known to the name server.`, {
            hint: 'Check --server for a typing error.',
          });
        })
      : [{ address: host }];
  const isPrivate = addresses.every(({ address }) => {
    const bytes = parseAddress(address);
    return bytes !== undefined && !isPublic(bytes);
  });
  if (!isPrivate)
    throw refuse(
      `${origin} is on the public internet, where --allow-http does not apply.`,
      'Use an https address.',
    );
}
