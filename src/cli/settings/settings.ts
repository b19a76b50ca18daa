import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, parse, resolve } from 'node:path';
import { isRecord } from '../../contract/values.ts';
import type { Credential } from '../../core/callers.ts';
import { Problem } from '../../errors/problem.ts';
import { withoutPassword } from '../../stores/url.ts';
import type { Runtime, Setting, SettingName, Settings } from '../runtime.ts';
import { parseUrl } from '../../contract/parse-url.ts';

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
  readonly wide?: boolean;
  /** False with --no-pager. */
  readonly pager?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly debug?: boolean;
  readonly caFile?: string;
  readonly allowHttp?: boolean;
  readonly timeout?: string;
  readonly retryMaxWait?: string;
  readonly trace?: boolean;
  readonly record?: string;
  readonly quiet?: boolean;
  /** False with --no-input. */
  readonly input?: boolean;
  /** Only for commands that only read. */
  readonly watch?: boolean;
  readonly interval?: string;
  /** Warnings about options with a former name. */
  readonly former?: readonly string[];
}

export interface Profile {
  readonly store?: string;
  readonly server?: string;
  readonly token?: string;
  readonly org?: string;
  readonly space?: string;
  readonly site?: string;
  readonly as?: string;
  readonly caFile?: string;
  readonly publicUrl?: string;
  readonly sitesUrl?: string;
  readonly output?: string;
}

export interface SettingsFile {
  readonly current?: string;
  readonly profiles?: Readonly<Record<string, Profile>>;
}

const variables: Record<SettingName, readonly string[]> = {
  store: ['DOCSCTL_STORE'],
  server: ['DOCSCTL_SERVER', 'GITBOOK_ENDPOINT'],
  token: ['DOCSCTL_TOKEN', 'GITBOOK_TOKEN'],
  org: ['DOCSCTL_ORG'],
  space: ['DOCSCTL_SPACE'],
  site: ['DOCSCTL_SITE'],
  profile: ['DOCSCTL_PROFILE'],
  as: ['DOCSCTL_AS'],
  caFile: ['DOCSCTL_CA_FILE'],
  publicUrl: ['DOCSCTL_PUBLIC_URL'],
  sitesUrl: ['DOCSCTL_SITES_URL'],
  output: ['DOCSCTL_OUTPUT'],
  color: [],
  validateError: [],
  validateWarn: [],
  validateOff: [],
};

/** Settings without a global flag: --space is an option of the commands that have it. */
const withoutFlag: readonly SettingName[] = [
  'space',
  'site',
  'publicUrl',
  'sitesUrl',
  'validateError',
  'validateWarn',
  'validateOff',
];

/** Returns the notation of a setting: `ca-file`. */
export function settingWord(name: SettingName): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export const settingNames = Object.keys(variables) as SettingName[];

/**
 * Resolves all settings. Flags override variables, variables override the project file, and the project file overrides the
 * profile.
 * @throws Problem(not-found) if the profile does not exist, unless `mayLackProfile`
 */
