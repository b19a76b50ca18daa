import type { Role } from '../../contract/shapes.ts';
import { audited } from '../audit/audited.ts';
import { table } from '../store.ts';
import { users } from './organizations.ts';
import { sites } from './sites.ts';
import { collections, spaces } from './spaces.ts';
import { teams } from './teams.ts';

export type ContentType = 'space' | 'collection' | 'site';

/** The role of a user or a team on a space, collection or site. */
export interface PermissionRow {
  /** See `permissionId`. */
  readonly id: string;
  readonly organization: string;
  readonly type: ContentType;
  /** The ID of the space, collection or site. */
  readonly content: string;
  readonly kind: 'user' | 'team';
  /** The ID of the user or team. */
  readonly subject: string;
  /** Null takes away the access that the user or team would inherit. */
  readonly role: Role | null;
  readonly createdAt: string;
}

export const permissions = audited(
  table<PermissionRow>()('permissions', {
    byContent: { on: ['content', 'kind'], by: ['createdAt'] },
    bySubject: { on: ['organization', 'subject'] },
  }),
  {
    type: 'permission',
    id: 'subject',
    fields: ['type', 'content', 'kind', 'subject', 'role'],
    secondary: true,
    describe: ({ kind, subject, role, type, content }) => [
      { table: kind === 'user' ? users : teams, id: subject },
      `: ${role ?? 'no access'} on ${type} `,
      { table: { space: spaces, collection: collections, site: sites }[type], id: content },
    ],
  },
);

/** Returns the ID of a permission. A user or team has at most one on each space, collection and site. */
export function permissionId(content: string, subject: string): string {
  return `${content}.${subject}`;
}
