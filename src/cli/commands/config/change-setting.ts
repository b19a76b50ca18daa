import { choiceHint } from '../../../contract/nearest.ts';
import { lstatSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { whyUnwritable } from '../../../files/unreadable-file.ts';
import { readCa } from '../../../client/connection.ts';
import { readServer } from '../../../client/request.ts';
import { Problem } from '../../../errors/problem.ts';
import { parseStoreUrl } from '../../../stores/url.ts';
import { formats } from '../../output/format.ts';
import { checkRule, severitySetting, splitRules } from '../../manifest/severities.ts';
import { replaceFile } from '../../results/save-file.ts';
import type { SettingName } from '../../runtime.ts';
import type { Session } from '../../session/session.ts';
import { changeSettings } from '../../settings/settings-file.ts';
import {
  isBaseUrl,
  projectSettings,
  readBaseUrl,
  readProjectFile,
  readSettingsFile,
  resolveSettings,
  settingNames,
  settingWord,
  unusedSetting,
  type Profile,
} from '../../settings/settings.ts';
import { findSetting } from './describe-settings.ts';

/** The option of config set and unset. */
export const projectOption = [
  '--project',
  'change .docsctl.yaml in the working folder instead of the profile',
] as const;

/** Finds a setting that can be changed in the current profile or in .docsctl.yaml. @throws Problem(usage) */
export function findChangeable(word: string, isProject: boolean): SettingName {
  const name = findSetting(word, changeableSettings(isProject));
  checkChangeable(name, word, isProject);
  return name;
}

/** Returns the settings that a profile, or .docsctl.yaml, can hold. */
export function changeableSettings(isProject: boolean): readonly SettingName[] {
  return isProject ? projectSettings : settingNames.filter(isOfProfile);
}

/** Returns the settings that the current profile, or the .docsctl.yaml of the working folder, holds. */
export function heldSettings(session: Session, isProject: boolean): readonly SettingName[] {
  const { runtime } = session;
  const project = isProject ? readProjectFile(runtime.cwd) : undefined;
  const values = isProject
    ? project?.path === projectPath(runtime)
      ? project.values
      : undefined
    : readSettingsFile(runtime).profiles?.[currentProfile(session)];
  return changeableSettings(isProject).filter((name) => Object.hasOwn(values ?? {}, name));
}

function projectPath({ cwd }: Session['runtime']): string {
  return join(cwd, '.docsctl.yaml');
}

/** Returns the name of the profile in use. */
function currentProfile({ settings }: Session): string {
  return settings.profile?.value ?? 'default';
}

/** A changed setting with its new value, which is null if it was removed. */
interface ChangedSetting {
  readonly id: string;
  readonly value: string | null;
  readonly place: string;
}

/** Sets or removes a setting in the current profile or in .docsctl.yaml, and notes where. */
export function changeSetting(
  session: Session,
  name: SettingName,
  given: string | undefined,
  isProject: boolean,
): ChangedSetting {
  const word = settingWord(name);
  const value = given === undefined ? undefined : checkValue(session, name, given);
  const { place, was } = (isProject ? changeProject : changeProfile)(session, name, value);
  const { runtime, flags } = session;
  const why =
    isProject || value === undefined
      ? undefined
      : unusedSetting(runtime, resolveSettings(runtime, flags), name);
  const done = was
    ? `Removed the setting "${word}" from ${place}.`
    : `There is no setting "${word}" in ${place}.`;
  session.note(value === undefined ? done : `Set ${word} to ${value} in ${place}.`);
  const left = value === undefined ? resolveSettings(runtime, flags)[name] : undefined;
  if (left !== undefined) session.note(`${word} is still set to ${left.value} by ${left.from}.`);
  if (why !== undefined)
    session.note(
      `Commands with the current store or server do not use this setting: ${why}. To save settings for this store or server, create a profile with \`docsctl login --name NAME\` and its --store or --server.`,
    );
  return { id: word, value: value ?? null, place };
}

/** Where a setting was changed, and whether it was set there before. */
interface Changed {
  readonly place: string;
  readonly was: boolean;
}

function checkChangeable(name: SettingName, word: string, isProject: boolean): void {
  if (name === 'token')
    throw new Problem('usage', 'Tokens are not set by this command.', {
      hint: 'Save one with `docsctl login`, which reads it from a file or the terminal.',
    });
  if (name === 'color')
    throw new Problem('usage', 'The setting color cannot be saved.', {
      hint: 'Use --color, NO_COLOR or FORCE_COLOR.',
    });
  if (isProject && !projectSettings.some((one) => one === name))
    throw new Problem('usage', `.docsctl.yaml cannot hold ${word}.`, {
      hint: `It can hold ${projectSettings.map(settingWord).join(', ')}. Leave out --project to save ${word} in the profile.`,
    });
  if (isProject || isOfProfile(name)) return;
  if (name === 'profile')
    throw new Problem('usage', 'The setting profile cannot be saved in a profile.', {
      hint: 'To use another profile, run `docsctl profiles use NAME`. To save the setting in .docsctl.yaml, add --project.',
    });
  throw new Problem('usage', `A profile cannot hold ${word}.`, {
    hint: 'Add --project to save it in .docsctl.yaml in the current folder.',
  });
}

/** Whether `config set` saves a setting in a profile. */
function isOfProfile(name: SettingName): boolean {
  return !['token', 'color', 'profile'].includes(name) && severitySetting(name) === undefined;
}

function checkValue({ runtime }: Session, name: SettingName, value: string): string {
  if (value.trim() === '' || /[\r\n]/.test(value))
    throw new Problem('invalid-input', `The value of ${settingWord(name)} is empty or has several lines.`, {
      hint: `Remove the setting with \`docsctl config unset ${settingWord(name)}\`.`,
    });
  if (name === 'server') readServer(value);
  if (name === 'store') parseStoreUrl(value);
  if (name === 'as' && !value.includes('@'))
    throw new Problem(
      'invalid-input',
      `The setting "as" takes the email address of a member, not "${value}".`,
      {
        hint: 'To see the members, run `docsctl members list`.',
      },
    );
  if (isBaseUrl(name)) return readBaseUrl(settingWord(name), value);
  if (severitySetting(name) !== undefined) splitRules(value).forEach((rule) => checkRule(rule));
  if (name === 'output' && !formats.some((format) => format === value))
    throw new Problem('invalid-input', `There is no output format "${value}".`, {
      hint: choiceHint(value, formats),
    });
  if (name !== 'caFile') return value;
  readCa({ value, from: 'ca-file' }, runtime.cwd);
  return resolve(runtime.cwd, value);
}

function changeProfile(session: Session, name: SettingName, value: string | undefined): Changed {
  const { runtime, note } = session;
  const profile = currentProfile(session);
  let was = false;
  changeSettings(runtime, (file) => {
    const { [name as keyof Profile]: before, ...rest } = file.profiles[profile] ?? {};
    was = before !== undefined;
    const changed: { -readonly [Field in keyof Profile]: Profile[Field] } = rest;
    if (value !== undefined) changed[name as keyof Profile] = value;
    if (value !== undefined && (name === 'server' || name === 'store'))
      delete changed[name === 'server' ? 'store' : 'server'];
    // A token belongs to one server and must not be sent to another.
    if ((name === 'server' || name === 'store') && before !== value && changed.token !== undefined) {
      delete changed.token;
      note(`Removed the token of profile "${profile}", which was for another server.`);
    }
    file.profiles[profile] = changed;
    file.current ??= profile;
  });
  return { place: `profile "${profile}"`, was };
}

/**
 * Changes one line of .docsctl.yaml, and keeps the others.
 * @throws Problem(guard-refused) for a link, which could lead to any file, and for anything else that is not a file
 */
function changeProject({ runtime }: Session, name: SettingName, value: string | undefined): Changed {
  const path = projectPath(runtime);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile())
    throw new Problem(
      'guard-refused',
      `${path} is ${found.isSymbolicLink() ? 'a symbolic link' : 'not a regular file'} and is not changed.`,
      { hint: 'Replace it with a regular file, or edit the file that a link points to.' },
    );
  const text = found === undefined ? '' : readFileSync(path, 'utf8');
  const lines = text.split(/\r?\n/).filter((line, index, all) => line !== '' || index < all.length - 1);
  const at = lines.findIndex((line) => line.startsWith(`${settingWord(name)}:`));
  if (value !== undefined)
    lines.splice(at < 0 ? lines.length : at, at < 0 ? 0 : 1, `${settingWord(name)}: ${quote(value)}`);
  else if (at >= 0) lines.splice(at, 1);
  if (value === undefined && at < 0) return { place: path, was: false };
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  try {
    replaceFile(path, bytes, runtime.randomBytes);
  } catch (cause) {
    throw new Problem('invalid-input', `${path} cannot be written: ${whyUnwritable(path, cause)}.`, {
      hint: 'Fix the permissions of its folder.',
      cause,
    });
  }
  return { place: path, was: at >= 0 };
}

/** Writes a value for .docsctl.yaml: in double quotes with the escapes of JSON, unless it is plain. */
function quote(value: string): string {
  return /^[\w.-]+( [\w.-]+)*$/.test(value) ? value : JSON.stringify(value);
}
