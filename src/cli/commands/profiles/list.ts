import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { readSettingsFile } from '../../settings/settings.ts';

const columns = ['id', 'current', 'place', 'org', 'token'];

export const help: CommandHelp = {
  columns,
  description:
    'Lists the profiles of this machine with their server or store and organization, and whether a token is saved. Tokens are never shown.',
  examples: ['docsctl profiles list', 'docsctl profiles list -o json'],
};

export const define: DefineCommand = (command, inSession) => {
  command.action(
    inSession(async (session) => {
      const { current, profiles = {} } = readSettingsFile(session.runtime);
      const items = Object.entries(profiles).map(([name, { server, store, org, token }]) => ({
        id: name,
        current: name === current,
        place: server ?? store ?? null,
        org: org ?? null,
        token: token === undefined ? null : 'saved',
      }));
      await session.printAll(items, { columns, noun: 'profiles' });
    }),
  );
};
