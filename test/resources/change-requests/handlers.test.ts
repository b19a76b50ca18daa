import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../src/contract/check.ts';
import { revisions } from '../../../src/core/rows/revisions.ts';
import * as organizationRequests from '../../../src/resources/organization-change-requests/contract.ts';
import * as reviewers from '../../../src/resources/change-request-reviewers/contract.ts';
import * as reviews from '../../../src/resources/change-request-reviews/contract.ts';
import * as contract from '../../../src/resources/change-requests/contract.ts';
import * as spaces from '../../../src/resources/spaces/contract.ts';
import { createWorld, type Who, type World } from '../../support/world.ts';
import { openDesk, page, reason, type Desk } from '../content-support.ts';

let world: World;
let desk: Desk;
beforeEach(async () => {
  world = await createWorld();
  desk = await openDesk(world);
});

const list = (query: object = {}, who: Who = 'read') =>
  world.as(who).call(contract.listChangeRequests, { params: { spaceId: desk.spaceId }, query });
const numbers = async (query: object = {}) => (await list(query)).items.map(({ number }) => number);
const update = (id: string | number, body: object, who: Who = 'edit') =>
  world.as(who).call(contract.updateChangeRequest, { params: desk.at(id), body });
const get = (id: string | number, who: Who = 'read') =>
  world.as(who).call(contract.getChangeRequest, { params: desk.at(id) });
const sync = (id: string | number) =>
  world.as('edit').call(contract.syncChangeRequest, { params: desk.at(id) });
const review = (id: string | number, status: 'approved' | 'changes-requested', who: Who = 'review') =>
  world.as(who).call(reviews.submitReview, { params: desk.at(id), body: { status } });
const setRules = (...rules: object[]) =>
  world.as('admin').call(spaces.updateSpace, {
    params: { spaceId: desk.spaceId },
    body: { mergeRules: { type: 'rules', rules } as never },
  });
const counts = async () => {
  const { changeRequests, changeRequestsOpen, changeRequestsDraft } = await desk.space();
  return [changeRequests, changeRequestsOpen, changeRequestsDraft];
};

