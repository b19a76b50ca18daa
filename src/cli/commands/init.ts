import { defined } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import type { DefineCommand } from '../composite-command.ts';
import type { Session } from '../session.ts';
import { storeUrlOf } from '../settings.ts';
import type { CommandHelp } from '../command-help.ts';

interface Options {
  readonly orgTitle?: string;
  readonly email?: string;
  readonly displayName?: string;
}

export const help: CommandHelp = {
  examples: [
    'docsctl init',
    'docsctl init --store sqlite:docs.db --org-title Acme --email ana@acme.test -o json',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .option('--org-title <title>', 'title of the first organization')
    .option('--email <email>', 'email of its administrator')
    .option('--display-name <name>', 'name of its administrator')
    .action(inSession(initialize));
};

async function initialize(session: Session, { orgTitle, email, displayName }: Options): Promise<void> {
  const { runtime, settings, format, flags } = session;
  if (settings.server !== undefined)
    throw new Problem(
      'usage',
      'init makes an embedded store; a server is started on one with `docsctl serve`.',
      { hint: 'Use `docsctl orgs create` for another organization on a server.' },
    );
  const store = storeUrlOf(runtime, settings);
  const title =
    orgTitle ??
    (await askFor(session, '--org-title', 'Title of the organization:', (text) =>
      text.trim().length >= 2 ? true : 'At least two characters.',
    ));
  const address =
    email ??
    (await askFor(session, '--email', 'Your email:', (text) =>
      /^\S+@\S+\.\S+$/.test(text) ? true : 'An email address, please.',
    ));
  const founder = { title, email: address, ...defined({ displayName }) };
  const organizations = await import('../../resources/organizations/initialize.ts');
  // Checks everything first: else an empty store would be left behind, or a token that nobody saw.
  organizations.checkFounder(founder);
  const isTable = format === 'table';
  const printer = await session.printer({
    fields: isTable ? ['organization', 'title', 'administrator', 'token'] : ['organization', 'user', 'token'],
  });
  if (flags.dryRun === true) return session.note(`Dry run: ${store} was not made.`);
  const { openCore } = await runtime.wiring();
  const core = await openCore(runtime, store, { create: true });
  try {
    const made = await organizations.initializeStore(core, founder);
    await printer.one(isTable ? summarizeOrganization(made) : made);
    await printer.end();
    const once =
      format === 'none'
        ? 'The token was not shown; `docsctl tokens create` makes another'
        : 'The token is shown this once';
    session.note(`Made ${core.store.url}. ${once}; commands on the store itself need none.`);
  } finally {
    await core.store.close();
  }
}

/** The parts of a new organization that a table shows. */
export function summarizeOrganization({
  organization,
  user,
  token,
}: {
  readonly organization: { readonly id: string; readonly title: string };
  readonly user: { readonly email?: string | undefined };
  readonly token: string;
}) {
  return { organization: organization.id, title: organization.title, administrator: user.email, token };
}

async function askFor(
  session: Session,
  flag: string,
  question: string,
  check: (text: string) => true | string,
): Promise<string> {
  if (!session.terminal.stdinIsTTY || !session.terminal.stderrIsTTY)
    throw new Problem('usage', `init needs ${flag} when nobody can be asked.`, {
      hint: 'docsctl init --org-title TITLE --email EMAIL',
    });
  const { askText } = await import('../prompts.ts');
  return askText(session, question, check);
}
