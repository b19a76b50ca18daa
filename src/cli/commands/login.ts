import { shellWord } from '../../contract/shell-word.ts';
import { join, resolve } from 'node:path';
import type { BrowserLoginOptions } from '../../client/browser-login.ts';
import type { Api } from '../../contract/api.ts';
import type { OutputOf } from '../../contract/operation.ts';
import { defined, listSome } from '../../contract/values.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { listOrganizations } from '../../resources/organizations/contract.ts';
import { me } from '../../resources/users/contract.ts';
import { printOutcome, type Session } from '../session/session.ts';
import { openOutgoing } from '../session/open-outgoing.ts';
import { readSettingsFile, resolveSettings, settingsFolder } from '../settings/settings.ts';
import { saveProfile } from '../settings/settings-file.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';
import type { Setting } from '../runtime.ts';

export const help: CommandHelp = {
  description: `
A profile keeps a server with its token, or a store, so that later commands need no options. From then on, commands
use the new profile, unless an option or a variable names a store, server or profile, or a .docsctl.yaml names a profile. Only you can read the
file of profiles. If you log in again to the server or store of a profile, the other settings of the profile are kept.

The token is read from --token-file, DOCSCTL_TOKEN, DOCSCTL_TOKEN_FILE or the terminal, never from an argument. An
administrator creates tokens with \`docsctl tokens create\`. With --sso, you sign in with your identity provider in a
browser instead; --timeout limits the wait (default: 300 seconds on a terminal, else 30).

Log in to a server with a token in a file, or with an identity provider:
  docsctl login --server https://docs.example.com --token-file token.txt
  docsctl login --sso https://docs.example.com/saml/PROVIDER/start
`,
  examples: [
    'docsctl login --store sqlite:docs.db --name local',
    'docsctl login --store sqlite:docs.db --org Acme --name acme',
  ],
  noDryRun: 'To see the profiles, run `docsctl profiles list`.',
};

export const define: DefineCommand = (command, inSession) => {
  command
    .option(
      '--name <profile>',
      'name of the profile to save (default: the profile in use if it has this server or store, else "default")',
    )
    .option(
      '--sso <provider>',
      'sign in with a SAML provider: its start URL, or its ID together with --server',
    )
    .action(inSession(login));
};

async function login(session: Session, options: { name?: string; sso?: string }): Promise<void> {
  const { settings, flags, runtime } = session;
  const { server, store } = settings;
  const inUse = settings.profile?.value ?? 'default';
  const saved = readSettingsFile(runtime).profiles?.[inUse];
  const isOther = saved !== undefined && (saved.server !== server?.value || saved.store !== store?.value);
  const name = options.name ?? flags.profile ?? (isOther ? 'default' : inUse);
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new Problem('invalid-input', `"${name}" cannot be the name of a profile.`, {
      hint: 'Use up to 64 letters, digits, dots, dashes and underscores.',
    });
  const { sso } = options;
  if (sso !== undefined) return loginBySso(session, name, sso);
  const org = settings.org?.value;
  if (server === undefined) {
    if (store === undefined)
      throw new Problem('usage', 'login needs a server or a store.', {
        hint: 'Add --server URL, or --store URL for an embedded store.',
      });
    saveProfile(session, name, { org, store: store.value });
    session.note(`Saved profile "${name}" for the store ${store.value}.`);
    noteOverride(session, name, store.value);
    return printOutcome(session, { profile: name, store: store.value }, 'profile');
  }
  const token = settings.token?.value ?? (await askToken(session, server));
  const { caFile } = settings;
  const connected = {
    server,
    token: { value: token, from: settings.token?.from ?? 'this login' },
    ...defined({ caFile }),
  };
  const { user, organizations } = await readOwner(await session.connect(connected));
  saveProfile(session, name, {
    org,
    server: server.value,
    token,
    caFile: caPath(session),
  });
  session.note(
    `Logged in to ${server.value} as ${user.email ?? user.displayName}. ${savedIn(session, name)}`,
  );
  noteOverride(session, name, server.value);
  if (org === undefined && organizations.length > 1)
    session.note(
      `You are a member of ${organizations.length} organizations: ${listSome(organizations)}. Choose the one that commands use with \`docsctl config set org NAME\`, or add --org to each command.`,
    );
  await printOutcome(session, { profile: name, server: server.value, user }, 'profile');
}

/** Returns the titles of the organizations of a token; none if the server does not list them. */
async function titlesOfOrganizations(api: Api): Promise<readonly string[]> {
  try {
    const { items } = await api.call(listOrganizations, { query: { limit: 1000 } });
    return items.map(({ title }) => title);
  } catch (error) {
    // The titles are only for a note, so an error must not fail the command.
    if (error instanceof Problem) return [];
    throw error;
  }
}

/** Returns the absolute path of --ca-file for a profile, because profiles are used in any folder. */
function caPath({ settings: { caFile }, runtime }: Session): string | undefined {
  return caFile && resolve(runtime.cwd, caFile.value);
}

