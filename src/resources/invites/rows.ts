import type { Role } from '../../contract/shapes.ts';
import { table } from '../../core/store.ts';

/** A link that lets whoever holds its id join; kept readable, since administrators are shown it again. */
export interface InviteRow {
  readonly id: string;
  readonly organization: string;
  readonly role: Role | null;
  readonly createdAt: string;
}

export const invites = table<InviteRow>()('invites', {
  byOrganization: { on: ['organization'], by: ['createdAt'] },
});
