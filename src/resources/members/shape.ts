import type { Static } from '../../contract/schema.ts';
import type { ReadContext } from '../../core/handler.ts';
import { spaces } from '../../core/rows/spaces.ts';
import { users, type MemberRow } from '../../core/rows/organizations.ts';

import { shapeUser } from '../users/shape.ts';
import type { Member } from './contract.ts';

/** A member as the API shows it. */
export async function shapeMember({ tx, url }: ReadContext, row: MemberRow): Promise<Static<typeof Member>> {
  const user = await tx.get(users, row.user);
  return {
    object: 'member',
    id: row.user,
    role: row.role,
    user: shapeUser({ url }, user ?? { id: row.user, displayName: row.displayName, email: row.email }),
    disabled: row.disabled,
    joinedAt: row.joinedAt,
    ...(row.lastSeenAt === null ? {} : { lastSeenAt: row.lastSeenAt }),
    sso: row.sso,
    // Default levels raise and lower what a member may do but never to nothing, and guests may open no space.
    spaces: row.role === null ? 0 : await tx.count(spaces, 'byOrganization', [row.organization, 'live']),
    teams: row.teams,
  };
}
