import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { capitalize } from '../../../contract/values.ts';
import { confirmQuestion, describeRemoval } from '../../confirm/confirm.ts';
import { printOutcomes } from '../../session/session.ts';
import { changeSettings, checkProfile } from '../../settings/settings-file.ts';

export const help: CommandHelp = {
  description:
    'Deletes profiles with their tokens from this machine. Nothing is changed on a server. If a deleted profile was in use, no profile is in use afterwards.',
  examples: ['docsctl profiles delete staging local --yes'],
  noDryRun: 'To see the profiles, run `docsctl profiles list`.',
};

export const define: DefineCommand = (command, inSession) => {
  command.argument('<profile...>', 'names of profiles').action(
    inSession(async (session, given: readonly string[]) => {
      const names = [...new Set(given)];
      for (const name of names) checkProfile(session.runtime, name);
      const what = `delete ${names.join(', ')} (${names.length === 1 ? 'profile' : 'profiles'})`;
      // The question names no store or server, because that of the profile in use may be gone.
      await confirmQuestion(session, {
        question: `${capitalize(what)} from this machine?`,
        refusal: `Confirmation is required to ${what}, but there is no terminal to ask on.`,
        hint: 'Add --yes to confirm.',
      });
      changeSettings(session.runtime, (file) => {
        for (const name of names) {
          delete file.profiles[name];
          if (file.current === name) delete file.current;
        }
      });
      session.note(describeRemoval('delete', 'profiles', names));
      const outcomes = names.map((id) => ({ id, deleted: true }));
      await printOutcomes(session, outcomes, 'profiles');
    }),
  );
};
