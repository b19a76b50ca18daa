import type { RichDocumentValue } from '../../contract/shapes.ts';
import { audited } from '../../core/audit/audited.ts';
import type { NamePart } from '../../core/audit/table-audit.ts';
import { users } from '../../core/rows/organizations.ts';
import { spaces } from '../../core/rows/spaces.ts';
import { table } from '../../core/store.ts';

/** The text of a comment in the format that it was sent in: Markdown, a rich document, or empty. */
export interface CommentText {
  readonly markdown?: string;
  readonly document?: RichDocumentValue;
}

export interface Reaction {
  readonly emoji: string;
  readonly users: readonly { readonly user: string; readonly reactedAt: string }[];
}

export interface CommentRow extends Posted {
  /** The id of the space or change request of the comment. */
  readonly place: string;
  readonly changeRequest?: string;
  /** The revision that was current when the comment was posted. */
  readonly revision: string;
  readonly page?: string;
  readonly node?: string;
  readonly tableCell?: { readonly record: string; readonly definition: string };
  /** The id of the review that the comment belongs to. */
  readonly review?: string;
  readonly status: 'open' | 'resolved';
  readonly resolvedAt?: string;
  readonly resolvedBy?: string;
  readonly replies: number;
  readonly repliers: readonly { readonly user: string; readonly count: number; readonly updatedAt: string }[];
}

export const comments = audited(
  table<CommentRow>()('comments', {
    byPlace: { on: ['place'], by: ['postedAt'] },
    byStatus: { on: ['place', 'status'], by: ['postedAt'] },
    byPage: { on: ['place', 'page'], by: ['postedAt'] },
    bySpace: { on: ['space'] },
  }),
  {
    type: 'comment',
    fields: ['changeRequest', 'page', 'node', 'status', 'postedBy', 'reactions'],
    sizes: ['body'],
    describe: (row) => describePosted('comment', row),
  },
);

export interface ReplyRow extends Posted {
  readonly comment: string;
}

export const replies = audited(
  table<ReplyRow>()('comment_replies', {
    byComment: { on: ['comment'], by: ['postedAt'] },
    bySpace: { on: ['space'] },
  }),
  {
    type: 'comment-reply',
    fields: ['comment', 'postedBy', 'reactions'],
    sizes: ['body'],
    describe: (row) => describePosted('reply', row),
  },
);

/** The number of comments and replies of a user on a space or change request. */
export interface CommenterRow {
  /** `<place>.<user>`: see commenterId. */
  readonly id: string;
  readonly space: string;
  readonly place: string;
  readonly user: string;
  readonly count: number;
}

export const commenters = table<CommenterRow>()('commenters', {
  byPlace: { on: ['place'] },
  bySpace: { on: ['space'] },
});

export interface Posted {
  readonly id: string;
  readonly space: string;
  readonly postedBy: string;
  readonly postedAt: string;
  readonly editedAt?: string;
  readonly body: CommentText;
  readonly reactions: readonly Reaction[];
}

function describePosted(noun: string, { postedBy, space }: Posted): NamePart[] {
  return [`${noun} of `, { table: users, id: postedBy }, ' on space ', { table: spaces, id: space }];
}

/** Returns the ID of the row for a user who commented in a place. */
export function commenterId(place: string, user: string): string {
  return `${place}.${user}`;
}