/** Returns the user of a token, and the titles of the organizations that it is valid for. */
async function readOwner(api: Api): Promise<{ user: OutputOf<typeof me>; organizations: readonly string[] }> {
  try {
    const user = await api.call(me, {});
    return { user, organizations: await titlesOfOrganizations(api) };
  } catch (error) {
    if (!isProblem(error, 'unauthenticated')) throw error;
    throw error.withHint(
      'Check the token. An administrator creates one with `docsctl tokens create --role ROLE`.',
    );
  } finally {
    await api.close();
  }
}

/** Signs in through a browser. The token is valid for one organization, so the profile stores it. */
async function loginBySso(session: Session, name: string, sso: string): Promise<void> {
  const start = readStartUrl(sso, session.settings.server?.value);
  const [{ signInByBrowser }, { checkPlainHttp }, send] = await Promise.all([
    import('../../client/browser-login.ts'),
    import('../../client/connection.ts'),
    openOutgoing(session),
  ]);
  await checkPlainHttp({ value: start.server }, session.flags.allowHttp ?? false);
  const { signal, randomBytes } = session.runtime;
  const { server, token, organization } = await signInByBrowser({
    ...start,
    send,
    timeout: signInTimeout(session),
    signal,
    randomBytes,
    note: session.note,
  }).catch((error: unknown) => {
    if (!isProblem(error, 'not-found')) throw error;
    throw new Problem('not-found', `There is no SAML provider at ${start.startURL}.`, {
      hint: 'Give --sso the ID or the start URL of the provider, not its name. `docsctl sso list` shows both to members of the organization.',
      cause: error,
    });
  });
  saveProfile(session, name, { org: organization, server, token, caFile: caPath(session) });
  session.note(`Logged in to ${server}, organization ${organization}. ${savedIn(session, name)}`);
  noteOverride(session, name, server);
  await printOutcome(session, { profile: name, server, organization }, 'profile');
}

function savedIn({ runtime }: Session, name: string): string {
  const path = join(settingsFolder(runtime), 'config.json');
  return `Saved profile "${name}". Its token is in ${path}, which only you can read.`;
}

/** Notes that other settings override the server or store of a new profile for commands without options. */
function noteOverride({ runtime, note }: Session, name: string, place: string): void {
  const { profile, server, store } = resolveSettings(runtime, {}, true);
  const isOther = profile?.value !== name;
  const used = isOther ? profile : (server ?? store);
  if (used === undefined || (!isOther && used.value === place)) return;
  const what = isOther ? `profile "${used.value}"` : used === server ? 'server' : 'store';
  note(`warning: commands do not use this profile yet, because ${used.from} names another ${what}.`);
}

/** Parses --sso: the start URL of a SAML provider, or its ID if the server is known. */
export function readStartUrl(text: string, server: string | undefined): { server: string; startURL: string } {
  const [, base] = /^(https?:\/\/[^?#]+?)\/saml\/[\w-]{1,255}\/start$/.exec(text) ?? [];
  if (base !== undefined) return { server: base, startURL: text };
  if (!/^[\w-]{1,255}$/.test(text))
    throw new Problem(
      'invalid-input',
      `--sso takes the start URL of a SAML provider or its ID, not "${text}".`,
      { hint: 'Ask a member of the organization: `docsctl sso list` shows both.' },
    );
  if (server === undefined)
    throw new Problem('usage', '--sso with an ID needs a server.', {
      hint: 'Add --server URL, or give the whole start URL of the provider.',
    });
  return { server, startURL: `${server.replace(/\/+$/, '')}/saml/${text}/start` };
}

/** Default timeouts of a sign-in in seconds: for a person, and for a program without a terminal. */
const defaultSeconds = { attended: 300, unattended: 30 };

/** Returns how long to wait for a sign-in without --timeout, which limits the whole command. */
export function signInTimeout({
  terminal,
  flags,
  note,
}: Pick<Session, 'terminal' | 'flags' | 'note'>): BrowserLoginOptions['timeout'] {
  if (flags.timeout !== undefined)
    return { seconds: Number(flags.timeout), signal: () => new AbortController().signal };
  const isAttended = terminal.stdinIsTTY || terminal.stderrIsTTY;
  const seconds = isAttended ? defaultSeconds.attended : defaultSeconds.unattended;
  if (!isAttended)
    note(`There is no terminal, so docsctl waits only ${seconds} s. --timeout sets another limit.`);
  return { seconds, signal: () => AbortSignal.timeout(seconds * 1000) };
}

async function askToken(session: Session, { value: server, from }: Setting): Promise<string> {
  const { readServer } = await import('../../client/request.ts');
  readServer(server, from);
  if (!session.terminal.stdinIsTTY)
    throw new Problem('usage', 'login needs a token.', {
      hint: `Name a file that holds the token with \`docsctl login --server ${shellWord(server)} --token-file FILE\` (- reads standard input), or set DOCSCTL_TOKEN.`,
    });
  const { askSecret } = await import('../prompts.ts');
  return (await askSecret(session, 'API token:')).trim();
}
