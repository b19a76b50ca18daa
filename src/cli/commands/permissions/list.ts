import { requiredArgument, type CompositeCommand } from '../../composite-command.ts';
import { wantsTable, type Session } from '../../session/session.ts';
import {
  describeNames,
  exampleNames,
  openPermissions,
  readPermissions,
  type PermissionNoun,
} from './permission-target.ts';

const columns = ['type', 'name', 'email', 'permission', 'id'];

/** Returns the command that lists the permissions of spaces, collections or sites. */
export function listPermissionsOf(noun: PermissionNoun): Awaited<ReturnType<CompositeCommand['load']>> {
  const name = exampleNames[noun];
  const words = `${noun}s`;
  return {
    help: {
      columns,
      description: `
Lists the teams, then the members, that were given a role on the ${noun}. Inherited roles are not listed. To see
everyone who can open the ${noun}, and why, use \`docsctl ${words} permissions effective\`. In a table, the permission \`none\` (null in \`-o json\`) means no access. Requires the admin role.
`,
      examples: [
        `docsctl ${words} permissions list ${name}`,
        `docsctl ${words} permissions list ${name} -o csv`,
      ],
    },
    define: (command, inSession) => {
      command
        .addArgument(requiredArgument(`[${noun}]`, describeNames(noun)))
        .action(inSession((session, given?: string) => list(session, noun, given)));
    },
  };
}

async function list(session: Session, noun: PermissionNoun, given: string | undefined): Promise<void> {
  const words = `${noun}s`;
  const hint = `Give it as an argument: \`docsctl ${words} permissions list ${noun.toUpperCase()}\`.`;
  const rows = await readPermissions(session, await openPermissions(session, noun, given, hint));
  const shown = wantsTable(session)
    ? rows.map((row) => ({ ...row, permission: row.permission ?? 'none' }))
    : rows;
  await session.printAll(shown, {
    noun: 'permissions',
    columns,
  });
}
