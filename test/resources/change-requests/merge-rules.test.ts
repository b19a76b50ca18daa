import { beforeEach, describe, expect, it } from 'vitest';
import { mergeChangeRequest, syncChangeRequest } from '../../../src/resources/change-requests/contract.ts';
import * as reviews from '../../../src/resources/change-request-reviews/contract.ts';
import { deleteMember, updateMember } from '../../../src/resources/members/contract.ts';
import { updateOrganization } from '../../../src/resources/organizations/contract.ts';
import * as spaces from '../../../src/resources/spaces/contract.ts';
import { createWorld, type Who, type World } from '../../support/world.ts';
import { openDesk, page, reason, type Desk } from '../content-support.ts';

let world: World;
let desk: Desk;
beforeEach(async () => {
  world = await createWorld();
  desk = await openDesk(world);
});

const review = (id: string | number, status: 'approved' | 'changes-requested', who: Who = 'review') =>
  world.as(who).call(reviews.submitReview, { params: desk.at(id), body: { status } });
const setRules = (...rules: object[]) =>
  world.as('admin').call(spaces.updateSpace, {
    params: { spaceId: desk.spaceId },
    body: { mergeRules: { type: 'rules', rules } as never },
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
  ] as const)('require %s', async (_name, rule, verdicts, says) => {
    await desk.createRequest({}, 'admin');
    await setRules(rule);
    await expect(desk.merge(1)).rejects.toMatchObject({
      reason: 'conflict',
      message: expect.stringContaining(says),
    });
    for (const [who, status] of verdicts) await review(1, status, who);
    expect(await desk.merge(1)).toMatchObject({ result: 'merge' });
  });

  it('name the command that shows the rules, of the space or of the organization', async () => {
    await desk.createRequest({}, 'admin');
    const rule = { rule: 'require_at_least_one_review' } as const;
    await world.as('admin').call(updateOrganization, {
      params: { organizationId: world.org },
      body: { mergeRules: { type: 'rules', rules: [rule] } },
    });
    await expect(desk.merge(1)).rejects.toMatchObject({
      hint: expect.stringContaining(`\`docsctl orgs get ${world.org} -o json\``),
    });
    await setRules(rule);
    await expect(desk.merge(1)).rejects.toMatchObject({
      hint: expect.stringContaining(`\`docsctl spaces get ${desk.spaceId} -o json\``),
    });
  });

  it('report that a required reviewer is no longer a member', async () => {
    await desk.createRequest({}, 'admin');
    await setRules({ rule: 'require_specific_reviewers', users: ['usr_review', 'usr_create'] });
    const params = { organizationId: world.org, userId: 'usr_review' };
    await world.as('admin').call(deleteMember, { params });
    await expect(desk.merge(1, 'admin')).rejects.toMatchObject({
      message: expect.stringContaining('an approval by Review (no longer a member) and Create is required'),
    });
  });

  it.each<[string, (params: { organizationId: string; userId: string }) => Promise<unknown>]>([
    ['left', (params) => world.as('admin').call(deleteMember, { params })],
    ['was disabled', (params) => world.as('admin').call(updateMember, { params, body: { disabled: true } })],
    ['lost the role', (params) => world.as('admin').call(updateMember, { params, body: { role: 'edit' } })],
  ])('ignore the review of a member who %s', async (_, change) => {
    await desk.createRequest({}, 'edit');
    await review(1, 'approved', 'create');
    await review(1, 'changes-requested', 'review');
    await setRules({ rule: 'require_all_reviews_approved' });
    expect(await reason(desk.merge(1, 'admin'))).toBe('conflict');
    await change({ organizationId: world.org, userId: 'usr_create' });
    await change({ organizationId: world.org, userId: 'usr_review' });
    await setRules({ rule: 'require_at_least_one_approved_review' });
    expect(await reason(desk.merge(1, 'admin'))).toBe('conflict');
    await setRules({ rule: 'require_all_reviews_approved' });
    expect(await reason(desk.merge(1, 'admin'))).toBe('done');
  });

  it('ignore an approval of an earlier revision', async () => {
    await desk.createRequest();
    await setRules({ rule: 'require_at_least_one_approved_review' });
    await review(1, 'approved');
    await desk.edit(1, [page('Sneaked in')]);
    expect(await reason(desk.merge(1))).toBe('conflict');
    await review(1, 'approved');
    expect(await reason(desk.merge(1))).toBe('done');
  });

  it('count the latest review of each reviewer, and ignore reviews by the author', async () => {
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

  it.each(['require_at_least_one_review', 'require_at_least_one_approved_review'])(
    "of the type %s ignore reviews of one's own edits",
    async (rule) => {
      await desk.createRequest({}, 'edit');
      await desk.edit(1, [page('One')], 'create');
      await setRules({ rule });
      await review(1, 'approved', 'create');
      await expect(desk.merge(1, 'create')).rejects.toMatchObject({
        reason: 'conflict',
        message: expect.stringContaining('by a member who neither created nor edited it'),
      });
      await review(1, 'approved', 'review');
      expect(await reason(desk.merge(1, 'create'))).toBe('done');
    },
  );

  it('accept the review of an editor if the rule names this editor', async () => {
    await desk.createRequest({}, 'edit');
    await desk.edit(1, [page('One')], 'create');
    await setRules({ rule: 'require_specific_reviewers', users: ['usr_create'] });
    await review(1, 'approved', 'create');
    expect(await reason(desk.merge(1, 'create'))).toBe('done');
  });

  it('that require a review refuse a resolution text that was not reviewed', async () => {
    const { pages: [start] = [] } = await desk.publish(page('Start'));
    const write = (number: number, markdown: string) =>
      desk.edit(number, [{ operation: 'update_page', page: start!.id, document: { markdown } }]);
    const conflicting = async (text: string) => {
      const { number } = await desk.createRequest({}, 'edit');
      await write(number, `# Start\n\n${text} of a request.\n`);
      return number;
    };
    const number = await conflicting('One');
    const other = await conflicting('Two');
    await desk.merge(other);
    await setRules({ rule: 'require_at_least_one_approved_review' });
    await review(number, 'approved', 'review');
    const resolve = <O extends typeof mergeChangeRequest | typeof syncChangeRequest>(
      operation: O,
      resolution: object,
    ) =>
      world.as('create').call(operation, {
        params: desk.at(number),
        body: { resolutions: [{ page: start!.id, ...resolution }] },
      } as never);
    const edited = { markdown: '# Start\n\nNobody has seen this.\n' };
    await expect(resolve(mergeChangeRequest, edited)).rejects.toMatchObject({
      reason: 'conflict',
      hint: expect.stringContaining(`change-requests sync ${number}`),
    });
    await resolve(syncChangeRequest, edited);
    await review(number, 'approved', 'create');
    expect(await reason(desk.merge(number))).toBe('conflict');
    await review(number, 'approved', 'review');
    expect(await reason(desk.merge(number))).toBe('done');
  });

  it('that require a review accept a resolution that takes one of the two existing texts', async () => {
    const { pages: [start] = [] } = await desk.publish(page('Start'));
    for (const text of ['One', 'Two']) {
      const { number } = await desk.createRequest({}, 'edit');
      await desk.edit(number, [
        { operation: 'update_page', page: start!.id, document: { markdown: `# Start\n\n${text}.\n` } },
      ]);
    }
    await desk.merge(2);
    await setRules({ rule: 'require_at_least_one_approved_review' });
    await review(3, 'approved', 'review');
    const body = { resolutions: [{ page: start!.id, take: 'ours' as const }] };
    expect(await reason(world.as('create').call(mergeChangeRequest, { params: desk.at(3), body }))).toBe(
      'done',
    );
  });

  it('require a subject, a description or the author, and allow_bypass exempts users', async () => {
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
