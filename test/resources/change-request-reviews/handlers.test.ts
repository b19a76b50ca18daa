import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../src/contract/check.ts';
import * as reviews from '../../../src/resources/change-request-reviews/contract.ts';
import * as contract from '../../../src/resources/change-requests/contract.ts';
import { createWorld, type Who, type World } from '../../support/world.ts';
import { openDesk, page, reason, type Desk } from '../content-support.ts';

let world: World;
let desk: Desk;
beforeEach(async () => {
  world = await createWorld();
  desk = await openDesk(world);
});

const get = (id: string | number) =>
  world.as('read').call(contract.getChangeRequest, { params: desk.at(id) });
const review = (id: string | number, status: 'approved' | 'changes-requested', who: Who = 'review') =>
  world.as(who).call(reviews.submitReview, { params: desk.at(id), body: { status } });

describe('reviews', () => {
  it('are submitted with a comment, listed and read', async () => {
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
});
