import Conf from 'conf';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../../files/make-folders.ts';
import { defined } from '../../contract/values.ts';
import { whyUnwritable } from '../../files/unreadable-file.ts';
import { Problem } from '../../errors/problem.ts';
import type { Runtime } from '../runtime.ts';
import type { Session } from '../session/session.ts';
import { readSettingsFile, settingsFolder, type Profile } from './settings.ts';

/** Changes the settings file. Only its owner may read it, because it contains tokens. @throws Problem(invalid-input) */
export function changeSettings(
  runtime: Pick<Runtime, 'env' | 'home'>,
  change: (file: { current?: string; profiles: Record<string, Profile> }) => void,
): void {
  const cwd = settingsFolder(runtime);
  const path = join(cwd, 'config.json');
  const { current, profiles } = readSettingsFile(runtime);
  const changed = defined({ current, profiles: { ...profiles } });
  change(changed);
  try {
    makeFolders(cwd, 0o700);
    const conf = new Conf<Record<string, unknown>>({
      cwd,
      configName: 'config',
      configFileMode: 0o600,
      projectName: 'docsctl',
      // The settings were read above. Conf itself cannot read a byte order mark.
      clearInvalidConfig: true,
    });
    if (existsSync(path)) chmodSync(path, 0o600);
    conf.store = changed;
  } catch (cause) {
    const why = whyUnwritable(path, cause);
    throw new Problem('invalid-input', `The settings file ${path} cannot be written: ${why}.`, {
      hint: 'Fix the permissions of its folder, or set DOCSCTL_CONFIG_DIR to another folder.',
      cause,
    });
  }
}

/** Saves a profile and makes it the current one. */
export function saveProfile(
  { runtime }: Session,
  name: string,
  profile: { readonly [Field in keyof Profile]: Profile[Field] | undefined },
): void {
  changeSettings(runtime, (file) => {
    const saved = file.profiles[name];
    const isSamePlace = saved?.server === profile.server && saved?.store === profile.store;
    file.profiles[name] = { ...(isSamePlace ? saved : {}), ...defined(profile) };
    file.current = name;
  });
}

/** Checks that a profile exists. @throws Problem(not-found) */
export function checkProfile(runtime: Pick<Runtime, 'env' | 'home'>, name: string): void {
  if (readSettingsFile(runtime).profiles?.[name] === undefined)
    throw new Problem('not-found', `There is no profile "${name}".`, {
      hint: 'To see the profiles, run `docsctl profiles list`.',
    });
}
