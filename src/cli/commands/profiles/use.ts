import type { DefineCommand } from '../../composite-command.ts';
import { changeSettings, checkProfile } from '../../settings-file.ts';
import type { CommandHelp } from '../../command-help.ts';

export const help: CommandHelp = {
  examples: [],
};

export const define: DefineCommand = (command, inSession) => {
  command.argument('<profile>', 'as `docsctl profiles list` shows it').action(
    inSession(async ({ runtime, note }, name: string) => {
      checkProfile(runtime, name);
      changeSettings(runtime, (file) => {
        file.current = name;
      });
      note(`Profile "${name}" is used from now on.`);
    }),
  );
};
