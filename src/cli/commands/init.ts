import { hasFormat } from '../../contract/check.ts';
import { defined } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { provision } from '../../resources/organizations/contract.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';
import { noteSecrets } from '../results/secret-notes.ts';
import { canAsk, type Session } from '../session/session.ts';
import { storeUrlOf } from '../settings/settings.ts';

interface Options {
  readonly orgTitle?: string;
  readonly email?: string;
  readonly displayName?: string;
}

export const help: CommandHelp = {
  description: `
Creates an embedded store with its first organization, an administrator and an API token. If no option, variable or profile names a store, the store is a SQLite file in your data folder (~/.local/share/docsctl). On a terminal, asks for what is missing.

The token is shown only once. Commands that use the store without a server need no token: whoever can write the file is its administrator. Clients of \`docsctl serve\` need a token.

An existing store is never changed.
`,
  examples: [
    'docsctl init --store sqlite:new.db --org-title Acme --email ana@example.com',
    'docsctl init --store json:new.json --org-title Acme --email ana@example.com -o json',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .option('--org-title <title>', 'title of the first organization, at least 2 characters')
    .option('--email <email>', 'email address of its administrator')
    .option('--display-name <name>', 'name of its administrator (default: the part of the email before @)')
    .action(inSession(initialize));
};

async function initialize(session: Session, { orgTitle, email, displayName }: Options): Promise<void> {
  const { runtime, settings, format, flags } = session;
  if (settings.server !== undefined)
    throw new Problem('usage', 'init creates an embedded store and cannot run on a server.', {
      hint: 'Create another organization on the server with `docsctl orgs create --title TITLE --email EMAIL`.',
    });
  const store = storeUrlOf(runtime, settings);
  if (store === 'memory:')
    throw new Problem('usage', 'A store in memory would be lost when init ends.', {
      hint: 'Choose a file, for example with --store sqlite:docs.db.',
    });
  const title =
    orgTitle ??
    (await askFor(session, '--org-title', 'Title of the organization:', (text) =>
      text.trim().length >= 2 ? true : 'Give at least two characters.',
    ));
  checkValue('--org-title', title, title.length >= 2, 'must have at least 2 characters', 'Acme');
  const address =
    email ??
    (await askFor(session, '--email', 'Your email address:', (text) =>
      /^\S+@\S+\.\S+$/.test(text) ? true : 'Give an email address, such as ana@example.com.',
    ));
  checkValue('--email', address, hasFormat(address, 'email'), 'is not an email address', 'ana@example.com');
  const founder = { title, email: address, ...defined({ displayName }) };
  const organizations = await import('../../resources/organizations/initialize.ts');
  // Everything is checked first. Otherwise a failure could leave an empty store, or a token that was not shown.
  await session.check(provision, { body: founder });
  const isTable = format === 'table';
  const printer = await session.printer({
    fields: isTable ? ['organization', 'title', 'administrator', 'token'] : ['organization', 'user', 'token'],
  });
  if (flags.dryRun === true) return session.note(`Dry run: ${store} was not created.`);
  const { openCore } = await runtime.wiring();
  const core = await openCore(runtime, store, { create: true });
  try {
    const made = await organizations.initializeStore(core, founder);
    const printed = isTable ? summarizeOrganization(made) : made;
    await printer.one(printed);
    session.note(`Created ${core.store.url}. Commands that use the store without a server need no token.`);
    await noteSecrets(session, provision, [printed]);
  } finally {
    await core.store.close();
  }
}

/** Checks a value, so that the error names its option. @throws Problem(invalid-input) */
function checkValue(flag: string, value: string, isValid: boolean, fault: string, example: string): void {
  if (isValid) return;
  throw new Problem('invalid-input', `${flag} "${value}" ${fault}.`, {
    hint: `Give a value such as \`${flag} ${example}\`. To see the options, run \`docsctl init --help\`.`,
  });
}

/** Returns the parts of a new organization for a table. */
export function summarizeOrganization({
  organization,
  user,
  token,
}: {
  organization: { id: string; title: string };
  user: { email?: string };
  token: string;
}) {
  return { organization: organization.id, title: organization.title, administrator: user.email, token };
}

async function askFor(
  session: Session,
  flag: string,
  question: string,
  check: (text: string) => true | string,
): Promise<string> {
  if (!canAsk(session))
    throw new Problem('usage', `init needs ${flag}.`, {
      hint: 'Run `docsctl init --org-title TITLE --email EMAIL`, or run it on a terminal to be asked.',
    });
  const { askText } = await import('../prompts.ts');
  return askText(session, question, check);
}
