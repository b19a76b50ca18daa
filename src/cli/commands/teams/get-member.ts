import { listTeamMembers } from '../../../resources/team-members/contract.ts';
import { Problem } from '../../../errors/problem.ts';
import {
  requiredArgument,
  requiredOption,
  type CommandHelp,
  type DefineCommand,
} from '../../composite-command.ts';
import { resolveArguments, resolveName } from '../../names/names.ts';
import { printListed } from '../../results/print-listed.ts';
import type { ItemOf } from '../../../contract/operation.ts';
import type { Session } from '../../session/session.ts';
import { areSeveral, severalNotes } from '../../input/positionals.ts';

export const help: CommandHelp = {
  description: `
Shows a member of a team with the same fields as \`docsctl members get\`, and the role in the team as team.role. To
see the member without the team, use \`docsctl members get\`.
`,
  examples: ['docsctl teams members get ben@example.com --team Writers'],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(requiredArgument('[member...]', `email, name or ID of the member${severalNotes.resources}`))
    .addOption(requiredOption('--team <team>', 'title or ID of the team'))
    .action(inSession(showMembers));
};

async function showMembers(
  session: Session,
  names: readonly string[],
  { team }: { team?: string },
): Promise<void> {
  const hint = 'Give both: `docsctl teams members get MEMBER --team TEAM`.';
  if (team === undefined) throw new Problem('usage', 'No team is given.', { hint });
  const targets = await resolveArguments(session, 'userId', names, 'No member is given.', hint);
  const organizationId = targets[0]?.organizationId ?? '';
  const teamId = await resolveName(session, 'teamId', team, { organizationId });
  await printListed(session, listTeamMembers, {
    params: { organizationId, teamId },
    ids: targets.map(({ userId }) => userId),
    isList: areSeveral(names),
    idPath: 'organization.id',
    word: 'team member',
    record: (item) => {
      const { organization, team: inTeam } = item as ItemOf<typeof listTeamMembers>;
      return { ...organization, team: inTeam };
    },
  });
}
