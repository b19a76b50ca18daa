import { describe, expect, it } from 'vitest';
import type { Core } from '../../src/core/embedded.ts';
import type { Store } from '../../src/core/store.ts';
import { jobs } from '../../src/core/rows/jobs.ts';
import { enqueue } from '../../src/core/jobs.ts';
import { tokens } from '../../src/core/rows/organizations.ts';
import { operationsOf } from '../../src/description/schemas.ts';
import { nouns } from '../../src/resources/index.ts';
import { createServer } from '../../src/server/index.ts';
import { KeptResults } from '../../src/server/kept-results.ts';
import { serve, type Serving } from './serving.ts';

const spaces = '/v1/orgs/org_acme/spaces';

/** The store itself, or one that needs a query for its stamp. */
const stores: readonly { name: string; change: (store: Store) => Store }[] = [
  { name: 'a store with a stamp', change: (store) => store },
  {
    name: 'a store that is asked for its stamp',
    change: ({ stamp, ...store }) => ({ ...store, fetchStamp: async () => stamp?.() }),
  },
];

/** A server that counts the reads of the store and the queries for its stamp. */
async function countedServing(
  change = (store: Store) => store,
): Promise<Serving & { readonly reads: () => number; readonly stamps: () => number }> {
  let reads = 0;
  let stamps = 0;
  const serving = await serve({
    change: (core): Core => {
      const store = change(core.store);
      const { fetchStamp } = store;
      return {
        ...core,
        store: {
          ...store,
          read: (work, options) => (reads++, store.read(work, options)),
          ...(fetchStamp === undefined ? {} : { fetchStamp: () => (stamps++, fetchStamp()) }),
        },
      };
    },
  });
  return { ...serving, reads: () => reads, stamps: () => stamps };
}

/** Sends a request, and returns the status and the body of the response. */
async function ask({ server }: Pick<Serving, 'server'>, url: string, headers: Record<string, string>) {
  const { statusCode, body } = await server.inject({ method: 'GET', url, headers });
  return { status: statusCode, body: body.replace(/"requestId":"\w+"/, '') };
}

