import { beforeEach, describe, expect, it } from 'vitest';
import { listOrganizationChangeRequests } from '../../../src/resources/organization-change-requests/contract.ts';
import { createChangeRequest } from '../../../src/resources/change-requests/contract.ts';
import * as collections from '../../../src/resources/collections/contract.ts';
import * as members from '../../../src/resources/members/contract.ts';
import { createOrganization } from '../../../src/resources/organizations/contract.ts';
import * as onCollection from '../../../src/resources/permissions/collection/contract.ts';
import * as onSite from '../../../src/resources/permissions/site/contract.ts';
import * as onSpace from '../../../src/resources/permissions/space/contract.ts';
import { addSiteSpace, listSiteSpaces } from '../../../src/resources/site-spaces/contract.ts';
import * as sites from '../../../src/resources/sites/contract.ts';
import * as spaces from '../../../src/resources/spaces/contract.ts';
import * as teams from '../../../src/resources/teams/contract.ts';
import * as translations from '../../../src/resources/translations/contract.ts';
import { permissions } from '../../../src/core/rows/permissions.ts';
import type { Who } from '../../support/world.ts';
import { createPeopleWorld, publishedFaults, type PeopleWorld } from '../people-support.ts';

let world: PeopleWorld;
let team: string;
let collectionId: string;
let spaceId: string;
let nestedId: string;
let siteId: string;
beforeEach(async () => {
  world = await createPeopleWorld();
  const make = async (operation: typeof spaces.createSpace, body: object) =>
    (await world.call(operation, 'admin', { body })).id;
  team = (await world.call(teams.createTeam, 'admin', { body: { title: 'Writers', members: ['usr_guest'] } }))
    .id;
  collectionId = (await world.call(collections.createCollection, 'admin', { body: { title: 'Product' } })).id;
  spaceId = await make(spaces.createSpace, { title: 'Guide' });
  nestedId = await make(spaces.createSpace, { title: 'API', parent: collectionId });
  siteId = (
    await world.call(sites.createSite, 'admin', { body: { title: 'Docs', spaces: [spaceId, nestedId] } })
  ).id;
});

const give = (role: string | null, more: object) =>
  world.call(onSpace.setPermissions, 'admin', { params: { spaceId }, body: { role, ...more } });
const giveCollection = (role: string | null, more: object) =>
  world.call(onCollection.setPermissions, 'admin', { params: { collectionId }, body: { role, ...more } });
const giveSite = (role: string | null, more: object) =>
  world.call(onSite.setPermissions, 'admin', { params: { siteId }, body: { role, ...more } });
const titles = async (operation: typeof spaces.listSpaces, who: Who) => {
  const { items, count } = await world.call(operation, who);
  expect(count).toBe(items.length);
  return items.map(({ title }) => title).sort();
};
const open = (who: Who, id = spaceId) => world.reason(spaces.getSpace, who, { params: { spaceId: id } });

