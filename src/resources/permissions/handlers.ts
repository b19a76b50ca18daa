import type { Static } from '../../contract/schema.ts';
import { defined } from '../../contract/values.ts';
import { shellWord } from '../../contract/shell-word.ts';
import { subjectOf } from '../../core/authorize.ts';
import { extendContext, type RequestContext, type ResourceScope } from '../../core/handler.ts';
import { listPage, type PageQuery } from '../../core/listing.ts';
import { explainRole, typeOf, type EffectiveRole, type RoleReason } from '../../core/permissions.ts';
import { members, users, type MemberRow } from '../../core/rows/organizations.ts';
import { permissionId, permissions } from '../../core/rows/permissions.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import type { CollectionRow, SpaceRow } from '../../core/rows/spaces.ts';
import { teamMemberId, teamMembers, teams, type TeamRow } from '../../core/rows/teams.ts';
import { getExisting, getOwned, type ReadTransaction, type WriteTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { findMember, requireMember } from '../members/rules.ts';
import { shapeTeam } from '../teams/shape.ts';
import { shapeUser } from '../users/shape.ts';
import type { EffectivePermission, TeamPermission, UserPermission } from './declarations.ts';
import { setPermission, type PermissionTarget } from './rules.ts';

/** The scope of an operation on the permissions of a space, collection or site. */
type PermissionContext<T> = RequestContext &
  ResourceScope & { readonly tx: T } & (
    | { readonly space: SpaceRow }
    | { readonly collection: CollectionRow }
    | { readonly site: SiteRow }
  );
type Reading = PermissionContext<ReadTransaction>;
type Writing = PermissionContext<WriteTransaction>;

interface Invitation {
  readonly role: EffectiveRole;
  readonly users?: readonly string[];
  readonly teams?: readonly string[];
}
interface RoleChange {
  readonly role?: EffectiveRole | undefined;
}
interface EffectiveQuery extends PageQuery {
  readonly role?: string;
  readonly search?: string;
  readonly team?: string;
  readonly sort?: 'joinedAt' | 'lastSeenAt' | 'name';
  readonly order?: 'asc' | 'desc';
}

export const setPermissions = async (context: Writing, { body }: { body: Invitation }): Promise<void> => {
  const { tx, organization } = context;
  if (body.users === undefined && body.teams === undefined)
    throw new Problem('usage', 'No member or team is given.', {
      hint: 'Add --users MEMBER or --teams TEAM.',
    });
  for (const person of body.users ?? [])
    await give(context, 'user', (await findMember(tx, organization.id, person)).user, body.role);
  for (const id of body.teams ?? []) await give(context, 'team', (await findTeam(context, id)).id, body.role);
};

export const updateUserPermission = async (
  context: Writing,
  { params, body }: { params: { userId: string }; body: RoleChange },
): Promise<void> => {
  const { user } = await requireMember(context.tx, context.organization.id, params.userId);
  if (body.role !== undefined) await give(context, 'user', user, body.role);
};

export const updateTeamPermission = async (
  context: Writing,
  { params, body }: { params: { teamId: string }; body: RoleChange },
): Promise<void> => {
  const { id } = await findTeam(context, params.teamId);
  if (body.role !== undefined) await give(context, 'team', id, body.role);
};

export const removeUserPermission = async (
  context: Writing,
  { params }: { params: { userId: string } },
): Promise<void> => {
  const { user, email } = await requireMember(context.tx, context.organization.id, params.userId);
  await take(context, user, email);
};

export const removeTeamPermission = async (
  context: Writing,
  { params }: { params: { teamId: string } },
): Promise<void> => {
  const { id, title } = await findTeam(context, params.teamId);
  await take(context, id, `The team "${title}"`);
};

export const listUserPermissions = async (context: Reading, { query }: { query: PageQuery }) => {
  const { tx, url } = context;
  const selection = {
    table: permissions,
    index: 'byContent',
    equals: [targetOf(context).id, 'user'],
  } as const;
  return listPage(
    tx,
    selection,
    query,
    async ({ role, subject }): Promise<Static<typeof UserPermission>> => ({
      permission: role,
      user: shapeUser({ url }, await getExisting(tx, users, subject)),
    }),
  );
};

export const listTeamPermissions = async (context: Reading, { query }: { query: PageQuery }) => {
  const { tx } = context;
  // The role in the organization, not the role here, determines the caller's permissions on the team.
  const viewer = extendContext(context, { role: context.memberRole });
  const selection = {
    table: permissions,
    index: 'byContent',
    equals: [targetOf(context).id, 'team'],
  } as const;
  return listPage(
    tx,
    selection,
    query,
    async ({ role, subject }): Promise<Static<typeof TeamPermission>> => ({
      permission: role,
      team: await shapeTeam(viewer, await getExisting(tx, teams, subject)),
    }),
  );
};

export const listEffectivePermissions = async (context: Reading, { query }: { query: EffectiveQuery }) => {
  const { tx, organization } = context;
  const sort = query.sort ?? 'joinedAt';
  const search = query.search?.toLowerCase();
  if (query.team !== undefined) await findTeam(context, query.team);
  const decide = async (row: MemberRow) =>
    explainRole(tx, await subjectOf(tx, organization, row, 'admin'), contentOf(context));
  const keep = async (row: MemberRow): Promise<boolean> => {
    if (search !== undefined && !`${row.displayName}\n${row.email}`.toLowerCase().includes(search))
      return false;
    if (
      query.team !== undefined &&
      (await tx.get(teamMembers, teamMemberId(query.team, row.user))) === undefined
    )
      return false;
    const { role } = await decide(row);
    return role !== null && (query.role === undefined || role === query.role);
  };
  const selection = {
    table: members,
    index: ({ joinedAt: 'byJoined', lastSeenAt: 'bySeen', name: 'byName' } as const)[sort],
    equals: sort === 'lastSeenAt' ? [organization.id, 1] : [organization.id],
    order: query.order ?? ('desc' as const),
    filter: keep,
  };
  const { items, ...page } = await listPage(tx, selection, query, async (row) => ({
    row,
    decision: await decide(row),
  }));
  const shaped: Static<typeof EffectivePermission>[] = [];
  for (const { row, decision } of items)
    if (decision.role !== null)
      shaped.push(
        defined({
          permission: decision.role,
          user: shapeUser(context, await getExisting(tx, users, row.user)),
          origin: shapeOrigin(decision.reason, organization.id),
          disabled: row.disabled,
          lastSeenAt: row.lastSeenAt ?? undefined,
        }),
      );
  return { ...page, items: shaped };
};

function shapeOrigin(reason: RoleReason, organization: string): Static<typeof EffectivePermission>['origin'] {
  if (!('content' in reason)) return { type: 'organization', organization };
  const { type, id } = reason.content;
  return {
    type,
    [type]: id,
    reason: reason.kind === 'user' ? 'member' : reason.kind,
    ...(reason.kind === 'team' ? { team: reason.team } : {}),
  };
}

function contentOf(context: Reading | Writing): SpaceRow | CollectionRow | SiteRow {
  return 'space' in context ? context.space : 'collection' in context ? context.collection : context.site;
}

function targetOf(context: Reading | Writing): PermissionTarget & { title: string } {
  const row = contentOf(context);
  return { type: typeOf(row), id: row.id, title: row.title };
}

async function give(
  context: Writing,
  kind: 'user' | 'team',
  subject: string,
  role: EffectiveRole,
): Promise<void> {
  const { tx, now, organization } = context;
  await setPermission(tx, now, organization, targetOf(context), { kind, subject }, role);
}

async function take(context: Writing, subject: string, who: string): Promise<void> {
  const { type, id, title } = targetOf(context);
  const key = permissionId(id, subject);
  const noun = `${type}s`;
  if ((await context.tx.get(permissions, key)) === undefined)
    throw new Problem('not-found', `${who} has no permission on the ${type} "${title}".`, {
      hint: `To see the roles of all members and where they come from, run \`docsctl ${noun} permissions effective ${shellWord(title)}\`.`,
    });
  await context.tx.remove(permissions, key);
}

async function findTeam({ tx, organization }: Reading, id: string): Promise<TeamRow> {
  return getOwned(tx, teams, id, { organization: organization.id }, 'team');
}
