import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as collections from '../../src/resources/collections/contract.ts';
import { createToken, isToken } from '../../src/core/callers.ts';
import { embeddedApi, readFresh } from '../../src/core/embedded.ts';
import { answers } from '../../src/core/rows/organizations.ts';
import { StaleIndexError } from '../../src/core/stale-index-error.ts';
import type { Problem } from '../../src/errors/problem.ts';
import { createWorld } from '../support/world.ts';

const reason = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (problem: Problem) => problem.reason,
  );

describe('an idempotency key', () => {
  it('makes a repeated create run once, and refuses a different request with the same key', async () => {
    const world = await createWorld();
    const create = (title: string, key: string, who: 'admin' | 'create' = 'admin') =>
      world
        .as(who)
        .call(
          collections.createCollection,
          { params: { organizationId: world.org }, body: { title } },
          { idempotencyKey: key },
        );
    const first = await create('One', 'k1');
    expect(await create('One', 'k1')).toEqual(first);
    expect(await reason(create('Two', 'k1'))).toBe('key-reused');
    expect((await create('One', 'k1', 'create')).id).not.toBe(first.id);
    const { count } = await world
      .as('admin')
      .call(collections.listCollections, { params: { organizationId: world.org } });
    expect(count).toBe(2);
  });

  it('expires after 24 hours', async () => {
    const world = await createWorld();
    const create = () =>
      world
        .as('admin')
        .call(
          collections.createCollection,
          { params: { organizationId: world.org }, body: { title: 'One' } },
          { idempotencyKey: 'k' },
        );
    const first = await create();
    world.pass(24 * 60 * 60 * 1000 - 10_000);
    expect((await create()).id).toBe(first.id);
    world.pass(20_000);
    expect((await create()).id).not.toBe(first.id);
  });

  it('expires exactly when its stored answer does', async () => {
    const world = await createWorld();
    const params = { organizationId: world.org };
    const create = (idempotencyKey: string, time: number) =>
      embeddedApi({ ...world.core, clock: () => time }, world.credential('admin')).call(
        collections.createCollection,
        { params, body: { title: 'One' } },
        { idempotencyKey },
      );
    const start = world.core.clock();
    const day = 24 * 60 * 60 * 1000;
    const first = await create('k', start);
    await create('other', start);
    expect((await create('k', start + day - 1)).id).toBe(first.id);
    expect((await create('k', start + day)).id).not.toBe(first.id);
    const kept = await world.core.store.read((view) =>
      view.find(answers, { index: 'byExpiry', equals: [], limit: 9 }),
    );
    expect(kept.map(({ expiresAt }) => Date.parse(expiresAt))).toEqual([start + 2 * day]);
  });

  it('has at most 255 characters', async () => {
    const world = await createWorld();
    const create = (idempotencyKey: string) =>
      reason(
        world
          .as('admin')
          .call(
            collections.createCollection,
            { params: { organizationId: world.org }, body: { title: 'One' } },
            { idempotencyKey },
          ),
      );
    expect(await create('k'.repeat(255))).toBe('done');
    expect(await create('k'.repeat(256))).toBe('invalid-input');
  });

  it('lets a completed delete be repeated', async () => {
    const world = await createWorld();
    const admin = world.as('admin');
    const create = { params: { organizationId: world.org }, body: { title: 'One' } };
    const { id: collectionId } = await admin.call(collections.createCollection, create);
    const remove = (idempotencyKey: string, who: 'admin' | 'create' = 'admin') =>
      reason(
        world.as(who).call(collections.deleteCollection, { params: { collectionId } }, { idempotencyKey }),
      );
    expect(await remove('k')).toBe('done');
    expect(await remove('k')).toBe('done');
    expect(await remove('other')).toBe('not-found');
    expect(await remove('k', 'create')).toBe('not-found');
  });

  it('is not used up by a failed request', async () => {
    const world = await createWorld();
    const move = (parent: string) =>
      world
        .as('admin')
        .call(
          collections.createCollection,
          { params: { organizationId: world.org }, body: { title: 'In', parent } },
          { idempotencyKey: 'k' },
        );
    expect(await reason(move('col_absent'))).toBe('not-found');
    const parent = await world
      .as('admin')
      .call(collections.createCollection, { params: { organizationId: world.org }, body: { title: 'Out' } });
    expect((await move(parent.id)).parent).toBe(parent.id);
  });
});

describe('paging', () => {
  it('returns each existing item exactly once, at any limit, while others are added', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 30 }),
        fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 10 }),
        async (limit, start, arrivals) => {
          const world = await createWorld();
          const params = { organizationId: world.org };
          const create = async () =>
            (await world.as('admin').call(collections.createCollection, { params, body: { title: 'x' } })).id;
          const before: string[] = [];
          for (let made = 0; made < start; made++) before.push(await create());
          const met: string[] = [];
          let page: string | undefined;
          do {
            const listing = await world.as('admin').call(collections.listCollections, {
              params,
              query: { limit, ...(page === undefined ? {} : { page }) },
            });
            met.push(...listing.items.map(({ id }) => id));
            page = listing.next?.page;
            for (let more = arrivals.shift() ?? 0; more > 0; more--) await create();
          } while (page !== undefined);
          expect(new Set(met).size).toBe(met.length);
          expect(met.filter((id) => before.includes(id))).toEqual(before);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('returns no items, no next page and the full count for limit 0', async () => {
    const world = await createWorld();
    await world
      .as('admin')
      .call(collections.createCollection, { params: { organizationId: world.org }, body: {} });
    expect(
      await world
        .as('admin')
        .call(collections.listCollections, { params: { organizationId: world.org }, query: { limit: 0 } }),
    ).toEqual({ count: 1, items: [] });
  });
});

describe('tokens', () => {
  it('have a checksum that detects every single-character typo', () => {
    let seed = 7;
    const token = createToken((count) =>
      Uint8Array.from({ length: count }, () => (seed = (seed * 31 + 11) % 256)),
    );
    expect(isToken(token)).toBe(true);
    for (let at = 0; at < token.length; at++)
      expect(isToken(`${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`)).toBe(
        false,
      );
  });

  it('that are missing are refused', async () => {
    const world = await createWorld();
    expect(
      await reason(
        world.as('nobody').call(collections.listCollections, { params: { organizationId: world.org } }),
      ),
    ).toBe('unauthenticated');
  });
});

describe('a read that needs an index', () => {
  it('is repeated when the index is up to date, and fails if the index stays stale or takes too long', async () => {
    const { core } = await createWorld();
    let pieces = 0;
    const catchUp = async () => {
      pieces++;
      return { done: 1, left: 0, isFresh: true };
    };
    const behind = new StaleIndexError('indexing pages', catchUp);
    const readAfter = (needed: number) =>
      readFresh(core.store, async () => {
        if (pieces < needed) throw behind;
        return pieces;
      });
    expect(await readAfter(3)).toBe(3);
    await expect(readAfter(Number.POSITIVE_INFINITY)).rejects.toThrow('indexing pages did not end');
    const written: number[] = [];
    const long = new StaleIndexError(
      'indexing pages',
      async () => ({ done: 1, left: 9, isFresh: false }),
      () => void written.push(1),
    );
    const read = () => readFresh(core.store, async () => Promise.reject(long), { maxWait: -1 });
    await expect(read()).rejects.toMatchObject({ reason: 'timed-out' });
    // The pieces of the index that were written are kept.
    expect(written).toHaveLength(1);
  });
});
