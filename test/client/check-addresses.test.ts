import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkAddresses, matchesHost, type CheckOptions } from '../../src/client/check-addresses.ts';
import type { Outgoing, OutgoingRequest } from '../../src/core/outgoing.ts';
import { Problem } from '../../src/errors/problem.ts';

/** Checks addresses with a sender that is made up, and gives the results by address. */
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

describe('an address', () => {
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
  ])('that answers %i is %s', async (status, expected) => {
    const { results } = await check(['https://a.test/x'], () => status);
    expect(results).toEqual({ 'https://a.test/x': expected });
  });

  it('is asked with GET where HEAD is refused', async () => {
    const methods: string[] = [];
    const { results } = await check(['https://a.test/x'], ({ method = 'GET' }) => {
      methods.push(method);
      return method === 'HEAD' ? 405 : 200;
    });
    expect([results, methods]).toEqual([{ 'https://a.test/x': 'ok' }, ['HEAD', 'GET']]);
  });

  it('is asked again after the wait that the host asks for', async () => {
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
  ])('waits for at most 30 seconds if it is told to try again after %s', async (retryAfter, expected) => {
    for (const status of [429, 503]) {
      let count = 0;
      const { waits } = await check(['https://a.test/x'], () => (count++ === 0 ? status : 200), {
        retryAfter,
      });
      expect(waits).toEqual(expected);
    }
    expect((await check(['https://a.test/x'], () => 500, { retryAfter })).waits).toEqual([]);
  });

  it('that does not answer is unreachable, and one that may not be asked is skipped', async () => {
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

it('hosts are matched with and without a port, and by subdomain', () => {
  expect(matchesHost('a.test:8080', 'a.test')).toBe(true);
  expect(matchesHost('a.test:8080', 'A.test:8080')).toBe(true);
  expect(matchesHost('docs.a.test', '*.a.test')).toBe(true);
  expect(matchesHost('a.test', '*.a.test')).toBe(false);
  expect(matchesHost('evila.test', '*.a.test')).toBe(false);
});

it('every address is checked once, no host has more requests at once than allowed, and there is a pause after each', () =>
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
