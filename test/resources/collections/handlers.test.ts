import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../src/contract/check.ts';
import { defined } from '../../../src/contract/values.ts';
import * as contract from '../../../src/resources/collections/contract.ts';
import { createSite } from '../../../src/resources/sites/contract.ts';
import { createSpace, deleteSpace, restoreSpace } from '../../../src/resources/spaces/contract.ts';
import type { Problem } from '../../../src/errors/problem.ts';
import { createWorld, type Who, type World } from '../../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const create = (body: object, who: Who = 'admin') =>
  world.as(who).call(contract.createCollection, { params: { organizationId: world.org }, body });
const list = (query: object = {}, who: Who = 'admin') =>
  world.as(who).call(contract.listCollections, { params: { organizationId: world.org }, query });
const reason = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (problem: Problem) => problem.reason,
  );

describe('collections', () => {
  it('can be created, read, changed and deleted', async () => {
    const made = await create({ title: 'Product' });
    expect(violationsOf(contract.Collection, made, '')).toEqual([]);
    expect(made).toMatchObject({
      object: 'collection',
      title: 'Product',
      organization: world.org,
      defaultLevel: null,
    });
    const params = { collectionId: made.id };
    expect(await world.as('read').call(contract.getCollection, { params })).toMatchObject({
      id: made.id,
      permissions: { view: true, admin: false, create: false },
    });
    expect(
      await world.as('admin').call(contract.updateCollection, {
        params,
        body: { description: 'All of it', defaultLevel: 'edit' },
      }),
    ).toMatchObject({
      description: 'All of it',
      defaultLevel: 'edit',
    });
    await world.as('admin').call(contract.deleteCollection, { params });
    expect(await reason(world.as('admin').call(contract.getCollection, { params }))).toBe('not-found');
    expect(await reason(world.as('admin').call(contract.deleteCollection, { params }))).toBe('not-found');
  });

  it('are listed with nested ones unless nested is false, and filtered by title', async () => {
    const outer = await create({ title: 'Outer' });
    await create({ title: 'Inner', parent: outer.id });
    expect((await list()).items.map(({ title }) => title)).toEqual(['Outer', 'Inner']);
    expect((await list({ nested: false })).items.map(({ title }) => title)).toEqual(['Outer']);
    expect(await list({ title: 'INN' })).toMatchObject({
      count: 1,
      items: [{ title: 'Inner', parent: outer.id }],
    });
  });

  it('are listed below their parent in the order that moves gave them', async () => {
    const outer = await create({ title: 'Outer' });
    const first = await create({ title: 'First', parent: outer.id });
    const last = await create({ title: 'Last', parent: outer.id });
    await create({ title: 'Other' });
    await world.as('admin').call(contract.moveCollection, {
      params: { collectionId: last.id },
      body: { position: { before: { type: 'collection', collection: first.id } } },
    });
    expect((await list()).items.map(({ title }) => title)).toEqual(['Outer', 'Other', 'Last', 'First']);
  });

  it('move their contents up to the parent when they are deleted', async () => {
    const outer = await create({ title: 'Outer' });
    const inner = await create({ title: 'Inner', parent: outer.id });
    const deep = await create({ title: 'Deep', parent: inner.id });
    await world.as('admin').call(contract.deleteCollection, { params: { collectionId: inner.id } });
    expect(
      (await world.as('admin').call(contract.getCollection, { params: { collectionId: deep.id } })).parent,
    ).toBe(outer.id);
  });

  it('can be nested at most 16 levels deep', async () => {
    let parent: string | undefined;
    for (let level = 1; level <= 16; level++)
      parent = (await create({ title: `Level ${level}`, ...(parent === undefined ? {} : { parent }) })).id;
    expect(await reason(create({ title: 'Level 17', parent }))).toBe('conflict');
  });

  it('cannot be moved to a place where their contents would be too deep', async () => {
    const chain = async (levels: number) => {
      const ids: string[] = [];
      for (let level = 1; level <= levels; level++)
        ids.push((await create({ title: `${levels}/${level}`, ...defined({ parent: ids.at(-1) }) })).id);
      return ids;
    };
    const long = await chain(14);
    const [top = '', middle = '', low = ''] = await chain(3);
    const move = (collectionId: string, parent: string | null = '') =>
      reason(world.as('admin').call(contract.moveCollection, { params: { collectionId }, body: { parent } }));
    expect(await move(top, long[13])).toBe('conflict');
    expect(await move(middle, long[13])).toBe('done');
    expect(await move(top, long[13])).toBe('done');
    // In the long chain, the middle collection can get one more level below it, but cannot move deeper after that.
    expect(await move(top, low)).toBe('conflict');
    expect(await move(middle, top)).toBe('conflict');
    expect(await move(middle, long[13])).toBe('done');
    expect(await move(middle, long[0])).toBe('done');
    expect(await reason(create({ title: 'Deeper', parent: low }))).toBe('done');
    expect(await move(middle, long[13])).toBe('conflict');
    expect(await move(middle, null)).toBe('done');
  });

  it('cannot be moved into themselves, into their contents or to another organization', async () => {
    const outer = await create({ title: 'Outer' });
    const inner = await create({ title: 'Inner', parent: outer.id });
    const move = (collectionId: string, body: object) =>
      reason(world.as('admin').call(contract.moveCollection, { params: { collectionId }, body }));
    expect(await move(outer.id, { parent: outer.id })).toBe('conflict');
    expect(await move(outer.id, { parent: inner.id })).toBe('conflict');
    const foreign = await world.as('outsider').call(contract.createCollection, {
      params: { organizationId: world.otherOrg },
      body: { title: 'Theirs' },
    });
    expect(await move(outer.id, { parent: foreign.id })).toBe('not-found');
    expect(await move(outer.id, { parent: 'col_absent' })).toBe('not-found');
    expect(await move(inner.id, { parent: null })).toBe('done');
  });

  it('can be placed before or after a neighbor in their new parent', async () => {
    const [one, two, three] = [
      await create({ title: '1' }),
      await create({ title: '2' }),
      await create({ title: '3' }),
    ];
    const order = async () => (await list({ nested: false })).items.map(({ title }) => title).join('');
    const move = (collectionId: string, position: object) =>
      world.as('admin').call(contract.moveCollection, { params: { collectionId }, body: { position } });
    await move(three.id, { before: { type: 'collection', collection: one.id } });
    expect(await order()).toBe('312');
    await move(three.id, { after: { type: 'collection', collection: one.id } });
    expect(await order()).toBe('132');
    const [before, after] = [two, one].map(({ id }) => ({ type: 'collection', collection: id }));
    await move(three.id, {});
    await move(three.id, { before, after });
    expect(await order()).toBe('132');
    const inner = await create({ title: 'in', parent: two.id });
    expect(await reason(move(three.id, { before: { type: 'collection', collection: inner.id } }))).toBe(
      'invalid-input',
    );
    expect(
      await reason(
        move(three.id, {
          before: { type: 'collection', collection: one.id },
          after: { type: 'collection', collection: two.id },
        }),
      ),
    ).toBe('invalid-input');
  });

  it('are transferred with their contents to an organization where the caller has the create role', async () => {
    const outer = await create({ title: 'Outer' });
    const inner = await create({ title: 'Inner', parent: outer.id });
    const [as, here] = [world.as('admin'), { params: { organizationId: world.org } }];
    const space = await as.call(createSpace, { ...here, body: { parent: inner.id } });
    const params = { spaceId: space.id };
    await as.call(createSite, { ...here, body: { title: 'Docs', spaces: [space.id] } });
    await as.call(deleteSpace, { params });
    const transfer = (who: Who, organization: string) =>
      world
        .as(who)
        .call(contract.transferCollection, { params: { collectionId: outer.id }, body: { organization } });
    expect(await reason(transfer('admin', world.otherOrg))).toBe('not-found');
    expect(await reason(transfer('owner', world.org))).toBe('conflict');
    expect(await transfer('owner', world.otherOrg)).toMatchObject({
      id: outer.id,
      organization: world.otherOrg,
    });
    expect(
      await world.as('outsider').call(contract.getCollection, { params: { collectionId: inner.id } }),
    ).toMatchObject({ organization: world.otherOrg, parent: outer.id });
    const restored = await world.as('outsider').call(restoreSpace, { params });
    expect([restored.organization, restored.formerSites]).toEqual([world.otherOrg, undefined]);
    expect(
      await reason(world.as('admin').call(contract.getCollection, { params: { collectionId: inner.id } })),
    ).toBe('not-found');
  });

  it('are refused with each invalid field named', async () => {
    const failed = await create({ title: 'x'.repeat(51), colour: 'red' }).catch(
      (problem: Problem) => problem,
    );
    expect(failed).toMatchObject({
      reason: 'invalid-input',
      violations: [{ path: '/body/colour' }, { path: '/body/title' }],
    });
    expect(await reason(list({ limit: 1001 }))).toBe('invalid-input');
    expect(await reason(list({ page: 'nonsense' }))).toBe('invalid-input');
  });

  it('check the role of the caller, and are not found by outsiders', async () => {
    const { id } = await create({ title: 'Product' });
    const table: [Who, string, string, string][] = [
      ['admin', 'done', 'done', 'done'],
      ['create', 'done', 'done', 'forbidden'],
      ['review', 'done', 'forbidden', 'forbidden'],
      ['edit', 'done', 'forbidden', 'forbidden'],
      ['comment', 'done', 'forbidden', 'forbidden'],
      ['read', 'done', 'forbidden', 'forbidden'],
      ['guest', 'not-found', 'forbidden', 'not-found'],
      ['outsider', 'not-found', 'not-found', 'not-found'],
      ['nobody', 'unauthenticated', 'unauthenticated', 'unauthenticated'],
    ];
    for (const [who, get, make, change] of table) {
      expect([
        who,
        await reason(world.as(who).call(contract.getCollection, { params: { collectionId: id } })),
        await reason(create({ title: who }, who)),
        await reason(
          world.as(who).call(contract.updateCollection, { params: { collectionId: id }, body: {} }),
        ),
      ]).toEqual([who, get, make, change]);
    }
  });
});
