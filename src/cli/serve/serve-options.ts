import type { Command } from 'commander';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { defined, joinOr } from '../../contract/values.ts';
import type { ServerUrls } from '../../core/server-urls.ts';
import { Problem } from '../../errors/problem.ts';
import type { LogLevel } from '../../server/log.ts';
import type { TlsFiles } from '../../server/tls.ts';
import type { Runtime, Settings } from '../runtime.ts';
import { readBaseUrl } from '../settings/settings.ts';
import { withVariables } from './variable-options.ts';
import { readWholeNumber } from '../input/whole-number.ts';

export interface ServeFlags {
  readonly host: string;
  readonly port: string;
  readonly publicUrl?: string;
  readonly sitesPort?: string;
  readonly sitesUrl?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly countViews?: boolean;
  readonly allowRemote?: boolean;
  readonly log?: string | true;
  readonly logFormat?: string;
  readonly grace: string;
  readonly drainTimeout: string;
  readonly rateLimit?: string;
  readonly rateLimitOrganization: string;
  readonly trustProxy?: string;
  readonly processes?: string;
  readonly workers: string;
  readonly metricsPort?: string;
  readonly metricsHost: string;
}

/** The options of `serve`. Times are in seconds. */
export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly sitesPort: number | undefined;
  readonly urls: Partial<ServerUrls>;
  readonly tls: TlsFiles | undefined;
  readonly countViews: boolean;
  readonly allowRemote: boolean;
  readonly logLevel: LogLevel;
  /** Default: text on a terminal, otherwise JSON. */
  readonly logFormat: 'json' | 'text' | undefined;
  readonly grace: number;
  readonly drainTimeout: number;
  /** Requests per minute for each client, and for each organization; 0 for no limit. */
  readonly rateLimit: number;
  readonly rateLimitOrganization: number;
  /** Requests per minute to sites for each address; 0 for no limit. */
  readonly sitesRateLimit: number;
  readonly proxies: readonly string[] | undefined;
  /** The number of processes that answer requests (default: depends on the store). */
  readonly processes: number | undefined;
  readonly workers: number;
  readonly metricsHost: string;
  readonly metricsPort: number | undefined;
}

const logLevels: readonly LogLevel[] = ['error', 'warn', 'info', 'debug'];

/** More than one command or program sends, because it waits for answers, but less than a server can answer. */
const defaultRateLimit = '30000';

/** Adds the options of `serve` to a command. */
export function addServeOptions(command: Command): void {
  command
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 chooses a free one', '8080')
    .option(
      '--public-url <url>',
      'base of the URLs in responses (default: the setting public-url, or the address that the server listens on)',
    )
    .option('--sites-port <number>', 'port on which published sites are shown (default: they are not shown)')
    .option(
      '--sites-url <url>',
      'base of the addresses of sites, even if another server shows them (default: the setting sites-url, or the address of --sites-port)',
    )
    .option(
      '--tls-cert <file>',
      'certificate for HTTPS in PEM form, followed by the certificates of its authority (default: HTTP)',
    )
    .option('--tls-key <file>', 'private key of the certificate, in PEM form')
    .option('--count-views', 'record the page views of readers as events of the sites')
    .option('--allow-remote', 'allow a --host that other machines can reach')
    .option(
      '--log [level]',
      'lowest level to log: error, warn, info (each request and job) or debug (default: warn; --log alone: info)',
    )
    .option('--log-format <format>', 'json or text (default: text on a terminal, else json)')
    .option(
      '--rate-limit <number>',
      `requests per minute for each token, or for each client address without a token; 0 for no limit; requests to sites are limited only if you give it (default: ${defaultRateLimit})`,
    )
    .option(
      '--rate-limit-organization <number>',
      'requests per minute for all tokens of an organization together; 0 for no limit',
      '60000',
    )
    .option(
      '--trust-proxy <addresses>',
      'proxies whose X-Forwarded-For is trusted: addresses, networks, loopback, linklocal or uniquelocal, separated by commas (default: none)',
    )
    .option(
      '--processes <number>',
      'processes that answer requests (default: with PostgreSQL one for each core, at most 4; else 1)',
    )
    .option(
      '--workers <number>',
      'jobs of one organization to run at the same time; 0: run no jobs, which leaves them to `docsctl jobs run`',
      '1',
    )
    .option(
      '--metrics-port <number>',
      'port on which Prometheus reads /metrics (default: there are no metrics)',
    )
    .option('--metrics-host <address>', 'address of --metrics-port', '127.0.0.1')
    .option(
      '--drain-timeout <seconds>',
      'seconds to accept new requests after SIGTERM, while /readyz answers 503',
      '0',
    )
    .option('--grace <seconds>', 'seconds to wait for open requests after the drain timeout', '10');
}

