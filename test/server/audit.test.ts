import { describe, expect, it } from 'vitest';
import { json, serve, type Serving } from './serving.ts';

async function change({ server, bearer }: Serving, headers: Record<string, string> = {}) {
  const answer = await server.inject({
    method: 'POST',
    url: '/v1/orgs/org_acme/collections',
    headers: { ...bearer(), ...json, 'user-agent': 'docsctl/1.2.3', ...headers },
    payload: '{"title":"New"}',
  });
  expect(answer.statusCode).toBe(201);
  return answer;
}

async function eventsOf({ server, bearer }: Serving) {
  const url = '/v1/orgs/org_acme/audit-events?details=true';
  return (await server.inject({ url, headers: bearer() })).json().items as Record<string, unknown>[];
}

describe('audit events of a server', () => {
  it('have the address, the user agent, the token and the ID of the request', async () => {
    const serving = await serve();
    const answer = await change(serving, { 'x-forwarded-for': '203.0.113.7' });
    const requestId = answer.headers['request-id'];
    expect(await eventsOf(serving)).toMatchObject([
      {
        action: 'collections.create',
        source: 'api',
        executionId: requestId,
        correlationId: requestId,
        payload: {
          origin: { kind: 'remote', address: '127.0.0.1', userAgent: 'docsctl/1.2.3', token: 'tok_admin' },
        },
      },
    ]);
  });

  it('have the address of the client behind a trusted proxy', async () => {
    const serving = await serve({ proxies: ['127.0.0.1'] });
    await change(serving, { 'x-forwarded-for': '203.0.113.7' });
    expect(await eventsOf(serving)).toMatchObject([{ payload: { origin: { address: '203.0.113.7' } } }]);
  });

  it('are one for a request that is repeated with its idempotency key', async () => {
    const serving = await serve();
    for (let times = 0; times < 2; times++) await change(serving, { 'idempotency-key': 'key-1' });
    expect((await eventsOf(serving)).length).toBe(1);
  });

  it('answer 404 to an ID that does not exist', async () => {
    const { server, bearer } = await serve();
    const get = async (id: string) =>
      (await server.inject({ url: `/v1/orgs/org_acme/audit-events/${id}`, headers: bearer() })).statusCode;
    expect(await get('x')).toBe(404);
    expect(await get('019b8c02-6a20-7c3e-9f51-0c8e5a3b7d14')).toBe(404);
  });
});
