import { describe, expect, it } from 'vitest';
import { createCollection } from '../../src/resources/collections/contract.ts';
import { json, serve } from './serving.ts';

const collections = '/v1/orgs/org_acme/collections';

describe('operations over HTTP', () => {
  it('returns the status, the body and the headers of the operation', async () => {
    const { server, bearer } = await serve();
    const made = await server.inject({
      method: 'POST',
      url: collections,
      headers: bearer(),
      payload: { title: 'Product' },
    });
    expect(made.statusCode).toBe(201);
    expect(made.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'request-id': 'req_1',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-length': String(Buffer.byteLength(made.body)),
    });
    for (const banner of ['server', 'x-powered-by', 'access-control-allow-origin'])
      expect(made.headers).not.toHaveProperty(banner);
    const got = await server.inject({ url: `/v1/collections/${made.json().id}`, headers: bearer() });
    expect(got.statusCode).toBe(200);
    expect(got.json()).toEqual(made.json());
    const deleted = await server.inject({
      method: 'DELETE',
      url: `/v1/collections/${made.json().id}`,
      headers: { ...bearer(), ...json },
    });
    expect([deleted.statusCode, deleted.body]).toEqual([204, '']);
    expect(deleted.headers).toMatchObject({ 'request-id': 'req_3', 'cache-control': 'no-store' });
    expect(
      (await server.inject({ url: `/v1/collections/${made.json().id}`, headers: bearer() })).statusCode,
    ).toBe(404);
  });

  it('responds to HEAD like to GET, without the body', async () => {
    const { server, bearer } = await serve();
    const got = await server.inject({ url: collections, headers: bearer() });
    const head = await server.inject({ method: 'HEAD', url: collections, headers: bearer() });
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([
      200,
      '',
      got.headers['content-length'],
    ]);
  });

  it('converts query values to their types', async () => {
    const { server, bearer } = await serve();
    for (const title of ['a', 'b', 'c'])
      await server.inject({ method: 'POST', url: collections, headers: bearer(), payload: { title } });
    const page = (
      await server.inject({ url: `${collections}?limit=2&nested=false`, headers: bearer() })
    ).json();
    expect(page.items.map(({ title }: { title: string }) => title)).toEqual(['a', 'b']);
    const rest = (
      await server.inject({
        url: `${collections}?limit=2&nested=false&page=${page.next.page}`,
        headers: bearer(),
      })
    ).json();
    expect(rest.items.map(({ title }: { title: string }) => title)).toEqual(['c']);
  });

  it('accepts a missing body if none of its fields is required, and refuses it otherwise', async () => {
    const { server, bearer } = await serve();
    const made = await server.inject({ method: 'POST', url: collections, headers: bearer() });
    expect(made.statusCode).toBe(201);
    const refused = await server.inject({
      method: 'POST',
      url: `/v1/collections/${made.json().id}/transfer`,
      headers: bearer(),
    });
    expect(refused.statusCode).toBe(400);
  });

  it('refuses the body null like the embedded API', async () => {
    const { world, server, bearer } = await serve();
    const here = { params: { organizationId: 'org_acme' }, query: {}, body: null as never };
    const problem = await world
      .as('admin')
      .call(createCollection, here)
      .catch((error: unknown) => error);
    const answer = await server.inject({
      method: 'POST',
      url: collections,
      headers: { ...bearer(), ...json },
      payload: 'null',
    });
    expect(answer.statusCode).toBe(400);
    expect(problem).toMatchObject({ reason: 'invalid-input', message: answer.json().error.message });
  });

  it('decodes a path parameter once', async () => {
    const { server, bearer } = await serve();
    for (const [sent, seen] of [
      ['a%2Fb', 'a/b'],
      ['a%252Fb', 'a%2Fb'],
      ['%C3%A9', 'é'],
      ['a+b', 'a+b'],
      ['a%3Fb%23', 'a?b#'],
    ] as const) {
      const { error } = (await server.inject({ url: `/v1/collections/${sent}`, headers: bearer() })).json();
      expect(error.message).toBe(`There is no collection "${seen}" that you can see.`);
    }
  });

  it('runs a repeated write once, and returns exactly the same response', async () => {
    const { server, bearer } = await serve();
    const send = (key: string, title: string) =>
      server.inject({
        method: 'POST',
        url: collections,
        headers: { ...bearer(), 'idempotency-key': key },
        payload: { title },
      });
    const [first, second] = [await send('k1', 'Once'), await send('k1', 'Once')];
    expect([first.statusCode, second.statusCode]).toEqual([201, 201]);
    expect(second.body).toBe(first.body);
    expect((await send('k1', 'Other')).json().error).toMatchObject({ code: 422, reason: 'key-reused' });
    expect((await server.inject({ url: collections, headers: bearer() })).json().count).toBe(1);
  });

  it('creates one resource for many equal requests at once', async () => {
    const { server, bearer } = await serve();
    const send = () =>
      server.inject({
        method: 'POST',
        url: collections,
        headers: { ...bearer(), 'idempotency-key': 'same' },
        payload: { title: 'Once' },
      });
    const bodies = await Promise.all(Array.from({ length: 8 }, async () => (await send()).body));
    expect(new Set(bodies).size).toBe(1);
    expect((await server.inject({ url: collections, headers: bearer() })).json().count).toBe(1);
  });

  it.each([
    ['a'.repeat(255), 201],
    ['a'.repeat(256), 400],
    ['', 400],
    ['a b', 400],
    ['é', 400],
  ])('accepts idempotency keys of 1 to 255 visible characters: %j', async (key, status) => {
    const { server, bearer } = await serve();
    const made = await server.inject({
      method: 'POST',
      url: collections,
      headers: { ...bearer(), 'idempotency-key': key },
      payload: { title: 'x' },
    });
    expect(made.statusCode).toBe(status);
  });

  it('identifies the caller by the token, and does not reveal whether resources of others exist', async () => {
    const { server, bearer } = await serve();
    const { id } = (
      await server.inject({ method: 'POST', url: collections, headers: bearer(), payload: { title: 'Mine' } })
    ).json();
    expect(
      (
        await server.inject({ method: 'DELETE', url: `/v1/collections/${id}`, headers: bearer('read') })
      ).json().error,
    ).toMatchObject({ code: 403, reason: 'forbidden' });
    const foreign = (
      await server.inject({ url: `/v1/collections/${id}`, headers: bearer('outsider') })
    ).json().error;
    const absent = (
      await server.inject({ url: `/v1/collections/${id.replace(/.$/, '_')}`, headers: bearer('outsider') })
    ).json().error;
    expect(foreign.code).toBe(404);
    expect({ ...foreign, message: foreign.message.replace(id, ''), requestId: '' }).toEqual({
      ...absent,
      message: absent.message.replace(id.replace(/.$/, '_'), ''),
      requestId: '',
    });
  });

  it('loads the handlers of a noun once, at its first request', async () => {
    const asked: string[] = [];
    const { server, bearer } = await serve({
      change: (core) => ({
        ...core,
        handlerOf: (operation) => (asked.push(operation.id), core.handlerOf(operation)),
      }),
    });
    expect(asked).toEqual([]);
    for (let times = 0; times < 3; times++) await server.inject({ url: collections, headers: bearer() });
    expect(asked).toEqual(['collections.list']);
  });
});