describe('change requests', () => {
  it('are created as drafts, opened, edited and merged', async () => {
    const made = await desk.createRequest({ subject: 'Fix' });
    expect(violationsOf(contract.ChangeRequest, made, '')).toEqual([]);
    expect(made).toMatchObject({
      number: 1,
      status: 'draft',
      subject: 'Fix',
      outdated: false,
      createdBy: { id: 'usr_edit' },
    });
    expect(await get(1)).toEqual(await get(made.id));
    expect(await update(1, { status: 'open', subject: 'Fix it' })).toMatchObject({
      status: 'open',
      subject: 'Fix it',
    });
    await desk.edit(1, [page('Start')]);
    const { revision, result } = await desk.merge(1);
    expect(result).toBe('merge');
    expect(await get(1)).toMatchObject({ status: 'merged', revisionMerged: revision, outdated: false });
    expect((await desk.space()).revision).toBe(revision);
    expect((await desk.pages()).map(({ path }) => path)).toEqual(['start']);
  });

  it('are merged as drafts too, which is the shortest way', async () => {
    await desk.createRequest();
    await desk.edit(1, [page('Start')]);
    expect(await desk.merge(1)).toMatchObject({ result: 'merge' });
  });

  it('are numbered in their space without gaps, also when made at once', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => desk.createRequest()));
    expect(made.map(({ number }) => number).sort((one, other) => one - other)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    expect(await counts()).toEqual([20, 0, 20]);
  });

  it('keep the counts of their space at every step', async () => {
    for (let made = 0; made < 3; made++) await desk.createRequest();
    await update(1, { status: 'open' });
    expect(await counts()).toEqual([3, 1, 2]);
    await update(1, { status: 'open' });
    expect(await counts()).toEqual([3, 1, 2]);
    await update(2, { status: 'archived' });
    expect(await counts()).toEqual([3, 1, 1]);
    await desk.merge(1);
    expect(await counts()).toEqual([3, 0, 1]);
    await update(2, { status: 'draft' });
    expect(await counts()).toEqual([3, 0, 2]);
  });

  it('are listed by state, newest first, and by the people in them', async () => {
    for (let made = 0; made < 3; made++) await desk.createRequest({}, made === 1 ? 'admin' : 'edit');
    expect(await numbers()).toEqual([]);
    expect(await numbers({ status: 'draft' })).toEqual([3, 2, 1]);
    await update(1, { subject: 'touched' });
    expect(await numbers({ status: 'draft' })).toEqual([1, 3, 2]);
    expect(await numbers({ status: 'draft', orderBy: 'createdAt' })).toEqual([3, 2, 1]);
    expect(await numbers({ status: 'draft', creator: 'usr_admin' })).toEqual([2]);
    await desk.edit(3, [page('A')], 'create');
    expect(await numbers({ status: 'draft', contributor: 'usr_create' })).toEqual([3]);
    await world
      .as('edit')
      .call(reviewers.requestReviewers, { params: desk.at(2), body: { users: ['usr_review'] } });
    expect(await numbers({ requestedReviewer: 'usr_review' })).toEqual([2]);
    const first = await list({ status: 'draft', limit: 1 });
    expect(first).toMatchObject({ count: 2, items: [{ number: 3 }] });
    expect((await list({ status: 'draft', limit: 1, page: first.next!.page })).items[0]!.number).toBe(1);
  });

  it('are listed for the organization, by state and space', async () => {
    const other = await openDesk(world);
    await desk.createRequest();
    await other.createRequest();
    await update(1, { status: 'open' });
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
    await world.as('admin').call(spaces.deleteSpace, { params: { spaceId: desk.spaceId } });
    expect((await all({})).items).toEqual([]);
  });

  it('cannot leave the end of their way', async () => {
    await desk.createRequest();
    await desk.merge(1);
    expect(await reason(update(1, { status: 'open' }))).toBe('conflict');
    expect(await reason(desk.merge(1))).toBe('conflict');
    expect(await reason(desk.edit(1, [page('A')]))).toBe('conflict');
    expect(await reason(sync(1))).toBe('conflict');
    await desk.createRequest();
    await update(2, { status: 'archived' });
    expect(await reason(desk.merge(2))).toBe('conflict');
    expect(await reason(desk.edit(2, [page('A')]))).toBe('conflict');
  });

  it('are outdated when the space has moved, until they are brought up to date or merged', async () => {
    await desk.createRequest();
    await desk.createRequest();
    await desk.edit(2, [page('Mine')]);
    await desk.publish(page('Theirs'));
    const { revision: main } = await desk.space();
    const { revision: before } = await get(1);
    expect(await get(1)).toMatchObject({ outdated: true });
    const { revision, result } = await sync(1);
    expect(result).toBe('update');
    expect(await get(1)).toMatchObject({ outdated: false, revision, revisionMergedAncestor: main });
    expect(await world.core.store.read((view) => view.get(revisions, revision))).toMatchObject({
      type: 'update',
      parents: [before, main],
    });
    expect(await desk.merge(1)).toMatchObject({ result: 'merge' });
    expect((await desk.pages()).map(({ title }) => title)).toEqual(['Theirs']);
    const { revision: own } = await get(2);
    const { revision: then } = await desk.space();
    const merged = await desk.merge(2);
    expect(await world.core.store.read((view) => view.get(revisions, merged.revision))).toMatchObject({
      type: 'merge',
      parents: [then, own],
      mergedFrom: (await get(2)).id,
      pages: 2,
    });
    expect((await desk.pages()).map(({ title }) => title)).toEqual(['Theirs', 'Mine']);
    expect(await get(2)).toMatchObject({
      status: 'merged',
      outdated: false,
      revision: own,
      revisionMerged: merged.revision,
    });
  });

  it('change nothing when they are up to date already', async () => {
    const { revision } = await desk.createRequest();
    expect(await sync(1)).toEqual({ revision, result: 'update' });
  });

  it('leave a locked space alone', async () => {
    await desk.createRequest();
    await world
      .as('admin')
      .call(spaces.updateSpace, { params: { spaceId: desk.spaceId }, body: { editMode: 'locked' } });
    expect(await reason(desk.edit(1, [page('A')]))).toBe('conflict');
    expect(await reason(desk.merge(1))).toBe('conflict');
  });

  it('name who contributed', async () => {
    await desk.createRequest();
    await desk.edit(1, [page('A')]);
    await desk.edit(1, [page('B')], 'admin');
    await desk.edit(1, [page('C')]);
    const answer = await world.as('read').call(contract.listContributors, { params: desk.at(1) });
    expect(answer.items).toMatchObject([
      { user: { id: 'usr_edit' }, actionType: 'edit', count: 2 },
      { user: { id: 'usr_admin' }, count: 1 },
    ]);
    expect(violationsOf(contract.listContributors.returns.schema, answer, '')).toEqual([]);
  });

  it('are for those who may', async () => {
    expect(await reason(desk.createRequest({}, 'comment'))).toBe('forbidden');
    await desk.createRequest();
    expect(await reason(desk.merge(1, 'edit'))).toBe('forbidden');
    expect(await reason(desk.edit(1, [page('A')], 'comment'))).toBe('forbidden');
    expect(await reason(get(1, 'outsider'))).toBe('not-found');
    expect(await reason(get(1, 'nobody'))).toBe('unauthenticated');
    expect(await reason(get(2))).toBe('not-found');
    expect(await reason(update(1, { subject: 'x'.repeat(101) }))).toBe('invalid-input');
    expect(await reason(update(1, { status: 'merged' }))).toBe('invalid-input');
    expect(await reason(desk.createRequest({ template: { id: 'tpl' } }))).toBe('not-found');
  });
});

