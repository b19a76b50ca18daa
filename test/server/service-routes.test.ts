import { describe, expect, it } from 'vitest';
import { json, serve, talkTo } from './serving.ts';

describe('service routes', () => {
  it('report that the server is alive and ready, without a token', async () => {
    const { server } = await serve();
    for (const url of ['/livez', '/healthz'])
      expect((await server.inject(url)).json()).toEqual({ status: 'ok' });
    expect((await server.inject('/readyz')).json()).toEqual({ status: 'ready' });
  });

  it('report that it is alive but not ready if the store cannot be read', async () => {
    const { server } = await serve({
      change: (core) => ({
        ...core,
        store: { ...core.store, read: () => Promise.reject(new Error('gone')) },
      }),
    });
    expect((await server.inject('/healthz')).statusCode).toBe(200);
    expect((await server.inject('/readyz')).statusCode).toBe(500);
  });

  it('return the same OpenAPI document at both addresses', async () => {
    const { server } = await serve();
    const [one, other] = [await server.inject('/openapi.json'), await server.inject('/v1/openapi.json')];
    expect(one.json()).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.2.3' },
      servers: [{ url: 'http://localhost:8080/v1' }],
    });
    expect(other.body).toBe(one.body);
  });
});

describe('a request target that contains a host', () => {
  it('is answered and redirected by its path alone', async () => {
    const { server, world, bearer } = await serve({
      change: (core) => ({ ...core, sitesUrl: 'http://sites.example.com' }),
    });
    const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
    const ask = async (target: string, ...headers: string[]) => {
      const { send, answer } = await talkTo(url);
      send([`GET ${target} HTTP/1.1`, 'host: evil.example', ...headers, '', ''].join('\r\n'));
      return answer();
    };
    for (const host of ['', 'http://evil.example', 'HTTPS://evil.example:1'])
      expect(await ask(`${host}/sites/alpha/?page=2`)).toMatchObject({
        status: 308,
        headers: { location: 'http://sites.example.com/sites/alpha/?page=2' },
      });
    expect(
      await ask(`http://evil.example/v1/orgs/${world.org}`, `authorization: ${bearer().authorization}`),
    ).toMatchObject({ status: 200 });
    for (const target of [
      'http://evil.example',
      'http://evil.example?/sites/x',
      'ftp://evil.example/sites/x',
    ])
      expect((await ask(target))?.headers['location']).toBeUndefined();
    await server.close(0);
  });
});

describe('the log', () => {
  it('contains the address that a trusted proxy names, and probes only at the level debug', async () => {
    const { server, logged } = await serve({ proxies: ['127.0.0.1'], level: 'debug' });
    await server.inject({ url: '/healthz', headers: { 'x-forwarded-for': '9.9.9.9' } });
    expect(logged).toMatchObject([{ level: 'debug', route: '/healthz', address: '9.9.9.9', bytes: 15 }]);
    await server.inject({ url: '/livez', headers: { 'x-forwarded-for': 'x'.repeat(5000) } });
    expect(String(logged.at(-1)?.['address']).length).toBeLessThanOrEqual(100);
    const usual = await serve();
    await usual.server.inject('/healthz');
    expect(usual.logged).toEqual([]);
  });

  it('contains only errors if the level is above info', async () => {
    const { server, logged } = await serve({
      level: 'warn',
      change: (core) => ({
        ...core,
        store: { ...core.store, read: () => Promise.reject(new Error('gone')) },
      }),
    });
    await server.inject('/nowhere');
    await server.inject('/readyz');
    expect(logged).toMatchObject([{ level: 'error', event: 'fault', requestId: 'req_2', message: 'gone' }]);
  });

  it('contains one entry for each response, with the caller and the route, without tokens, query or body', async () => {
    const { server, bearer, logged, world } = await serve();
    await server.inject({
      method: 'POST',
      url: '/v1/orgs/org_acme/collections?canary=1',
      headers: bearer(),
      payload: { title: 'canary' },
    });
    await server.inject({
      method: 'POST',
      url: '/v1/orgs/org_acme/collections',
      headers: bearer('create'),
      payload: { title: 'canary' },
    });
    await server.inject({ url: '/v1/canary' });
    await server.inject({ url: '/v1/collections/%zz', headers: json });
    const route = '/v1/orgs/:organizationId/collections';
    const request = { level: 'info', event: 'request', address: '127.0.0.1', organization: null };
    const anonymous = { ...request, user: null, token: null };
    const token = expect.stringMatching(/^tok_/);
    expect(logged.map(({ time: _time, ms: _ms, bytes: _bytes, ...entry }) => entry)).toEqual([
      {
        ...request,
        requestId: 'req_1',
        method: 'POST',
        route,
        status: 400,
        user: 'usr_admin',
        token,
        reason: 'invalid-input',
      },
      {
        ...request,
        requestId: 'req_2',
        method: 'POST',
        route,
        status: 201,
        user: 'usr_create',
        token,
        organization: 'org_acme',
      },
      {
        ...anonymous,
        requestId: 'req_3',
        method: 'GET',
        route: null,
        status: 404,
        reason: 'not-found',
      },
      {
        ...anonymous,
        requestId: 'req_4',
        method: 'GET',
        route: null,
        status: 400,
        reason: 'invalid-input',
      },
    ]);
    expect(logged.map(({ bytes }) => Number(bytes) > 50)).toEqual([true, true, true, true]);
    for (const { time, ms } of logged)
      expect([String(time), typeof ms]).toEqual([expect.stringMatching(/^2026-01-05T/), 'number']);
    expect(JSON.stringify(logged)).not.toMatch(
      new RegExp(`canary|${world.token('admin')}|${world.token('create')}`),
    );
  });
});
