import { choiceHint } from '../../../contract/nearest.ts';
import { Problem } from '../../../errors/problem.ts';
import type { SettingName } from '../../runtime.ts';
import type { Session } from '../../session/session.ts';
import { defaultStore, settingNames, settingWord, unusedSetting } from '../../settings/settings.ts';

/** A setting in the output of `config`. Tokens are hidden. */
interface DescribedSetting {
  readonly id: string;
  readonly value: string | null;
  readonly from: string;
}

/** Returns the value and the source of a setting. A token is hidden. */
export function describeSetting({ settings, runtime }: Session, name: SettingName): DescribedSetting {
  const id = settingWord(name);
  const { value, from } = settings[name] ?? {};
  if (value !== undefined) return { id, value: name === 'token' ? '(hidden)' : value, from: from ?? '' };
  if (name === 'store' && settings.server === undefined)
    return { id, value: defaultStore(runtime), from: 'default' };
  if (name === 'output') return { id, value: 'table', from: 'default' };
  if (name === 'color') return { id, value: 'auto', from: 'default' };
  const why = unusedSetting(runtime, settings, name);
  return { id, value: null, from: why === undefined ? 'not set' : `not used: ${why}` };
}

/** Finds a setting by its name, such as `ca-file`. @throws Problem(usage) that suggests one of `offered` */
export function findSetting(word: string, offered: readonly SettingName[] = settingNames): SettingName {
  const found = settingNames.find((name) => settingWord(name) === word);
  if (found !== undefined) return found;
  throw new Problem('usage', `There is no setting "${word}".`, {
    hint: choiceHint(word, offered.map(settingWord)),
  });
}