export function resolveSettings(runtime: Runtime, flags: GlobalFlags, mayLackProfile = false): Settings {
  const { env, cwd } = runtime;
  const file = readSettingsFile(runtime);
  const project = readProjectFile(cwd);
  const asked = flags.profile ?? (env['DOCSCTL_PROFILE'] || undefined) ?? project?.values['profile'];
  const profileName = asked ?? file.current;
  const profile = profileName === undefined ? undefined : file.profiles?.[profileName];
  if (asked !== undefined && profile === undefined && !mayLackProfile) {
    const from = env['DOCSCTL_PROFILE'] ? 'DOCSCTL_PROFILE' : project?.path;
    const source = flags.profile === undefined ? `, which ${from} names` : '';
    throw new Problem('not-found', `There is no profile "${asked}"${source}.`, {
      hint: `To see the profiles, run \`docsctl profiles list\`. To create one, run \`docsctl login --name ${asked} --server URL\`.`,
    });
  }
  const found: Partial<Record<SettingName, Setting>> = {};
  for (const name of settingNames) {
    const candidates: (readonly [value: unknown, from: string])[] = [
      [withoutFlag.includes(name) ? undefined : flags[name as keyof GlobalFlags], `--${settingWord(name)}`],
      ...variables[name].map((variable) => [env[variable] || undefined, variable] as const),
      [project?.values[name], project?.path ?? ''],
      [profile?.[name as keyof Profile], `profile ${profileName}`],
      [name === 'profile' ? profileName : undefined, 'settings file'],
    ];
    for (const [value, from] of candidates)
      if (typeof value === 'string') {
        found[name] = {
          value: isBaseUrl(name) ? readBaseUrl(`${settingWord(name)} (from ${from})`, value) : value,
          from,
        };
        break;
      }
  }
  const tokenFile = flags.tokenFile ?? env['DOCSCTL_TOKEN_FILE'];
  const isFromProfile = found.token?.from.startsWith('profile') !== false;
  if (tokenFile !== undefined && (flags.tokenFile !== undefined || isFromProfile))
    found.token = { value: readTokenFile(tokenFile), from: tokenFile === '-' ? 'standard input' : tokenFile };
  const target = chooseTarget(found, flags, env);
  return profile === undefined || isOfProfile(runtime, target, profile)
    ? target
    : Object.fromEntries(
        Object.entries(target).filter(
          ([name, { from }]) => !ofPlace.includes(name) || from !== `profile ${profileName}`,
        ),
      );
}

/** Settings of a profile that apply only to its server or store. */
const ofPlace: readonly string[] = ['token', 'org', 'space', 'site'] satisfies SettingName[];

/**
 * Whether a command uses the server or store of a profile. A profile without one applies to the server or store in the variables,
 * or else to the default store.
 */
function isOfProfile(runtime: Runtime, { store, server }: Settings, profile: Profile): boolean {
  const { cwd } = runtime;
  const place = comparable(server?.value ?? store?.value ?? defaultStore(runtime), cwd);
  return placesOf(runtime, profile).some((one) => comparable(one, cwd) === place);
}

/** Returns the server or store of a profile. If variables name both, only an option can choose between them. */
function placesOf(runtime: Runtime, { server, store }: Profile): readonly [string, ...string[]] {
  const ofVariables = [...variables.server, ...variables.store].flatMap((name) => runtime.env[name] || []);
  const [first = defaultStore(runtime), ...others] = ofVariables;
  const own = server ?? store;
  return own === undefined ? [first, ...others] : [own];
}

/** Returns why a setting of the profile is not used; undefined if it is used, or is not in the profile. */
export function unusedSetting(runtime: Runtime, settings: Settings, name: SettingName): string | undefined {
  if (settings[name] !== undefined || !ofPlace.includes(name)) return undefined;
  const profileName = settings.profile?.value ?? '';
  const profile = readSettingsFile(runtime).profiles?.[profileName];
  if (profile?.[name as keyof Profile] === undefined) return undefined;
  return `profile ${profileName} is for ${withoutPassword(placesOf(runtime, profile)[0])}`;
}

/** Normalizes the URL of a server or of a store for comparisons. */
function comparable(place: string, cwd: string): string {
  const url = /^https?:/i.test(place) ? parseUrl(place) : undefined;
  if (url !== undefined) return url.href.replace(/\/+$/, '').replace(/\/v1$/, '');
  return /^(postgres(ql)?|memory):/i.test(place) ? place : resolve(cwd, place.replace(/^(sqlite|json):/, ''));
}

/** Whether a setting is a base URL. */
export function isBaseUrl(name: SettingName): boolean {
  return name === 'publicUrl' || name === 'sitesUrl';
}

/**
 * Parses a base URL, and removes slashes at its end. `from` is the option or setting that contains it.
 * @throws Problem(invalid-input) for anything but an http or https URL
 */
