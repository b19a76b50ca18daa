import { beforeEach, describe, expect, it } from 'vitest';
import { changeRequests } from '../../../src/core/rows/change-requests.ts';
import { spaces } from '../../../src/core/rows/spaces.ts';
import { memberId, members } from '../../../src/core/rows/organizations.ts';
import * as inChangeRequest from '../../../src/resources/comments/change-request/contract.ts';
import * as repliesInChangeRequest from '../../../src/resources/comments/change-request-replies/contract.ts';
import * as inSpace from '../../../src/resources/comments/space/contract.ts';
import * as repliesInSpace from '../../../src/resources/comments/space-replies/contract.ts';
import { createSpace } from '../../../src/resources/spaces/contract.ts';
import { createWorld, type Who, type World } from '../../support/world.ts';
import { callsIn, everybody } from '../calls.ts';
import { commenters, comments, replies } from '../../../src/resources/comments/rows.ts';

let world: World;
let spaceId: string;
const { call, refusal, reason } = callsIn(() => world);

beforeEach(async () => {
  world = await createWorld();
  const space = await call(createSpace, { organizationId: world.org }, { body: {} });
  spaceId = space.id;
  const createdAt = '2026-01-01T00:00:00.000Z';
  const row = {
    id: 'cr_1',
    organization: world.org,
    space: spaceId,
    number: 7,
    status: 'open' as const,
    subject: 'New',
    createdBy: 'usr_admin',
    createdAt,
    updatedAt: createdAt,
    revision: space.revision,
    revisionInitial: space.revision,
    comments: 0,
  };
  await world.core.store.write((tx) => tx.insert(changeRequests, row));
});

const kinds = [
  {
    kind: 'space',
    comment: inSpace as unknown as typeof inChangeRequest,
    reply: repliesInSpace as unknown as typeof repliesInChangeRequest,
    change: {},
    path: '',
  },
  {
    kind: 'change request',
    comment: inChangeRequest,
    reply: repliesInChangeRequest,
    change: { changeRequestId: '7' },
    path: '/change-requests/cr_1',
  },
];

