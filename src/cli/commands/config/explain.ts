import type { Command } from 'commander';
import { defaultStore, settingNames, settingsFolder } from '../../settings.ts';
import type { RunInSession } from '../../composite-command.ts';

export function define(command: Command, run: RunInSession): void {
  command.action(() =>
    run(async (session) => {
      const { settings, runtime } = session;
      const items: { id: string; value: string | null; from: string }[] = settingNames.map((name) => {
        const setting = settings[name];
        if (setting !== undefined)
          return { id: name, value: name === 'token' ? '(hidden)' : setting.value, from: setting.from };
        if (name === 'store' && settings.server === undefined)
          return { id: name, value: defaultStore(runtime), from: 'default' };
        return {
          id: name,
          value: name === 'output' ? 'table' : name === 'color' ? 'auto' : null,
          from: name === 'output' || name === 'color' ? 'default' : 'not set',
        };
      });
      items.push({
        id: 'folder',
        value: settingsFolder(runtime),
        from: runtime.env['DOCSCTL_CONFIG_DIR'] === undefined ? 'default' : 'DOCSCTL_CONFIG_DIR',
      });
      const printer = await session.printer({ columns: ['id', 'value', 'from'], noun: 'settings' });
      await printer.page({ count: items.length, items });
      await printer.end();
    }),
  );
}
