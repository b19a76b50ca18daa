import { Problem } from '../../errors/problem.ts';
import { scripts } from '../completion/scripts.ts';
import type { DefineCommand } from '../composite-command.ts';

const shells = Object.keys(scripts).join(', ');

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<shell>', shells)
    .addHelpText(
      'after',
      '\nSet it up:\n  bash        docsctl completion bash > ~/.local/share/bash-completion/completions/docsctl\n  zsh         docsctl completion zsh > "${fpath[1]}/_docsctl"\n  fish        docsctl completion fish > ~/.config/fish/completions/docsctl.fish\n  powershell  docsctl completion powershell >> $PROFILE\n',
    )
    .action(
      inSession(async ({ terminal }, shell: string) => {
        const script = new Map(Object.entries(scripts)).get(shell.toLowerCase());
        if (script === undefined)
          throw new Problem('usage', `There is no completion for "${shell}".`, {
            hint: `Choose one of: ${shells}.`,
          });
        await terminal.stdout.write(script);
      }),
    );
};