describe('a guest with a permission', () => {
  it('on a space sees only this space', async () => {
    expect(await open('guest')).toBe('not-found');
    await give('edit', { users: ['guest@acme.test'] });
    expect(await open('guest')).toBe('done');
    expect(await open('guest', nestedId)).toBe('not-found');
    expect(await titles(spaces.listSpaces, 'guest')).toEqual(['Guide']);
    expect((await world.call(collections.listCollections, 'guest')).count).toBe(0);
    expect((await world.call(sites.listSites, 'guest')).count).toBe(0);
    expect(await world.call(members.getMember, 'admin', { params: { userId: 'usr_guest' } })).toMatchObject({
      spaces: 1,
    });
    const { items } = await world.call(members.listMemberSpaces, 'admin', {
      params: { userId: 'usr_guest' },
    });
    expect(items.map(({ permission, space }) => [permission, space.title])).toEqual([['edit', 'Guide']]);
    expect((await world.call(spaces.getSpace, 'guest', { params: { spaceId } })).permissions).toMatchObject({
      view: true,
      edit: true,
      review: false,
      admin: false,
    });
  });

  it('of a team on a collection sees its spaces until the permission of the team is removed', async () => {
    await giveCollection('comment', { teams: [team] });
    expect(await titles(spaces.listSpaces, 'guest')).toEqual(['API']);
    expect(
      (await world.call(collections.listSpacesInCollection, 'guest', { params: { collectionId } })).count,
    ).toBe(1);
    expect(await world.call(teams.getTeam, 'admin', { params: { teamId: team } })).toMatchObject({
      spaces: 1,
    });
    await world.call(onCollection.removeTeamPermission, 'admin', { params: { collectionId, teamId: team } });
    expect(await titles(spaces.listSpaces, 'guest')).toEqual([]);
  });

  it('on a site sees the site and its spaces, except spaces with a default level of their own', async () => {
    await giveSite('read', { users: ['usr_guest'] });
    expect(await titles(spaces.listSpaces, 'guest')).toEqual(['API', 'Guide']);
    await world.call(spaces.updateSpace, 'admin', {
      params: { spaceId: nestedId },
      body: { defaultLevel: 'edit' },
    });
    expect(await titles(spaces.listSpaces, 'guest')).toEqual(['Guide']);
    const shown = await world.call(listSiteSpaces, 'guest', { params: { siteId } });
    expect([shown.count, shown.items.map(({ title }) => title)]).toEqual([1, ['Guide']]);
    const { structure } = await world.call(sites.getSiteStructure, 'guest', { params: { siteId } });
    expect(structure).toHaveLength(1);
  });

  it('of admin on a site cannot add spaces without the admin role on them', async () => {
    await giveSite('admin', { users: ['usr_guest'] });
    const { id } = await world.call(spaces.createSpace, 'admin', { body: { title: 'Secret' } });
    const add = () => world.reason(addSiteSpace, 'guest', { params: { siteId }, body: { spaceId: id } });
    expect(await add()).toBe('not-found');
    await world.call(onSpace.setPermissions, 'admin', {
      params: { spaceId: id },
      body: { role: 'create', users: ['usr_guest'] },
    });
    expect(await add()).toBe('forbidden');
    await world.call(onSpace.setPermissions, 'admin', {
      params: { spaceId: id },
      body: { role: 'admin', users: ['usr_guest'] },
    });
    expect(await add()).toBe('done');
  });
});

describe('a member without access to a space', () => {
  it('does not find it, its listing or its change requests', async () => {
    await world.call(createChangeRequest, 'admin', { params: { spaceId }, body: { subject: 'Hidden' } });
    const asked = { query: { status: ['draft', 'open'] } };
    expect((await world.call(listOrganizationChangeRequests, 'create', asked)).count).toBe(1);
    await give(null, { users: ['usr_create'] });
    expect(await open('create')).toBe('not-found');
    expect(await open('review')).toBe('done');
    expect(await titles(spaces.listSpaces, 'create')).toEqual(['API']);
    expect((await world.call(listOrganizationChangeRequests, 'create', asked)).count).toBe(0);
    const ofAdmin = await world.call(members.listMemberSpaces, 'create', { params: { userId: 'usr_admin' } });
    expect(ofAdmin.items.map(({ space }) => space.title)).toEqual(['API']);
    await world.call(onSpace.removeUserPermission, 'admin', { params: { spaceId, userId: 'usr_create' } });
    expect(await open('create')).toBe('done');
  });
});

