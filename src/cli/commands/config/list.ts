import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { addLimitOption, printLimited } from '../../input/limit-rows.ts';
import { settingNames } from '../../settings/settings.ts';
import { describeSetting } from './describe-settings.ts';

const columns = ['id', 'value', 'from'];

export const help: CommandHelp = {
  columns,
  description:
    'Lists only the settings that are set. `docsctl config explain` shows the others with their defaults. Tokens are hidden.',
  examples: ['docsctl config list', 'docsctl config list -o json', 'docsctl config list --limit 5'],
};

export const define: DefineCommand = (command, inSession) => {
  addLimitOption(command, 'settings').action(
    inSession(async (session, { limit }: { limit?: number }) => {
      const items = settingNames
        .filter((name) => session.settings[name] !== undefined)
        .map((name) => describeSetting(session, name));
      await printLimited(session, items, limit, { columns, noun: 'settings' });
    }),
  );
};