export function readBaseUrl(from: string, text: string): string {
  if (!/^https?:\/\/[^?#@]+$/.test(text) || parseUrl(text) === undefined)
    throw new Problem(
      'invalid-input',
      `${from} takes an http or https URL without a query or user name, not "${text}".`,
      {
        hint: 'Write it like https://docs.example.com.',
      },
    );
  return text.replace(/\/+$/, '');
}

/**
 * Keeps either the store or the server, whichever has the higher precedence.
 * @throws Problem(usage) if both have the same precedence
 */
function chooseTarget(found: Settings, flags: GlobalFlags, env: Runtime['env']): Settings {
  if (flags.store !== undefined && flags.server !== undefined)
    throw new Problem('usage', '--store and --server cannot be used together.', {
      hint: 'Keep the one that the command should use.',
    });
  const { store, server, ...rest } = found;
  if (store === undefined || server === undefined) return found;
  const rank = ({ from }: Setting) =>
    from.startsWith('--') ? 3 : from in env ? 2 : from.startsWith('profile') ? 0 : 1;
  if (rank(store) === rank(server))
    throw new Problem(
      'usage',
      `Both a store (from ${store.from}) and a server (from ${server.from}) are set.`,
      { hint: 'Unset one of them, or add --store or --server to the command.' },
    );
  return rank(store) > rank(server) ? { ...rest, store } : { ...rest, server };
}

type Home = Pick<Runtime, 'env' | 'home'>;

/** Returns the settings folder: DOCSCTL_CONFIG_DIR, or `docsctl` in XDG_CONFIG_HOME (default ~/.config). */
export function settingsFolder(runtime: Home): string {
  return (
    runtime.env['DOCSCTL_CONFIG_DIR'] ||
    join(runtime.env['XDG_CONFIG_HOME'] || join(runtime.home, '.config'), 'docsctl')
  );
}

/** Returns the URL of the default embedded store. */
export function defaultStore(runtime: Home): string {
  return `sqlite:${join(runtime.env['XDG_DATA_HOME'] || join(runtime.home, '.local', 'share'), 'docsctl', 'docsctl.db')}`;
}

/** Returns the URL of the embedded store in the settings. */
export function storeUrlOf(runtime: Home, settings: Settings): string {
  return settings.store?.value ?? defaultStore(runtime);
}

/** Returns the credential for a store: the member of --as, or the owner of the store. */
export function credentialOf({ as: member }: Settings): Credential {
  return member === undefined ? { kind: 'owner' } : { kind: 'member', email: member.value };
}

/**
 * Reads the settings file without the package `conf`, which writes it, because every command reads the file and `conf` takes long
 * to load.
 * @throws Problem(invalid-input) if it cannot be read, or its folder is not a folder
 */
export function readSettingsFile(runtime: Home): SettingsFile {
  const folder = settingsFolder(runtime);
  const path = join(folder, 'config.json');
  try {
    const file: unknown = JSON.parse(readText(path));
    const fault = faultInSettings(file);
    if (fault === undefined) return file as SettingsFile;
    throw new TypeError(fault);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    if (code === 'ENOTDIR')
      throw new Problem('invalid-input', `The settings folder ${folder} is not a folder.`, {
        hint: 'Set DOCSCTL_CONFIG_DIR to a folder. It is created when settings are saved.',
        cause,
      });
    const fault =
      cause instanceof SyntaxError
        ? 'is not valid JSON'
        : cause instanceof TypeError
          ? cause.message
          : `cannot be read (${code})`;
    throw new Problem('invalid-input', `The settings file ${path} ${fault}.`, {
      hint: 'Correct it, or delete it and run `docsctl login` again.',
      cause,
    });
  }
}

/** Returns what is wrong with the content of a settings file, as a predicate; undefined if nothing is. */
function faultInSettings(file: unknown): string | undefined {
  if (!isRecord(file)) return 'does not contain an object';
  const { profiles = {}, current = '' } = file;
  if (typeof current !== 'string') return 'contains "current", which is not a text';
  if (!isRecord(profiles)) return 'contains "profiles", which is not an object';
  for (const [name, profile] of Object.entries(profiles)) {
    if (!isRecord(profile)) return `contains the profile "${name}", which is not an object`;
    const [wrong] = Object.entries(profile).find(([, value]) => typeof value !== 'string') ?? [];
    if (wrong !== undefined) return `contains "${wrong}" in the profile "${name}", which is not a text`;
  }
  return undefined;
}

/** Reads a text without its byte order mark. */
function readText(path: string): string {
  return readFileSync(path, 'utf8').replace(/^\ufeff/, '');
}

/** Reads the `.docsctl.yaml` in this folder or the nearest one above. */
export function readProjectFile(
  cwd: string,
): { readonly path: string; readonly values: Readonly<Record<string, string>> } | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, '.docsctl.yaml');
    // Only regular files count: reading a pipe would wait forever. In a folder that the user may not enter, as after `runuser`
    // in the home folder of root, the file does not exist either.
    if (existsSync(path) && statSync(path).isFile())
      return { path, values: parseProjectFile(path, readText(path).slice(0, 65_536)) };
    if (folder === parse(folder).root) return undefined;
  }
}

