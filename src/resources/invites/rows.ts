import type { Role } from '../../contract/shapes.ts';
import { audited } from '../../core/audit/audited.ts';
import { table } from '../../core/store.ts';

/** A link to join an organization. Its id is the secret, stored as plain text because administrators see it again. */
export interface InviteRow {
  readonly id: string;
  readonly organization: string;
  readonly role: Role | null;
  readonly createdAt: string;
}

export const invites = audited(
  table<InviteRow>()('invites', {
    byOrganization: { on: ['organization'], by: ['createdAt'] },
  }),
  {
    type: 'invite',
    secretId: true,
    fields: ['organization', 'role'],
    describe: ({ role }) => [role === null ? 'link for guests' : `link for the ${role} role`],
  },
);
