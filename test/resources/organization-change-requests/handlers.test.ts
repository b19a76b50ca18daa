import { beforeEach, expect, it } from 'vitest';
import * as organizationRequests from '../../../src/resources/organization-change-requests/contract.ts';
import * as requests from '../../../src/resources/change-requests/contract.ts';
import * as spaces from '../../../src/resources/spaces/contract.ts';
import { createWorld, type World } from '../../support/world.ts';
import { openDesk, type Desk } from '../content-support.ts';

let world: World;
let desk: Desk;
beforeEach(async () => {
  world = await createWorld();
  desk = await openDesk(world);
});

it('change requests of an organization are listed by status, space and ID', async () => {
  const other = await openDesk(world);
  await desk.createRequest();
  await other.createRequest();
  await world.as('edit').call(requests.updateChangeRequest, { params: desk.at(1), body: { status: 'open' } });
  const all = (query: object) =>
    world.as('read').call(organizationRequests.listOrganizationChangeRequests, {
      params: { organizationId: world.org },
      query,
    });
  expect((await all({})).items.map(({ space }) => space)).toEqual([desk.spaceId]);
  expect(
    (await all({ status: ['open', 'draft'], orderBy: 'createdAt' })).items.map(({ space }) => space),
  ).toEqual([other.spaceId, desk.spaceId]);
  expect((await all({ status: ['draft'], space: desk.spaceId })).items).toEqual([]);
  const id = (await all({})).items[0]?.id;
  expect((await all({ id })).items).toMatchObject([{ id }]);
  expect((await all({ id, limit: 0 })).items).toEqual([]);
  for (const query of [{ id, status: ['draft'] }, { id, space: other.spaceId }, { id: 'cr_none' }])
    expect(await all(query)).toMatchObject({ count: 0, items: [] });
  await world.as('admin').call(spaces.deleteSpace, { params: { spaceId: desk.spaceId } });
  expect((await all({})).items).toEqual([]);
  expect((await all({ id })).items).toEqual([]);
});
