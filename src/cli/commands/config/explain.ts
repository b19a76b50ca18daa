import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { settingNames, settingsFolder } from '../../settings/settings.ts';
import { describeSetting } from './describe-settings.ts';

const columns = ['id', 'value', 'from'];

export const help: CommandHelp = {
  columns,
  description:
    'Shows each setting with its value and where the value comes from: an option, an environment variable, a .docsctl.yaml, a profile or a default. Tokens are hidden.',
  examples: ['docsctl config explain', 'docsctl config explain --profile staging'],
};

export const define: DefineCommand = (command, inSession) => {
  command.action(
    inSession(async (session) => {
      const { runtime } = session;
      const folder = {
        id: 'folder',
        value: settingsFolder(runtime),
        from: runtime.env['DOCSCTL_CONFIG_DIR'] === undefined ? 'default' : 'DOCSCTL_CONFIG_DIR',
      };
      const items = [...settingNames.map((name) => describeSetting(session, name)), folder];
      await session.printAll(items, { columns, noun: 'settings' });
    }),
  );
};
