import { subjectOf } from '../../core/authorize.ts';
import { readableEmail } from '../../core/emails.ts';
import { both, listPage, titleFilter } from '../../core/listing.ts';
import { extendContext, type Context, type Handler } from '../../core/handler.ts';
import { missingRole } from '../../core/missing-role.ts';
import { can, contentRole, visibleTo } from '../../core/permissions.ts';
import { spaces } from '../../core/rows/spaces.ts';
import { members, type MemberRow } from '../../core/rows/organizations.ts';
import { defined } from '../../contract/values.ts';
import { getExisting } from '../../core/store.ts';
import { findLastActivity } from '../audit/last-activity.ts';
import { readPlaces } from '../sites/publication.ts';
import { shapeForCaller } from '../spaces/shape.ts';
import { shapeTeam } from '../teams/shape.ts';
import { findOrCreateUser } from '../users/rules.ts';
import type * as contract from './contract.ts';
import { addMember, checkAdminStays, requireMember, removeMember } from './rules.ts';
import { shapeMember } from './shape.ts';
import { teamMembers, teams, type TeamMemberRow } from '../../core/rows/teams.ts';

const indexes = { joinedAt: 'byJoined', lastSeenAt: 'bySeen', name: 'byName' } as const;

export const listMembers: Handler<typeof contract.listMembers> = async (context, { query }) => {
  const { tx, organization } = context;
  if (query.activity === true && !can(context.role, 'admin'))
    throw missingRole(context, {
      action: 'see when members were last active',
      level: 'admin',
      email: context.caller.user.email,
    });
  const sort = query.sort ?? 'joinedAt';
  const role = query.role === 'guest' ? null : query.role;
  const search = query.search?.toLowerCase();
  const isRoleIndexed = role !== undefined && sort === 'joinedAt';
  const keep = (row: MemberRow) =>
    (role === undefined || row.role === role) &&
    (search === undefined ||
      [row.displayName, row.email, readableEmail(row.email)].some((text) =>
        text.toLowerCase().includes(search),
      ));
  const selection = {
    table: members,
    index: isRoleIndexed ? ('byRole' as const) : indexes[sort],
    equals: isRoleIndexed
      ? [organization.id, role]
      : sort === 'lastSeenAt'
        ? [organization.id, 1]
        : [organization.id],
    order: query.order ?? ('desc' as const),
    filter: search === undefined && (role === undefined || isRoleIndexed) ? undefined : keep,
  };
  return listPage(tx, selection, query, async (row) => {
    const member = await shapeMember(context, row);
    return query.activity === true ? { ...member, ...(await readActivity(context, row)) } : member;
  });
};

/** Returns the time when a member was last active: the later of their last event and their last ping. */
async function readActivity(
  context: Context<typeof contract.listMembers>,
  { user, lastSeenAt }: MemberRow,
): Promise<{ lastActiveAt?: string }> {
  const times = [lastSeenAt ?? undefined, await findLastActivity(context, context.organization, user)];
  return defined({
    lastActiveAt: times
      .filter((time) => time !== undefined)
      .sort()
      .at(-1),
  });
}

export const getMember: Handler<typeof contract.getMember> = async (context, { params }) =>
  shapeMember(context, await requireVisibleMember(context, params.userId));

export const updateMember: Handler<typeof contract.updateMember> = async (context, { params, body }) => {
  const { tx, organization } = context;
  const row = await requireMember(tx, organization.id, params.userId);
  const isAdminAfter = (body.role === undefined ? row.role : body.role) === 'admin';
  if (!isAdminAfter || body.disabled === true) await checkAdminStays(tx, row);
  return shapeMember(context, await tx.update(members, row.id, defined(body)));
};

export const deleteMember: Handler<typeof contract.deleteMember> = async (
  { tx, organization },
  { params },
) => {
  const row = await requireMember(tx, organization.id, params.userId);
  await checkAdminStays(tx, row);
  await removeMember(tx, row);
};

export const markMemberAsSso: Handler<typeof contract.markMemberAsSso> = async (context, { params }) => {
  const row = await requireMember(context.tx, context.organization.id, params.userId);
  return shapeMember(context, await context.tx.update(members, row.id, { sso: true }));
};

export const listMemberSpaces: Handler<typeof contract.listMemberSpaces> = async (
  context,
  { params, query },
) => {
  const { tx, organization } = context;
  const member = await requireVisibleMember(context, params.userId);
  const subject = await subjectOf(tx, organization, member, 'admin');
  const places = await readPlaces(tx, organization.id);
  const page = await listPage(
    tx,
    {
      table: spaces,
      index: 'byOrganization',
      equals: [organization.id, 'live'],
      order: query.order ?? 'desc',
      filter: both(visibleTo(tx, subject), visibleTo(tx, context)),
    },
    query,
    async (space) => ({
      permission: await contentRole(tx, subject, space),
      space: await shapeForCaller(extendContext(context, { places }), space),
    }),
  );
  const items = page.items.flatMap(({ permission, space }) =>
    permission === null ? [] : [{ permission, space }],
  );
  return { ...page, items };
};

export const listMemberTeams: Handler<typeof contract.listMemberTeams> = async (
  context,
  { params, query },
) => {
  const { tx, organization } = context;
  const member = await requireVisibleMember(context, params.userId);
  const hasTitle = titleFilter(query.title);
  const teamOf = (row: TeamMemberRow) => getExisting(tx, teams, row.team);
  const keep = hasTitle && (async (row: TeamMemberRow) => hasTitle(await teamOf(row)));
  return listPage(
    tx,
    { table: teamMembers, index: 'byUser', equals: [organization.id, member.user], filter: keep },
    query,
    async (row) => ({
      team: await shapeTeam(context, await teamOf(row)),
      member: { role: row.role },
    }),
  );
};

export const inviteMembers: Handler<typeof contract.inviteMembers> = async (context, { body }) => {
  const { tx, organization, now } = context;
  const added: string[] = [];
  for (const invited of body.emails) {
    const { email, role } = typeof invited === 'string' ? { email: invited, role: body.role } : invited;
    const user = await findOrCreateUser(tx, context, email);
    const row = await addMember(
      tx,
      now,
      organization.id,
      user,
      role === undefined ? organization.defaultRole : role,
      body.sso,
    );
    if (row !== undefined) added.push(row.user);
  }
  return { users: added, invited: added.length };
};

/** Finds a member that the caller may see. @throws Problem(forbidden) if a guest asks for another member, Problem(not-found) */
async function requireVisibleMember(
  { tx, organization, role, memberRole, caller }: Context<typeof contract.getMember>,
  user: string,
): Promise<MemberRow> {
  if (user !== caller.user.id && !can(role, 'read'))
    throw missingRole(
      { memberRole, maxRole: caller.maxRole },
      { action: 'see other members', level: 'read', email: caller.user.email },
    );
  return requireMember(tx, organization.id, user);
}
