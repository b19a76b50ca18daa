import { listOf, noContent, ok, operation } from '../../contract/operation.ts';
import { closed, DateTime, Id, oneOf, optional, Type, Url } from '../../contract/schema.ts';
import { Order, RichDocument, User } from '../../contract/shapes.ts';
import { Member } from '../members/contract.ts';
import { commentColumns } from './columns.ts';

const Count = Type.Integer({ minimum: 0 });
const Emoji = Type.String({ minLength: 1, maxLength: 50, description: 'emoji of a reaction' });

/** The text of a comment: `{ markdown }`, `{ document }` or `{}`. */
export const CommentBody = closed(
  optional({ markdown: Type.String({ maxLength: 65_536 }), document: RichDocument }),
  { maxProperties: 1 },
);

export const Reactions = Type.Array(
  closed({ emoji: Emoji, count: Count, users: Type.Array(closed({ user: User, reactedAt: DateTime })) }),
);

export const CommentPermissions = closed({
  view: Type.Boolean(),
  edit: Type.Boolean(),
  reply: Type.Boolean(),
  delete: Type.Boolean(),
});

const TableCell = closed({
  record: Type.String({ minLength: 1, maxLength: 255 }),
  definition: Type.String({ minLength: 1, maxLength: 255 }),
});

/** A comment on a space or a change request, or on one of its pages. */
export const Comment = closed({
  object: Type.Literal('comment'),
  id: Id,
  postedBy: User,
  postedAt: DateTime,
  editedAt: Type.Optional(DateTime),
  reactions: Reactions,
  replies: Count,
  repliers: Type.Array(closed({ updatedAt: DateTime, count: Count, user: User })),
  body: CommentBody,
  target: closed({
    ...optional({
      node: closed({ id: Type.String() }),
      tableCell: TableCell,
      changeRequest: Id,
      review: Id,
      page: closed({ id: Id }),
    }),
    space: Id,
    revision: Id,
  }),
  urls: closed({ location: Url }),
  permissions: CommentPermissions,
  status: oneOf(['open', 'resolved']),
  resolvedAt: Type.Optional(DateTime),
  resolvedBy: Type.Optional(User),
});

export const format = Type.Optional(
  oneOf(['document', 'markdown'], {
    description: 'format of the returned text: Markdown, or a document of blocks (default: markdown)',
  }),
);

/** The update of a comment or of a reply. */
export const postUpdate = {
  description:
    'Only the author or an administrator of the space can change the text. Everyone who may comment can resolve and react.',
  query: { format },
  body: closed(
    optional({
      resolved: Type.Boolean({ description: 'resolve the comment; false: open it again' }),
      body: CommentBody,
      addedReactions: Type.Array(
        { ...Emoji, format: 'emoji' },
        { maxItems: 20, description: 'emoji to react with, such as 👍' },
      ),
      removedReactions: Type.Array(Emoji, { maxItems: 20, description: 'emoji of your reactions to remove' }),
    }),
  ),
};

/** Makes `--text TEXT` a short form of `--body '{"markdown": TEXT}'`. */
export const textFlag = {
  name: 'text',
  value: 'MARKDOWN',
  summary: 'the text, in Markdown; @FILE reads a file',
  template: { body: { markdown: '$' } },
};

/** The words in which the operations on comments of spaces and of change requests differ. */
interface CommentWords {
  /** "a space". */
  readonly place: string;
  /** The positional argument in examples: "Guide". */
  readonly subject: string;
  /** The flags in examples that also name a comment: "--space Guide". */
  readonly flags: string;
  /** The first comment there. */
  readonly comment: string;
}

/** Declares the operations on comments under a base path: the path of a space or of a change request. */
export function commentOperations<
  const B extends `/${string}`,
  const W extends string,
  const S extends 'space' | 'change-request',
>(base: B, words: W, scope: S, { place, subject, flags, comment }: CommentWords) {
  const example = (verb: string, rest: string) => `docsctl ${words.replaceAll('.', ' ')} ${verb} ${rest}`;
  return {
    listComments: operation({
      id: `${words}.list`,
      route: `GET ${base}/comments`,
      summary: `List the comments on ${place}, newest first`,
      access: `${scope}.read`,
      query: {
        order: Type.Optional(Order),
        status: Type.Optional(
          oneOf(['all', 'open', 'resolved'], {
            default: 'all',
            description: 'only comments with this status (default: all)',
          }),
        ),
        format,
        targetPage: Type.Optional(
          Type.String({ minLength: 1, maxLength: 255, description: 'only comments on this page' }),
        ),
        authors: Type.Optional(
          Type.Array(Id, { maxItems: 100, description: 'only comments by these members' }),
        ),
      },
      returns: listOf(Comment),
      cli: { columns: commentColumns, examples: [example('list', `${subject} --status open`)] },
    }),
    createComment: operation({
      id: `${words}.create`,
      route: `POST ${base}/comments`,
      summary: `Comment on ${place} or on one of its pages`,
      access: `${scope}.comment`,
      query: { format },
      body: closed({
        node: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 255,
            description: `comment on the block that has this key; needs a page. \`docsctl ${words.split('.', 1)[0]} pages get quickstart ${flags} --format document -o json\` shows the keys`,
          }),
        ),
        page: Type.Optional(Type.String({ ...Id, description: 'page to comment on' })),
        body: CommentBody,
        tableCell: Type.Optional({
          ...TableCell,
          description:
            'comment on a cell of a table: `record` is the ID of its row, `definition` the ID of its column; needs a page. The command that is shown for `node` also prints these IDs',
        }),
      }),
      returns: ok(Comment),
      cli: {
        columns: commentColumns,
        flags: [textFlag],
        examples: [
          example('create', `${subject} --text "Who owns this?"`),
          example('create', `${subject} --page quickstart --text @intro.md`),
        ],
      },
    }),
    getComment: operation({
      id: `${words}.get`,
      route: `GET ${base}/comments/:commentId`,
      summary: `Show a comment on ${place}`,
      access: `${scope}.read`,
      query: { format },
      returns: ok(Comment),
      cli: { columns: commentColumns, examples: [example('get', `${comment} ${flags}`)] },
    }),
    updateComment: operation({
      id: `${words}.update`,
      route: `PUT ${base}/comments/:commentId`,
      summary: 'Change a comment, resolve it or react to it',
      access: `${scope}.comment`,
      ...postUpdate,
      returns: ok(Comment),
      cli: {
        columns: commentColumns,
        flags: [textFlag],
        examples: [
          example('update', `${comment} ${flags} --resolved`),
          example('update', `${comment} ${flags} --added-reactions 👍`),
        ],
      },
    }),
    deleteComment: operation({
      id: `${words}.delete`,
      route: `DELETE ${base}/comments/:commentId`,
      summary: 'Delete a comment and its replies',
      access: `${scope}.comment`,
      description: 'Only the author or an administrator of the space can delete a comment.',
      returns: noContent(),
      cli: { examples: [example('delete', `${comment} ${flags} --yes`)] },
    }),
    listCommenters: operation({
      id: `${words}.commenters`,
      route: `GET ${base}/commenters`,
      summary: `List the members who commented on ${place}`,
      access: `${scope}.read`,
      returns: listOf(Member),
      cli: { columns: ['user.displayName', 'role', 'id'], examples: [example('commenters', subject)] },
    }),
  };
}
