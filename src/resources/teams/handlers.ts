import type { Handler } from '../../core/handler.ts';
import { listPage, titleFilter } from '../../core/listing.ts';
import { memberId, members } from '../../core/rows/organizations.ts';
import { collectRows, getExisting } from '../../core/store.ts';
import { requireMember } from '../members/rules.ts';
import { removePermissionsOf } from '../permissions/rules.ts';
import type * as contract from './contract.ts';
import { joinTeam, leaveTeam, requireTeam } from './rules.ts';
import { shapeTeam } from './shape.ts';
import { teamMembers, teams, type TeamMemberRow, type TeamRow } from '../../core/rows/teams.ts';

export const listTeams: Handler<typeof contract.listTeams> = async (context, { query }) => {
  const { tx, organization } = context;
  const hasTitle = titleFilter(query.title);
  if (query.owner === undefined)
    return listPage(
      tx,
      { table: teams, index: 'byOrganization', equals: [organization.id], filter: hasTitle },
      query,
      (row) => shapeTeam(context, row),
    );
  const teamOf = (row: TeamMemberRow) => getExisting(tx, teams, row.team);
  const keep = hasTitle && (async (row: TeamMemberRow) => hasTitle(await teamOf(row)));
  return listPage(
    tx,
    {
      table: teamMembers,
      index: 'byUserRole',
      equals: [organization.id, query.owner, 'owner'],
      filter: keep,
    },
    query,
    async (row) => shapeTeam(context, await teamOf(row)),
  );
};

export const createTeam: Handler<typeof contract.createTeam> = async (context, { body }) => {
  const { tx, organization, now, caller } = context;
  const row: TeamRow = {
    id: context.newId('team'),
    organization: organization.id,
    title: body.title,
    createdAt: now,
    members: 0,
  };
  await tx.insert(teams, row);
  // The owner of the store may not be a member of the organization.
  const creator = await tx.get(members, memberId(organization.id, caller.user.id));
  for (const user of new Set(body.members))
    await joinTeam(tx, now, row.id, await requireMember(tx, organization.id, user), 'member');
  if (creator !== undefined) await joinTeam(tx, now, row.id, creator, 'owner');
  return shapeTeam(context, await getExisting(tx, teams, row.id));
};

export const getTeam: Handler<typeof contract.getTeam> = async (context, { params }) =>
  shapeTeam(context, await requireTeam(context, params.teamId, 'view'));

export const updateTeam: Handler<typeof contract.updateTeam> = async (context, { params, body }) => {
  const team = await requireTeam(context, params.teamId, 'admin');
  return shapeTeam(context, await context.tx.update(teams, team.id, { title: body.title }));
};

export const deleteTeam: Handler<typeof contract.deleteTeam> = async (context, { params }) => {
  const { tx } = context;
  const team = await requireTeam(context, params.teamId, 'admin');
  for (const row of await collectRows(tx, teamMembers, 'byTeam', [team.id])) await leaveTeam(tx, row);
  await removePermissionsOf(tx, team.organization, team.id);
  await tx.remove(teams, team.id);
};
