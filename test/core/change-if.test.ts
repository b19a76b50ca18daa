import { describe, expect, it } from 'vitest';
import { tagOf } from '../../src/contract/entity-tag.ts';
import { getSpace, updateSpace, createSpace, listSpaces } from '../../src/resources/spaces/contract.ts';
import { updateChangeRequest } from '../../src/resources/change-requests/contract.ts';
import { findBrokenLinks } from '../../src/resources/organizations/contract.ts';
import { createWorld } from '../support/world.ts';
import { serve } from '../server/serving.ts';

const acme = { params: { organizationId: 'org_acme' }, query: {} };

describe('changes with If-Match', () => {
  it('lose no update when 8 clients increment a counter concurrently', async () => {
    const { as } = await createWorld();
    const api = as('admin');
    const { id } = await api.call(createSpace, { ...acme, body: { title: 'Counter 0' } });
    const params = { spaceId: id };
    let refused = 0;
    const addOne = async (): Promise<void> => {
      const space = await api.call(getSpace, { params, query: {} });
      const title = `Counter ${Number(space.title.slice(8)) + 1}`;
      try {
        await api.call(updateSpace, { params, query: {}, body: { title } }, { ifMatch: tagOf(space)! });
      } catch (error) {
        expect(error).toMatchObject({ reason: 'precondition-failed' });
        refused++;
        await addOne();
      }
    };
    const client = async (): Promise<void> => {
      for (let step = 0; step < 25; step++) await addOne();
    };
    await Promise.all(Array.from({ length: 8 }, client));
    expect(await api.call(getSpace, { params, query: {} })).toMatchObject({ title: 'Counter 200' });
    expect(refused).toBeGreaterThan(0);
  });

  it('compare the header over HTTP with the ETag of GET on the same path', async () => {
    const { server, bearer } = await serve();
    const headers = bearer();
    const send = (
      method: 'GET' | 'PATCH' | 'PUT' | 'DELETE' | 'POST',
      url: string,
      more = {},
      payload?: object,
    ) =>
      server.inject({
        method,
        url,
        headers: { ...headers, ...more },
        ...(payload === undefined ? {} : { payload }),
      });
    const spaces = '/v1/orgs/org_acme/spaces';
    const created = await send('POST', spaces, {}, { title: 'First' });
    const url = `/v1/spaces/${created.json<{ id: string }>().id}`;
    const etag = String((await send('GET', url)).headers['etag']);
    const once = { 'idempotency-key': 'key-1', 'if-match': etag };
    expect((await send('PATCH', url, once, { title: 'Second' })).statusCode).toBe(200);
    // A repeated request with the same idempotency key gets the stored answer, although the tag has changed.
    expect((await send('PATCH', url, once, { title: 'Second' })).statusCode).toBe(200);
    const late = await send('PATCH', url, { 'if-match': etag }, { title: 'Third' });
    expect([late.statusCode, late.json()]).toMatchObject([412, { error: { reason: 'precondition-failed' } }]);
    expect((await send('DELETE', url, { 'if-match': etag })).statusCode).toBe(412);
    expect((await send('GET', url)).json()).toMatchObject({ title: 'Second' });
    const current = String((await send('GET', url)).headers['etag']);
    expect((await send('PATCH', url, { 'if-match': `W/${current}` }, { title: 'x' })).statusCode).toBe(412);
    expect((await send('PATCH', url, { 'if-match': `"x", ${current}` }, { title: 'Third' })).statusCode).toBe(
      200,
    );
    expect((await send('PATCH', url, { 'if-match': '*' }, { title: 'Fourth' })).statusCode).toBe(200);
    expect((await send('DELETE', `${url}x`, { 'if-match': '*' })).statusCode).toBe(404);
    const list = await send('POST', spaces, { 'if-match': '*' }, { title: 'New' });
    expect([list.statusCode, list.json()]).toMatchObject([400, { error: { reason: 'invalid-input' } }]);
    const site = await send('POST', '/v1/orgs/org_acme/sites', {}, { title: 'Docs' });
    const redirects = `/v1/orgs/org_acme/sites/${site.json<{ id: string }>().id}/redirects`;
    const paged = await send('PUT', redirects, { 'if-match': '*' }, { redirects: [{ source: '/a' }] });
    expect([paged.statusCode, paged.body]).toEqual([400, expect.stringContaining('If-Match cannot be used')]);
    const stranger = await server.inject({
      method: 'PATCH',
      url,
      headers: { ...bearer('outsider'), 'if-match': current },
      payload: { title: 'x' },
    });
    expect(stranger.statusCode).toBe(404);
  });

  it('do not create what If-Match expects to exist, nor replace what If-None-Match expects to be absent', async () => {
    const { server, bearer } = await serve();
    const put = async (url: string, more: Record<string, string>, payload: object) => {
      const answer = await server.inject({ method: 'PUT', url, headers: { ...bearer(), ...more }, payload });
      return answer.json<{ error?: { reason: string } }>().error?.reason ?? answer.statusCode;
    };
    const url = '/v1/orgs/org_acme/openapi/billing';
    const source = { source: { text: '{"openapi":"3.1.0"}' } };
    expect(await put(url, { 'if-match': '*' }, source)).toBe('precondition-failed');
    expect(await put(url, { 'if-match': '"x"' }, source)).toBe('precondition-failed');
    expect((await server.inject({ url, headers: bearer() })).statusCode).toBe(404);
    expect(await put(url, { 'if-none-match': '*' }, source)).toBe(200);
    expect(await put(url, { 'if-none-match': '*' }, source)).toBe('precondition-failed');
    const etag = String((await server.inject({ url, headers: bearer() })).headers['etag']);
    expect(await put(url, { 'if-none-match': `W/${etag}` }, source)).toBe('precondition-failed');
    expect(await put(url, { 'if-match': etag, 'if-none-match': '"x"' }, source)).toBe(200);
    // A request that fails without the precondition fails in the same way with it (RFC 9110, section 13.2.1).
    const instructions = { object: 'document', data: { schemaVersion: 1 }, nodes: [] };
    const translation = '/v1/orgs/org_acme/translations/none';
    expect(await put(translation, { 'if-match': '*' }, { instructions })).toBe('not-found');
    expect(await put(url, { 'if-match': '*' }, {})).toBe('invalid-input');
  });

  it('ignore the header in operations that only read', async () => {
    const { world, server, bearer } = await serve();
    const answer = await world
      .as('admin')
      .call(findBrokenLinks, { ...acme, body: { spaces: [] } }, { ifMatch: '"other"' });
    const sent = await server.inject({
      method: 'POST',
      url: '/v1/orgs/org_acme/broken-links',
      headers: { ...bearer(), 'if-match': '"other"' },
      payload: { spaces: [] },
    });
    expect([sent.statusCode, sent.json()]).toEqual([200, answer]);
  });

  it('keep the tags of different roles separate', async () => {
    const { as } = await createWorld();
    const { id } = await as('admin').call(createSpace, { ...acme, body: { title: 'Shared' } });
    const params = { spaceId: id };
    const own = tagOf(await as('edit').call(getSpace, { params, query: {} }))!;
    const changed = { params, query: {}, body: { title: 'Changed' } };
    await expect(as('read').call(updateSpace, changed, { ifMatch: own })).rejects.toMatchObject({
      reason: 'forbidden',
    });
    expect(tagOf(await as('admin').call(listSpaces, acme))).toMatch(/^"/);
    await expect(
      as('admin').call(
        updateChangeRequest,
        { params: { ...params, changeRequestId: 'none' }, query: {}, body: { subject: 'x' } },
        { ifMatch: own },
      ),
    ).rejects.toMatchObject({ reason: 'not-found' });
  });
});
