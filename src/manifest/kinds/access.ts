import { closed, oneOf, Type } from '../../contract/schema.ts';
import { roles, type Role } from '../../contract/shapes.ts';
import { chunk, groupBy } from '../../contract/values.ts';
import * as ofCollection from '../../resources/permissions/collection/contract.ts';
import * as ofSite from '../../resources/permissions/site/contract.ts';
import * as ofSpace from '../../resources/permissions/space/contract.ts';
import { siteOf, type Backend, type Body, type Call, type Field, type Located } from '../kind.ts';
import { canonical } from '../value.ts';
import { person, reference } from './fields.ts';
import { inOrderOf } from './stated-order.ts';

type Entry = { readonly role: Role | 'none' } & (
  | { readonly team: string; readonly email?: undefined }
  | { readonly email: string; readonly team?: undefined }
);

const operations = { collection: ofCollection, site: ofSite, space: ofSpace };

/** Maximum number of members or teams in one call. */
const maxInCall = 1000;

/** The roles of teams and members on a collection, space or site. The list is complete. */
export function accessField<R extends Body>(): Field<R> {
  return {
    schema: Type.Array(
      closed({
        team: Type.Optional(reference('team that has the role')),
        email: Type.Optional({ ...person, description: 'member who has the role, by email address or ID' }),
        role: oneOf([...roles, 'none'], {
          description: 'role on this resource, which replaces the inherited role; none: no access',
        }),
      }),
      {
        maxItems: 5000,
        description:
          'all teams and members with a role of their own on this resource, which replaces the role that they inherit; []: no one has such a role',
      },
    ),
    call: 'access',
    refersTo: 'team',
    people: true,
    isIndependent: true,
    default: [],
    equals: 'set',
    fetch: async (backend, at, stated) =>
      inOrderOf((stated ?? []) as Entry[], await readAccess(backend, at), keyOf),
    normalize: (value, people, fault) =>
      (value as Entry[]).map((entry) =>
        entry.email === undefined ? entry : { ...entry, email: people.normalize(entry.email, fault) },
      ),
    check: (value, _, fault) => {
      const seen = new Set<string>();
      for (const [index, { team, email }] of (value as Entry[]).entries()) {
        if ((team === undefined) === (email === undefined)) {
          fault(
            team === undefined
              ? 'this needs a "team" or an "email"'
              : 'this has both "team" and "email"; write an item for each',
            [index],
          );
          continue;
        }
        const who = canonical(team ?? email?.toLowerCase());
        if (seen.has(who))
          fault(`the same ${team === undefined ? 'member' : 'team'} is listed twice`, [index]);
        seen.add(who);
      }
    },
  };
}

/** Adds and removes roles so that exactly the stated ones remain: one call per role, and one for each removal. */
export const accessCall: Call = {
  send: async (backend, at, { access }) => {
    const { setPermissions } = operationsFor(at);
    const live = new Map((await readAccess(backend, at)).map((entry) => [keyOf(entry), entry]));
    // A person who has not accepted the invitation cannot be named in a call.
    const wanted = (access as Entry[]).filter(
      ({ email }) => email === undefined || !backend.people.isInvited(email),
    );
    const kept = new Set(wanted.map(keyOf));
    for (const [key, entry] of live) if (!kept.has(key)) await take(backend, at, entry);
    const given = wanted.filter((entry) => live.get(keyOf(entry))?.role !== entry.role);
    for (const [role, entries] of groupBy(given, (entry) => entry.role))
      for (const part of chunk(entries, maxInCall)) {
        const users = part.flatMap(({ email }) => (email === undefined ? [] : [backend.people.idOf(email)]));
        const teams = part.flatMap(({ team }) => team ?? []);
        await backend.call(setPermissions, {
          params: paramsAt(backend, at),
          body: {
            role: role === 'none' ? null : role,
            ...(users.length === 0 ? {} : { users }),
            ...(teams.length === 0 ? {} : { teams }),
          },
        });
      }
  },
};

async function take(backend: Backend, at: Located, { team, email }: Entry): Promise<void> {
  const { removeTeamPermission, removeUserPermission } = operationsFor(at);
  const params = paramsAt(backend, at);
  if (email === undefined) await backend.call(removeTeamPermission, { params: { ...params, teamId: team } });
  else
    await backend.call(removeUserPermission, { params: { ...params, userId: backend.people.idOf(email) } });
}

/** Reads the roles with two lists: teams by title, then members by email. */
async function readAccess(backend: Backend, at: Located): Promise<Entry[]> {
  const { listTeamPermissions, listUserPermissions } = operationsFor(at);
  const params = paramsAt(backend, at);
  const teams = await backend.all(listTeamPermissions, { params });
  const users = await backend.all(listUserPermissions, { params });
  return [
    ...teams
      .toSorted((a, b) => (a.team.title < b.team.title ? -1 : 1))
      .map(({ team, permission }): Entry => ({ team: team.id, role: permission ?? 'none' })),
    ...users
      .map(({ user, permission }): Entry => ({
        email: user.email?.toLowerCase() ?? user.id,
        role: permission ?? 'none',
      }))
      .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
  ];
}

/** The operations on the permissions of collections, sites and spaces differ only in their paths, and so in their params. */
function operationsFor({ kind }: Located): typeof ofSpace {
  return operations[kind as keyof typeof operations] as unknown as typeof ofSpace;
}

function paramsAt(backend: Backend, at: Located): { spaceId: string } {
  const params =
    at.kind === 'site'
      ? { organizationId: backend.organization, siteId: siteOf(at) }
      : { [`${at.kind}Id`]: at.id };
  return params as { spaceId: string };
}

function keyOf({ team, email }: Entry): string {
  return email ?? `team ${team}`;
}
