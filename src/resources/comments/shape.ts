import type { Static } from '../../contract/schema.ts';
import { can } from '../../core/permissions.ts';
import type { Comment, Reactions } from './contract.ts';
import { createUserLookup, type UserLookup } from '../users/user-lookup.ts';
import type { CommentReply } from './replies/contract.ts';
import { mayChange, commentsPath, type CommentContext } from './rules.ts';
import type { CommentRow, CommentText, Reaction, ReplyRow } from './rows.ts';
import { defined } from '../../contract/values.ts';

export type TextFormat = 'document' | 'markdown' | undefined;

/** Returns a comment in the form of the API, for the caller. */
export async function shapeComment(
  context: CommentContext,
  row: CommentRow,
  format: TextFormat,
  userOf = createUserLookup(context),
): Promise<Static<typeof Comment>> {
  const { page, node, tableCell, changeRequest, review, revision, resolvedAt, resolvedBy } = row;
  const repliers = [];
  for (const { updatedAt, count, user } of row.repliers)
    repliers.push({ updatedAt, count, user: await userOf(user) });
  return {
    object: 'comment',
    ...(await shapePosted(context, row, format, userOf)),
    replies: row.replies,
    repliers,
    target: defined({
      node: node === undefined ? undefined : { id: node },
      tableCell,
      changeRequest,
      review,
      page: page === undefined ? undefined : { id: page },
      space: row.space,
      revision,
    }),
    urls: { location: context.url(`${commentsPath(context)}/${row.id}`) },
    status: row.status,
    ...defined({ resolvedAt }),
    ...(resolvedBy === undefined ? {} : { resolvedBy: await userOf(resolvedBy) }),
  };
}

/** Returns a reply in the form of the API, for the caller. */
export async function shapeReply(
  context: CommentContext,
  row: ReplyRow,
  format: TextFormat,
  userOf = createUserLookup(context),
): Promise<Static<typeof CommentReply>> {
  return {
    object: 'comment-reply',
    ...(await shapePosted(context, row, format, userOf)),
    urls: { location: context.url(`${commentsPath(context)}/${row.comment}/replies/${row.id}`) },
  };
}

async function shapePosted(
  context: CommentContext,
  row: CommentRow | ReplyRow,
  format: TextFormat,
  userOf: UserLookup,
) {
  const own = mayChange(context, row);
  return defined({
    id: row.id,
    postedBy: await userOf(row.postedBy),
    postedAt: row.postedAt,
    editedAt: row.editedAt,
    reactions: await shapeReactions(row.reactions, userOf),
    body: await convertText(row.body, format ?? 'markdown'),
    permissions: { view: true, edit: own, reply: can(context.role, 'comment'), delete: own },
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

/** Returns the text in a format. Loads the converter only if the text was sent in the other format. */
async function convertText(text: CommentText, format: 'document' | 'markdown'): Promise<CommentText> {
  if (format === 'markdown' && text.document !== undefined)
    return { markdown: (await import('../../richtext/markdown.ts')).documentToMarkdown(text.document) };
  if (format === 'document' && text.markdown !== undefined)
    return { document: (await import('../../richtext/markdown.ts')).markdownToDocument(text.markdown) };
  return text;
}
