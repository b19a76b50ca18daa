import type { DefineCommand } from '../../composite-command.ts';
import type { SettingName } from '../../runtime.ts';
import type { Session } from '../../session.ts';
import { defaultStore, settingNames, settingsFolder } from '../../settings.ts';
import type { CommandHelp } from '../../command-help.ts';

export const help: CommandHelp = {
  examples: [],
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
      const items = [...settingNames.map((name) => explain(session, name)), folder];
      await session.printAll(items, { columns: ['id', 'value', 'from'], noun: 'settings' });
    }),
  );
};

function explain({ settings, runtime }: Session, name: SettingName) {
  const { value, from } = settings[name] ?? {};
  if (value !== undefined) return { id: name, value: name === 'token' ? '(hidden)' : value, from };
  if (name === 'store' && settings.server === undefined)
    return { id: name, value: defaultStore(runtime), from: 'default' };
  if (name === 'output') return { id: name, value: 'table', from: 'default' };
  if (name === 'color') return { id: name, value: 'auto', from: 'default' };
  return { id: name, value: null, from: 'not set' };
}
