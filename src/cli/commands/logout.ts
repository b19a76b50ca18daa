import { Problem } from '../../errors/problem.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';
import { printOutcome } from '../session/session.ts';
import { changeSettings } from '../settings/settings-file.ts';
import { readSettingsFile } from '../settings/settings.ts';

export const help: CommandHelp = {
  description:
    'Deletes the token of the profile in use, or of --profile, from this machine. The rest of the profile is kept. The token itself stays valid until it expires or is revoked with `docsctl tokens delete`.',
  examples: ['docsctl logout', 'docsctl logout --profile staging'],
  noDryRun: 'To see which profiles have a token, run `docsctl profiles list`.',
};

export const define: DefineCommand = (command, inSession) => {
  command.action(
    inSession(async (session) => {
      const { runtime, settings, note } = session;
      const { profiles = {} } = readSettingsFile(runtime);
      const name = settings.profile?.value;
      if (name === undefined || profiles[name] === undefined)
        throw new Problem(
          'not-found',
          name === undefined ? 'No profile is in use.' : `There is no profile "${name}".`,
          { hint: 'To see the profiles, run `docsctl profiles list`. Choose one with --profile.' },
        );
      if (profiles[name].token === undefined) {
        note(`Nobody was signed in: profile "${name}" has no token. To sign in, run \`docsctl login\`.`);
        return printOutcome(session, { profile: name }, 'profile');
      }
      changeSettings(runtime, (file) => {
        const { token: _token, ...rest } = file.profiles[name] ?? {};
        file.profiles[name] = rest;
      });
      note(
        `Deleted the token of profile "${name}" on this machine. \`docsctl tokens delete\` revokes it on the server.`,
      );
      await printOutcome(session, { profile: name }, 'profile');
    }),
  );
};
