import { groupBy } from '../contract/values.ts';
import { mapConcurrent } from '../manifest/map-concurrent.ts';
import type { Outgoing } from '../core/outgoing.ts';
import { Problem } from '../errors/problem.ts';
import { parseUrl } from '../contract/parse-url.ts';

/**
 * The result for an address: `broken` addresses do not exist or are invalid, `unreachable` ones did not answer, `skipped` ones
 * were not checked.
 */
export type AddressStatus = 'ok' | 'broken' | 'unreachable' | 'skipped';

export interface CheckedAddress {
  readonly status: AddressStatus;
  /** The reason if the status is not `ok`, such as `HTTP 404`. */
  readonly reason?: string;
}

export interface CheckOptions {
  readonly send: Outgoing;
  readonly wait: (milliseconds: number) => Promise<unknown>;
  readonly signal: AbortSignal;
  /** Hosts to check, such as `example.com` or `*.example.com`; undefined for all. */
  readonly hosts: readonly string[] | undefined;
  /** Maximum number of hosts that are requested at the same time. */
  readonly concurrency: number;
  /** Maximum number of requests to one host at the same time. */
  readonly perHost: number;
  /** Milliseconds between two requests to one host. */
  readonly delay: number;
  /** Milliseconds until an address counts as unreachable. */
  readonly timeout: number;
  readonly userAgent: string;
  readonly onChecked: (url: string, checked: CheckedAddress) => void;
}

/** Maximum wait that a host may request, in milliseconds. */
const maxRetryAfter = 30_000;
const maxRedirects = 5;

/**
 * Checks addresses over HTTP: HEAD, then GET if the host rejects HEAD. Addresses of one host are requested one after the other,
 * with a pause. Private addresses are skipped unless the operator allows them.
 */
export async function checkAddresses(urls: Iterable<string>, options: CheckOptions): Promise<void> {
  const { hosts, concurrency, perHost, delay, wait, signal, onChecked } = options;
  const byHost = groupBy(urls, hostOf);
  await mapConcurrent([...byHost], concurrency, async ([host, all]) => {
    const refusal = refusalOf(host, hosts);
    await mapConcurrent(all, refusal === undefined ? perHost : all.length, async (url) => {
      if (refusal !== undefined) return onChecked(url, { status: 'skipped', reason: refusal });
      onChecked(url, await checkAddress(url, options));
      if (url !== all.at(-1)) await wait(delay);
      if (signal.aborted) throw new Problem('interrupted', 'Interrupted.');
    });
  });
}

/** Returns the host of an address; '' if HTTP cannot reach it. */
function hostOf(url: string): string {
  return /^https?:/i.test(url) ? (parseUrl(url)?.host ?? '') : '';
}

function refusalOf(host: string, allowed: readonly string[] | undefined): string | undefined {
  if (host === '') return 'not an HTTP address';
  if (allowed === undefined || allowed.some((pattern) => matchesHost(host, pattern))) return undefined;
  return 'host not in --allow-host';
}

/** Whether a host, with or without its port, matches a pattern; `*.` matches any subdomain. */
export function matchesHost(host: string, pattern: string): boolean {
  const wanted = pattern.toLowerCase();
  return [host, host.replace(/:\d+$/, '')].some((name) =>
    wanted.startsWith('*.') ? name.endsWith(wanted.slice(1)) : name === wanted,
  );
}

/** Checks one address. Throws only if interrupted. */
async function checkAddress(url: string, options: CheckOptions): Promise<CheckedAddress> {
  try {
    const head = await request(url, 'HEAD', options);
    // Some hosts reject HEAD, or answer it incorrectly.
    const { status } = head.status < 400 ? head : await request(url, 'GET', options);
    return classify(status);
  } catch (error) {
    if (!(error instanceof Problem) || error.reason === 'interrupted') throw error;
    if (error.reason === 'forbidden') return { status: 'skipped', reason: error.message };
    return { status: 'unreachable', reason: error.message };
  }
}

async function request(url: string, method: 'HEAD' | 'GET', options: CheckOptions) {
  const { send, timeout, signal, wait, userAgent } = options;
  const ask = () =>
    send({
      url,
      method,
      headersOnly: true,
      maxRedirects,
      timeout,
      signal,
      headers: { 'user-agent': userAgent, accept: '*/*' },
    });
  const answer = await ask();
  const seconds = Number(answer.headers['retry-after'] ?? '1');
  if (![429, 503].includes(answer.status) || !(seconds * 1000 <= maxRetryAfter)) return answer;
  await wait(seconds * 1000);
  return ask();
}

/** Returns what an HTTP status means for a link. If a host requires a login or blocks programs, the address exists. */
function classify(status: number): CheckedAddress {
  const reason = `HTTP ${status}`;
  if (status < 400) return { status: 'ok' };
  if ([401, 403, 407, 429, 451].includes(status)) return { status: 'skipped', reason };
  return { status: status < 500 ? 'broken' : 'unreachable', reason };
}
