import { expect } from 'vitest';
import * as changeRequests from '../../src/resources/change-requests/contract.ts';
import * as reviewers from '../../src/resources/change-request-reviewers/contract.ts';
import * as reviews from '../../src/resources/change-request-reviews/contract.ts';
import {
  createComment,
  listCommenters,
  listComments,
  updateComment,
} from '../../src/resources/comments/change-request/contract.ts';
import { createReply } from '../../src/resources/comments/change-request-replies/contract.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import { getPage, listPages } from '../../src/resources/content/change-request-pages/contract.ts';
import { listPages as listSpacePages } from '../../src/resources/content/space-pages/contract.ts';
import { listOrganizationChangeRequests } from '../../src/resources/organization-change-requests/contract.ts';
import * as spaces from '../../src/resources/spaces/contract.ts';
import type { Bench, Try } from './bench.ts';

type Place = { spaceId: string; changeRequestId: string };

const insert = (title: string) => ({ operation: 'insert_page', title, document: { markdown: 'Text' } });
const edit = ({ call }: Bench, at: Place, changes: object[], who: 'admin' | 'edit' = 'admin') =>
  call(batchContent, at, { body: { changes } }, who);

async function newRequest({ call, org }: Bench, spaceId?: string): Promise<Place> {
  const space = spaceId ?? (await call(spaces.createSpace, org, { body: { title: 'Guide' } })).id;
  const { id } = await call(changeRequests.createChangeRequest, { spaceId: space }, { body: {} });
  return { spaceId: space, changeRequestId: id };
}

/** A document with one paragraph. */
const documentOf = (text: string) => ({
  object: 'document',
  data: {},
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', marks: [], text }] }],
    },
  ],
});

