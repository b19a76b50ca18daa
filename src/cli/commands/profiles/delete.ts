import type { DefineCommand } from '../../composite-command.ts';
import { confirm } from '../../confirm.ts';
import { changeSettings, checkProfile } from '../../settings-file.ts';
import type { CommandHelp } from '../../command-help.ts';

export const help: CommandHelp = {
  examples: [],
};

export const define: DefineCommand = (command, inSession) => {
  command.argument('<profile>', 'as `docsctl profiles list` shows it').action(
    inSession(async (session, name: string) => {
      checkProfile(session.runtime, name);
      await confirm(session, { verb: 'delete', noun: 'profiles', names: [name] });
      changeSettings(session.runtime, (file) => {
        delete file.profiles[name];
        if (file.current === name) delete file.current;
      });
    }),
  );
};
