import { changeableSettings, heldSettings } from '../commands/config/change-setting.ts';
import { describeSetting } from '../commands/config/describe-settings.ts';
import type { Session } from '../session/session.ts';
import { settingNames, settingWord } from '../settings/settings.ts';

/** Returns the settings that a command of `config` accepts: `get` and `unset` take only those that have a value. */
export function suggestSettings(session: Session, command: string, isProject: boolean): readonly string[] {
  const names =
    command === 'unset'
      ? heldSettings(session, isProject)
      : command === 'set'
        ? changeableSettings(isProject)
        : settingNames.filter((name) => name !== 'token' && describeSetting(session, name).value !== null);
  return names.map(settingWord);
}