describe('merge rules', () => {
  it.each([
    [
      'the reviewers that are named',
      { rule: 'require_specific_reviewers', users: ['usr_review', 'usr_create'] },
      [
        ['review', 'approved'],
        ['create', 'approved'],
      ],
      'Create',
    ],
    [
      'one of those that are named',
      { rule: 'require_one_of_specific_reviewers', users: ['usr_review', 'usr_create'] },
      [['create', 'approved']],
      'Review or Create',
    ],
    ['a review', { rule: 'require_at_least_one_review' }, [['review', 'changes-requested']], 'a review'],
    ['an approval', { rule: 'require_at_least_one_approved_review' }, [['review', 'approved']], 'approval'],
  ] as const)('ask for %s', async (_name, rule, verdicts, says) => {
    await desk.createRequest({}, 'admin');
    await setRules(rule);
    await expect(desk.merge(1)).rejects.toMatchObject({
      reason: 'conflict',
      message: expect.stringContaining(says),
    });
    for (const [who, status] of verdicts) await review(1, status, who);
    expect(await desk.merge(1)).toMatchObject({ result: 'merge' });
  });

  it('count a review for the revision it was given on only', async () => {
    await desk.createRequest();
    await setRules({ rule: 'require_at_least_one_approved_review' });
    await review(1, 'approved');
    await desk.edit(1, [page('Sneaked in')]);
    expect(await reason(desk.merge(1))).toBe('conflict');
    await review(1, 'approved');
    expect(await reason(desk.merge(1))).toBe('done');
  });

  it('count the last word of each, and not that of the author', async () => {
    await desk.createRequest({}, 'review');
    await setRules(
      { rule: 'require_at_least_one_approved_review' },
      { rule: 'require_all_reviews_approved' },
    );
    await review(1, 'approved', 'review');
    expect(await reason(desk.merge(1))).toBe('conflict');
    await review(1, 'approved', 'create');
    await review(1, 'changes-requested', 'create');
    expect(await reason(desk.merge(1))).toBe('conflict');
    await review(1, 'approved', 'create');
    expect(await reason(desk.merge(1))).toBe('done');
  });

  it('ask for words, or for the author, and let some go by', async () => {
    await desk.createRequest();
    await setRules({ rule: 'require_change_request_subject' });
    expect(await reason(desk.merge(1))).toBe('conflict');
    await setRules({ rule: 'require_change_request_description' });
    expect(await reason(desk.merge(1))).toBe('conflict');
    await setRules({ rule: 'require_author_to_merge' });
    expect(await reason(desk.merge(1))).toBe('conflict');
    await setRules({ rule: 'require_agent_review' }, { rule: 'allow_bypass', users: ['usr_review'] });
    expect(await reason(desk.merge(1, 'admin'))).toBe('conflict');
    expect(await reason(desk.merge(1, 'review'))).toBe('done');
  });
});

describe('reviews and reviewers', () => {
  it('are submitted, listed and read, with a comment', async () => {
    await desk.createRequest();
    const made = await world.as('review').call(reviews.submitReview, {
      params: desk.at(1),
      body: { status: 'approved', comment: { markdown: 'Good' } },
    });
    expect(violationsOf(reviews.Review, made, '')).toEqual([]);
    expect(made).toMatchObject({
      status: 'approved',
      outdated: false,
      reviewer: { id: 'usr_review' },
      comment: { body: { markdown: 'Good' } },
    });
    expect(await get(1)).toMatchObject({ comments: 1 });
    await desk.edit(1, [page('A')]);
    expect(
      await world.as('read').call(reviews.getReview, { params: { ...desk.at(1), reviewId: made.id } }),
    ).toMatchObject({ id: made.id, outdated: true });
    expect(
      (await world.as('read').call(reviews.listReviews, { params: desk.at(1), query: { outdated: false } }))
        .items,
    ).toEqual([]);
    expect((await world.as('read').call(reviews.listReviews, { params: desk.at(1) })).items).toHaveLength(1);
    expect(await reason(review(1, 'approved', 'edit'))).toBe('forbidden');
    expect(
      await reason(
        world.as('read').call(reviews.getReview, { params: { ...desk.at(1), reviewId: 'rvw_none' } }),
      ),
    ).toBe('not-found');
  });

  it('are asked for, which opens a draft', async () => {
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
    expect(await review(1, 'approved')).toMatchObject({ requestedBy: { id: 'usr_edit' } });
    expect((await world.as('read').call(reviewers.listReviewers, { params: desk.at(1) })).count).toBe(1);
    const remove = () =>
      world.as('edit').call(reviewers.removeReviewer, { params: { ...desk.at(1), userId: 'usr_review' } });
    expect(await reason(remove())).toBe('done');
    expect(await reason(remove())).toBe('not-found');
  });
});
