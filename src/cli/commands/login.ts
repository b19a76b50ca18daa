import type { Command } from 'commander';
import type { Api } from '../../contract/api.ts';
import type { OutputOf } from '../../contract/operation.ts';
import { Problem } from '../../errors/problem.ts';
import { me } from '../../resources/users/contract.ts';
import type { Session } from '../session.ts';
import { changeSettings } from '../settings-file.ts';
import type { RunIn } from '../composite-command.ts';

export function define(command: Command, run: RunIn): void {
  command
    .option('--name <profile>', 'name of the profile', undefined)
    .option('--sso <start-url|id>', 'sign in in a browser, by the start URL or the id of a SAML provider')
    .option('--timeout <seconds>', 'with --sso: wait no longer than this; 300, or 30 without a terminal')
    .addHelpText(
      'after',
      '\nThe token is read from --token-file, DOCSCTL_TOKEN or the terminal, never from an argument.\n\nExamples:\n  docsctl login --server https://docs.example.com\n  docsctl login --store sqlite:docs.db --name local\n  docsctl login --server https://docs.example.com --token-file - < token.txt\n  docsctl login --sso https://docs.example.com/saml/saml_01J…/start\n',
    )
    .action(() => run((session) => login(session, command.opts())));
}

async function login(
  session: Session,
  options: { name?: string; sso?: string; timeout?: string },
): Promise<void> {
  const { settings, runtime, flags } = session;
  const name = options.name ?? flags.profile ?? 'default';
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new Problem('usage', `A profile name has letters, digits, dots and dashes; not "${name}".`);
  if (options.sso !== undefined) return loginBySso(session, name, options.sso, options.timeout);
  if (options.timeout !== undefined)
    throw new Problem('usage', '--timeout goes with --sso; nothing else is waited for.');
  if (settings.server === undefined && settings.store === undefined)
    throw new Problem('usage', 'Log in to what?', {
      hint: 'Give --server URL, or --store URL for an embedded store.',
    });
  const saved = settings.org === undefined ? {} : { org: settings.org.value };
  if (settings.server === undefined) {
    changeSettings(runtime, (file) => {
      file.profiles[name] = { ...saved, store: settings.store!.value };
      file.current = name;
    });
    session.note(`Profile "${name}" uses ${settings.store!.value}.`);
    return;
  }
  const token = settings.token?.value ?? (await askToken(session));
  const { connectApi } = await runtime.wiring();
  const api = await connectApi(
    runtime,
    { server: settings.server, token: { value: token, from: 'login' } },
    session.note,
  );
  const user = await whoHas(api, settings.token?.from);
  changeSettings(runtime, (file) => {
    file.profiles[name] = { ...saved, server: settings.server!.value, token };
    file.current = name;
  });
  session.note(
    `Logged in to ${settings.server.value} as ${user.email ?? user.displayName}; profile "${name}".`,
  );
}

/** Whose token it is. */
async function whoHas(api: Api, from: string | undefined): Promise<OutputOf<typeof me>> {
  try {
    return await api.call(me, {});
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'unauthenticated') throw error;
    throw new Problem('unauthenticated', error.message, {
      hint: `Check the token${from === undefined ? '' : ` (from ${from})`}; who administers the server makes one with \`docsctl tokens create\`.`,
      requestId: error.requestId,
    });
  } finally {
    await api.close();
  }
}

/** The token is good for one organization, so the profile names it. */
async function loginBySso(
  session: Session,
  name: string,
  sso: string,
  timeout: string | undefined,
): Promise<void> {
  const { readStart, signInByBrowser, signInPatience } = await import('../sso-login.ts');
  const { server, token, organization } = await signInByBrowser(
    session,
    readStart(sso, session.settings.server?.value),
    signInPatience(session, timeout),
  );
  changeSettings(session.runtime, (file) => {
    file.profiles[name] = { org: organization, server, token };
    file.current = name;
  });
  session.note(`Logged in to ${server}, organization ${organization}; profile "${name}".`);
}

async function askToken(session: Session): Promise<string> {
  if (!session.terminal.stdinIsTTY)
    throw new Problem('usage', 'There is no token.', {
      hint: 'Give --token-file FILE (- for standard input) or set DOCSCTL_TOKEN.',
    });
  const { askSecret } = await import('../prompts.ts');
  return (await askSecret(session, 'API token:')).trim();
}
