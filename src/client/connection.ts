import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { isPublic, isWithin, parseAddress, parseNetwork } from '../core/addresses.ts';
import { Problem } from '../errors/problem.ts';
import { normalizedHost, portOf } from './allow-list.ts';
import { addressHint } from './connection-failure.ts';
import { isLoopback, readServer } from './request.ts';
import { parseUrl } from '../contract/parse-url.ts';
import { decodePercent } from '../contract/values.ts';

export interface ConnectionOptions {
  readonly proxy?: string | undefined;
  /** Certificates of authorities in PEM form, trusted in addition to those of Node.js. */
  readonly ca?: string | undefined;
  /** The setting that contains the address of the server, for errors. */
  readonly from?: string | undefined;
}

export interface NetworkSettings {
  /** Contains HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Certificates of authorities in PEM form, trusted in addition to those of Node.js. */
  readonly ca?: string | undefined;
}

/**
 * Returns the proxy for a URL from the environment. Requests to this machine never use a proxy.
 *
 * @throws Problem(invalid-input)
 */
export function findProxy(target: URL, env: NetworkSettings['env']): string | undefined {
  if (isLoopback(target.origin)) return undefined;
  const name = target.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  // Web servers pass a header Proxy to programs as HTTP_PROXY, so the lower-case name has priority, as in curl.
  const proxy = env[name] || env[name.toUpperCase()];
  if (!proxy || isExempt(target, env['no_proxy'] ?? env['NO_PROXY'] ?? '')) return undefined;
  const url = parseUrl(/^\w+:\/\//.test(proxy) ? proxy : `http://${proxy}`);
  const credentials = decodePercent(`${url?.username}:${url?.password}`);
  if (url === undefined || !/^https?:$/.test(url.protocol) || credentials === undefined)
    throw new Problem('invalid-input', `${name.toUpperCase()} is not the http or https URL of a proxy.`, {
      hint: `Write it like ${name.toUpperCase()}=http://proxy.example.com:3128. In a password, write % as %25.`,
    });
  // undici takes no path, and other programs ignore it.
  return url.href.replace(/^(.*?\/\/[^/?#]*).*/, '$1');
}

/**
 * Returns the proxy for the API server from the environment.
 *
 * @throws Problem(invalid-input)
 */
export function findServerProxy(
  server: { readonly value: string; readonly from?: string },
  env: NetworkSettings['env'],
): string | undefined {
  return findProxy(new URL(readServer(server.value, server.from).origin), env);
}

/** Whether NO_PROXY is * or contains a host, one of its parent domains, its address or its network. */
function isExempt(target: URL, noProxy: string): boolean {
  const host = normalizedHost(target);
  const address = parseAddress(host);
  return noProxy.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true;
    const network = parseNetwork(entry.replace(/^\[(.*)\]$/, '$1'));
    if (network !== undefined) return address !== undefined && isWithin(address, network);
    const [, name = '', port] = /^\[?(.*?)\]?(?::(\d{1,5}))?$/.exec(entry) ?? [];
    if (port !== undefined && Number(port) !== portOf(target)) return false;
    const domain = name.replace(/^\*?\./, '').toLowerCase();
    return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
  });
}

/**
 * Reads the file of certificates that the settings name, relative to a working folder.
 *
 * @throws Problem(invalid-input)
 */
export function readCa(
  caFile: { readonly value: string; readonly from: string } | undefined,
  cwd: string,
): string | undefined {
  return caFile === undefined ? undefined : readCaFile(resolve(cwd, caFile.value), caFile.from);
}

function readCaFile(path: string, from: string): string {
  try {
    // Reading a device or pipe might never end.
    if (!statSync(path).isFile()) throw new Error('not a file');
    const text = readFileSync(path, 'utf8');
    return new X509Certificate(text).raw.length > 0 ? text : '';
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new Problem(
      'invalid-input',
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
 * Checks whether a token may be sent over plain HTTP: always to this machine, and to a private network if that is allowed.
 *
 * @throws Problem(guard-refused)
 */
export async function checkPlainHttp(
  { value: server, from }: { value: string; from?: string },
  isAllowed: boolean,
): Promise<void> {
  const { origin } = readServer(server, from);
  if (origin.startsWith('https:') || isLoopback(origin)) return;
  const refuse = (message: string, hint: string): Problem => new Problem('guard-refused', message, { hint });
  if (!isAllowed)
    throw refuse(
      `The token would be sent to ${origin} without encryption.`,
      'Use an https address, or add --allow-http for a server in a private network.',
    );
  const host = new URL(origin).hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses =
    isIP(host) === 0
      ? await lookup(host, { all: true }).catch(() => {
          throw new Problem('unreachable', `The host ${host} is not known to the name server.`, {
            hint: addressHint(from, ' for a typing error'),
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
