import { describe, expect, it } from 'vitest';
import { collections } from '../../src/core/rows/spaces.ts';
import { identifyClient } from '../../src/server/client-limit.ts';
import {
  createLeasedLimit,
  createRateLimit,
  LeaseNeeded,
  LimitLedger,
  whenGranted,
} from '../../src/server/rate-limit.ts';
import { json, serve } from './serving.ts';

describe('createRateLimit', () => {
  it('counts each client separately, and starts again each minute', () => {
    let now = 500;
    const { take } = createRateLimit({ limit: 2 }, () => now);
    expect([take('a').remaining, take('a').remaining, take('b').remaining]).toEqual([1, 0, 1]);
    const refused = take('a');
    expect(refused).toMatchObject({
      remaining: 0,
      reset: 61,
      problem: { reason: 'rate-limited', retryAfter: 60 },
    });
    now = 60_499;
    expect(take('a').problem?.retryAfter).toBe(1);
    expect(take('b').problem).toBeUndefined();
    now = 60_500;
    expect(take('a')).toEqual({ remaining: 1, reset: 121, seconds: 60 });
  });

  it('starts again if the clock was set back', () => {
    let now = 7_200_000;
    const { take } = createRateLimit({ limit: 1 }, () => now);
    take('a');
    expect(take('a').problem).toBeDefined();
    now = 0;
    expect(take('a')).toEqual({ remaining: 0, reset: 60, seconds: 60 });
  });

  it('forgets the oldest clients to limit its memory', () => {
    const { take } = createRateLimit({ limit: 1 }, () => 0);
    take('first');
    for (let at = 0; at < 10_000; at++) take(`client ${at}`);
    expect(take('client 9999').problem).toBeDefined();
    expect(take('first').problem).toBeUndefined();
  });
});

describe('limits that several processes share', () => {
  /** Processes that share a limit, with the number of their requests for a lease. */
  const share = (limit: number, processes: number) => {
    const state = { now: 0, asked: 0 };
    const ledger = new LimitLedger(() => state.now, processes);
    const limits = Array.from({ length: processes }, () =>
      createLeasedLimit(
        { limit },
        () => state.now,
        async (client) => (state.asked++, ledger.lease('client', limit, client)),
      ),
    );
    const take = (process: number, client = 'a') => whenGranted(() => limits[process]!.take(client));
    return { state, limits, take };
  };

  it('start again if the clock was set back', async () => {
    const { take, state } = share(1, 2);
    state.now = 7_200_000;
    await take(0);
    expect((await take(0)).problem).toBeDefined();
    state.now = 0;
    expect((await take(1)).problem).toBeUndefined();
    expect((await take(0)).problem).toMatchObject({ retryAfter: 60 });
  });

  it('never allow more than the limit', async () => {
    const { take, state } = share(100, 3);
    const answers = [];
    for (let at = 0; at < 300; at++) answers.push(await take(at % 3));
    expect(answers.filter(({ problem }) => problem === undefined)).toHaveLength(100);
    expect(answers.at(-1)).toMatchObject({ remaining: 0, reset: 60, problem: { retryAfter: 60 } });
    state.now = 60_000;
    expect(await take(1)).toMatchObject({ remaining: 99, reset: 120 });
  });

  it('leave a client of one process at least 99% of the limit, with few requests for leases', async () => {
    const { take, state } = share(30_000, 2);
    await take(0);
    let answered = 0;
    while ((await take(1)).problem === undefined) answered++;
    expect(answered).toBeGreaterThan(29_700);
    expect(answered).toBeLessThan(30_000);
    expect(state.asked).toBeLessThan(1500);
  });

  it('request one lease for requests that arrive together, and count each request', async () => {
    const { take, limits, state } = share(10_000, 1);
    expect(limits[0]?.knows('a')).toBe(false);
    expect(() => limits[0]?.take('a')).toThrow(LeaseNeeded);
    const answers = await Promise.all(Array.from({ length: 50 }, () => take(0)));
    expect(state.asked).toBe(1);
    expect(limits[0]?.knows('a')).toBe(true);
    expect(new Set(answers.map(({ remaining }) => remaining)).size).toBe(50);
    expect((await take(0, 'b')).remaining).toBe(9999);
  });

  it('do not hide other errors', async () => {
    await expect(whenGranted(() => Promise.reject(new Error('other')))).rejects.toThrow('other');
  });
});

