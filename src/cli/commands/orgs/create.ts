import type { Command } from 'commander';
import { me } from '../../../resources/users/contract.ts';
import { provision } from '../../../resources/organizations/contract.ts';
import { brief } from '../init.ts';
import { Problem } from '../../../errors/problem.ts';
import type { Session } from '../../session.ts';
import type { RunInSession } from '../../composite-command.ts';

interface Options {
  readonly title?: string;
  readonly email?: string;
  readonly displayName?: string;
}

export function define(command: Command, run: RunInSession): void {
  command
    .option('--title <title>', 'title of the organization')
    .option('--email <email>', 'email of its administrator; yours when left out')
    .option('--display-name <name>', 'name of its administrator')
    .addHelpText('after', '\nExamples:\n  docsctl orgs create --title Acme --email ana@acme.test -o json\n')
    .action(() => run((session) => create(session, command.opts())));
}

async function create(session: Session, options: Options): Promise<void> {
  if (options.title === undefined) throw new Problem('usage', 'An organization needs a --title.');
  const api = await session.api();
  const email = options.email ?? (await api.call(me, {})).email ?? '';
  const body = {
    title: options.title,
    email,
    ...(options.displayName === undefined ? {} : { displayName: options.displayName }),
  };
  const printer = await session.printer();
  if (session.flags.dryRun === true) {
    await printer.one({ method: 'POST', path: '/v1/provision', body });
    await printer.end();
    session.note('Dry run: nothing was sent.');
    return;
  }
  const made = await api.call(provision, { body }, { signal: session.runtime.signal });
  await printer.one(session.format === 'table' ? brief(made) : made);
  await printer.end();
  session.note('The token is shown this once.');
}