export const tries: readonly Try[] = [
  {
    of: 'change-request-requested-reviewer',
    fields: ['kind', 'user', 'revision', 'requestedBy', 'createdAt'],
    run: async (bench) => {
      const { call } = bench;
      const at = await newRequest(bench);
      const listed = async () =>
        (
          await call(
            listOrganizationChangeRequests,
            bench.org,
            { query: { requestedReviewer: 'usr_review' } },
            'review',
          )
        ).items.map(({ id }) => id);
      const { createdAt, revision } = await call(changeRequests.getChangeRequest, at);
      await edit(bench, at, [insert('One')]);
      expect(await listed()).toEqual([]);
      await call(reviewers.requestReviewers, at, { body: { users: ['usr_review'] } }, 'edit');
      expect(await listed()).toEqual([at.changeRequestId]);
      const [found] = (await call(reviewers.listReviewers, at)).items;
      expect(found).toMatchObject({
        kind: 'user',
        user: { id: 'usr_review', email: 'review@acme.test' },
        requestedBy: { id: 'usr_edit' },
        revision: (await call(changeRequests.getChangeRequest, at)).revision,
      });
      expect(found?.revision).not.toBe(revision);
      expect((found?.createdAt ?? '') > createdAt).toBe(true);
      await call(reviewers.removeReviewer, { ...at, userId: 'usr_review' });
      expect(await listed()).toEqual([]);
    },
  },
  {
    of: 'change-requests.reviewers.request',
    fields: ['users'],
    run: async (bench) => {
      const { call } = bench;
      const at = await newRequest(bench);
      await call(reviewers.requestReviewers, at, { body: { users: ['usr_edit'] } });
      const { users } = await call(reviewers.requestReviewers, at, {
        body: { users: ['usr_review', 'usr_edit', 'usr_review'] },
      });
      const { items } = await call(reviewers.listReviewers, at);
      expect(users.map(({ user }) => user.id)).toEqual(['usr_review', 'usr_edit']);
      expect(items).toEqual(expect.arrayContaining(users));
      expect((await call(changeRequests.getChangeRequest, at)).status).toBe('open');
    },
  },
  {
    of: 'change-request-review',
    fields: [
      'id',
      'revision',
      'reviewer',
      'requestedBy',
      'status',
      'outdated',
      'comment',
      'createdAt',
      'updatedAt',
    ],
    run: async (bench) => {
      const { call, reason } = bench;
      const at = await newRequest(bench);
      await edit(bench, at, [insert('One')]);
      const rules = { type: 'rules', rules: [{ rule: 'require_at_least_one_approved_review' }] };
      await call(spaces.updateSpace, at, { body: { mergeRules: rules } });
      const submit = (status: string, who: 'admin' | 'review') =>
        call(reviews.submitReview, at, { body: { status, comment: { markdown: `${status} here` } } }, who);
      const listed = async () => (await call(reviews.listReviews, at)).items;
      await submit('changes-requested', 'admin');
      expect(await reason(changeRequests.mergeChangeRequest, at, { body: {} }, 'review')).toBe('conflict');
      await call(reviewers.requestReviewers, at, { body: { users: ['usr_review'] } }, 'edit');
      await submit('approved', 'review');
      const { revision } = await call(changeRequests.getChangeRequest, at);
      const [first, second] = await listed();
      expect(first).toMatchObject({ status: 'changes-requested', reviewer: { id: 'usr_admin' } });
      expect(first).not.toHaveProperty('requestedBy');
      expect(second).toMatchObject({
        status: 'approved',
        revision,
        outdated: false,
        reviewer: { id: 'usr_review' },
        requestedBy: { id: 'usr_edit' },
        comment: { body: { markdown: 'approved here' } },
      });
      for (const time of ['createdAt', 'updatedAt'] as const)
        expect((second?.[time] ?? '') > (first?.[time] ?? '')).toBe(true);
      const comments = (await call(listComments, at)).items.map(({ id }) => id);
      expect(comments).toEqual([second?.comment?.id, first?.comment?.id]);
      expect((await call(reviews.getReview, { ...at, reviewId: second?.id ?? '' })).status).toBe('approved');
      await edit(bench, at, [insert('Two')]);
      expect(await listed()).toMatchObject([{ outdated: true }, { outdated: true, revision }]);
      expect(await reason(changeRequests.mergeChangeRequest, at, { body: {} }, 'review')).toBe('conflict');
      await submit('approved', 'review');
      expect(await reason(changeRequests.mergeChangeRequest, at, { body: {} }, 'review')).toBe('done');
    },
  },
  {
    of: 'change-request',
    fields: ['comments', 'description'],
    run: async (bench) => {
      const { call, reason } = bench;
      const at = await newRequest(bench);
      const look = async () =>
        (await call(listOrganizationChangeRequests, bench.org, { query: { status: ['draft'] } })).items[0];
      const before = await look();
      expect(before?.comments).toBe(0);
      expect(before).not.toHaveProperty('description');
      const { id } = await call(createComment, at, { body: { body: { markdown: 'Why?' } } });
      expect((await look())?.comments).toBe(1);
      await call(updateComment, { ...at, commentId: id }, { body: { resolved: true } });
      expect((await look())?.comments).toBe(0);
      const rules = { type: 'rules', rules: [{ rule: 'require_change_request_description' }] };
      await call(spaces.updateSpace, at, { body: { mergeRules: rules } });
      expect(await reason(changeRequests.mergeChangeRequest, at, { body: {} })).toBe('conflict');
      const description = documentOf('Because');
      await call(changeRequests.updateChangeRequest, at, { body: { description } });
      expect((await look())?.description).toEqual(description);
      expect(await reason(changeRequests.mergeChangeRequest, at, { body: {} })).toBe('done');
    },
  },
  {
    of: 'change-requests.contributors',
    fields: ['user', 'actionType', 'count', 'updatedAt'],
    run: async (bench) => {
      const at = await newRequest(bench);
      const listed = async () => (await bench.call(changeRequests.listContributors, at)).items;
      const found = async () =>
        (
          await bench.call(
            changeRequests.listChangeRequests,
            { spaceId: at.spaceId },
            { query: { status: 'draft', contributor: 'usr_edit' } },
          )
        ).count;
      expect([await listed(), await found()]).toEqual([[], 0]);
      await edit(bench, at, [insert('One')], 'edit');
      const [before] = await listed();
      expect(before).toMatchObject({ user: { id: 'usr_edit' }, actionType: 'edit', count: 1 });
      await edit(bench, at, [insert('Two')]);
      await edit(bench, at, [insert('Three')], 'edit');
      const [after, other] = await listed();
      expect([after, other]).toMatchObject([{ count: 2 }, { user: { id: 'usr_admin' }, count: 1 }]);
      expect((after?.updatedAt ?? '') > (before?.updatedAt ?? '')).toBe(true);
      expect(await found()).toBe(1);
      const comment = { body: { body: { markdown: 'Why?' } } };
      const { id: commentId } = await bench.call(createComment, at, comment, 'comment');
      const { postedAt } = await bench.call(createReply, { ...at, commentId }, comment, 'comment');
      await bench.call(createReply, { ...at, commentId }, comment, 'edit');
      expect((await listed()).slice(2)).toMatchObject([
        { user: { id: 'usr_comment' }, actionType: 'comment', count: 2, updatedAt: postedAt },
        { user: { id: 'usr_edit' }, actionType: 'comment', count: 1 },
      ]);
      const { items } = await bench.call(listCommenters, at);
      expect(items.map(({ id }) => id).sort()).toEqual(['usr_comment', 'usr_edit']);
      const body = { body: { status: 'approved', comment: { markdown: 'Fine' } } };
      await bench.call(reviews.submitReview, at, body, 'review');
      expect((await listed()).map(({ user }) => user.id)).toContain('usr_review');
      const first = await bench.call(changeRequests.listContributors, at, { query: { limit: 3 } });
      const rest = await bench.call(changeRequests.listContributors, at, {
        query: { limit: 3, page: first.next?.page },
      });
      expect([...first.items, ...rest.items]).toEqual(await listed());
    },
  },
  {
    of: 'change-requests.merge',
    fields: ['revision', 'result'],
    run: async (bench) => {
      const { call, reason } = bench;
      const at = await newRequest(bench);
      await edit(bench, at, [insert('One')]);
      expect((await call(listSpacePages, at)).pages).toEqual([]);
      const merged = await call(changeRequests.mergeChangeRequest, at, { body: {} });
      expect(merged).toEqual({ result: 'merge', revision: (await call(spaces.getSpace, at)).revision });
      const { pages } = await call(listSpacePages, at);
      expect(pages).toMatchObject([{ title: 'One' }]);
      // Both sides rename the page, so nothing is merged until the conflict is resolved.
      const [ours, theirs] = [await newRequest(bench, at.spaceId), await newRequest(bench, at.spaceId)];
      for (const [place, title] of [
        [ours, 'Ours'],
        [theirs, 'Theirs'],
      ] as const)
        await edit(bench, place, [{ operation: 'update_page', page: pages[0]?.id, title }]);
      await call(changeRequests.mergeChangeRequest, theirs, { body: {} });
      expect(await reason(changeRequests.mergeChangeRequest, ours, { body: {} })).toBe('conflict');
      expect((await call(listSpacePages, at)).pages).toMatchObject([{ title: 'Theirs' }]);
      const resolved = await call(changeRequests.mergeChangeRequest, ours, { body: { take: 'ours' } });
      expect(resolved.result).toBe('merge');
      expect((await call(listSpacePages, at)).pages).toMatchObject([{ title: 'Ours' }]);
    },
  },
  {
    of: 'change-requests.sync',
    fields: ['revision', 'result'],
    run: async (bench) => {
      const { call } = bench;
      const one = await newRequest(bench);
      const two = await newRequest(bench, one.spaceId);
      await edit(bench, one, [insert('One')]);
      await call(changeRequests.mergeChangeRequest, one, { body: {} });
      expect((await call(listPages, two)).pages).toEqual([]);
      const synced = await call(changeRequests.syncChangeRequest, two, { body: {} });
      const { revision } = await call(changeRequests.getChangeRequest, two);
      expect(synced).toEqual({ result: 'update', revision });
      expect((await call(listPages, two)).pages).toMatchObject([{ title: 'One' }]);
    },
  },
  {
    of: 'change-requests.pages.list',
    fields: ['pages'],
    run: async (bench) => {
      const { call } = bench;
      const at = await newRequest(bench);
      const list = async () => (await call(listPages, at)).pages;
      expect(await list()).toEqual([]);
      const { pages } = await edit(bench, at, [{ ...insert('One'), ref: 'one' }]);
      await edit(bench, at, [{ ...insert('Two'), into: pages[0]?.id }]);
      const listed = await list();
      expect(listed).toMatchObject([
        { title: 'One', path: 'one', pages: [{ title: 'Two', path: 'one/two' }] },
      ]);
      const inner = listed[0]?.pages?.[0]?.id ?? '';
      expect((await call(getPage, { ...at, pageId: inner })).title).toBe('Two');
      await edit(bench, at, [{ operation: 'delete_page', page: inner }]);
      expect(await list()).toMatchObject([{ title: 'One', pages: [] }]);
    },
  },
  {
    of: 'comment',
    fields: ['target.review', 'target.changeRequest', 'target.revision', 'target.page.id'],
    run: async (bench) => {
      const { call } = bench;
      const at = await newRequest(bench);
      const { pages } = await edit(bench, at, [insert('One')]);
      const body = { body: { markdown: 'Why?' }, page: pages[0]?.id };
      const { revision } = await call(changeRequests.getChangeRequest, at);
      await call(createComment, at, { body });
      await edit(bench, at, [insert('Two')]);
      const { id } = await call(reviews.submitReview, at, {
        body: { status: 'approved', comment: { markdown: 'Fine' } },
      });
      const [ofReview, ofPage] = (await call(listComments, at)).items;
      const { changeRequestId, spaceId } = at;
      expect(ofReview?.target).toEqual({
        space: spaceId,
        changeRequest: changeRequestId,
        review: id,
        revision: (await call(changeRequests.getChangeRequest, at)).revision,
      });
      expect(ofPage?.target).toEqual({
        space: spaceId,
        changeRequest: changeRequestId,
        page: { id: pages[0]?.id },
        revision,
      });
    },
  },
  {
    of: 'document',
    fields: ['data', 'data.schemaVersion', 'nodes', 'meta', 'meta.token'],
    run: async (bench) => {
      const { call } = bench;
      const at = await newRequest(bench);
      const description = { ...documentOf('Because'), data: { schemaVersion: 2 }, meta: { token: 'a' } };
      await call(changeRequests.updateChangeRequest, at, { body: { description } });
      const listed = await call(changeRequests.listChangeRequests, at, { query: { status: 'draft' } });
      expect(listed.items[0]?.description).toEqual(description);
      const document = { document: documentOf('Some text') };
      const { pages } = await edit(bench, at, [{ operation: 'insert_page', title: 'One', document }]);
      const read = (format: string) =>
        call(getPage, { ...at, pageId: pages[0]?.id ?? '' }, { query: { format } });
      expect((await read('markdown')).markdown).toBe('Some text\n');
      expect(JSON.stringify((await read('document')).document?.nodes)).toContain('"text":"Some text"');
    },
  },
];
