import type { Command } from 'commander';
import { Problem } from '../../errors/problem.ts';
import { storeUrlOf } from '../settings.ts';
import type { Session } from '../session.ts';
import type { RunInSession } from '../composite-command.ts';

export function define(command: Command, run: RunInSession): void {
  command
    .option('--org-title <title>', 'title of the first organization')
    .option('--email <email>', 'email of its administrator')
    .option('--display-name <name>', 'name of its administrator')
    .addHelpText(
      'after',
      '\nExamples:\n  docsctl init\n  docsctl init --store sqlite:docs.db --org-title Acme --email ana@acme.test -o json\n',
    )
    .action(() => run((session) => init(session, command.opts())));
}

interface Options {
  readonly orgTitle?: string;
  readonly email?: string;
  readonly displayName?: string;
}

async function init(session: Session, options: Options): Promise<void> {
  if (session.settings.server !== undefined)
    throw new Problem(
      'usage',
      'init makes an embedded store; a server is started on one with `docsctl serve`.',
      {
        hint: 'Use `docsctl orgs create` for another organization on a server.',
      },
    );
  const store = storeUrlOf(session.runtime, session.settings);
  const title = await need(
    session,
    options.orgTitle,
    '--org-title',
    'Title of the organization:',
    (text) => text.trim().length >= 2 || 'At least two characters.',
  );
  const email = await need(
    session,
    options.email,
    '--email',
    'Your email:',
    (text) => /^\S+@\S+\.\S+$/.test(text) || 'An email address, please.',
  );
  const founder = {
    title,
    email,
    ...(options.displayName === undefined ? {} : { displayName: options.displayName }),
  };
  const { checkFounder, initialize } = await import('../../resources/organizations/initialize.ts');
  // What can be refused is refused here: else an empty store would be left behind, or a token that nobody saw.
  checkFounder(founder);
  const printer = await session.printer({
    fields:
      session.format === 'table'
        ? ['organization', 'title', 'administrator', 'token']
        : ['organization', 'user', 'token'],
  });
  if (session.flags.dryRun === true) return session.note(`Dry run: ${store} was not made.`);
  const { openCore } = await session.runtime.wiring();
  const core = await openCore(session.runtime, store, { create: true });
  try {
    const made = await initialize(core, founder);
    await printer.one(session.format === 'table' ? brief(made) : made);
    await printer.end();
    const once =
      session.format === 'none'
        ? 'The token was not shown; `docsctl tokens create` makes another'
        : 'The token is shown this once';
    session.note(`Made ${core.store.url}. ${once}; commands on the store itself need none.`);
  } finally {
    await core.store.close();
  }
}

/** What a person wants to see of a new organization. */
export function brief({
  organization,
  user,
  token,
}: {
  organization: { id: string; title: string };
  user: { email?: string | undefined };
  token: string;
}) {
  return { organization: organization.id, title: organization.title, administrator: user.email, token };
}

async function need(
  session: Session,
  given: string | undefined,
  flag: string,
  question: string,
  check: (text: string) => true | string,
): Promise<string> {
  if (given !== undefined) return given;
  if (!session.terminal.stdinIsTTY || !session.terminal.stderrIsTTY)
    throw new Problem('usage', `init needs ${flag} when nobody can be asked.`, {
      hint: 'docsctl init --org-title TITLE --email EMAIL',
    });
  const { askText } = await import('../prompts.ts');
  return askText(session, question, check);
}
