import type { CommandHelp } from '../../command-help.ts';
import type { DefineCommand } from '../../composite-command.ts';
import { settingNames } from '../../settings.ts';
import { describeSetting } from './describe-settings.ts';

export const help: CommandHelp = {
  description:
    'Lists only the settings that are set. `docsctl config explain` shows the others with their defaults. Tokens are hidden.',
  examples: ['docsctl config list', 'docsctl config list -o json'],
};

export const define: DefineCommand = (command, inSession) => {
  command.action(
    inSession(async (session) => {
      const items = settingNames
        .filter((name) => session.settings[name] !== undefined)
        .map((name) => describeSetting(session, name));
      await session.printAll(items, { columns: ['id', 'value', 'from'], noun: 'settings' });
    }),
  );
};
