import { groupBy } from '../contract/values.ts';
import { mapConcurrent } from '../manifest/map-concurrent.ts';
import type { Outgoing } from '../core/outgoing.ts';
import { Problem } from '../errors/problem.ts';
import { parseUrl } from '../contract/parse-url.ts';

/** What became of an address: `broken` is gone or wrong, `unreachable` did not answer, `skipped` was not checked. */
export type AddressStatus = 'ok' | 'broken' | 'unreachable' | 'skipped';

export interface CheckedAddress {
  readonly status: AddressStatus;
  /** Why it is not ok, such as `HTTP 404`. */
  readonly reason?: string;
}

export interface CheckOptions {
  readonly send: Outgoing;
  readonly wait: (milliseconds: number) => Promise<unknown>;
  readonly signal: AbortSignal;
  /** Hosts to check, such as `example.com` or `*.example.com`; undefined for all. */
  readonly hosts: readonly string[] | undefined;
  /** Hosts that are asked at once. */
  readonly concurrency: number;
  /** Requests to one host at once. */
  readonly perHost: number;
  /** Milliseconds between two requests to one host. */
  readonly delay: number;
  /** Milliseconds until an address counts as unreachable. */
  readonly timeout: number;
  readonly userAgent: string;
  readonly onChecked: (url: string, checked: CheckedAddress) => void;
}

/** The longest wait that a host may ask for, in milliseconds. */
const maxRetryAfter = 30_000;
const maxRedirects = 5;

/**
 * Checks addresses over HTTP: HEAD, then GET where the host refuses HEAD. Addresses of one host are asked one after the other,
 * with a pause; private addresses are skipped unless the operator allows them.
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

/** The host of an address; '' for one that HTTP cannot reach. */
function hostOf(url: string): string {
  return /^https?:/i.test(url) ? (parseUrl(url)?.host ?? '') : '';
}

function refusalOf(host: string, allowed: readonly string[] | undefined): string | undefined {
  if (host === '') return 'not an HTTP address';
  if (allowed === undefined || allowed.some((pattern) => matchesHost(host, pattern))) return undefined;
  return 'host not in --allow-host';
}

/** Whether a host, with or without its port, is the one of a pattern; `*.` stands for any subdomain. */
export function matchesHost(host: string, pattern: string): boolean {
  const wanted = pattern.toLowerCase();
  return [host, host.replace(/:\d+$/, '')].some((name) =>
    wanted.startsWith('*.') ? name.endsWith(wanted.slice(1)) : name === wanted,
  );
}

/** Checks one address. Never throws but for an interruption. */
async function checkAddress(url: string, options: CheckOptions): Promise<CheckedAddress> {
  try {
    const head = await request(url, 'HEAD', options);
    // Some hosts refuse HEAD, or answer it wrongly.
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

/** Says what a status of HTTP means for a link. A host that asks for a login or turns programs away has the address. */
function classify(status: number): CheckedAddress {
  const reason = `HTTP ${status}`;
  if (status < 400) return { status: 'ok' };
  if ([401, 403, 407, 429, 451].includes(status)) return { status: 'skipped', reason };
  return { status: status < 500 ? 'broken' : 'unreachable', reason };
}
