import type { Command } from 'commander';
import { Problem } from '../../errors/problem.ts';
import { scripts } from '../completion/scripts.ts';
import type { RunInSession } from '../composite-command.ts';

export function define(command: Command, run: RunInSession): void {
  command
    .argument('<shell>', Object.keys(scripts).join(', '))
    .addHelpText(
      'after',
      '\nSet it up:\n  bash        docsctl completion bash > ~/.local/share/bash-completion/completions/docsctl\n  zsh         docsctl completion zsh > "${fpath[1]}/_docsctl"\n  fish        docsctl completion fish > ~/.config/fish/completions/docsctl.fish\n  powershell  docsctl completion powershell >> $PROFILE\n',
    )
    .action((shell: string) =>
      run(async (session) => {
        const script = Object.entries(scripts).find(([name]) => name === shell.toLowerCase())?.[1];
        if (script === undefined)
          throw new Problem('usage', `There is no completion for "${shell}".`, {
            hint: `Choose one of: ${Object.keys(scripts).join(', ')}.`,
          });
        await session.terminal.stdout.write(script);
      }),
    );
}
