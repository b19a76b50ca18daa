import type { Static } from '../../contract/schema.ts';
import type { ReadContext } from '../../core/handler.ts';
import { subjectOf } from '../../core/authorize.ts';
import { countSpaces } from '../../core/permissions.ts';
import { getExisting } from '../../core/store.ts';
import { organizations, users, type MemberRow } from '../../core/rows/organizations.ts';
import { defined } from '../../contract/values.ts';
import { shapeUser } from '../users/shape.ts';
import type { Member } from './contract.ts';

/** Returns a member in the form of the API. */
export async function shapeMember({ tx, url }: ReadContext, row: MemberRow): Promise<Static<typeof Member>> {
  const user = await tx.get(users, row.user);
  const organization = await getExisting(tx, organizations, row.organization);
  return defined({
    object: 'member',
    id: row.user,
    role: row.role,
    user: shapeUser({ url }, user ?? { id: row.user, displayName: row.displayName, email: row.email }),
    disabled: row.disabled,
    joinedAt: row.joinedAt,
    lastSeenAt: row.lastSeenAt ?? undefined,
    sso: row.sso,
    spaces: await countSpaces(tx, row.organization, await subjectOf(tx, organization, row, 'admin')),
    teams: row.teams,
  });
}
