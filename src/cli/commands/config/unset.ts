import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { printOutcomes } from '../../session/session.ts';
import { changeSetting, findChangeable, projectOption } from './change-setting.ts';

export const help: CommandHelp = {
  description:
    'Removes settings from the profile in use, or with --project from .docsctl.yaml. Environment variables and options are not changed.',
  examples: ['docsctl config unset space site', 'docsctl config unset output --project'],
  noDryRun: 'To see the current value, run `docsctl config get SETTING`.',
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<setting...>', 'names of settings, such as org, space or output')
    .option(...projectOption)
    .action(
      inSession(async (session, words: readonly string[], { project = false }: { project?: boolean }) => {
        const names = words.map((word) => findChangeable(word, project));
        const changed = names.map((name) => changeSetting(session, name, undefined, project));
        await printOutcomes(session, changed, 'settings');
      }),
    );
};
