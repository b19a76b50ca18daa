import { describe, expect, it } from 'vitest';
import { json, serve } from './serving.ts';

describe('service routes', () => {
  it('says that it is alive and ready, to anybody', async () => {
    const { server } = await serve();
    expect((await server.inject('/healthz')).json()).toEqual({ status: 'ok' });
    expect((await server.inject('/readyz')).json()).toEqual({ status: 'ready' });
  });

  it('is alive but not ready when the store cannot be read', async () => {
    const { server } = await serve({
      change: (core) => ({
        ...core,
        store: { ...core.store, read: () => Promise.reject(new Error('gone')) },
      }),
    });
    expect((await server.inject('/healthz')).statusCode).toBe(200);
    expect((await server.inject('/readyz')).statusCode).toBe(500);
  });

  it('describes itself, at both places the same', async () => {
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

describe('the log', () => {
  it('has one entry an answer, with who called and which route, and no token, query or body', async () => {
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
    expect(logged.map(({ time: _time, ms: _ms, ...entry }) => entry)).toEqual([
      { requestId: 'req_1', method: 'POST', route, status: 400, user: 'usr_admin' },
      { requestId: 'req_2', method: 'POST', route, status: 201, user: 'usr_create' },
      { requestId: 'req_3', method: 'GET', route: null, status: 404, user: null },
      { requestId: 'req_4', method: 'GET', route: null, status: 400, user: null },
    ]);
    for (const { time, ms } of logged)
      expect([String(time), typeof ms]).toEqual([expect.stringMatching(/^2026-01-05T/), 'number']);
    expect(JSON.stringify(logged)).not.toMatch(
      new RegExp(`canary|${world.token('admin')}|${world.token('create')}`),
    );
  });
});
