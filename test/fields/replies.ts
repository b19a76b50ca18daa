import { expect } from 'vitest';
import {
  createComment,
  deleteComment,
  listComments,
  updateComment,
} from '../../src/resources/comments/space/contract.ts';
import {
  createReply,
  deleteReply,
  getReply,
  listReplies,
  updateReply,
} from '../../src/resources/comments/space-replies/contract.ts';
import { createSpace } from '../../src/resources/spaces/contract.ts';
import type { Who } from '../support/world.ts';
import { permissionIsKept, roles, type Bench, type Try } from './bench.ts';

const readers = roles.slice(0, -1);
const body = { body: { markdown: 'Some **text**' } };
/** Returns the text of a document. */
const textIn = (document: unknown) =>
  [...JSON.stringify(document).matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text).join('');

async function newComment({ call, org }: Bench, who: Who = 'admin') {
  const spaceId = (await call(createSpace, org, { body: { title: 'Guide' } })).id;
  const { id } = await call(createComment, { spaceId }, { body }, who);
  return { spaceId, commentId: id };
}

export const tries: readonly Try[] = [
  {
    of: 'comment',
    fields: ['body.document', 'reactions.users.user', 'reactions.users.reactedAt'],
    run: async (bench) => {
      const at = await newComment(bench);
      const look = async (format: string) =>
        (await bench.call(listComments, at, { query: { format } })).items[0];
      expect(textIn((await look('document'))?.body.document)).toBe('Some text');
      const { document } = (await look('document'))?.body ?? {};
      const changed = JSON.parse(JSON.stringify(document).replace('Some ', 'More '));
      await bench.call(updateComment, at, { body: { body: { document: changed } } });
      expect((await look('markdown'))?.body).toEqual({ markdown: 'More **text**\n' });
      const react = (change: object, who: Who) => bench.call(updateComment, at, { body: change }, who);
      expect((await look('markdown'))?.reactions).toEqual([]);
      await react({ addedReactions: ['1f44d'] }, 'comment');
      await react({ addedReactions: ['1f44d'] }, 'edit');
      const users = (await look('markdown'))?.reactions[0]?.users ?? [];
      expect(users.map(({ user }) => user.email)).toEqual(['comment@acme.test', 'edit@acme.test']);
      expect((users[1]?.reactedAt ?? '') > (users[0]?.reactedAt ?? '')).toBe(true);
      await react({ removedReactions: ['1f44d'] }, 'comment');
      expect((await look('markdown'))?.reactions).toMatchObject([
        { count: 1, users: [{ user: { id: 'usr_edit' } }] },
      ]);
    },
  },
  {
    of: 'comment',
    fields: ['repliers.user', 'repliers.updatedAt'],
    run: async (bench) => {
      const at = await newComment(bench);
      const look = async () => (await bench.call(listComments, at)).items[0]?.repliers ?? [];
      const { id } = await bench.call(createReply, at, { body }, 'comment');
      await bench.call(createReply, at, { body }, 'edit');
      const [first, second] = await look();
      expect([first?.user.id, second?.user.id]).toEqual(['usr_comment', 'usr_edit']);
      const { postedAt } = await bench.call(createReply, at, { body }, 'comment');
      expect(await look()).toMatchObject([
        { user: { id: 'usr_edit' }, count: 1 },
        { user: { id: 'usr_comment' }, count: 2, updatedAt: postedAt },
      ]);
      expect(postedAt > (first?.updatedAt ?? '')).toBe(true);
      for (const reply of (await bench.call(listReplies, at)).items)
        if (reply.postedBy.id === 'usr_edit' || reply.id === id)
          await bench.call(deleteReply, { ...at, commentReplyId: reply.id });
      expect(await look()).toMatchObject([{ user: { id: 'usr_comment' }, count: 1 }]);
    },
  },
  {
    of: 'comment',
    fields: ['permissions.reply', 'permissions.edit', 'permissions.delete'],
    run: async (bench) => {
      const at = await newComment(bench, 'comment');
      const may = async (who: Who) => (await bench.call(listComments, at, {}, who)).items[0]?.permissions;
      await permissionIsKept(
        readers,
        async (who) => (await may(who))?.reply,
        (who) => bench.reason(createReply, at, { body }, who),
      );
      await permissionIsKept(
        readers,
        async (who) => (await may(who))?.edit,
        (who) => bench.reason(updateComment, at, { body: { body: { markdown: who } } }, who),
      );
      const refused = readers.filter((who) => who !== 'admin' && who !== 'comment');
      for (const who of refused)
        expect([(await may(who))?.delete, await bench.reason(deleteComment, at, {}, who)]).toEqual([
          false,
          'forbidden',
        ]);
      expect([(await may('admin'))?.delete, (await may('comment'))?.delete]).toEqual([true, true]);
      expect(await bench.reason(deleteComment, at, {}, 'comment')).toBe('done');
    },
  },
  {
    of: 'comment-reply',
    fields: [
      'body.markdown',
      'body.document',
      'editedAt',
      'reactions.emoji',
      'reactions.count',
      'reactions.users.user',
      'reactions.users.reactedAt',
    ],
    run: async (bench) => {
      const comment = await newComment(bench);
      const made = await bench.call(createReply, comment, { body });
      const at = { ...comment, commentReplyId: made.id };
      const look = async (format: string) =>
        (await bench.call(listReplies, comment, { query: { format } })).items[0];
      expect(await look('markdown')).toMatchObject({ body: body.body, reactions: [] });
      expect(await look('markdown')).not.toHaveProperty('editedAt');
      expect(textIn((await look('document'))?.body.document)).toBe('Some text');
      await bench.call(updateReply, at, { body: { addedReactions: ['1f44d'] } }, 'edit');
      await bench.call(updateReply, at, {
        body: { body: { markdown: 'Other' }, addedReactions: ['1f44d', '1f680'] },
      });
      expect(textIn((await look('document'))?.body.document)).toBe('Other');
      const after = await look('markdown');
      expect(after).toMatchObject({
        body: { markdown: 'Other' },
        reactions: [
          { emoji: '1f44d', count: 2, users: [{ user: { id: 'usr_edit' } }, { user: { id: 'usr_admin' } }] },
          { emoji: '1f680', count: 1, users: [{ user: { id: 'usr_admin' } }] },
        ],
      });
      const times = after?.reactions[0]?.users.map(({ reactedAt }) => reactedAt) ?? [];
      expect([made.postedAt, ...times].sort()).toEqual([made.postedAt, ...times]);
      expect(new Set([made.postedAt, ...times]).size).toBe(3);
      expect(after?.editedAt).toBe(times[1]);
    },
  },
  {
    of: 'comment-reply',
    fields: ['permissions.view', 'permissions.reply', 'permissions.edit', 'permissions.delete'],
    run: async (bench) => {
      const comment = await newComment(bench);
      const { id } = await bench.call(createReply, comment, { body }, 'comment');
      const at = { ...comment, commentReplyId: id };
      const may = async (who: Who) => (await bench.call(listReplies, comment, {}, who)).items[0]?.permissions;
      for (const who of readers)
        expect([(await may(who))?.view, await bench.reason(getReply, at, {}, who)]).toEqual([true, 'done']);
      expect(await bench.reason(listReplies, comment, {}, 'guest')).toBe('not-found');
      await permissionIsKept(
        readers,
        async (who) => (await may(who))?.reply,
        (who) => bench.reason(createReply, comment, { body }, who),
      );
      await permissionIsKept(
        readers,
        async (who) => (await may(who))?.edit,
        (who) => bench.reason(updateReply, at, { body: { body: { markdown: who } } }, who),
      );
      const refused = readers.filter((who) => who !== 'admin' && who !== 'comment');
      for (const who of refused)
        expect([(await may(who))?.delete, await bench.reason(deleteReply, at, {}, who)]).toEqual([
          false,
          'forbidden',
        ]);
      expect([(await may('admin'))?.delete, (await may('comment'))?.delete]).toEqual([true, true]);
      expect(await bench.reason(deleteReply, at, {}, 'comment')).toBe('done');
    },
  },
];