describe.each(stores)('cached results of reads of $name', ({ change }) => {
  it('are computed once for each token, until something changes', async () => {
    const serving = await countedServing(change);
    const [admin, reader] = [serving.bearer('admin'), serving.bearer('read')];
    const first = await ask(serving, spaces, admin);
    expect(first.status).toBe(200);
    const reads = serving.reads();
    expect(await ask(serving, spaces, admin)).toEqual(first);
    expect(serving.reads()).toBe(reads);
    await ask(serving, spaces, reader);
    await ask(serving, `${spaces}?limit=1`, admin);
    expect(serving.reads()).toBe(reads + 2);
    const created = await serving.server.inject({
      method: 'POST',
      url: spaces,
      headers: admin,
      payload: { title: 'Another' },
    });
    expect(created.statusCode).toBe(201);
    expect((await ask(serving, spaces, admin)).body).toContain('"Another"');
  });

  it('are refused as soon as the token is deleted or has expired', async () => {
    const serving = await countedServing(change);
    const { core } = serving.world;
    const [row] = await core.store.read((view) =>
      view.find(tokens, { index: 'byUser', equals: ['usr_admin'], limit: 1 }),
    );
    const expiresAt = new Date(core.clock() + 60_000).toISOString();
    await core.store.write((tx) => tx.update(tokens, row!.id, { expiresAt }));
    expect((await ask(serving, spaces, serving.bearer())).status).toBe(200);
    const reads = serving.reads();
    expect((await ask(serving, spaces, serving.bearer())).status).toBe(200);
    expect(serving.reads()).toBe(reads);
    serving.world.pass(60_000);
    expect((await ask(serving, spaces, serving.bearer())).status).toBe(401);
    expect((await ask(serving, spaces, serving.bearer('edit'))).status).toBe(200);
    const other = await core.store.read((view) =>
      view.find(tokens, { index: 'byUser', equals: ['usr_edit'], limit: 1 }),
    );
    await core.store.write((tx) => tx.remove(tokens, other[0]!.id));
    expect((await ask(serving, spaces, serving.bearer('edit'))).status).toBe(401);
  });

  it('are not reused if they depend on the time or on jobs', async () => {
    const serving = await countedServing(change);
    const { core } = serving.world;
    const headers = serving.bearer('admin');
    const { body } = await serving.server.inject({
      method: 'POST',
      url: spaces,
      headers,
      payload: { title: 'Deleted' },
    });
    await serving.server.inject({
      method: 'DELETE',
      url: `/v1/spaces/${(JSON.parse(body) as { id: string }).id}`,
      headers,
    });
    for (const url of [
      `${spaces}?deleted=true`,
      '/v1/orgs/org_acme/jobs',
      '/v1/orgs/org_acme/audit-events',
    ]) {
      const first = await ask(serving, url, headers);
      expect(first.status, url).toBe(200);
      const reads = serving.reads();
      await ask(serving, url, headers);
      expect(serving.reads(), url).toBeGreaterThan(reads);
    }
    const before = await ask(serving, '/v1/orgs/org_acme/jobs', headers);
    await core.store.write(
      (tx) =>
        enqueue(tx, new Date(core.clock()).toISOString(), {
          kind: 'audit',
          organization: 'org_acme',
          subject: 'org_acme',
        }),
      { keepsStamp: true },
    );
    expect(await core.store.read((view) => view.count(jobs, 'byOrganization', ['org_acme']))).toBeGreaterThan(
      0,
    );
    expect(await ask(serving, '/v1/orgs/org_acme/jobs', headers)).not.toEqual(before);
  });

  it('need one query for the stamp when they are first computed, and one for each later request', async () => {
    const serving = await countedServing(change);
    const { core } = serving.world;
    const urls = [1, 2, 3, 4].map((limit) => `${spaces}?limit=${limit}`);
    const askAll = async (): Promise<{ reads: number; stamps: number }> => {
      const before = { reads: serving.reads(), stamps: serving.stamps() };
      for (const url of urls) expect((await ask(serving, url, serving.bearer())).status).toBe(200);
      return { reads: serving.reads() - before.reads, stamps: serving.stamps() - before.stamps };
    };
    const isAsked = core.store.stamp !== undefined && change(core.store).fetchStamp !== undefined;
    expect(await askAll()).toEqual({ reads: 4, stamps: isAsked ? 1 : 0 });
    expect(await askAll()).toEqual({ reads: 0, stamps: isAsked ? 4 : 0 });
    const [row] = await core.store.read((view) =>
      view.find(tokens, { index: 'byUser', equals: ['usr_read'], limit: 1 }),
    );
    await core.store.write((tx) => tx.update(tokens, row!.id, { name: 'renamed' }));
    expect(await askAll()).toEqual({ reads: 4, stamps: isAsked ? 4 : 0 });
    expect(await askAll()).toEqual({ reads: 0, stamps: isAsked ? 4 : 0 });
  });

  it('count towards the rate limit', async () => {
    const serving = await serve({ limits: { rateLimit: 3 } });
    const statuses: number[] = [];
    for (let index = 0; index < 5; index++)
      statuses.push((await ask(serving, spaces, serving.bearer())).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });

  it('are logged with the user who requested them', async () => {
    const serving = await serve();
    await ask(serving, spaces, serving.bearer());
    await ask(serving, spaces, serving.bearer());
    const [first, second] = serving.logged.filter(({ event }) => event === 'request');
    expect(first).toMatchObject({ user: 'usr_admin', organization: 'org_acme' });
    expect(second).toMatchObject({ user: first!['user'], token: first!['token'], organization: 'org_acme' });
  });

  it('are dropped, least recently used first, if there are too many, even if they are short', () => {
    const kept = new KeptResults({ stamp: () => 'a' }, () => 0);
    const result = { json: '{}', etag: '"x"', caller: undefined, organization: undefined };
    const count = 20_000;
    for (let at = 0; at < count; at++) kept.keep(String(at), 'a', result);
    expect(kept.find('0', 'a')).toBeUndefined();
    expect(kept.find(String(count - 1), 'a')).toMatchObject(result);
  });

  it('have an entity tag, and are not sent to a client that has them', async () => {
    const serving = await serve();
    const headers = serving.bearer();
    const { headers: sent } = await serving.server.inject({ method: 'GET', url: spaces, headers });
    const etag = String(sent['etag']);
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await serving.server.inject({
        method: 'GET',
        url: spaces,
        headers: { ...headers, 'if-none-match': known },
      });
      expect([answer.statusCode, answer.body, answer.headers['etag']], known).toEqual([304, '', etag]);
    }
    const other = await serving.server.inject({
      method: 'GET',
      url: spaces,
      headers: { ...headers, 'if-none-match': '"x"' },
    });
    expect([other.statusCode, other.headers['etag']]).toEqual([200, etag]);
  });

  it('equal the results of a new server a year later', async () => {
    const serving = await serve();
    const { world, server } = serving;
    const paths = (await operationsOf(nouns)).flatMap(({ operations }) =>
      operations.filter(({ method, returns }) => method === 'GET' && returns.file !== true),
    );
    const urls = paths.map(
      ({ path }) =>
        `/v1${path.replace(/:(\w+)/g, (_, name: string) => (name === 'organizationId' ? 'org_acme' : name === 'userId' ? 'usr_read' : 'x'))}`,
    );
    const headers = serving.bearer('admin');
    for (const url of urls) await ask(serving, url, headers);
    world.pass(365 * 24 * 60 * 60 * 1000);
    const fresh = await createServer({ core: world.core, version: '1.2.3', newRequestId: () => 'req_1' });
    let answered = 0;
    for (const url of urls) {
      const [kept, made] = [await ask({ server }, url, headers), await ask({ server: fresh }, url, headers)];
      expect({ url, ...kept }).toEqual({ url, ...made });
      if (made.status === 200) answered++;
    }
    expect(answered).toBeGreaterThan(30);
  });
});
