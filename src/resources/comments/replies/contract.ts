import { listOf, noContent, ok, operation } from '../../../contract/operation.ts';
import { closed, DateTime, Id, Type, Url } from '../../../contract/schema.ts';
import { User } from '../../../contract/shapes.ts';
import { CommentBody, CommentPermissions, format, postUpdate, Reactions, textFlag } from '../contract.ts';

export const CommentReply = closed({
  object: Type.Literal('comment-reply'),
  id: Id,
  postedBy: User,
  postedAt: DateTime,
  editedAt: Type.Optional(DateTime),
  reactions: Reactions,
  body: CommentBody,
  urls: closed({ location: Url }),
  permissions: CommentPermissions,
});

const columns = ['postedBy.displayName', 'body.markdown', 'postedAt', 'id'];

/** The names of the comment and the reply in examples. */
interface ReplyWords {
  readonly flags: string;
  readonly comment: string;
  readonly reply: string;
}

/** Declares the operations on replies under a base path: the path of a space or of a change request. */
export function replyOperations<
  const B extends `/${string}`,
  const W extends string,
  const S extends 'space' | 'change-request',
>(base: B, words: W, scope: S, { flags, comment, reply }: ReplyWords) {
  const example = (verb: string, rest: string) => `docsctl ${words.replaceAll('.', ' ')} ${verb} ${rest}`;
  const inComment = `${flags} --comment ${comment}`;
  return {
    listReplies: operation({
      id: `${words}.list`,
      route: `GET ${base}/comments/:commentId/replies`,
      summary: 'List the replies to a comment, oldest first',
      access: `${scope}.read`,
      query: { format },
      returns: listOf(CommentReply),
      cli: { columns, examples: [example('list', `${comment} ${flags}`)] },
    }),
    createReply: operation({
      id: `${words}.create`,
      route: `POST ${base}/comments/:commentId/replies`,
      summary: 'Reply to a comment',
      access: `${scope}.comment`,
      query: { format },
      body: closed({ body: CommentBody }),
      returns: ok(CommentReply),
      cli: {
        columns,
        flags: [textFlag],
        examples: [example('create', `${comment} ${flags} --text "The writers."`)],
      },
    }),
    getReply: operation({
      id: `${words}.get`,
      route: `GET ${base}/comments/:commentId/replies/:commentReplyId`,
      summary: 'Show a reply to a comment',
      access: `${scope}.read`,
      query: { format },
      returns: ok(CommentReply),
      cli: { columns, examples: [example('get', `${reply} ${inComment}`)] },
    }),
    updateReply: operation({
      id: `${words}.update`,
      route: `PUT ${base}/comments/:commentId/replies/:commentReplyId`,
      summary: 'Change a reply, react to it or resolve its comment',
      access: `${scope}.comment`,
      ...postUpdate,
      returns: ok(CommentReply),
      cli: {
        columns,
        flags: [textFlag],
        examples: [example('update', `${reply} ${inComment} --text "The support team."`)],
      },
    }),
    deleteReply: operation({
      id: `${words}.delete`,
      route: `DELETE ${base}/comments/:commentId/replies/:commentReplyId`,
      summary: 'Delete a reply to a comment',
      access: `${scope}.comment`,
      description: 'Only the author or an administrator of the space can delete a reply.',
      returns: noContent(),
      cli: { examples: [example('delete', `${reply} ${inComment} --yes`)] },
    }),
  };
}
