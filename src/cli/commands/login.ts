import type { Api } from '../../contract/api.ts';
import type { OutputOf } from '../../contract/operation.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { me } from '../../resources/users/contract.ts';
import type { Session } from '../session.ts';
import { saveProfile } from '../settings-file.ts';
import { timeoutOf, type Timeout } from '../wait.ts';
import type { DefineCommand } from '../composite-command.ts';
import type { CommandHelp } from '../command-help.ts';

export const help: CommandHelp = {
  description: `
The token is read from --token-file, DOCSCTL_TOKEN or the terminal, never from an argument.
`,
  examples: [
    'docsctl login --server https://docs.example.com',
    'docsctl login --store sqlite:docs.db --name local',
    'docsctl login --server https://docs.example.com --token-file - < token.txt',
    'docsctl login --sso https://docs.example.com/saml/saml_01J…/start',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .option('--name <profile>', 'name of the profile', undefined)
    .option('--sso <start-url|id>', 'sign in in a browser, by the start URL or the id of a SAML provider')
    .option('--timeout <seconds>', 'with --sso: wait no longer than this; 300, or 30 without a terminal')
    .action(inSession(login));
};

async function login(
  session: Session,
  options: { name?: string; sso?: string; timeout?: string },
): Promise<void> {
  const { settings, runtime, flags } = session;
  const name = options.name ?? flags.profile ?? 'default';
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new Problem('usage', `A profile name has letters, digits, dots and dashes; not "${name}".`);
  const { sso, timeout } = options;
  if (sso !== undefined) return loginBySso(session, name, { sso, timeout });
  if (timeout !== undefined)
    throw new Problem('usage', '--timeout goes with --sso; nothing else is waited for.');
  const { server, store } = settings;
  const org = settings.org?.value;
  if (server === undefined) {
    if (store === undefined)
      throw new Problem('usage', 'Log in to what?', {
        hint: 'Give --server URL, or --store URL for an embedded store.',
      });
    saveProfile(session, name, { org, store: store.value });
    return session.note(`Profile "${name}" uses ${store.value}.`);
  }
  const token = settings.token?.value ?? (await askToken(session));
  const { connectApi } = await runtime.wiring();
  const api = await connectApi(runtime, { server, token: { value: token, from: 'login' } }, session.note);
  const user = await ownerOf(api, settings.token?.from);
  saveProfile(session, name, { org, server: server.value, token });
  session.note(`Logged in to ${server.value} as ${user.email ?? user.displayName}; profile "${name}".`);
}

/** The user whose token it is. */
async function ownerOf(api: Api, from: string | undefined): Promise<OutputOf<typeof me>> {
  try {
    return await api.call(me, {});
  } catch (error) {
    if (!isProblem(error, 'unauthenticated')) throw error;
    throw new Problem('unauthenticated', error.message, {
      hint: `Check the token${from === undefined ? '' : ` (from ${from})`}; who administers the server makes one with \`docsctl tokens create\`.`,
      requestId: error.requestId,
    });
  } finally {
    await api.close();
  }
}

/** Signs in through a browser. The token is valid for one organization, so the profile names it. */
async function loginBySso(
  session: Session,
  name: string,
  { sso, timeout }: { readonly sso: string; readonly timeout: string | undefined },
): Promise<void> {
  const { signInByBrowser } = await import('../../client/browser-login.ts');
  const { signal, randomBytes } = session.runtime;
  const { server, token, organization } = await signInByBrowser({
    ...readStartUrl(sso, session.settings.server?.value),
    timeout: signInTimeout(session, timeout),
    signal,
    randomBytes,
    note: session.note,
  });
  saveProfile(session, name, { org: organization, server, token });
  session.note(`Logged in to ${server}, organization ${organization}; profile "${name}".`);
}

/** Reads --sso: the start URL of a SAML provider, or its id where the server is known. */
export function readStartUrl(
  text: string,
  server: string | undefined,
): { readonly server: string; readonly startURL: string } {
  const [, base] = /^(https?:\/\/[^?#]+?)\/saml\/[\w-]{1,255}\/start$/.exec(text) ?? [];
  if (base !== undefined) return { server: base, startURL: text };
  if (!/^[\w-]{1,255}$/.test(text))
    throw new Problem('usage', '--sso takes the start URL of a provider, or its id.', {
      hint: '`docsctl sso list` shows both to members; ask one, or an administrator.',
    });
  if (server === undefined)
    throw new Problem('usage', 'Log in to what?', {
      hint: 'Give --server URL, or the whole start URL of the provider.',
    });
  return { server, startURL: `${server.replace(/\/+$/, '')}/saml/${text}/start` };
}

/** Seconds to sign in: what a server gives a person at least; without a terminal, enough for a program. */
const defaultSeconds = { attended: 300, unattended: 30 };

/** How long to wait for a sign-in: --timeout, or a default that depends on whether there is a terminal. */
export function signInTimeout(
  { terminal, note }: Pick<Session, 'terminal' | 'note'>,
  timeout: string | undefined,
): Timeout {
  const isAttended = terminal.stdinIsTTY || terminal.stderrIsTTY;
  if (timeout === undefined && !isAttended)
    note(
      `There is no terminal, so this waits ${defaultSeconds.unattended} s only; --timeout SECONDS says otherwise.`,
    );
  return timeoutOf(timeout ?? String(isAttended ? defaultSeconds.attended : defaultSeconds.unattended));
}

async function askToken(session: Session): Promise<string> {
  if (!session.terminal.stdinIsTTY)
    throw new Problem('usage', 'There is no token.', {
      hint: 'Give --token-file FILE (- for standard input) or set DOCSCTL_TOKEN.',
    });
  const { askSecret } = await import('../prompts.ts');
  return (await askSecret(session, 'API token:')).trim();
}
