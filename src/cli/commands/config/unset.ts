import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { changeSetting, projectOption } from './change-setting.ts';

export const help: CommandHelp = {
  description:
    'Removes a setting from the profile in use, or with --project from .docsctl.yaml. Environment variables and options are not changed.',
  examples: ['docsctl config unset space', 'docsctl config unset output --project'],
  noDryRun: 'To see the current value, run `docsctl config get SETTING`.',
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<setting>', 'name of the setting, such as org, space or output')
    .option(...projectOption)
    .action(
      inSession(async (session, word: string, { project }: { project?: boolean }) =>
        changeSetting(session, word, undefined, project === true),
      ),
    );
};