describe('permissions', () => {
  it('are listed in the published form', async () => {
    await give('review', { users: ['read@acme.test', 'usr_guest'], teams: [team] });
    const users = await world.call(onSpace.listUserPermissions, 'admin', { params: { spaceId } });
    expect(users.items.map(({ permission, user }) => [permission, user.id]).sort()).toEqual([
      ['review', 'usr_guest'],
      ['review', 'usr_read'],
    ]);
    for (const item of users.items) expect(publishedFaults('UserContentPermission', item)).toEqual([]);
    const ofTeams = await world.call(onSpace.listTeamPermissions, 'admin', { params: { spaceId } });
    expect(ofTeams).toMatchObject({
      count: 1,
      items: [{ permission: 'review', team: { id: team, spaces: 1 } }],
    });
    await giveSite('comment', { teams: [team] });
    const everybody = await world.call(onSite.listEffectivePermissions, 'admin', { params: { siteId } });
    // Origins of the type site were added in a later version of the published specification.
    const published = everybody.items.filter(({ origin }) => origin.type !== 'site');
    expect(published).not.toEqual([]);
    for (const item of published) expect(publishedFaults('UserSitePermission', item)).toEqual([]);
    expect(everybody.items.find(({ user }) => user.id === 'usr_guest')).toMatchObject({
      permission: 'comment',
      origin: { type: 'site', site: siteId, reason: 'team', team },
    });
    const filter = { params: { spaceId }, query: { role: 'review', search: 'READ@', sort: 'name' } };
    const found = await world.call(onSpace.listEffectivePermissions, 'admin', filter);
    expect(found.items.map(({ user, origin }) => [user.id, origin])).toEqual([
      ['usr_read', { type: 'space', space: spaceId, reason: 'member' }],
    ]);
  });

  it('are changed and removed one at a time, and a missing one returns 404', async () => {
    await give('edit', { users: ['usr_read'] });
    const at = { params: { spaceId, userId: 'usr_read' } };
    await world.call(onSpace.updateUserPermission, 'admin', { ...at, body: { role: 'comment' } });
    await world.call(onSpace.updateUserPermission, 'admin', { ...at, body: {} });
    const { items } = await world.call(onSpace.listUserPermissions, 'admin', { params: { spaceId } });
    expect(items.map(({ permission }) => permission)).toEqual(['comment']);
    await world.call(onSpace.removeUserPermission, 'admin', at);
    await expect(world.call(onSpace.removeUserPermission, 'admin', at)).rejects.toMatchObject({
      reason: 'not-found',
      hint: expect.stringContaining('run `docsctl spaces permissions effective Guide`'),
    });
    expect(
      await world.reason(onSpace.setPermissions, 'admin', { params: { spaceId }, body: { role: 'read' } }),
    ).toBe('usage');
    expect(
      await world.reason(onSpace.setPermissions, 'admin', {
        params: { spaceId },
        body: { role: 'read', users: ['usr_outsider'] },
      }),
    ).toBe('not-found');
    expect(
      await world.reason(onSpace.setPermissions, 'admin', {
        params: { spaceId },
        body: { role: 'read', teams: ['team_x'] },
      }),
    ).toBe('not-found');
    expect(
      await world.reason(onSpace.setPermissions, 'admin', {
        params: { spaceId },
        body: { role: 'owner', users: ['usr_read'] },
      }),
    ).toBe('invalid-input');
  });

  it('are deleted with the member, the team, the collection and the site', async () => {
    await give('edit', { users: ['usr_read'], teams: [team] });
    await giveCollection('edit', { users: ['usr_guest'] });
    await giveSite('edit', { users: ['usr_guest'] });
    await world.call(members.deleteMember, 'admin', { params: { userId: 'usr_read' } });
    await world.call(teams.deleteTeam, 'admin', { params: { teamId: team } });
    await world.call(collections.deleteCollection, 'admin', { params: { collectionId } });
    await world.call(sites.deleteSite, 'admin', { params: { siteId } });
    for (const subject of ['usr_read', 'usr_guest', team])
      expect(
        await world.core.store.read((view) => view.count(permissions, 'bySubject', [world.org, subject])),
      ).toBe(0);
  });

  it('are copied with the space, and are kept when the space is restored', async () => {
    await give('edit', { users: ['usr_guest'] });
    const copy = await world.call(spaces.duplicateSpace, 'admin', { params: { spaceId } });
    expect(await open('guest', copy.id)).toBe('done');
    await world.call(spaces.deleteSpace, 'admin', { params: { spaceId: copy.id } });
    expect(await open('guest', copy.id)).toBe('not-found');
    await world.call(spaces.restoreSpace, 'admin', { params: { spaceId: copy.id } });
    expect(await open('guest', copy.id)).toBe('done');
  });
});

it('a member with the create role only in a collection can create spaces only there', async () => {
  await giveCollection('create', { users: ['usr_guest', 'usr_read'] });
  for (const who of ['guest', 'read'] as const) {
    const shown = await world.call(collections.getCollection, who, { params: { collectionId } });
    expect(shown.permissions.create).toBe(true);
    for (const operation of [spaces.createSpace, collections.createCollection]) {
      expect(await world.reason(operation, who, { body: { parent: collectionId } })).toBe('done');
      expect(await world.reason(operation, who, { body: {} })).toBe('forbidden');
    }
  }
});

