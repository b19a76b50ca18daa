import type { Command } from 'commander';
import { Problem } from '../../errors/problem.ts';
import { scripts } from '../completion/scripts.ts';
import type { RunInSession } from '../composite-command.ts';

const shells = Object.keys(scripts).join(', ');

export function define(command: Command, run: RunInSession): void {
  command
    .argument('<shell>', shells)
    .addHelpText(
      'after',
      '\nSet it up:\n  bash        docsctl completion bash > ~/.local/share/bash-completion/completions/docsctl\n  zsh         docsctl completion zsh > "${fpath[1]}/_docsctl"\n  fish        docsctl completion fish > ~/.config/fish/completions/docsctl.fish\n  powershell  docsctl completion powershell >> $PROFILE\n',
    )
    .action((shell: string) =>
      run(async ({ terminal }) => {
        const script = new Map(Object.entries(scripts)).get(shell.toLowerCase());
        if (script === undefined)
          throw new Problem('usage', `There is no completion for "${shell}".`, {
            hint: `Choose one of: ${shells}.`,
          });
        await terminal.stdout.write(script);
      }),
    );
}
