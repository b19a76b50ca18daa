import { shellWord } from '../../contract/shell-word.ts';
import { getMember } from '../../resources/members/contract.ts';
import type { Session } from '../session/session.ts';

/** Reads the members that were just added, for the table of `docsctl members invite`, and notes how they can sign in. */
export async function describeInvited(
  session: Session,
  organizationId: string,
  users: readonly string[],
): Promise<readonly object[]> {
  const members = [];
  for (const userId of users)
    members.push(await session.call(getMember, { params: { organizationId, userId } }));
  const rows = members.map(({ user, role, id }) => ({ email: user.email, role: role ?? 'guest', id }));
  const [first] = rows;
  if (first === undefined) {
    session.note('Nobody was added. Everyone you named is already a member.');
    return rows;
  }
  // With a token of the role guest, guests could not use their permissions.
  const tokenRole = first.role === 'guest' ? 'read' : first.role;
  session.note(
    `No email is sent. To let ${first.email ?? first.id} in, create a token with \`docsctl tokens create --user ${shellWord(first.email ?? first.id)} --role ${tokenRole}\` and give it to them. They use it with \`docsctl login --server URL\`.`,
  );
  const guest = rows.find(({ role }) => role === 'guest');
  if (guest !== undefined)
    session.note(
      `Guests can open only what they have a permission on, and do there what their token allows. To give another role, run \`docsctl members update ${shellWord(guest.email ?? guest.id)} --role read\`.`,
    );
  return rows;
}
