import { beforeAll, describe, expect, it } from 'vitest';
import { createToken } from '../../src/core/callers.ts';
import { embeddedApi } from '../../src/core/embedded.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { serve, type Serving } from '../server/serving.ts';
import { allOperations, outcomeOf } from './operations.ts';

const operations = await allOperations();
const json = { 'content-type': 'application/json' };

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string | Buffer;
}

/** Possible bodies. Only the first one has no error of its own; with a valid token, the others are refused for their form. */
const bodies: Readonly<Record<string, Sent>> = {
  'no body': { headers: {} },
  'an empty object': { headers: json, payload: '{}' },
  'a field that does not exist': { headers: json, payload: '{"no-such-field":1}' },
  'a body that is not JSON': { headers: json, payload: '{' },
  'a body with the key __proto__': { headers: json, payload: '{"__proto__":{}}' },
  'a body that is too large': { headers: json, payload: Buffer.alloc(12 * 1024 * 1024, ' ') },
  'a body of another type': { headers: { 'content-type': 'text/csv' }, payload: 'a,b' },
  'a body in another charset': {
    headers: { 'content-type': 'application/json; charset=latin1' },
    payload: '{}',
  },
  'a compressed body': { headers: { ...json, 'content-encoding': 'gzip' }, payload: '{}' },
  'an invalid idempotency key': { headers: { ...json, 'idempotency-key': 'two words' }, payload: '{}' },
};

let serving: Serving;
const wrong: Record<string, string> = {};
beforeAll(async () => {
  serving = await serve();
  wrong['an unknown token'] = `Bearer ${createToken((count) => new Uint8Array(count).fill(9))}`;
  wrong['a mistyped token'] = `${serving.bearer().authorization}x`;
  wrong['another scheme'] = 'Basic YTpi';
});

function send(operation: Operation, query: string, { headers, payload }: Sent, authorization?: string) {
  return serving.server.inject({
    method: operation.method,
    url: `/v1${operation.path.replace(/:\w+/g, 'org_acme')}${query}`,
    headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
    ...(payload === undefined || operation.method === 'GET' ? {} : { payload }),
  });
}

const byId = [...operations.values()].map(({ operation }) => [operation.id, operation] as const);

it.each(byId.filter(([, { access }]) => !access.endsWith('.any')))(
  '%s returns 401 without a token, for any body and query',
  async (_id, operation) => {
    for (const [name, sent] of Object.entries(bodies))
      expect((await send(operation, '?no-such-parameter=1', sent)).statusCode, name).toBe(401);
  },
);

describe.each(byId)('%s', (_id, operation) => {
  it('returns 401 for a wrong token, for any body and query', async () => {
    for (const [name, sent] of Object.entries(bodies)) {
      const { statusCode } = await send(operation, '', sent, wrong['an unknown token']);
      expect(statusCode, name).toBe(401);
    }
    for (const [name, authorization] of Object.entries(wrong)) {
      const { statusCode } = await send(operation, '?no-such-parameter=1', bodies['no body']!, authorization);
      expect(statusCode, name).toBe(401);
    }
  });

  it('refuses a wrong token before invalid input when embedded', async () => {
    const invalid = { params: {}, query: { none: 1 }, body: { none: 1 } };
    const stranger = { kind: 'token', token: 'dctl_x' } as const;
    const { core, credential } = serving.world;
    expect((await outcomeOf(embeddedApi(core, stranger), operation, invalid)).reason).toBe('unauthenticated');
    const member = embeddedApi(core, credential('read'));
    expect((await outcomeOf(member, operation, invalid)).reason).toBe('invalid-input');
  });
});

describe('a valid token', () => {
  it.each([
    ['a field that does not exist', 400],
    ['a body that is not JSON', 400],
    ['a body with the key __proto__', 400],
    ['a body that is too large', 413],
    ['a body of another type', 415],
    ['a body in another charset', 415],
    ['a compressed body', 415],
    ['an invalid idempotency key', 400],
  ])('gets the error for %s', async (name, status) => {
    const { operation } = operations.get('orgs.create')!;
    const answer = await send(operation, '', bodies[name]!, serving.bearer('read').authorization);
    expect(answer.statusCode).toBe(status);
    expect(serving.logged.at(-1)).toMatchObject({ status, user: 'usr_read' });
  });

  it('is looked up once per valid request, without a separate transaction', async () => {
    let reads = 0;
    let writes = 0;
    const { server, bearer } = await serve({
      change: (core) => ({
        ...core,
        store: {
          url: core.store.url,
          read: (work) => (reads++, core.store.read(work)),
          write: (work) => (writes++, core.store.write(work)),
          close: () => core.store.close(),
        },
      }),
    });
    const answer = await server.inject({
      method: 'POST',
      url: '/v1/orgs',
      headers: { ...bearer(), ...json },
      payload: '{"title":"New"}',
    });
    expect([answer.statusCode, reads, writes]).toEqual([201, 0, 1]);
    await server.inject({ method: 'GET', url: '/v1/orgs', headers: bearer() });
    expect([reads, writes]).toEqual([1, 1]);
  });
});
