import { normalizeEmail } from '../../core/emails.ts';
import { oneOf, Type } from '../../contract/schema.ts';
import { roles, type Role } from '../../contract/shapes.ts';
import { orUndefined } from '../../errors/problem.ts';
import {
  deleteMember,
  getMember,
  inviteMembers,
  listMemberTeams,
  markMemberAsSso,
  updateMember,
} from '../../resources/members/contract.ts';
import { addTeamMember, deleteTeamMember } from '../../resources/team-members/contract.ts';
import { readMembers } from '../backend.ts';
import { kind, type Backend, type Body, type Located } from '../kind.ts';
import { onlyTrue, reference } from './fields.ts';

interface MemberBody extends Body {
  /** As of `normalizeEmail`. */
  readonly email: string;
  /** null: a guest. */
  readonly role: Role | null;
  readonly sso: boolean;
  readonly disabled: boolean;
}

const invited = 'invited';

/**
 * A person in the organization. A block for a new person invites them. If invitations have to be accepted, the state file records
 * that the invitation is open.
 */
export const member = kind<MemberBody>({
  name: 'member',
  description:
    'A person in the organization, by email. If the person is not a member yet, apply invites them. The last administrator is never removed and keeps the role.',
  example: `
teams:
  writers: { title: Writers }
members:
  ana@example.com: { role: admin, protect: true }
  dan@example.com: { role: edit, teams: [!ref team.writers] }
  eva@example.com: { role: guest }
`,
  slots: [{ field: 'members', as: 'map', names: 'email' }],
  nameField: 'email',
  keys: [['email']],
  fields: {
    email: {
      schema: Type.String({ format: 'email', description: 'email address of the member' }),
      create: 'only',
      required: true,
      people: true,
      normalize: (value) => normalizeEmail(String(value)),
      fingerprint: async ({ people }, _, email) => (people.isInvited(String(email)) ? invited : undefined),
    },
    role: {
      schema: oneOf([...roles, 'guest'], {
        description:
          'role in the organization (default: the `defaultRole` of the organization); a guest can open only what they have a permission on',
      }),
      create: 'also',
      inherits: { kind: 'org', field: 'defaultRole', as: (value) => value ?? 'guest' },
      read: ({ role }) => role ?? 'guest',
      write: (value) => (value === 'guest' ? null : value),
    },
    sso: {
      schema: onlyTrue(
        'true: the member has to sign in by single sign-on; `docsctl members update --no-sso` undoes it',
      ),
      create: 'also',
      call: 'sso',
      default: false,
      belongsToOne: true,
    },
    disabled: {
      schema: Type.Boolean({ description: 'whether the member is disabled, and so can do nothing' }),
      default: false,
    },
    teams: {
      schema: Type.Array(reference('a team'), {
        maxItems: 1000,
        description: 'all teams that the member is in; roles in a team are set in the block of the team',
      }),
      refersTo: 'team',
      equals: 'set',
      call: 'teams',
      fetch: teamsOf,
      isNotExported: true,
    },
  },
  list: listMembers,
  create: async (backend, _, fields) => {
    const email = String(fields['email']);
    const { role, sso = false } = fields as { role?: Role | null; sso?: boolean };
    const { users } = await backend.call(inviteMembers, {
      params: { organizationId: backend.organization },
      body: { emails: [role === undefined ? email : { email, role }], sso },
    });
    const id = users[0] ?? backend.people.idOf(email);
    const live = await findMember(backend, id);
    backend.people.add({ id, email }, live === undefined);
    return live ?? { id, email, role: role ?? null, sso, disabled: false };
  },
  isPending: ({ left }) => left?.['email'] === invited,
  calls: {
    update: {
      send: async (backend, { id }, body) =>
        void (await backend.call(updateMember, { params: paramsOf(backend, id), body })),
    },
    sso: {
      send: async (backend, { id }) =>
        void (await backend.call(markMemberAsSso, { params: paramsOf(backend, id) })),
    },
    // The teams may be new, or may also name this member.
    teams: { late: true, send: (backend, at, { teams }) => bringTeams(backend, at, teams as string[]) },
  },
  remove: async (backend, { id }) => backend.call(deleteMember, { params: paramsOf(backend, id) }),
});

function paramsOf({ organization }: Backend, userId: string) {
  return { organizationId: organization, userId };
}

async function listMembers(backend: Backend): Promise<MemberBody[]> {
  const members = await readMembers(backend);
  return members.flatMap(({ user, role, sso, disabled }) =>
    user.email === undefined ? [] : [{ id: user.id, email: normalizeEmail(user.email), role, sso, disabled }],
  );
}

/** Returns a member; undefined while the invitation is not accepted. */
async function findMember(backend: Backend, id: string): Promise<MemberBody | undefined> {
  const found = await orUndefined(backend.call(getMember, { params: paramsOf(backend, id) }), 'not-found');
  if (found === undefined) return undefined;
  const { user, role, sso, disabled } = found;
  return { id, email: user.email === undefined ? id : normalizeEmail(user.email), role, sso, disabled };
}

async function teamsOf(backend: Backend, { id }: Located): Promise<string[]> {
  const found = await backend.all(listMemberTeams, { params: paramsOf(backend, id) });
  return found.map(({ team }) => team.id);
}

async function bringTeams(backend: Backend, at: Located, wanted: readonly string[]): Promise<void> {
  // The first apply after the invitation is accepted adds the member to the teams.
  if (backend.people.isInvited(at.id)) return;
  const params = paramsOf(backend, at.id);
  const live = new Set(await teamsOf(backend, at));
  for (const teamId of live)
    if (!wanted.includes(teamId)) await backend.call(deleteTeamMember, { params: { ...params, teamId } });
  for (const teamId of wanted)
    if (!live.has(teamId)) await backend.call(addTeamMember, { params: { ...params, teamId }, body: {} });
}
