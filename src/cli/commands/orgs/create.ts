import { defined } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { provision } from '../../../resources/organizations/contract.ts';
import { me } from '../../../resources/users/contract.ts';
import { requiredOption, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { printRequests } from '../../results/print-results.ts';
import { noteSecrets } from '../../results/secret-notes.ts';
import type { Session } from '../../session/session.ts';
import { summarizeOrganization } from '../init.ts';

interface Options {
  readonly title?: string;
  readonly email?: string;
  readonly displayName?: string;
}

export const help: CommandHelp = {
  description: `
Creates the organization, adds its administrator as a user if the email is new, and prints a token
for the organization. The token cannot be shown again.

On a server, you need a token for all organizations, such as the one that \`docsctl init\` printed. Only the operator of
the server can create an organization for someone else. For the first organization of a new store, use \`docsctl init\`.
`,
  examples: [
    'docsctl orgs create --title "Acme Europe" --email dan@example.com',
    'docsctl orgs create --title "Acme Europe" -o json --query token',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addOption(requiredOption('--title <text>', 'title of the organization, 2 to 255 characters'))
    .option('--email <email>', 'email address of its administrator (default: yours)')
    .option(
      '--display-name <text>',
      'name of its administrator, used if the email is new (default: the part of the email before @)',
    )
    .action(inSession(createOrganization));
};

async function createOrganization(session: Session, { title, email, displayName }: Options): Promise<void> {
  if (title === undefined)
    throw new Problem('usage', 'An organization needs a title: --title is missing.', {
      hint: 'Run `docsctl orgs create --title TITLE --email EMAIL`.',
    });
  const address = email ?? (await session.call(me, {})).email ?? '';
  const body = { title, email: address, ...defined({ displayName }) };
  if (session.flags.dryRun === true) return printRequests(session, provision, [{}], { body });
  const printer = await session.printer();
  const made = await session.call(provision, { body });
  const printed = session.format === 'table' ? summarizeOrganization(made) : made;
  await printer.one(printed);
  await noteSecrets(session, provision, [printed]);
}
