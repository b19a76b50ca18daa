import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { printOutcome } from '../../session/session.ts';
import { changeSettings, checkProfile } from '../../settings/settings-file.ts';

export const help: CommandHelp = {
  description:
    'Commands then use this profile, unless an option, a variable or a .docsctl.yaml names another profile, server or store.',
  examples: ['docsctl profiles use staging'],
  noDryRun: 'To see the profiles, run `docsctl profiles list`.',
};

export const define: DefineCommand = (command, inSession) => {
  command.argument('<profile>', 'name of the profile').action(
    inSession(async (session, name: string) => {
      const { runtime, note } = session;
      checkProfile(runtime, name);
      changeSettings(runtime, (file) => {
        file.current = name;
      });
      note(`Commands now use profile "${name}".`);
      await printOutcome(session, { id: name, current: true }, 'id');
    }),
  );
};