/** The settings that a `.docsctl.yaml` can contain. */
export const projectSettings = [
  'profile',
  'org',
  'space',
  'site',
  'output',
  'validateError',
  'validateWarn',
  'validateOff',
] as const satisfies readonly SettingName[];

/** Parses plain `key: value` lines. A value is written as in YAML: plain, in quotation marks, or as a list such as `[a, b]`. */
function parseProjectFile(path: string, text: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#.*)?$/.test(line)) continue;
    const [, key, written = ''] =
      /^([a-z-]+):\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?!\{|\[[^\]]*$)[^\s"'#].*?)(?:\s+#.*)?\s*$/.exec(
        line,
      ) ?? [];
    const name = projectSettings.find((one) => settingWord(one) === key);
    if (name === undefined)
      throw new Problem(
        'invalid-input',
        `${path}, line ${index + 1}: ${/^\s/.test(line) ? 'this line is indented; lines of this file begin with a key' : key === undefined ? 'this is not a line like "key: value"' : `"${key}" cannot be set in this file`}.`,
        {
          hint: `The file can hold ${projectSettings.map(settingWord).join(', ')}. Save servers, stores and tokens in a profile with \`docsctl login\`.`,
        },
      );
    values[name] = readValue(written);
  }
  return values;
}

/** Parses the value of a line. Earlier versions did not escape backslashes in double quotes. */
function readValue(written: string): string {
  const [, list] = /^\[([^[\]]*)\]$/.exec(written) ?? [];
  if (list !== undefined) return list;
  if (written.startsWith("'")) return written.slice(1, -1).replaceAll("''", "'");
  if (!written.startsWith('"')) return written;
  try {
    return JSON.parse(written) as string;
  } catch {
    return written.slice(1, -1);
  }
}

function readTokenFile(path: string): string {
  try {
    // A shell passes `<(pass show docsctl)` as an open pipe. A named pipe could wait forever for a writer.
    const isPipe = path === '-' || (/^\/(?:dev|proc\/\w+)\/fd\/\d+$/.test(path) && statSync(path).isFIFO());
    if (!isPipe) {
      const stat = statSync(path);
      if (!stat.isFile())
        throw new Error(stat.isDirectory() ? 'is a folder, not a file' : 'is not a regular file');
      if (stat.size > 65_536) throw new Error('is larger than 64 KiB');
    }
    const token = readFileSync(path === '-' ? 0 : path, 'utf8').trim();
    if (token !== '') return token;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why =
      code === 'ENOENT' ? 'does not exist' : code === undefined ? message : `cannot be read (${code})`;
    throw new Problem('invalid-input', `The token file ${path} ${why}.`, {
      hint: 'Check --token-file or DOCSCTL_TOKEN_FILE.',
      cause,
    });
  }
  throw new Problem('invalid-input', `The token file ${path} is empty.`, {
    hint: 'Check --token-file or DOCSCTL_TOKEN_FILE.',
  });
}
