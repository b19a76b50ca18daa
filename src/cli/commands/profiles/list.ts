import type { Command } from 'commander';
import { readSettingsFile } from '../../settings.ts';
import type { RunInSession } from '../../composite-command.ts';

export function define(command: Command, run: RunInSession): void {
  command.action(() =>
    run(async (session) => {
      const file = readSettingsFile(session.runtime);
      const items = Object.entries(file.profiles ?? {}).map(([name, profile]) => ({
        id: name,
        current: name === file.current,
        place: profile.server ?? profile.store ?? null,
        org: profile.org ?? null,
        token: profile.token === undefined ? null : 'saved',
      }));
      const printer = await session.printer({
        columns: ['id', 'current', 'place', 'org', 'token'],
        noun: 'profiles',
      });
      await printer.page({ count: items.length, items });
      await printer.end();
    }),
  );
}
