import { can } from '../../core/permissions.ts';
import type { Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { invalid, Problem } from '../../errors/problem.ts';
import { findMember, requireMember } from '../members/rules.ts';
import { shapeMember } from '../members/shape.ts';
import { joinTeam, leaveTeam, requireTeam } from '../teams/rules.ts';
import type * as contract from './contract.ts';
import { teamMembers, teamMemberId } from '../../core/rows/teams.ts';

export const listTeamMembers: Handler<typeof contract.listTeamMembers> = async (
  context,
  { params, query },
) => {
  const { tx, organization, caller, role } = context;
  const team = await requireTeam(context, params.teamId, 'view');
  return listPage(tx, { table: teamMembers, index: 'byTeam', equals: [team.id] }, query, async (row) => ({
    organization: await shapeMember(context, await requireMember(tx, organization.id, row.user)),
    team: { role: row.role },
    // The same permissions as in `members get`.
    permissions: { view: can(role, 'read') || row.user === caller.user.id },
  }));
};

export const updateTeamMembers: Handler<typeof contract.updateTeamMembers> = async (
  context,
  { params, body },
) => {
  const { tx, organization, now } = context;
  const team = await requireTeam(context, params.teamId, 'admin');
  const removed = new Set<string>();
  for (const person of body.remove ?? []) {
    const { user } = await findMember(tx, organization.id, person);
    const place = await tx.get(teamMembers, teamMemberId(team.id, user));
    if (place !== undefined) await leaveTeam(tx, place);
    removed.add(user);
  }
  for (const person of body.add ?? []) {
    const member = await findMember(tx, organization.id, person);
    if (removed.has(member.user)) throw invalid('/body/add', `${person} is both in "add" and in "remove".`);
    if ((await tx.get(teamMembers, teamMemberId(team.id, member.user))) === undefined)
      await joinTeam(tx, now, team.id, member, 'member');
  }
  for (const [user, { role }] of Object.entries(body.memberships ?? {})) {
    if (removed.has(user))
      throw invalid('/body/memberships', `${user} is both in "memberships" and in "remove".`);
    await joinTeam(tx, now, team.id, await requireMember(tx, organization.id, user), role);
  }
};

export const addTeamMember: Handler<typeof contract.addTeamMember> = async (context, { params, body }) => {
  const { tx, organization, now } = context;
  const team = await requireTeam(context, params.teamId, 'admin');
  const member = await requireMember(tx, organization.id, params.userId);
  const place = await tx.get(teamMembers, teamMemberId(team.id, member.user));
  await joinTeam(tx, now, team.id, member, body.role ?? place?.role ?? 'member');
};

export const deleteTeamMember: Handler<typeof contract.deleteTeamMember> = async (context, { params }) => {
  const team = await requireTeam(context, params.teamId, 'admin');
  const place = await context.tx.get(teamMembers, teamMemberId(team.id, params.userId));
  if (place === undefined)
    throw new Problem('not-found', `There is no member "${params.userId}" in the team "${team.title}".`, {
      hint: `To see its members, run \`docsctl teams members list ${team.id}\`.`,
    });
  await leaveTeam(context.tx, place);
};
