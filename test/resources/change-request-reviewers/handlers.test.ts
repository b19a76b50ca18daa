import { beforeEach, expect, it } from 'vitest';
import * as reviewers from '../../../src/resources/change-request-reviewers/contract.ts';
import * as reviews from '../../../src/resources/change-request-reviews/contract.ts';
import * as contract from '../../../src/resources/change-requests/contract.ts';
import { updateMember } from '../../../src/resources/members/contract.ts';
import { setPermissions } from '../../../src/resources/permissions/space/contract.ts';
import { createWorld, type World } from '../../support/world.ts';
import { openDesk, reason, type Desk } from '../content-support.ts';

let world: World;
let desk: Desk;
beforeEach(async () => {
  world = await createWorld();
  desk = await openDesk(world);
});

const get = (id: string | number) =>
  world.as('read').call(contract.getChangeRequest, { params: desk.at(id) });
const review = () =>
  world.as('review').call(reviews.submitReview, { params: desk.at(1), body: { status: 'approved' } });
const counts = async () => {
  const { changeRequests, changeRequestsOpen, changeRequestsDraft } = await desk.space();
  return [changeRequests, changeRequestsOpen, changeRequestsDraft];
};

it('requests reviews from members, which opens a draft', async () => {
  await desk.createRequest();
  const ask = (users: string[]) =>
    world
      .as('edit')
      .call(reviewers.requestReviewers, { params: desk.at(1), body: { users, subject: 'Ready' } });
  expect(await reason(ask(['usr_review', 'usr_outsider']))).toBe('not-found');
  expect(await counts()).toEqual([1, 0, 1]);
  const { users } = await ask(['usr_review', 'usr_review']);
  expect(users).toMatchObject([
    { kind: 'user', user: { id: 'usr_review' }, requestedBy: { id: 'usr_edit' } },
  ]);
  expect(await get(1)).toMatchObject({ status: 'open', subject: 'Ready' });
  expect(await counts()).toEqual([1, 1, 0]);
  expect(await review()).toMatchObject({ requestedBy: { id: 'usr_edit' } });
  expect((await world.as('read').call(reviewers.listReviewers, { params: desk.at(1) })).count).toBe(1);
  const remove = () =>
    world.as('edit').call(reviewers.removeReviewer, { params: { ...desk.at(1), userId: 'usr_review' } });
  expect(await reason(remove())).toBe('done');
  await expect(remove()).rejects.toMatchObject({
    reason: 'not-found',
    hint: expect.stringContaining('`docsctl change-requests reviewers list 1 --space '),
  });
});

it('refuses reviewers who cannot open the space', async () => {
  await desk.createRequest();
  const ask = (userId: string) =>
    world.as('edit').call(reviewers.requestReviewers, { params: desk.at(1), body: { users: [userId] } });
  const role = (user: string, given: 'review' | null) =>
    world.as('admin').call(setPermissions, {
      params: { spaceId: desk.spaceId },
      body: { role: given, users: [user] },
    });
  await role('usr_review', null);
  for (const user of ['guest', 'review'] as const)
    await expect(ask(`usr_${user}`)).rejects.toMatchObject({
      reason: 'conflict',
      message: expect.stringContaining(`${user}@acme.test cannot open the space "Guide"`),
    });
  expect(await counts()).toEqual([1, 0, 1]);
  for (const user of ['usr_guest', 'usr_review']) {
    await role(user, 'review');
    expect(await reason(ask(user))).toBe('done');
  }
  const params = { organizationId: world.org, userId: 'usr_create' };
  await world.as('admin').call(updateMember, { params, body: { disabled: true } });
  expect(await reason(ask('usr_create'))).toBe('conflict');
});