/** Reads the options of `serve` from the command line and from variables. @throws Problem(invalid-input), Problem(usage) */
export function readServeOptions(
  command: Command,
  flags: ServeFlags,
  { env, cwd }: Pick<Runtime, 'env' | 'cwd'>,
  settings: Settings,
): ServeOptions {
  const { options, from } = withVariables(command, flags, env);
  const port = (flag: string, text: string) =>
    readWholeNumber(from(flag), text, { max: 65_535, hint: 'Use 0 for a free port.' });
  const rateLimit = (flag: string, text: string) =>
    readWholeNumber(from(flag), text, {
      max: 999_999_999,
      hint: 'For ten requests per second, use 600.',
    });
  const tls = readTls(options, from, cwd);
  const ports = {
    port: port('--port', options.port),
    sitesPort: options.sitesPort === undefined ? undefined : port('--sites-port', options.sitesPort),
  };
  if (ports.port !== 0 && ports.port === ports.sitesPort)
    throw new Problem('usage', `The API and the sites cannot share port ${ports.port}.`, {
      hint: `Choose another port with ${from('--port')} or ${from('--sites-port')}; 0 takes any free port.`,
    });
  return {
    host: options.host,
    ...ports,
    metricsHost: options.metricsHost,
    metricsPort: options.metricsPort === undefined ? undefined : port('--metrics-port', options.metricsPort),
    urls: givenUrls(options, settings, tls !== undefined),
    tls,
    countViews: options.countViews === true,
    allowRemote: options.allowRemote === true,
    logLevel: options.log === true ? 'info' : readChoice(from('--log'), logLevels, options.log ?? 'warn'),
    logFormat:
      options.logFormat === undefined
        ? undefined
        : readChoice(from('--log-format'), ['json', 'text'] as const, options.logFormat),
    grace: readSeconds(from('--grace'), options.grace),
    drainTimeout: readSeconds(from('--drain-timeout'), options.drainTimeout),
    rateLimit: rateLimit('--rate-limit', options.rateLimit ?? defaultRateLimit),
    rateLimitOrganization: rateLimit('--rate-limit-organization', options.rateLimitOrganization),
    // All readers behind a proxy that is not trusted share one address.
    sitesRateLimit: rateLimit('--rate-limit', options.rateLimit ?? '0'),
    proxies:
      options.trustProxy === undefined ? undefined : readProxies(from('--trust-proxy'), options.trustProxy),
    processes:
      options.processes === undefined
        ? undefined
        : readWholeNumber(from('--processes'), options.processes, {
            min: 1,
            max: 64,
            hint: 'One for each core is enough.',
          }),
    workers: readWholeNumber(from('--workers'), options.workers, {
      max: 16,
      hint: 'Leave it out for one worker.',
    }),
  };
}

function readChoice<T extends string>(from: string, choices: readonly T[], text: string): T {
  const choice = choices.find((each) => each === text);
  if (choice !== undefined) return choice;
  throw new Problem('invalid-input', `${from} takes ${joinOr(choices)}, not "${text.slice(0, 60)}".`, {
    hint: `Choose one of them, or leave out ${from} to use the default.`,
  });
}

function readSeconds(from: string, text: string): number {
  const seconds = Number(text.trim() || Number.NaN);
  if (seconds >= 0 && seconds <= 600) return seconds;
  throw new Problem('invalid-input', `${from} takes a number of seconds from 0 to 600, not "${text}".`, {
    hint: 'Write 30 for half a minute.',
  });
}

function readTls(
  { tlsCert, tlsKey }: ServeFlags,
  from: (flag: string) => string,
  cwd: string,
): TlsFiles | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new Problem(
      'usage',
      tlsKey === undefined
        ? `${from('--tls-cert')} needs a key, but --tls-key is not given.`
        : `${from('--tls-key')} needs a certificate, but --tls-cert is not given.`,
      { hint: 'Give both: --tls-cert cert.pem --tls-key key.pem.' },
    );
  return {
    cert: { path: resolve(cwd, tlsCert), from: from('--tls-cert') },
    key: { path: resolve(cwd, tlsKey), from: from('--tls-key') },
  };
}

/** Parses addresses, networks (ADDRESS/BITS) and Fastify's names for some networks, separated by commas. */
function readProxies(from: string, text: string): string[] {
  const proxies = text.split(',').map((proxy) => proxy.trim());
  const wrong = proxies.find((proxy) => {
    const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(proxy) ?? [];
    const family = isIP(address);
    return family === 0
      ? !['loopback', 'linklocal', 'uniquelocal'].includes(proxy)
      : Number(bits ?? 1) > (family === 4 ? 32 : 128) || Number(bits ?? 1) === 0;
  });
  if (wrong === undefined) return proxies;
  throw new Problem(
    'invalid-input',
    `${from} takes addresses, networks, loopback, linklocal and uniquelocal, not "${wrong}".`,
    { hint: 'Write it like 10.0.0.1,192.168.0.0/16.' },
  );
}

/** Returns the URLs in options, or else in settings. With the server's own TLS, they must start with https. */
function givenUrls(
  { publicUrl, sitesUrl }: ServeFlags,
  settings: Settings,
  hasTls: boolean,
): Partial<ServerUrls> {
  const read = (name: 'publicUrl' | 'sitesUrl', flag: string, value: string | undefined) => {
    const url = value === undefined ? settings[name]?.value : readBaseUrl(flag, value);
    if (!hasTls || url?.startsWith('http:') !== true) return url;
    throw new Problem('invalid-input', `The server speaks HTTPS, but ${url} begins with http.`, {
      hint: `Give the address that clients use: ${flag} https://…`,
    });
  };
  return defined({
    publicUrl: read('publicUrl', '--public-url', publicUrl),
    sitesUrl: read('sitesUrl', '--sites-url', sitesUrl),
  });
}
