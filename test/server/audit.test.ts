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
  it('contain the address, the user agent, the token and the ID of the request', async () => {
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

  it('share the Correlation-Id of the client, and can be found by it or by the ID of one request', async () => {
    const serving = await serve();
    const { server, bearer } = serving;
    const find = async (request: string, more = '') => {
      const url = `/v1/orgs/org_acme/audit-events?details=true&request=${request}${more}`;
      return (await server.inject({ url, headers: bearer() })).json();
    };
    const first = await change(serving, { 'correlation-id': 'run_0011223344' });
    const alone = await change(serving);
    await change(serving, { 'correlation-id': 'run_0011223344' });
    const joined = await find('run_0011223344');
    expect(joined).toMatchObject({
      count: 2,
      items: [{ correlationId: 'run_0011223344' }, { executionId: first.headers['request-id'] }],
    });
    const page = await find('run_0011223344', '&limit=1');
    const rest = await find('run_0011223344', `&limit=1&page=${page.next.page}`);
    expect([...page.items, ...rest.items]).toEqual(joined.items);
    expect(rest.next).toBeUndefined();
    for (const answer of [first, alone]) {
      const requestId = String(answer.headers['request-id']);
      const { items, count } = await find(requestId);
      expect([count, items.length, items[0].executionId]).toEqual([1, 1, requestId]);
    }
    expect((await find('run_0011223344', '&action=none')).items).toEqual([]);
    expect(await find('run_none')).toMatchObject({ count: 0, items: [] });
  });

  it.each(['short', 'x'.repeat(65), 'a b c d e f g', 'run/../../etc', ''])(
    'ignore the correlation ID %j',
    async (header) => {
      const serving = await serve();
      const answer = await change(serving, { 'correlation-id': header });
      const [event] = await eventsOf(serving);
      expect(event!['correlationId']).toBe(answer.headers['request-id']);
    },
  );

  it.each(['x'.repeat(8), 'x'.repeat(64), 'a-b_c.d1'])('accept the correlation ID %j', async (header) => {
    const serving = await serve();
    await change(serving, { 'correlation-id': header });
    expect((await eventsOf(serving))[0]!['correlationId']).toBe(header);
  });

  it('are combined for a series of requests of one command, but not of two', async () => {
    const serving = await serve();
    const ingest = async (id: string, correlation: string) => {
      const { statusCode } = await serving.server.inject({
        method: 'POST',
        url: '/v1/orgs/org_acme/conversations/batch',
        headers: { ...serving.bearer(), ...json, 'correlation-id': correlation },
        payload: JSON.stringify({
          conversations: [{ id, parts: [{ type: 'message', role: 'user', body: 'Help' }] }],
        }),
      });
      expect(statusCode).toBeLessThan(300);
    };
    await ingest('a', 'command-1');
    await ingest('b', 'command-1');
    await ingest('c', 'command-2');
    const events = (await eventsOf(serving)) as { correlationId: string; payload: { requests?: number } }[];
    expect(events.map(({ correlationId, payload }) => [correlationId, payload.requests])).toEqual([
      ['command-2', undefined],
      ['command-1', 2],
    ]);
  });

  it('contain the address of the client behind a trusted proxy', async () => {
    const serving = await serve({ proxies: ['127.0.0.1'] });
    await change(serving, { 'x-forwarded-for': '203.0.113.7' });
    expect(await eventsOf(serving)).toMatchObject([{ payload: { origin: { address: '203.0.113.7' } } }]);
  });

  it('are created once for a request that is repeated with its idempotency key', async () => {
    const serving = await serve();
    for (let times = 0; times < 2; times++) await change(serving, { 'idempotency-key': 'key-1' });
    expect((await eventsOf(serving)).length).toBe(1);
  });

  it('return 404 for an ID that does not exist', async () => {
    const { server, bearer } = await serve();
    const get = async (id: string) =>
      (await server.inject({ url: `/v1/orgs/org_acme/audit-events/${id}`, headers: bearer() })).statusCode;
    expect(await get('x')).toBe(404);
    expect(await get('019b8c02-6a20-7c3e-9f51-0c8e5a3b7d14')).toBe(404);
  });
});
