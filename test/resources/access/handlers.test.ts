import { expect, it } from 'vitest';
import { explainAccess } from '../../../src/resources/access/contract.ts';
import { createCollection, updateCollection } from '../../../src/resources/collections/contract.ts';
import { setPermissions } from '../../../src/resources/permissions/space/contract.ts';
import { createSpace, deleteSpace, getSpace } from '../../../src/resources/spaces/contract.ts';
import { createTeam } from '../../../src/resources/teams/contract.ts';
import { createPeopleWorld } from '../people-support.ts';

it('lists the reasons for the access of a member, the deciding one first, and the effective role', async () => {
  const world = await createPeopleWorld();
  const { id: collection } = await world.call(createCollection, 'admin', { body: { title: 'Product' } });
  await world.call(updateCollection, 'admin', {
    params: { collectionId: collection },
    body: { defaultLevel: 'comment' },
  });
  const { id: space } = await world.call(createSpace, 'admin', {
    body: { title: 'Guide', parent: collection },
  });
  const team = await world.call(createTeam, 'admin', { body: { title: 'Writers', members: ['usr_read'] } });
  await world.call(setPermissions, 'admin', {
    params: { spaceId: space },
    body: { role: 'review', teams: [team.id] },
  });
  const explain = (who: 'read' | 'guest', query: object = { space }) =>
    world.call(explainAccess, 'admin', { params: { userId: `usr_${who}` }, query });
  expect(await explain('read')).toEqual({
    object: 'access',
    user: 'usr_read',
    role: 'review',
    disabled: false,
    reasons: [
      {
        kind: 'team',
        role: 'review',
        content: { type: 'space', id: space, title: 'Guide' },
        team: { id: team.id, title: 'Writers' },
      },
      { kind: 'default', role: 'comment', content: { type: 'collection', id: collection, title: 'Product' } },
      { kind: 'organization', role: 'read' },
    ],
  });
  expect((await world.call(getSpace, 'read', { params: { spaceId: space } })).permissions.review).toBe(true);
  expect(await explain('guest')).toMatchObject({
    role: null,
    reasons: [{ kind: 'default', role: null }, {}],
  });
  const reason = (query: object) =>
    world.reason(explainAccess, 'admin', { params: { userId: 'usr_read' }, query });
  expect(await reason({})).toBe('invalid-input');
  expect(await reason({ space, collection })).toBe('invalid-input');
  expect(await reason({ site: 'site_1' })).toBe('not-found');
  await world.call(deleteSpace, 'admin', { params: { spaceId: space }, query: { now: true } });
  expect(await reason({ space })).toBe('not-found');
});
