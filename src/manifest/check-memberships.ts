import type { DesiredResource } from './desired.ts';
import { formatLocation, type Faults } from './read/faults.ts';
import { isReference } from './value.ts';

/** Reads values of a manifest, either as text or with the data of live resources. */
interface Known {
  valueOf(resource: DesiredResource, field: string): unknown;
  /** Returns the email of a member, given an email or ID. */
  emailOf(emailOrId: string): string;
  /** Returns the ID of the live resource of a block. */
  idOf(address: string): string | undefined;
}

/** Reads values as text, without live resources. */
function fromText(byAddress: ReadonlyMap<string, DesiredResource>): Known {
  return {
    valueOf: ({ fields }, field) => fields.get(field)?.value,
    emailOf: (emailOrId) => emailOrId.toLowerCase(),
    idOf: (address) => byAddress.get(address)?.id?.value as string | undefined,
  };
}

/** Checks that `teams` of members and `members` of teams do not contradict each other, if both are stated. */
export function checkMemberships(
  byAddress: ReadonlyMap<string, DesiredResource>,
  faults: Faults,
  known: Known = fromText(byAddress),
): void {
  const all = [...byAddress.values()];
  const teams = all.filter(({ kind, fields }) => kind.name === 'team' && fields.has('members'));
  const members = all.filter(({ kind, fields }) => kind.name === 'member' && fields.has('teams'));
  if (teams.length === 0 || members.length === 0) return;
  const listed = new Map(
    teams.map((team) => [team, new Set(namesIn(team.fields.get('members')?.value).map(known.emailOf))]),
  );
  for (const member of members) {
    const email = String(member.fields.get('email')?.value).toLowerCase();
    const own = new Set((known.valueOf(member, 'teams') as readonly unknown[]).map(nameOfTeam));
    for (const [team, emails] of listed) {
      const isMember = own.has(team.address) || own.has(known.idOf(team.address) ?? '');
      const teamAt = team.fields.get('members')?.at;
      const at = member.fields.get('teams')?.at ?? member.at;
      if (isMember === emails.has(email) || teamAt === undefined) continue;
      faults.add(
        at,
        isMember
          ? `${team.address} is listed here, but its members at ${formatLocation(teamAt)} do not include ${email}; change one of the two`
          : `${team.address} is not stated here, but its members at ${formatLocation(teamAt)} include ${email}; change one of the two`,
      );
    }
  }
}

function nameOfTeam(value: unknown): string {
  return isReference(value) ? value['docsctl:ref'] : String(value);
}

function namesIn(members: unknown): string[] {
  return (members as readonly (string | { email: string })[]).map((entry) =>
    typeof entry === 'string' ? entry : entry.email,
  );
}
