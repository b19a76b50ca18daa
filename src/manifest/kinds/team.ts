import { normalizeEmail } from '../../core/emails.ts';
import { closed, Type, type Static } from '../../contract/schema.ts';
import { listTeamMembers, updateTeamMembers } from '../../resources/team-members/contract.ts';
import {
  createTeam,
  deleteTeam,
  listTeams,
  TeamRole,
  updateTeam,
  type Team,
  getTeam,
} from '../../resources/teams/contract.ts';
import { kind, type Backend, type Located } from '../kind.ts';
import { callFor, create, listAll, person, remove, update } from './fields.ts';

/** A member (an email), or an owner. */
type Entry = string | { readonly email: string; readonly role: 'owner' };

/** A team of members. Its members are exactly those in the list. */
export const team = kind<Static<typeof Team>>({
  name: 'team',
  description: 'A group of members of the organization.',
  example: `
members:
  ana@example.com: { role: admin }
  ben@example.com: { role: edit }
teams:
  writers:
    title: Writers
    members: [ben@example.com, { email: ana@example.com, role: owner }]
`,
  slots: [{ field: 'teams', as: 'map' }],
  keys: [['title']],
  fields: {
    title: { schema: updateTeam.body.properties.title, create: 'also', required: true },
    members: {
      schema: Type.Array(Type.Union([person, closed({ email: person, role: Type.Optional(TeamRole) })]), {
        maxItems: 1000,
        description: 'all members of the team, by email, or as { email, role } for an owner',
      }),
      call: 'members',
      people: true,
      equals: 'set',
      fetch: async (backend, at) =>
        sorted((await membersOf(backend, at)).map(({ email, role }) => entryOf(email, role))),
      normalize: (value, people, fault) => {
        const named = (value as (string | { email: string; role?: string })[]).map((entry) => {
          const { email, role = undefined } = typeof entry === 'string' ? { email: entry } : entry;
          return { email: people.normalize(email, fault), role };
        });
        if (new Set(named.map(({ email }) => email)).size < named.length)
          fault('the same member is listed twice');
        return sorted(named.map(({ email, role }) => entryOf(email, role)));
      },
    },
  },
  list: listAll(listTeams),
  create: create(createTeam),
  calls: {
    update: update(updateTeam, getTeam),
    members: { send: (backend, at, { members }) => bringMembers(backend, at, members as Entry[]) },
  },
  remove: remove(deleteTeam),
});

async function membersOf(backend: Backend, at: Located) {
  const found = await listAll(listTeamMembers)(backend, at);
  return found.map(({ organization: { user }, team: { role } }) => ({
    id: user.id,
    email: user.email === undefined ? user.id : normalizeEmail(user.email),
    role,
  }));
}

/** Sends one call with the members that leave, join, or get another role. */
async function bringMembers(backend: Backend, at: Located, wanted: readonly Entry[]): Promise<void> {
  const live = new Map((await membersOf(backend, at)).map(({ id, role }) => [id, role]));
  const joined = wanted.filter((entry) => !backend.people.isInvited(emailOf(entry)));
  const roles = new Map(joined.map((entry) => [backend.people.idOf(emailOf(entry)), roleOf(entry)]));
  const gone = [...live.keys()].filter((id) => !roles.has(id));
  const changed = [...roles].filter(([id, role]) => live.get(id) !== role);
  if (gone.length === 0 && changed.length === 0) return;
  const memberships = Object.fromEntries(changed.map(([id, role]) => [id, { role }]));
  await callFor(backend, updateTeamMembers, at, { remove: gone, memberships });
}

function entryOf(email: string, role: string | undefined): Entry {
  return role === 'owner' ? { email, role } : email;
}

function emailOf(entry: Entry): string {
  return typeof entry === 'string' ? entry : entry.email;
}

function roleOf(entry: Entry): 'owner' | 'member' {
  return typeof entry === 'string' ? 'member' : entry.role;
}

function sorted(entries: Entry[]): Entry[] {
  return entries.sort((a, b) => (emailOf(a) < emailOf(b) ? -1 : 1));
}
