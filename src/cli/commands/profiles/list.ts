import type { Command } from 'commander';
import type { RunInSession } from '../../composite-command.ts';
import { readSettingsFile } from '../../settings.ts';

export function define(command: Command, run: RunInSession): void {
  command.action(() =>
    run(async (session) => {
      const { current, profiles = {} } = readSettingsFile(session.runtime);
      const items = Object.entries(profiles).map(([name, { server, store, org, token }]) => ({
        id: name,
        current: name === current,
        place: server ?? store ?? null,
        org: org ?? null,
        token: token === undefined ? null : 'saved',
      }));
      await session.printAll(items, {
        columns: ['id', 'current', 'place', 'org', 'token'],
        noun: 'profiles',
      });
    }),
  );
}
