import { defined } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { provision } from '../../../resources/organizations/contract.ts';
import { me } from '../../../resources/users/contract.ts';
import type { DefineCommand } from '../../composite-command.ts';
import type { Session } from '../../session.ts';
import { summarizeOrganization } from '../init.ts';
import type { CommandHelp } from '../../command-help.ts';

interface Options {
  readonly title?: string;
  readonly email?: string;
  readonly displayName?: string;
}

export const help: CommandHelp = {
  examples: ['docsctl orgs create --title Acme --email ana@acme.test -o json'],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .option('--title <title>', 'title of the organization')
    .option('--email <email>', 'email of its administrator; yours when left out')
    .option('--display-name <name>', 'name of its administrator')
    .action(inSession(createOrganization));
};

async function createOrganization(session: Session, { title, email, displayName }: Options): Promise<void> {
  if (title === undefined) throw new Problem('usage', 'An organization needs a --title.');
  const address = email ?? (await session.call(me, {})).email ?? '';
  const body = { title, email: address, ...defined({ displayName }) };
  const printer = await session.printer();
  const isDryRun = session.flags.dryRun === true;
  if (isDryRun) await printer.one({ method: 'POST', path: '/v1/provision', body });
  else {
    const made = await session.call(provision, { body });
    await printer.one(session.format === 'table' ? summarizeOrganization(made) : made);
  }
  await printer.end();
  session.note(isDryRun ? 'Dry run: nothing was sent.' : 'The token is shown this once.');
}
