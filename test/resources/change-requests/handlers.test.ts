import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../src/contract/check.ts';
import { revisions } from '../../../src/core/rows/revisions.ts';
import * as reviewers from '../../../src/resources/change-request-reviewers/contract.ts';
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
const counts = async () => {
  const { changeRequests, changeRequestsOpen, changeRequestsDraft } = await desk.space();
  return [changeRequests, changeRequestsOpen, changeRequestsDraft];
};

describe('change requests', () => {
  it('are created as drafts, then opened, edited and merged', async () => {
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

  it('keep updatedAt when an update sets no field', async () => {
    const made = await desk.createRequest({ subject: 'Fix' });
    world.pass(1000);
    expect(await update(1, {})).toEqual(made);
    expect((await update(1, { subject: 'Fix' })).updatedAt > made.updatedAt).toBe(true);
  });

  it('can be merged while they are drafts', async () => {
    await desk.createRequest();
    await desk.edit(1, [page('Start')]);
    expect(await desk.merge(1)).toMatchObject({ result: 'merge' });
  });

  it('are numbered without gaps in their space, also when created concurrently', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => desk.createRequest()));
    expect(made.map(({ number }) => number).sort((one, other) => one - other)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    expect(await counts()).toEqual([20, 0, 20]);
  });

  it('update the counts of their space at every change of status', async () => {
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

  it('are listed newest first, by status, creator, contributor and requested reviewer', async () => {
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

  it('cannot be changed after a merge, or merged or edited when archived', async () => {
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

  it('are outdated after a change of the space, until they are synced or merged', async () => {
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

  it('keep their revision when a sync finds nothing new', async () => {
    const { revision } = await desk.createRequest();
    expect(await sync(1)).toEqual({ revision, result: 'update' });
  });

  it('can be neither edited nor merged in a locked space', async () => {
    await desk.createRequest();
    await world
      .as('admin')
      .call(spaces.updateSpace, { params: { spaceId: desk.spaceId }, body: { editMode: 'locked' } });
    expect(await reason(desk.edit(1, [page('A')]))).toBe('conflict');
    expect(await reason(desk.merge(1))).toBe('conflict');
    expect(await reason(desk.createRequest())).toBe('done');
    expect(await reason(desk.createRequest({ template: { id: desk.spaceId } }))).toBe('conflict');
  });

  it('list their contributors with the number of edits', async () => {
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

  it('can be created with unknown fields, which are ignored', async () => {
    const made = await desk.createRequest({ subject: 'S', ticket: { key: 7 } });
    expect([made.subject, 'ticket' in made]).toEqual(['S', false]);
  });

  it('are refused for insufficient roles, other organizations and invalid fields', async () => {
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