describe.each(kinds)('comments on a $kind', ({ kind, comment, reply, change, path }) => {
  const here = () => ({ spaceId, ...change });
  const post = (markdown: string, who: Who = 'comment', more: object = {}) =>
    call(comment.createComment, here(), { body: { body: { markdown }, ...more } }, who);
  const answer = (commentId: string, markdown: string, who: Who = 'comment') =>
    call(reply.createReply, { ...here(), commentId }, { body: { body: { markdown } } }, who);
  const put = (commentId: string, body: object, who: Who = 'comment') =>
    call(comment.updateComment, { ...here(), commentId }, { body }, who);
  const texts = async (query: object = {}) =>
    (await call(comment.listComments, here(), { query })).items.map(({ body }) => body.markdown);
  const open = () =>
    world.core.store.read(
      async (view) =>
        (kind === 'space' ? await view.get(spaces, spaceId) : await view.get(changeRequests, 'cr_1'))!
          .comments,
    );
  const people = async () => (await call(comment.listCommenters, here())).items.map(({ id }) => id);

  it('are posted and read with their metadata', async () => {
    const made = await post('Typo');
    expect(made).toMatchObject({
      object: 'comment',
      status: 'open',
      body: { markdown: 'Typo' },
      postedBy: { id: 'usr_comment', displayName: 'Comment' },
      reactions: [],
      replies: 0,
      repliers: [],
      target: { space: spaceId },
      urls: { location: `http://localhost:8080/v1/spaces/${spaceId}${path}/comments/${made.id}` },
      permissions: { view: true, edit: true, reply: true, delete: true },
    });
    expect(made.target.changeRequest).toBe(kind === 'space' ? undefined : 'cr_1');
    expect(made).not.toHaveProperty('resolvedAt');
    expect(await call(comment.getComment, { ...here(), commentId: made.id }, {}, 'read')).toMatchObject({
      id: made.id,
      permissions: { view: true, edit: false, reply: false, delete: false },
    });
  });

  it('accept an empty text, and refuse two texts at once, unknown pages and unknown fields', async () => {
    expect((await call(comment.createComment, here(), { body: { body: {} } })).body).toEqual({});
    const document = { object: 'document', data: {}, nodes: [] };
    expect(await reason(comment.createComment, here(), { body: { body: { markdown: 'a', document } } })).toBe(
      'invalid-input',
    );
    expect(await reason(comment.createComment, here(), { body: { body: { text: 'a' } } })).toBe(
      'invalid-input',
    );
    expect(await reason(comment.createComment, here(), { body: {} })).toBe('invalid-input');
    expect(
      await refusal(comment.createComment, here(), {
        body: { body: { markdown: 'a' }, page: 'page_absent' },
      }),
    ).toMatchObject({ reason: 'not-found' });
    expect(await open()).toBe(1);
  });

  it('are listed newest first, or by order and author', async () => {
    for (const [text, who] of [
      ['1', 'comment'],
      ['2', 'edit'],
      ['3', 'comment'],
    ] as const)
      await post(text, who);
    expect(await texts()).toEqual(['3', '2', '1']);
    expect(await texts({ order: 'asc' })).toEqual(['1', '2', '3']);
    expect(await texts({ authors: ['usr_comment'] })).toEqual(['3', '1']);
    expect(await texts({ authors: ['usr_comment', 'usr_edit'], order: 'asc' })).toEqual(['1', '2', '3']);
    const first = await call(comment.listComments, here(), { query: { limit: 2 } });
    expect(await texts({ limit: 2, page: first.next!.page })).toEqual(['1']);
    expect(first.count).toBe(3);
  });

  it('can be filtered by page and status, also combined', async () => {
    const made = [await post('open'), await post('on the page'), await post('on it, done')];
    // The pages do not have to exist here: the filter only compares the page of the comment.
    await world.core.store.write(async (tx) => {
      for (const { id } of made.slice(1)) await tx.update(comments, id, { page: 'page_1' });
    });
    await put(made[2]!.id, { resolved: true });
    expect(await texts({ status: 'open', order: 'asc' })).toEqual(['open', 'on the page']);
    expect(await texts({ status: 'resolved' })).toEqual(['on it, done']);
    expect(await texts({ targetPage: 'page_1' })).toEqual(['on it, done', 'on the page']);
    expect(await texts({ targetPage: 'page_1', status: 'open' })).toEqual(['on the page']);
    expect(await texts({ targetPage: 'page_1', status: 'resolved', authors: ['usr_edit'] })).toEqual([]);
  });

  it('can be resolved and reopened, which updates the count of open comments', async () => {
    const { id } = await post('Typo');
    await post('Another');
    expect(await open()).toBe(2);
    const resolved = await put(id, { resolved: true }, 'edit');
    expect(resolved).toMatchObject({ status: 'resolved', resolvedBy: { id: 'usr_edit' } });
    expect((await put(id, { resolved: true }, 'admin')).resolvedBy).toEqual(resolved.resolvedBy);
    expect(await open()).toBe(1);
    const again = await put(id, { resolved: false });
    expect(again.status).toBe('open');
    expect(again).not.toHaveProperty('resolvedAt');
    expect(again).not.toHaveProperty('resolvedBy');
    expect(await open()).toBe(2);
  });

  it('can be changed and deleted only by their author and administrators', async () => {
    const { id: commentId } = await post('Typo');
    expect(
      await reason(
        comment.updateComment,
        { ...here(), commentId },
        { body: { body: { markdown: 'No' } } },
        'create',
      ),
    ).toBe('forbidden');
    expect(await reason(comment.deleteComment, { ...here(), commentId }, {}, 'create')).toBe('forbidden');
    const changed = await put(commentId, { body: { markdown: 'Better' } });
    expect(changed).toMatchObject({ body: { markdown: 'Better' } });
    expect(changed.editedAt).toBeDefined();
    expect((await put(commentId, { body: { markdown: 'Best' } }, 'admin')).postedBy.id).toBe('usr_comment');
    await call(comment.deleteComment, { ...here(), commentId }, {}, 'admin');
    expect(await reason(comment.getComment, { ...here(), commentId })).toBe('not-found');
    expect(await reason(comment.deleteComment, { ...here(), commentId })).toBe('not-found');
    expect(await open()).toBe(0);
  });

  it('count at most one reaction of each kind per person', async () => {
    const { id } = await post('Typo');
    await put(id, { addedReactions: ['👍', '🎉', '👍'] });
    const two = await put(id, { addedReactions: ['👍'] }, 'edit');
    expect(two.reactions).toMatchObject([
      { emoji: '👍', count: 2, users: [{ user: { id: 'usr_comment' } }, { user: { id: 'usr_edit' } }] },
      { emoji: '🎉', count: 1 },
    ]);
    expect(await put(id, { addedReactions: ['👍'] }, 'edit')).toEqual({ ...two });
    const left = await put(id, { removedReactions: ['👍', '🎉', '🙈'] });
    expect(left.reactions).toMatchObject([{ emoji: '👍', count: 1, users: [{ user: { id: 'usr_edit' } }] }]);
    expect(left).not.toHaveProperty('editedAt');
    expect(
      await reason(
        comment.updateComment,
        { ...here(), commentId: id },
        { body: { addedReactions: ['👍'], removedReactions: ['👍'] } },
      ),
    ).toBe('invalid-input');
    const foo = { body: { addedReactions: ['foo'] } };
    expect(await reason(comment.updateComment, { ...here(), commentId: id }, foo)).toBe('invalid-input');
  });

  it('list their replies, and count them by author', async () => {
    const { id: commentId } = await post('Typo');
    const at = { ...here(), commentId };
    const first = await answer(commentId, 'One', 'edit');
    expect(first).toMatchObject({
      object: 'comment-reply',
      body: { markdown: 'One' },
      urls: {
        location: `http://localhost:8080/v1/spaces/${spaceId}${path}/comments/${commentId}/replies/${first.id}`,
      },
    });
    await answer(commentId, 'Two');
    await answer(commentId, 'Three', 'edit');
    expect(
      (await call(reply.listReplies, at, { query: { limit: 2 } })).items.map(({ body }) => body.markdown),
    ).toEqual(['One', 'Two']);
    const shown = () => call(comment.getComment, at);
    expect(await shown()).toMatchObject({
      replies: 3,
      repliers: [
        { user: { id: 'usr_comment' }, count: 1 },
        { user: { id: 'usr_edit' }, count: 2 },
      ],
    });
    const one = { ...at, commentReplyId: first.id };
    expect(await reason(reply.updateReply, one, { body: { body: { markdown: 'No' } } }, 'comment')).toBe(
      'forbidden',
    );
    expect(
      await call(
        reply.updateReply,
        one,
        { body: { body: { markdown: '1' }, addedReactions: ['👍'] } },
        'edit',
      ),
    ).toMatchObject({
      body: { markdown: '1' },
      reactions: [{ count: 1 }],
    });
    expect(await reason(reply.deleteReply, one, {}, 'comment')).toBe('forbidden');
    await call(reply.deleteReply, one, {}, 'edit');
    expect(await reason(reply.getReply, one)).toBe('not-found');
    expect(await reason(reply.deleteReply, one)).toBe('not-found');
    expect(await shown()).toMatchObject({
      replies: 2,
      repliers: [{ count: 1 }, { user: { id: 'usr_edit' }, count: 1 }],
    });
    expect(await open()).toBe(1);
  });

  it('can be resolved by updating a reply', async () => {
    const { id: commentId } = await post('Typo');
    const { id: commentReplyId } = await answer(commentId, 'Done');
    await call(reply.updateReply, { ...here(), commentId, commentReplyId }, { body: { resolved: true } });
    expect(await call(comment.getComment, { ...here(), commentId })).toMatchObject({ status: 'resolved' });
    expect(await open()).toBe(0);
  });

  it('list as commenters only current members who have a comment or reply', async () => {
    const { id: commentId } = await post('Typo');
    await answer(commentId, 'One', 'edit');
    const own = await post('Mine', 'edit');
    expect(await people()).toEqual(['usr_comment', 'usr_edit']);
    await call(comment.deleteComment, { ...here(), commentId });
    expect(await people()).toEqual(['usr_edit']);
    await world.core.store.write((tx) => tx.remove(members, memberId(world.org, 'usr_edit')));
    expect(await people()).toEqual([]);
    expect(await call(comment.getComment, { ...here(), commentId: own.id })).toMatchObject({
      postedBy: { id: 'usr_edit' },
    });
    await call(comment.deleteComment, { ...here(), commentId: own.id });
    const rest = await world.core.store.read(async (view) => [
      await view.find(replies, { index: 'bySpace', equals: [spaceId], limit: 9 }),
      await view.find(commenters, { index: 'bySpace', equals: [spaceId], limit: 9 }),
    ]);
    expect(rest).toEqual([[], []]);
  });

  it('check the role of the caller, and are not found by outsiders', async () => {
    const { id: commentId } = await post('Typo', 'admin');
    const at = { ...here(), commentId };
    const table = [];
    for (const who of everybody) {
      table.push([
        who,
        await reason(comment.listComments, here(), {}, who),
        await reason(comment.createComment, here(), { body: { body: { markdown: 'Hi' } } }, who),
        await reason(comment.updateComment, at, { body: { addedReactions: ['👍'] } }, who),
        await reason(reply.createReply, at, { body: { body: {} } }, who),
      ]);
    }
    expect(table).toEqual([
      ...['admin', 'create', 'review', 'edit', 'comment'].map((who) => [who, 'done', 'done', 'done', 'done']),
      ['read', 'done', 'forbidden', 'forbidden', 'forbidden'],
      ['guest', 'not-found', 'not-found', 'not-found', 'not-found'],
      ['outsider', 'not-found', 'not-found', 'not-found', 'not-found'],
      ['nobody', 'unauthenticated', 'unauthenticated', 'unauthenticated', 'unauthenticated'],
    ]);
  });
});

