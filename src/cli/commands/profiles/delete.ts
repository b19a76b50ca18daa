import type { DefineCommand } from '../../composite-command.ts';
import { confirm } from '../../confirm/confirm.ts';
import { printOutcome } from '../../session/session.ts';
import { changeSettings, checkProfile } from '../../settings/settings-file.ts';
import type { CommandHelp } from '../../command-help.ts';

export const help: CommandHelp = {
  description:
    'Deletes a profile with its token from this machine. Nothing is changed on the server. If the profile was in use, no profile is in use afterwards.',
  examples: ['docsctl profiles delete staging --yes'],
  noDryRun: 'To see the profiles, run `docsctl profiles list`.',
};

export const define: DefineCommand = (command, inSession) => {
  command.argument('<profile>', 'name of the profile').action(
    inSession(async (session, name: string) => {
      checkProfile(session.runtime, name);
      await confirm(session, { verb: 'delete', noun: 'profiles', names: [name] });
      changeSettings(session.runtime, (file) => {
        delete file.profiles[name];
        if (file.current === name) delete file.current;
      });
      await printOutcome(session, { id: name, deleted: true }, 'id');
    }),
  );
};
