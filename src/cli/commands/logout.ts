import { Problem } from '../../errors/problem.ts';
import type { DefineCommand } from '../composite-command.ts';
import { changeSettings } from '../settings-file.ts';
import { readSettingsFile } from '../settings.ts';
import type { CommandHelp } from '../command-help.ts';

export const help: CommandHelp = {
  examples: [],
};

export const define: DefineCommand = (command, inSession) => {
  command.action(
    inSession(async ({ runtime, flags, note }) => {
      const { current, profiles = {} } = readSettingsFile(runtime);
      const name = flags.profile ?? current;
      if (name === undefined || profiles[name] === undefined)
        throw new Problem('not-found', 'There is no profile to log out of.', {
          hint: '`docsctl profiles list` shows them.',
        });
      changeSettings(runtime, (file) => {
        const { token: _token, ...rest } = file.profiles[name] ?? {};
        file.profiles[name] = rest;
      });
      note(
        `The token of profile "${name}" is forgotten here; \`docsctl tokens delete\` ends it on the server.`,
      );
    }),
  );
};