describe('comments', () => {
  it('of a space are separate from those of its change requests', async () => {
    const change = { spaceId, changeRequestId: 'cr_1' };
    const one = await call(inSpace.createComment, { spaceId }, { body: { body: { markdown: 'space' } } });
    const other = await call(inChangeRequest.createComment, change, {
      body: { body: { markdown: 'change' } },
    });
    expect(await reason(inSpace.getComment, { spaceId, commentId: other.id })).toBe('not-found');
    expect(await reason(inChangeRequest.getComment, { ...change, commentId: one.id })).toBe('not-found');
    expect((await call(inSpace.listComments, { spaceId })).items.map(({ id }) => id)).toEqual([one.id]);
    const { id: elsewhere } = await call(createSpace, { organizationId: world.org }, { body: {} });
    expect(await reason(inSpace.deleteComment, { spaceId: elsewhere, commentId: one.id })).toBe('not-found');
    const reply = await call(
      repliesInSpace.createReply,
      { spaceId, commentId: one.id },
      { body: { body: {} } },
    );
    const second = await call(inSpace.createComment, { spaceId }, { body: { body: {} } });
    expect(
      await reason(repliesInSpace.getReply, { spaceId, commentId: second.id, commentReplyId: reply.id }),
    ).toBe('not-found');
  });

  it('are returned as Markdown or as a document, depending on the format', async () => {
    const { id: commentId } = await call(
      inSpace.createComment,
      { spaceId },
      { body: { body: { markdown: 'A **word**' } } },
    );
    const { body } = await call(
      inSpace.getComment,
      { spaceId, commentId },
      { query: { format: 'document' } },
    );
    expect(body.document).toMatchObject({
      object: 'document',
      nodes: [{ object: 'block', type: 'paragraph' }],
    });
    expect(body).not.toHaveProperty('markdown');
    const copy = await call(inSpace.createComment, { spaceId }, { body: { body } });
    expect(copy.body.markdown?.trim()).toBe('A **word**');
    expect(
      (await call(inSpace.getComment, { spaceId, commentId: copy.id }, { query: { format: 'document' } }))
        .body,
    ).toEqual(body);
  });
});
