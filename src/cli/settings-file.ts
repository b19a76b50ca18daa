import Conf from 'conf';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { settingsFolder, type Profile, type SettingsFile } from './settings.ts';
import type { Runtime } from './runtime.ts';
import type { Session } from './session.ts';
import { defined } from '../contract/values.ts';

/** Changes the settings file, which only its owner may read: it holds tokens. */
export function changeSettings(
  runtime: Pick<Runtime, 'env' | 'home'>,
  change: (file: { current?: string; profiles: Record<string, Profile> }) => void,
): void {
  const cwd = settingsFolder(runtime);
  mkdirSync(cwd, { recursive: true, mode: 0o700 });
  const conf = new Conf<Record<string, unknown>>({
    cwd,
    configName: 'config',
    configFileMode: 0o600,
    projectName: 'docsctl',
    clearInvalidConfig: false,
  });
  const path = join(cwd, 'config.json');
  if (existsSync(path)) chmodSync(path, 0o600);
  const file = conf.store as unknown as SettingsFile;
  const changed = defined({ current: file.current, profiles: { ...file.profiles } });
  change(changed);
  conf.store = changed;
}

/** Saves a profile under a name, and makes it the current one. */
export function saveProfile(
  { runtime }: Session,
  name: string,
  profile: { readonly [K in keyof Profile]: Profile[K] | undefined },
): void {
  changeSettings(runtime, (file) => {
    file.profiles[name] = defined(profile);
    file.current = name;
  });
}
