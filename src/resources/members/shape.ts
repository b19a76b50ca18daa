import type { Static } from '../../contract/schema.ts';
import type { ReadContext } from '../../core/handler.ts';
import { spaces } from '../../core/rows/spaces.ts';
import { users, type MemberRow } from '../../core/rows/organizations.ts';
import { defined } from '../../contract/values.ts';
import { shapeUser } from '../users/shape.ts';
import type { Member } from './contract.ts';

/** A member as the API shows it. */
export async function shapeMember({ tx, url }: ReadContext, row: MemberRow): Promise<Static<typeof Member>> {
  const user = await tx.get(users, row.user);
  return defined({
    object: 'member',
    id: row.user,
    role: row.role,
    user: shapeUser({ url }, user ?? { id: row.user, displayName: row.displayName, email: row.email }),
    disabled: row.disabled,
    joinedAt: row.joinedAt,
    lastSeenAt: row.lastSeenAt ?? undefined,
    sso: row.sso,
    // Default levels change what a member may do, but never to nothing. Guests can open no space.
    spaces: row.role === null ? 0 : await tx.count(spaces, 'byOrganization', [row.organization, 'live']),
    teams: row.teams,
  });
}