it('moving to the top level requires the create role in the organization', async () => {
  await giveCollection('admin', { users: ['usr_edit', 'usr_create'] });
  await give('admin', { users: ['usr_edit'] });
  const inner = await world.call(collections.createCollection, 'edit', { body: { parent: collectionId } });
  const ways = (who: Who) => [
    world.reason(spaces.moveSpace, who, { params: { spaceId: nestedId }, body: { parent: null } }),
    world.reason(collections.moveCollection, who, {
      params: { collectionId: inner.id },
      body: { parent: null },
    }),
    world.reason(spaces.duplicateSpace, who, { params: { spaceId } }),
    world.reason(collections.deleteCollection, who, { params: { collectionId } }),
  ];
  for (const way of ways('edit')) expect(await way).toBe('forbidden');
  // Spaces that are already at the top level can be reordered.
  const other = await world.call(spaces.createSpace, 'admin', { body: { title: 'Other' } });
  expect(
    await world.reason(spaces.moveSpace, 'edit', {
      params: { spaceId },
      body: { parent: null, position: { after: { type: 'space', space: other.id } } },
    }),
  ).toBe('done');
  await world.call(spaces.moveSpace, 'create', { params: { spaceId: nestedId }, body: { parent: inner.id } });
  expect(
    await world.reason(collections.deleteCollection, 'edit', { params: { collectionId: inner.id } }),
  ).toBe('done');
  for (const id of [nestedId, spaceId]) expect(await open('edit', id)).toBe('done');
  await world.call(spaces.deleteSpace, 'edit', { params: { spaceId: nestedId } });
  expect(await world.reason(collections.deleteCollection, 'edit', { params: { collectionId } })).toBe('done');
});

it('a copy of a space cannot be opened by members whom a site denies the original', async () => {
  await giveSite(null, { users: ['usr_read'], teams: [team] });
  await giveSite('edit', { users: ['usr_edit'] });
  await world.call(members.updateMember, 'admin', {
    params: { userId: 'usr_guest' },
    body: { role: 'edit' },
  });
  const second = await world.call(sites.createSite, 'admin', { body: { title: 'Help', spaces: [spaceId] } });
  const copyOf = async (id: string) =>
    (await world.call(spaces.duplicateSpace, 'admin', { params: { spaceId: id } })).id;
  const openBy = async (id: string) => [
    await open('read', id),
    await open('guest', id),
    await open('edit', id),
    await open('comment', id),
  ];
  const denied = ['not-found', 'not-found', 'done', 'done'];
  expect(await openBy(spaceId)).toEqual(denied);
  expect(await openBy(await copyOf(spaceId))).toEqual(denied);
  // The highest role of several sites applies, unless a level or permission on the space overrides it.
  await world.call(onSite.setPermissions, 'admin', {
    params: { siteId: second.id },
    body: { role: 'read', users: ['usr_read'] },
  });
  expect(await openBy(await copyOf(spaceId))).toEqual(['done', 'not-found', 'done', 'done']);
  await give('comment', { teams: [team] });
  expect(await openBy(await copyOf(spaceId))).toEqual(['done', 'done', 'done', 'done']);
  await world.call(spaces.updateSpace, 'admin', {
    params: { spaceId: nestedId },
    body: { defaultLevel: 'read' },
  });
  expect(await openBy(nestedId)).toEqual(['done', 'done', 'done', 'done']);
  expect(await openBy(await copyOf(nestedId))).toEqual(['done', 'done', 'done', 'done']);
});

it('hides a restored space from members whom a site denies it', async () => {
  await giveSite(null, { users: ['usr_read'], teams: [team] });
  await giveSite('read', { users: ['usr_comment'] });
  await world.call(members.updateMember, 'admin', {
    params: { userId: 'usr_guest' },
    body: { role: 'edit' },
  });
  await world.call(spaces.deleteSpace, 'admin', { params: { spaceId } });
  await world.call(spaces.restoreSpace, 'admin', { params: { spaceId } });
  const opened = [await open('read'), await open('guest'), await open('comment'), await open('edit')];
  expect(opened).toEqual(['not-found', 'not-found', 'done', 'done']);
});

