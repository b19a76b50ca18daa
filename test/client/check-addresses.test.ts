import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkAddresses, matchesHost, type CheckOptions } from '../../src/client/check-addresses.ts';
import type { Outgoing, OutgoingRequest } from '../../src/core/outgoing.ts';
import { Problem } from '../../src/errors/problem.ts';

/** Checks addresses with a fake sender, and returns the results by address. */
async function check(
  urls: readonly string[],
  send: (request: OutgoingRequest) => Promise<number> | number,
  more: Partial<CheckOptions> & { readonly retryAfter?: string | undefined } = {},
) {
  const results: Record<string, string> = {};
  const waits: number[] = [];
  const { retryAfter, ...options } = { retryAfter: '2', ...more };
  const outgoing: Outgoing = async (request) => ({
    status: await send(request),
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    bytes: new Uint8Array(),
    url: request.url,
  });
  await checkAddresses(urls, {
    send: outgoing,
    wait: (milliseconds) => Promise.resolve(void waits.push(milliseconds)),
    signal: new AbortController().signal,
    hosts: undefined,
    concurrency: 4,
    perHost: 1,
    delay: 250,
    timeout: 1000,
    userAgent: 'test',
    onChecked: (url, { status, reason = '' }) => void (results[url] = `${status} ${reason}`.trim()),
    ...options,
  });
  return { results, waits };
}

describe('checking an address', () => {
  it.each([
    [200, 'ok'],
    [204, 'ok'],
    [399, 'ok'],
    [400, 'broken HTTP 400'],
    [401, 'skipped HTTP 401'],
    [407, 'skipped HTTP 407'],
    [429, 'skipped HTTP 429'],
    [451, 'skipped HTTP 451'],
    [499, 'broken HTTP 499'],
    [503, 'unreachable HTTP 503'],
    [404, 'broken HTTP 404'],
    [410, 'broken HTTP 410'],
    [403, 'skipped HTTP 403'],
    [500, 'unreachable HTTP 500'],
  ])('with the status %i returns %s', async (status, expected) => {
    const { results } = await check(['https://a.test/x'], () => status);
    expect(results).toEqual({ 'https://a.test/x': expected });
  });

  it('sends GET if HEAD is refused', async () => {
    const methods: string[] = [];
    const { results } = await check(['https://a.test/x'], ({ method = 'GET' }) => {
      methods.push(method);
      return method === 'HEAD' ? 405 : 200;
    });
    expect([results, methods]).toEqual([{ 'https://a.test/x': 'ok' }, ['HEAD', 'GET']]);
  });

  it('tries again after the wait that the host requests', async () => {
    let count = 0;
    const { results, waits } = await check(['https://a.test/x'], () => (count++ === 0 ? 429 : 200));
    expect([results, waits]).toEqual([{ 'https://a.test/x': 'ok' }, [2000]]);
  });

  it.each([
    ['30', [30_000]],
    ['30.001', []],
    ['31', []],
    ['0', [0]],
    ['soon', []],
    [undefined, [1000]],
  ])('waits at most 30 seconds if Retry-After is %s', async (retryAfter, expected) => {
    for (const status of [429, 503]) {
      let count = 0;
      const { waits } = await check(['https://a.test/x'], () => (count++ === 0 ? status : 200), {
        retryAfter,
      });
      expect(waits).toEqual(expected);
    }
    expect((await check(['https://a.test/x'], () => 500, { retryAfter })).waits).toEqual([]);
  });

  it('returns unreachable without a response, and skipped if the address is not allowed', async () => {
    const { results } = await check(
      ['https://gone.test/', 'http://10.0.0.1/', 'ftp://a.test/', 'https://b.test/'],
      ({ url }) => {
        if (url.includes('10.0')) throw new Problem('forbidden', 'A private address.');
        if (url.includes('gone')) throw new Problem('unreachable', 'No such host.');
        return 200;
      },
      { hosts: ['gone.test', '10.0.0.1'] },
    );
    expect(results).toEqual({
      'https://gone.test/': 'unreachable No such host.',
      'http://10.0.0.1/': 'skipped A private address.',
      'ftp://a.test/': 'skipped not an HTTP address',
      'https://b.test/': 'skipped host not in --allow-host',
    });
  });
});

it('matchesHost compares hosts with and without a port, and subdomains', () => {
  expect(matchesHost('a.test:8080', 'a.test')).toBe(true);
  expect(matchesHost('a.test:8080', 'A.test:8080')).toBe(true);
  expect(matchesHost('docs.a.test', '*.a.test')).toBe(true);
  expect(matchesHost('a.test', '*.a.test')).toBe(false);
  expect(matchesHost('evila.test', '*.a.test')).toBe(false);
});

it('each address is checked once, within the limits of concurrency, with pauses between requests to a host', () =>
  fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(
        fc.tuple(fc.nat(3), fc.nat(20)).map(([host, page]) => `https://h${host}.test/${page}`),
        { maxLength: 30 },
      ),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 3 }),
      async (urls, concurrency, perHost) => {
        const open = new Map<string, number>();
        let [most, mostHosts] = [0, 0];
        const { results, waits } = await check(
          urls,
          async ({ url }) => {
            const { host } = new URL(url);
            open.set(host, (open.get(host) ?? 0) + 1);
            most = Math.max(most, ...open.values());
            mostHosts = Math.max(mostHosts, [...open.values()].filter((count) => count > 0).length);
            await new Promise(setImmediate);
            open.set(host, open.get(host)! - 1);
            return 200;
          },
          { concurrency, perHost },
        );
        expect(Object.keys(results).sort()).toEqual([...urls].sort());
        expect(most).toBeLessThanOrEqual(perHost);
        expect(mostHosts).toBeLessThanOrEqual(concurrency);
        expect(waits.length).toBe(urls.length - new Set(urls.map((url) => new URL(url).host)).size);
      },
    ),
    { numRuns: 50 },
  ));
