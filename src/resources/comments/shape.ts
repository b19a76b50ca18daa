import type { Static } from '../../contract/schema.ts';
import { can } from '../../core/permissions.ts';
import type { Comment, Reactions } from './contract.ts';
import type { UserLookup } from '../users/user-lookup.ts';
import type { CommentReply } from './replies/contract.ts';
import { mayChange, commentsPath, type CommentPlace } from './rules.ts';
import type { CommentRow, CommentText, Reaction, ReplyRow } from './rows.ts';
import { defined } from '../../contract/values.ts';

export type TextFormat = 'document' | 'markdown' | undefined;

/** A comment as the API shows it to the caller. */
export async function shapeComment(
  at: CommentPlace,
  row: CommentRow,
  format: TextFormat,
  userOf: UserLookup,
): Promise<Static<typeof Comment>> {
  const { page, node, tableCell, changeRequest, revision, resolvedAt, resolvedBy } = row;
  const repliers = [];
  for (const { updatedAt, count, user } of row.repliers)
    repliers.push({ updatedAt, count, user: await userOf(user) });
  return {
    object: 'comment',
    ...(await shapePosted(at, row, format, userOf)),
    replies: row.replies,
    repliers,
    target: {
      ...(node === undefined ? {} : { node: { id: node } }),
      ...(tableCell === undefined ? {} : { tableCell }),
      ...(changeRequest === undefined ? {} : { changeRequest }),
      ...(page === undefined ? {} : { page: { id: page } }),
      space: row.space,
      revision,
    },
    urls: { location: at.url(`${commentsPath(at)}/${row.id}`) },
    status: row.status,
    ...(resolvedAt === undefined ? {} : { resolvedAt }),
    ...(resolvedBy === undefined ? {} : { resolvedBy: await userOf(resolvedBy) }),
  };
}

/** A reply as the API shows it to the caller. */
export async function shapeReply(
  at: CommentPlace,
  row: ReplyRow,
  format: TextFormat,
  userOf: UserLookup,
): Promise<Static<typeof CommentReply>> {
  return {
    object: 'comment-reply',
    ...(await shapePosted(at, row, format, userOf)),
    urls: { location: at.url(`${commentsPath(at)}/${row.comment}/replies/${row.id}`) },
  };
}

async function shapePosted(
  at: CommentPlace,
  row: CommentRow | ReplyRow,
  format: TextFormat,
  userOf: UserLookup,
) {
  const own = mayChange(at, row);
  return defined({
    id: row.id,
    postedBy: await userOf(row.postedBy),
    postedAt: row.postedAt,
    editedAt: row.editedAt,
    reactions: await shapeReactions(row.reactions, userOf),
    body: await convertText(row.body, format ?? 'markdown'),
    permissions: { view: true, edit: own, reply: can(at.role, 'comment'), delete: own },
  });
}

async function shapeReactions(
  reactions: readonly Reaction[],
  userOf: UserLookup,
): Promise<Static<typeof Reactions>> {
  const shaped = [];
  for (const { emoji, users } of reactions) {
    const who = [];
    for (const { user, reactedAt } of users) who.push({ user: await userOf(user), reactedAt });
    shaped.push({ emoji, count: users.length, users: who });
  }
  return shaped;
}

/** Loads the converter only where a text is asked for in the other form than it was given in. */
async function convertText(text: CommentText, format: 'document' | 'markdown'): Promise<CommentText> {
  if (format === 'markdown' && text.document !== undefined)
    return { markdown: (await import('../../richtext/markdown.ts')).documentToMarkdown(text.document) };
  if (format === 'document' && text.markdown !== undefined)
    return { document: (await import('../../richtext/markdown.ts')).markdownToDocument(text.markdown) };
  return text;
}