describe('a server with a rate limit', () => {
  it('returns what is left in headers, and refuses one token without affecting another', async () => {
    const { server, bearer } = await serve({ limits: { rateLimit: 2 } });
    const get = (who: 'admin' | 'read') =>
      server.inject({ url: '/v1/orgs/org_acme/collections', headers: bearer(who) });
    expect((await get('admin')).headers).toMatchObject({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '1',
      'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
    });
    await get('admin');
    const refused = await get('admin');
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.json().error).toMatchObject({ code: 429, reason: 'rate-limited' });
    expect((await get('read')).statusCode).toBe(200);
  });

  it('returns the same in the headers of the IETF draft', async () => {
    const { server, bearer } = await serve({ limits: { rateLimit: 2, organizationRateLimit: 5 } });
    const get = async () => {
      const { headers } = await server.inject({
        url: '/v1/orgs/org_acme/collections',
        headers: bearer('admin'),
      });
      return [headers['ratelimit-policy'], headers['ratelimit']];
    };
    const policy = '"client";q=2;w=60, "organization";q=5;w=60';
    const matching = (text: string) => expect.stringMatching(new RegExp(`^${text}$`));
    expect(await get()).toEqual([policy, matching('"client";r=1;t=\\d+, "organization";r=4;t=\\d+')]);
    expect(await get()).toEqual([policy, matching('"client";r=0;t=\\d+, "organization";r=3;t=\\d+')]);
    // A request that is refused for its client does not count for its organization.
    expect(await get()).toEqual([policy, matching('"client";r=0;t=\\d+')]);
  });

  it('counts requests without a token by address', async () => {
    const { server } = await serve({ limits: { rateLimit: 1 } });
    const from = (remoteAddress: string) => server.inject({ url: '/openapi.json', remoteAddress });
    expect([
      (await from('10.0.0.1')).statusCode,
      (await from('10.0.0.1')).statusCode,
      (await from('10.0.0.2')).statusCode,
    ]).toEqual([200, 429, 200]);
  });

  it('counts all wrong tokens of an address together, but not valid ones', async () => {
    const { server, bearer } = await serve({ limits: { rateLimit: 2 } });
    let guess = 0;
    const from = async (
      remoteAddress: string,
      headers: Record<string, string> = { authorization: `Bearer dctl_${++guess}` },
    ) => (await server.inject({ url: '/v1/orgs/org_acme/collections', remoteAddress, headers })).statusCode;
    expect([
      await from('10.0.0.1'),
      await from('10.0.0.1'),
      await from('10.0.0.1'),
      await from('10.0.0.2'),
    ]).toEqual([401, 401, 429, 401]);
    expect(await from('10.0.0.1', bearer())).toBe(200);
  });

  it('counts one token as one client, however it is written', async () => {
    const { server, bearer } = await serve({ limits: { rateLimit: 3 } });
    const { authorization } = bearer();
    const spellings = [
      authorization,
      authorization.replace(' ', '   '),
      authorization.replace('Bearer', 'bEARER'),
      `${authorization} `,
    ];
    const statuses = [];
    for (const spelling of spellings)
      statuses.push(
        (
          await server.inject({
            url: '/v1/orgs/org_acme/collections',
            remoteAddress: `10.0.0.${statuses.length}`,
            headers: { authorization: spelling },
          })
        ).statusCode,
      );
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it.each(['/openapi.json', '/nowhere', '/v1/nowhere'])(
    'counts by address if no token is read, whatever the header contains: %s',
    async (url) => {
      const { server } = await serve({ limits: { rateLimit: 2 } });
      const statuses = [];
      for (let nth = 0; nth < 3; nth++)
        statuses.push(
          (await server.inject({ url, headers: { authorization: `Bearer dctl_${nth}` } })).statusCode,
        );
      expect(statuses.at(-1)).toBe(429);
    },
  );

  it('does not limit probes', async () => {
    const { server } = await serve({ limits: { rateLimit: 1 } });
    for (const url of ['/healthz', '/healthz', '/readyz'])
      expect((await server.inject(url)).statusCode).toBe(200);
  });

  it('counts wrong tokens with invalid bodies by address', async () => {
    const { server } = await serve({ limits: { rateLimit: 2 } });
    const send = async (nth: number) =>
      (
        await server.inject({
          method: 'POST',
          url: '/v1/orgs/org_acme/collections',
          headers: { authorization: `Bearer dctl_${nth}`, 'content-type': 'application/json' },
          payload: '{',
        })
      ).statusCode;
    expect([await send(1), await send(2), await send(3)]).toEqual([401, 401, 429]);
  });

  it('ignores the port of an address, and the last half of IPv6 addresses', () => {
    const from = (ip: string) => identifyClient({ ip, socket: { remoteAddress: '10.0.0.1' } });
    expect(['7.7.7.7', '7.7.7.7:1', '7.7.7.7:65000', '::ffff:7.7.7.7'].map(from)).toEqual(
      Array(4).fill('7.7.7.7'),
    );
    expect(['2001:db8::1', '2001:0db8:0:0:ffff::2', '[2001:db8::3]:443'].map(from)).toEqual(
      Array(3).fill('2001:db8:0:0::/64'),
    );
    expect(['2001:db8::1.2.3.4', '2001:db8:0:0:1:2:3:4', '2001:db8::ffff:7.7.7.7'].map(from)).toEqual(
      Array(3).fill('2001:db8:0:0::/64'),
    );
    expect(from('::1')).toBe('0:0:0:0::/64');
    expect(['::ffff:707:707', '::ffff:7.7.7.7'].map(from)).toEqual(Array(2).fill('7.7.7.7'));
    expect(['unknown', '', 'x'.repeat(9999)].map(from)).toEqual(Array(3).fill('10.0.0.1'));
    expect(from('2001:db8:0:1::1')).not.toBe(from('2001:db8::1'));
  });

  it('trusts X-Forwarded-For only from the configured proxies', async () => {
    const from = async (proxies: string[] | undefined, remoteAddress: string, ...clients: string[]) => {
      const { server } = await serve({
        limits: { rateLimit: 1 },
        ...(proxies === undefined ? {} : { proxies }),
      });
      const statuses = [];
      for (const client of clients)
        statuses.push(
          (
            await server.inject({
              url: '/openapi.json',
              remoteAddress,
              headers: { 'x-forwarded-for': client },
            })
          ).statusCode,
        );
      return statuses;
    };
    expect(
      await from(['10.0.0.0/8'], '10.0.0.1', '1.1.1.1', '2.2.2.2', '1.1.1.1', 'forged, 2.2.2.2'),
    ).toEqual([200, 200, 429, 429]);
    expect(await from(['10.0.0.0/8'], '9.9.9.9', '1.1.1.1', '2.2.2.2')).toEqual([200, 429]);
    expect(await from(undefined, '10.0.0.1', '1.1.1.1', '2.2.2.2')).toEqual([200, 429]);
  });

  it('counts all tokens of an organization together, separately from other organizations', async () => {
    const { server, bearer, world } = await serve({ limits: { organizationRateLimit: 2 } });
    const created = await server.inject({
      method: 'POST',
      url: '/v1/orgs/org_acme/collections',
      headers: { ...bearer('admin'), ...json },
      payload: { title: 'One' },
    });
    expect(created.statusCode).toBe(201);
    const get = (who: 'admin' | 'read' | 'outsider', url = '/v1/orgs/org_acme/collections') =>
      server.inject({ url, headers: bearer(who) });
    // Outsiders cannot use up the limit of members.
    for (let nth = 0; nth < 5; nth++) expect((await get('outsider')).statusCode).toBe(404);
    expect((await get('read')).statusCode).toBe(200);
    const refused = await server.inject({
      method: 'POST',
      url: '/v1/orgs/org_acme/collections',
      headers: { ...bearer('admin'), ...json },
      payload: { title: 'Two' },
    });
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.json().error.message).toBe(
      'Too many requests of this organization: the limit is 2 per minute.',
    );
    // Requests without an organization, and for another organization, still work.
    expect((await get('admin', '/v1/user')).statusCode).toBe(200);
    expect((await get('outsider', '/v1/orgs/org_other/collections')).statusCode).toBe(200);
    const titles = await world.core.store.read((view) =>
      view.find(collections, { index: 'byOrganization', equals: ['org_acme'], limit: 100 }),
    );
    expect(titles.map(({ title }) => title)).not.toContain('Two');
  });

  it('sets no limit without a configuration', async () => {
    const { server } = await serve();
    expect((await server.inject('/healthz')).headers).not.toHaveProperty('x-ratelimit-limit');
  });
});
