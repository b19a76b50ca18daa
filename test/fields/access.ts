import { expect } from 'vitest';
import * as collections from '../../src/resources/collections/contract.ts';
import * as members from '../../src/resources/members/contract.ts';
import * as orgs from '../../src/resources/organizations/contract.ts';
import * as onCollection from '../../src/resources/permissions/collection/contract.ts';
import * as onSite from '../../src/resources/permissions/site/contract.ts';
import * as onSpace from '../../src/resources/permissions/space/contract.ts';
import * as sites from '../../src/resources/sites/contract.ts';
import * as spaces from '../../src/resources/spaces/contract.ts';
import * as teams from '../../src/resources/teams/contract.ts';
import type { Bench, Try } from './bench.ts';

async function furnish({ call, org }: Bench) {
  const parent = (await call(collections.createCollection, org, { body: { title: 'Product' } })).id;
  const spaceId = (await call(spaces.createSpace, org, { body: { title: 'Guide', parent } })).id;
  const siteId = (await call(sites.createSite, org, { body: { title: 'Docs', spaces: [spaceId] } })).id;
  const body = { title: 'Writers', members: ['usr_guest'] };
  const team = (await call(teams.createTeam, org, { body })).id;
  return { space: { spaceId }, collection: { collectionId: parent }, site: { ...org, siteId }, team };
}

export const tries: readonly Try[] = [
  {
    of: 'effective-permission',
    fields: [
      'permission',
      'user',
      'origin.type',
      'origin.organization',
      'origin.collection',
      'origin.site',
      'origin.space',
      'origin.reason',
      'origin.team',
    ],
    run: async (bench) => {
      const { call } = bench;
      const { space, collection, site, team } = await furnish(bench);
      const of = async (id: string) =>
        (await call(onSpace.listEffectivePermissions, space)).items.find(({ user }) => user.id === id);
      const mayEdit = async () => (await call(spaces.getSpace, space, {}, 'guest')).permissions.edit;
      expect(await of('usr_read')).toMatchObject({
        permission: 'read',
        origin: { type: 'organization', organization: 'org_acme' },
      });
      expect(await of('usr_guest')).toBeUndefined();
      expect(await bench.reason(spaces.getSpace, space, {}, 'guest')).toBe('not-found');
      await call(onCollection.setPermissions, collection, { body: { role: 'read', teams: [team] } });
      expect(await of('usr_guest')).toMatchObject({
        permission: 'read',
        user: { id: 'usr_guest', email: 'guest@acme.test' },
        origin: { type: 'collection', collection: collection.collectionId, reason: 'team', team },
      });
      expect(await mayEdit()).toBe(false);
      await call(onSite.setPermissions, site, { body: { role: 'edit', users: ['usr_guest'] } });
      expect(await of('usr_guest')).toMatchObject({
        permission: 'edit',
        origin: { type: 'site', site: site.siteId, reason: 'member' },
      });
      expect(await mayEdit()).toBe(true);
      await call(onSpace.setPermissions, space, { body: { role: 'comment', users: ['usr_guest'] } });
      expect(await of('usr_guest')).toMatchObject({
        permission: 'comment',
        origin: { type: 'space', space: space.spaceId, reason: 'member' },
      });
      expect(await mayEdit()).toBe(false);
      await call(spaces.updateSpace, space, { body: { defaultLevel: 'review' } });
      expect(await of('usr_read')).toMatchObject({
        permission: 'review',
        origin: { type: 'space', reason: 'default' },
      });
    },
  },
  {
    of: 'effective-permission',
    fields: ['disabled', 'lastSeenAt'],
    run: async (bench) => {
      const { call, org } = bench;
      const { space } = await furnish(bench);
      const look = async () =>
        (await call(onSpace.listEffectivePermissions, space)).items.find(
          ({ user }) => user.id === 'usr_read',
        );
      const before = await look();
      expect(before).toMatchObject({ disabled: false });
      expect(before).not.toHaveProperty('lastSeenAt');
      await call(orgs.pingOrganization, org, {}, 'read');
      await call(members.updateMember, { ...org, userId: 'usr_read' }, { body: { disabled: true } });
      expect(await look()).toMatchObject({ disabled: true, lastSeenAt: expect.any(String) });
      expect(await bench.reason(spaces.getSpace, space, {}, 'read')).toBe('not-found');
    },
  },
  {
    of: 'user-permission',
    fields: ['permission', 'user'],
    run: async (bench) => {
      const { call } = bench;
      const { space } = await furnish(bench);
      const look = async () => (await call(onSpace.listUserPermissions, space)).items;
      const at = { ...space, userId: 'usr_guest' };
      expect(await look()).toEqual([]);
      await call(onSpace.setPermissions, space, { body: { role: 'read', users: ['guest@acme.test'] } });
      expect(await look()).toMatchObject([{ permission: 'read', user: { id: 'usr_guest' } }]);
      await call(onSpace.updateUserPermission, at, { body: { role: 'edit' } });
      expect(await look()).toMatchObject([{ permission: 'edit' }]);
      expect((await call(spaces.getSpace, space, {}, 'guest')).permissions.edit).toBe(true);
      await call(onSpace.removeUserPermission, at);
      expect(await look()).toEqual([]);
      expect(await bench.reason(spaces.getSpace, space, {}, 'guest')).toBe('not-found');
    },
  },
  {
    of: 'team-permission',
    fields: ['permission', 'team'],
    run: async (bench) => {
      const { call } = bench;
      const { space, team } = await furnish(bench);
      const look = async () => (await call(onSpace.listTeamPermissions, space)).items;
      const at = { ...space, teamId: team };
      expect(await look()).toEqual([]);
      await call(onSpace.setPermissions, space, { body: { role: 'read', teams: [team] } });
      expect(await look()).toMatchObject([{ permission: 'read', team: { id: team, title: 'Writers' } }]);
      await call(onSpace.updateTeamPermission, at, { body: { role: 'edit' } });
      expect(await look()).toMatchObject([{ permission: 'edit' }]);
      expect((await call(spaces.getSpace, space, {}, 'guest')).permissions.edit).toBe(true);
      await call(onSpace.removeTeamPermission, at);
      expect(await look()).toEqual([]);
      expect(await bench.reason(spaces.getSpace, space, {}, 'guest')).toBe('not-found');
    },
  },
  {
    of: 'team',
    fields: ['spaces'],
    run: async (bench) => {
      const { call, org } = bench;
      const { space, team } = await furnish(bench);
      const count = async () => (await call(teams.getTeam, { ...org, teamId: team })).spaces;
      expect(await count()).toBe(0);
      await call(onSpace.setPermissions, space, { body: { role: 'read', teams: [team] } });
      expect(await count()).toBe(1);
      await call(onSpace.removeTeamPermission, { ...space, teamId: team });
      expect(await count()).toBe(0);
    },
  },
  {
    of: 'members.spaces',
    fields: ['permission', 'space'],
    run: async (bench) => {
      const { call, org } = bench;
      const { space } = await furnish(bench);
      const look = async () => (await call(members.listMemberSpaces, { ...org, userId: 'usr_guest' })).items;
      expect(await look()).toEqual([]);
      await call(onSpace.setPermissions, space, { body: { role: 'review', users: ['usr_guest'] } });
      expect(await look()).toMatchObject([{ permission: 'review', space: { id: space.spaceId } }]);
    },
  },
];