describe('a member with insufficient access', () => {
  it('to a collection cannot add spaces or collections to it', async () => {
    const into = (who: Who, id = spaceId) =>
      world.reason(spaces.moveSpace, who, { params: { spaceId: id }, body: { parent: collectionId } });
    const create = () => world.reason(spaces.createSpace, 'create', { body: { parent: collectionId } });
    const nest = () =>
      world.reason(collections.createCollection, 'create', { body: { parent: collectionId } });
    await give('admin', { users: ['usr_create'] });
    expect([await create(), await nest()]).toEqual(['done', 'done']);
    const copy = () => world.reason(spaces.duplicateSpace, 'create', { params: { spaceId: nestedId } });
    await world.call(onSpace.setPermissions, 'admin', {
      params: { spaceId: nestedId },
      body: { role: 'create', users: ['usr_create'] },
    });
    expect(await copy()).toBe('done');
    await giveCollection('edit', { users: ['usr_create'] });
    expect(new Set([await create(), await nest(), await into('create'), await copy()])).toEqual(
      new Set(['forbidden']),
    );
    await giveCollection(null, { users: ['usr_create'] });
    expect(new Set([await create(), await nest(), await into('create'), await copy()])).toEqual(
      new Set(['not-found']),
    );
    await giveCollection('create', { users: ['usr_create'] });
    expect(await into('create')).toBe('done');
  });

  it('to a space cannot move other spaces beside it, and does not learn its title', async () => {
    await give(null, { users: ['usr_create'] });
    await world.call(onSpace.setPermissions, 'admin', {
      params: { spaceId: nestedId },
      body: { role: 'admin', users: ['usr_create'] },
    });
    const body = { position: { after: { type: 'space' as const, space: spaceId } } };
    const move = (parent: string | null) =>
      world.reason(spaces.moveSpace, 'create', { params: { spaceId: nestedId }, body: { ...body, parent } });
    expect([await move(null), await move(collectionId)]).toEqual(['not-found', 'not-found']);
    await give('read', { users: ['usr_create'] });
    expect([await move(collectionId), await move(null)]).toEqual(['invalid-input', 'done']);
  });

  it('to a space cannot transfer it to another organization with its collection', async () => {
    const { id: organization } = await world.call(createOrganization, 'create', { body: { title: 'Mine' } });
    const transfer = () =>
      world.reason(collections.transferCollection, 'create', {
        params: { collectionId },
        body: { organization },
      });
    const giveNested = (role: string | null) =>
      world.call(onSpace.setPermissions, 'admin', {
        params: { spaceId: nestedId },
        body: { role, users: ['usr_create'] },
      });
    await giveCollection('admin', { users: ['usr_create'] });
    await giveNested(null);
    expect(await transfer()).toBe('forbidden');
    await giveNested('read');
    expect(await transfer()).toBe('forbidden');
    expect(await open('admin', nestedId)).toBe('done');
    await giveNested('admin');
    expect(await transfer()).toBe('done');
  });

  it('to a space cannot see its translations', async () => {
    const { id: translationId } = await world.call(translations.createTranslation, 'admin', {
      body: { source: { space: spaceId, language: 'en' }, language: 'fr' },
    });
    const seen = async () => [
      (await world.call(translations.listTranslations, 'create')).items.length,
      await world.reason(translations.getTranslation, 'create', { params: { translationId } }),
      await world.reason(translations.deleteTranslation, 'create', { params: { translationId } }),
    ];
    await give(null, { users: ['usr_create'] });
    expect(await seen()).toEqual([0, 'not-found', 'not-found']);
    await give('read', { users: ['usr_create'] });
    expect(await seen()).toEqual([1, 'done', 'done']);
  });

  it('to a collection cannot add a translation to it', async () => {
    const translate = () =>
      world.reason(translations.createTranslation, 'create', {
        body: { source: { space: nestedId, language: 'en' }, language: 'fr' },
      });
    await giveCollection('review', { users: ['usr_create'] });
    expect(await translate()).toBe('forbidden');
    await giveCollection('create', { users: ['usr_create'] });
    expect(await translate()).toBe('done');
  });
});
