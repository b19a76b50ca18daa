import type { Static } from '../../contract/schema.ts';
import { listTeamMembers, updateTeamMembers } from '../../resources/team-members/contract.ts';
import {
  createTeam,
  deleteTeam,
  listTeams,
  TeamRole,
  updateTeam,
  type Team,
} from '../../resources/teams/contract.ts';
import { kind, type Backend, type Located } from '../kind.ts';
import { fromSchema } from '../read/from-schema.ts';
import type { Shape } from '../read/shape.ts';
import { bodyOf } from './fields.ts';

const person: Shape = { kind: 'scalar', types: ['string'], minLength: 1, maxLength: 255 };

/** An email, for somebody who is plainly a member, or an email with a role. */
type Entry = string | { readonly email: string; readonly role: 'owner' };

/** Members under one name; its members are those that are listed and no others. */
export const team = kind<Static<typeof Team>>({
  name: 'team',
  slots: [{ field: 'teams', as: 'map' }],
  keys: [['title']],
  fields: {
    title: { shape: bodyOf(updateTeam).title, create: 'also', required: true },
    members: {
      shape: {
        kind: 'list',
        item: {
          kind: 'oneOf',
          shapes: [
            person,
            { kind: 'map', fields: { email: person, role: fromSchema(TeamRole) }, required: ['email'] },
          ],
        },
        maxItems: 1000,
      },
      call: 'members',
      people: true,
      equals: 'set',
      fetch: async (backend, at) =>
        sorted((await membersOf(backend, at)).map(({ email, role }) => entryOf(email, role))),
      normalize: (value, people, fault) => {
        const entries = (value as (string | { email: string; role?: string })[]).map((item) =>
          typeof item === 'string' ? { email: item } : item,
        );
        const named = entries.map(({ email, role }: { email: string; role?: string }) => ({
          email: people.normal(email, fault),
          role,
        }));
        if (new Set(named.map(({ email }) => email)).size < named.length)
          fault('somebody stands twice among the members');
        return sorted(named.map(({ email, role }) => entryOf(email, role)));
      },
    },
  },
  list: (backend) => backend.all(listTeams, { params: { organizationId: backend.organization } }),
  create: (backend, _, fields) =>
    backend.call(createTeam, { params: { organizationId: backend.organization }, body: fields as never }),
  calls: {
    update: {
      send: (backend, { id }, fields) =>
        backend.call(updateTeam, {
          params: { organizationId: backend.organization, teamId: id },
          body: fields as never,
        }),
    },
    members: { send: (backend, at, { members }) => bringMembers(backend, at, members as Entry[]) },
  },
  remove: (backend, { id }) =>
    backend.call(deleteTeam, { params: { organizationId: backend.organization, teamId: id } }),
});

async function membersOf(backend: Backend, { id }: Located) {
  const found = await backend.all(listTeamMembers, {
    params: { organizationId: backend.organization, teamId: id },
  });
  return found.map(({ organization: { user }, team: { role } }) => ({
    id: user.id,
    email: user.email?.toLowerCase() ?? user.id,
    role,
  }));
}

/** One call says it all: who goes, who comes, and whose role is another. */
async function bringMembers(backend: Backend, at: Located, wanted: readonly Entry[]): Promise<void> {
  const live = new Map((await membersOf(backend, at)).map(({ id, role }) => [id, role]));
  const roles = new Map(wanted.map((entry) => [backend.people.idOf(emailOf(entry)), roleOf(entry)]));
  const remove = [...live.keys()].filter((id) => !roles.has(id));
  const changed = [...roles].filter(([id, role]) => live.get(id) !== role);
  if (remove.length === 0 && changed.length === 0) return;
  await backend.call(updateTeamMembers, {
    params: { organizationId: backend.organization, teamId: at.id },
    body: { remove, memberships: Object.fromEntries(changed.map(([id, role]) => [id, { role }])) },
  });
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
