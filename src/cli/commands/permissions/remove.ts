import { plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { requiredArgument, type CompositeCommand } from '../../composite-command.ts';
import { confirm } from '../../confirm/confirm.ts';
import { collect } from '../../input/collect.ts';
import { resolveName } from '../../names/names.ts';
import type { Session } from '../../session/session.ts';
import { shellWord } from '../../../contract/shell-word.ts';
import {
  describeNames,
  exampleNames,
  openPermissions,
  readPermissions,
  type PermissionNoun,
} from './permission-target.ts';

interface RemoveOptions {
  readonly users?: readonly string[];
  readonly teams?: readonly string[];
}

/** Returns the command that removes permissions on spaces, collections or sites. */
export function removePermissionsOf(noun: PermissionNoun): Awaited<ReturnType<CompositeCommand['load']>> {
  const name = exampleNames[noun];
  const words = `${noun}s`;
  return {
    help: {
      description: `
Removes the roles that members and teams were given on the ${noun} with
\`docsctl ${words} permissions set\`. Give --users, --teams or both. Afterwards, a member has the role that was given to
one of their teams, or else an inherited role. If one of the given members or teams has no such role, the command fails
and removes nothing. Requires the admin role.
`,
      examples: [
        `docsctl ${words} permissions remove ${name} --users cara@example.com --yes`,
        `docsctl ${words} permissions remove ${name} --users cara@example.com --teams Support --yes`,
      ],
    },
    define: (command, inSession) => {
      command
        .addArgument(requiredArgument(`[${noun}]`, describeNames(noun)))
        .option('--users <member...>', 'members, by email, name or ID', collect)
        .option('--teams <team...>', 'teams, by title or ID', collect)
        .action(
          inSession((session, given: string | undefined, options: RemoveOptions) =>
            remove(session, noun, given, options),
          ),
        );
    },
  };
}

async function remove(
  session: Session,
  noun: PermissionNoun,
  given: string | undefined,
  { users = [], teams = [] }: RemoveOptions,
): Promise<void> {
  const words = `${noun}s`;
  const hint = `Run \`docsctl ${words} permissions remove ${noun.toUpperCase()} --users MEMBER --teams TEAM\`.`;
  const target = await openPermissions(session, noun, given, hint);
  const { contract, organizationId, params } = target;
  if (users.length + teams.length === 0)
    throw new Problem('usage', 'Neither --users nor --teams is given.', { hint });
  const chosen = new Map<string, string>();
  for (const user of users) chosen.set(await resolveName(session, 'userId', user, { organizationId }), user);
  for (const team of teams) chosen.set(await resolveName(session, 'teamId', team, { organizationId }), team);
  const existing = new Map((await readPermissions(session, target)).map((one) => [one.id, one]));
  const missing = [...chosen].find(([id]) => !existing.has(id));
  if (missing !== undefined)
    throw new Problem('not-found', `"${missing[1]}" was not given a role on the ${noun} "${given}".`, {
      hint: `List the roles: \`docsctl ${words} permissions list ${shellWord(given ?? '')}\``,
    });
  const count = plural(chosen.size, 'permission');
  if (session.flags.dryRun === true) return session.note(`Dry run: ${count} would be removed.`);
  await confirm(session, {
    verb: 'remove',
    noun: 'permissions',
    object: `the permissions on ${given} of`,
    names: [...chosen.values()],
  });
  for (const id of chosen.keys())
    if (existing.get(id)?.type === 'team')
      await session.call(contract.removeTeamPermission, { params: { ...params, teamId: id } });
    else await session.call(contract.removeUserPermission, { params: { ...params, userId: id } });
  session.note(`Removed ${count}.`);
}
