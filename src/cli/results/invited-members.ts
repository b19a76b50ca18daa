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
  const name = first.email ?? first.id;
  const create = `\`docsctl tokens create --user ${shellWord(name)} --role ${tokenRole}\``;
  session.note(
    `No email is sent. ${rows.length === 1 ? `To let ${name} in, create a token with ${create}` : `Create a token for each of them, for example with ${create},`} and give it to them. They use it with \`docsctl login --server URL\`.`,
  );
  const guest = rows.find(({ role }) => role === 'guest');
  if (guest !== undefined)
    session.note(
      `Guests can open only what they have a permission on, and do there what their token allows. To give another role, run \`docsctl members update ${shellWord(guest.email ?? guest.id)} --role read\`.`,
    );
  return rows;
}
