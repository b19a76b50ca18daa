import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { Problem } from '../errors/problem.ts';
import type { Runtime, Setting, SettingName, Settings } from './runtime.ts';

/** Flags that every command takes. */
export interface GlobalFlags {
  readonly store?: string;
  readonly server?: string;
  readonly tokenFile?: string;
  readonly org?: string;
  readonly profile?: string;
  readonly as?: string;
  readonly output?: string;
  readonly color?: string;
  readonly columns?: string;
  readonly sortBy?: string;
  readonly query?: string;
  readonly headers?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly debug?: boolean;
}

export interface Profile {
  readonly store?: string;
  readonly server?: string;
  readonly token?: string;
  readonly org?: string;
  readonly as?: string;
  readonly output?: string;
}

/** The settings file: profiles by name, and which one is used. */
export interface SettingsFile {
  readonly current?: string;
  readonly profiles?: Readonly<Record<string, Profile>>;
}

const variables: Record<SettingName, readonly string[]> = {
  store: ['DOCSCTL_STORE'],
  server: ['DOCSCTL_SERVER', 'GITBOOK_ENDPOINT'],
  token: ['DOCSCTL_TOKEN', 'GITBOOK_TOKEN'],
  org: ['DOCSCTL_ORG'],
  profile: ['DOCSCTL_PROFILE'],
  as: ['DOCSCTL_AS'],
  output: ['DOCSCTL_OUTPUT'],
  color: [],
};

export const settingNames = Object.keys(variables) as SettingName[];

/** Resolves every setting: flags beat variables beat the project file beat the profile. */
export function resolveSettings(runtime: Runtime, flags: GlobalFlags): Settings {
  const file = readSettingsFile(runtime);
  const project = readProjectFile(runtime.cwd);
  const found: Partial<Record<SettingName, Setting>> = {};
  const profileName =
    flags.profile ?? runtime.env['DOCSCTL_PROFILE'] ?? project?.values['profile'] ?? file.current;
  const profile = profileName === undefined ? undefined : file.profiles?.[profileName];
  if (
    profileName !== undefined &&
    profile === undefined &&
    (flags.profile ?? runtime.env['DOCSCTL_PROFILE'] ?? project?.values['profile']) !== undefined
  ) {
    throw new Problem('usage', `There is no profile "${profileName}".`, {
      hint: `\`docsctl profiles list\` shows those there are; \`docsctl login --profile ${profileName}\` makes one.`,
    });
  }
  for (const name of settingNames) {
    const flag = flags[name as keyof GlobalFlags];
    const variable = variables[name].find((key) => (runtime.env[key] ?? '') !== '');
    const inProfile = profile?.[name as keyof Profile];
    if (typeof flag === 'string') found[name] = { value: flag, from: `--${name}` };
    else if (variable !== undefined) found[name] = { value: runtime.env[variable]!, from: variable };
    else if (project?.values[name] !== undefined)
      found[name] = { value: project.values[name], from: project.path };
    else if (inProfile !== undefined) found[name] = { value: inProfile, from: `profile ${profileName}` };
  }
  if (found.profile === undefined && profileName !== undefined)
    found.profile = { value: profileName, from: 'settings file' };
  const tokenFile = flags.tokenFile ?? runtime.env['DOCSCTL_TOKEN_FILE'];
  if (
    tokenFile !== undefined &&
    (flags.tokenFile !== undefined || found.token?.from.startsWith('profile') !== false)
  ) {
    found.token = { value: readTokenFile(tokenFile), from: tokenFile === '-' ? 'standard input' : tokenFile };
  }
  return preferPlace(found, flags, runtime);
}

/** A store named closer to the command than a server wins over it, and the other way round. */
function preferPlace(
  found: Partial<Record<SettingName, Setting>>,
  flags: GlobalFlags,
  runtime: Runtime,
): Settings {
  if (flags.store !== undefined && flags.server !== undefined)
    throw new Problem('usage', 'Give either --store or --server, not both.');
  const { store, server } = found;
  if (store === undefined || server === undefined) return found;
  const nearness = (setting: Setting): number =>
    setting.from.startsWith('--')
      ? 3
      : setting.from in runtime.env
        ? 2
        : setting.from.startsWith('profile')
          ? 0
          : 1;
  if (nearness(store) === nearness(server)) {
    throw new Problem(
      'usage',
      `Both a store (from ${store.from}) and a server (from ${server.from}) are set.`,
      { hint: 'Unset one, or give --store or --server.' },
    );
  }
  const { [nearness(store) > nearness(server) ? 'server' : 'store']: _, ...rest } = found;
  return rest;
}

export function settingsFolder(runtime: Pick<Runtime, 'env' | 'home'>): string {
  return (
    runtime.env['DOCSCTL_CONFIG_DIR'] ??
    join(runtime.env['XDG_CONFIG_HOME'] ?? join(runtime.home, '.config'), 'docsctl')
  );
}

/** Where the embedded store lives when nothing is configured. */
export function defaultStore(runtime: Pick<Runtime, 'env' | 'home'>): string {
  return `sqlite:${join(runtime.env['XDG_DATA_HOME'] ?? join(runtime.home, '.local', 'share'), 'docsctl', 'docsctl.db')}`;
}

/** The URL of the embedded store that the settings name. */
export function storeUrlOf(runtime: Pick<Runtime, 'env' | 'home'>, settings: Settings): string {
  return settings.store?.value ?? defaultStore(runtime);
}

/** Reads the settings file directly: every command needs it, and `conf`, which writes it, takes longer to load. */
export function readSettingsFile(runtime: Pick<Runtime, 'env' | 'home'>): SettingsFile {
  const path = join(settingsFolder(runtime), 'config.json');
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as SettingsFile;
  } catch (cause) {
    throw new Problem('usage', `The settings file ${path} cannot be read.`, {
      hint: 'Mend it by hand, or remove it and log in again.',
      cause,
    });
  }
}

/** A `.docsctl.yaml` in this folder or above may name the profile, the organization and the output, as plain `key: value` lines. */
function readProjectFile(cwd: string): { path: string; values: Record<string, string> } | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, '.docsctl.yaml');
    if (existsSync(path))
      return { path, values: parseProjectFile(path, readFileSync(path, 'utf8').slice(0, 65_536)) };
    if (folder === parse(folder).root) return undefined;
  }
}

function parseProjectFile(path: string, text: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#.*)?$/.test(line)) continue;
    const [, key, quoted, plain] =
      /^(profile|org|output):\s*(?:["']([^"']*)["']|([^"'#]+?))\s*(?:#.*)?$/.exec(line) ?? [];
    if (key === undefined) {
      throw new Problem(
        'usage',
        `${path}, line ${index + 1}: only profile, org and output can stand here, each as "key: value".`,
        {
          hint: 'Servers, stores and tokens belong into a profile: `docsctl login`.',
        },
      );
    }
    values[key] = quoted ?? plain ?? '';
  }
  return values;
}

function readTokenFile(path: string): string {
  try {
    if (path !== '-' && (!statSync(path).isFile() || statSync(path).size > 65_536))
      throw new Error('not a small file');
    const token = readFileSync(path === '-' ? 0 : path, 'utf8').trim();
    if (token !== '') return token;
  } catch (cause) {
    throw new Problem('usage', `The token file ${path} cannot be read, or is not a small file.`, { cause });
  }
  throw new Problem('usage', `The token file ${path} is empty.`);
}
