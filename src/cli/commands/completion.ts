import { Problem } from '../../errors/problem.ts';
import { scripts } from '../completion/scripts.ts';
import type { DefineCommand } from '../composite-command.ts';
import type { CommandHelp } from '../command-help.ts';

const shells = Object.keys(scripts).join(', ');

export const help: CommandHelp = {
  description: `
Set it up:
  bash        docsctl completion bash > ~/.local/share/bash-completion/completions/docsctl
  zsh         docsctl completion zsh > "\${fpath[1]}/_docsctl"
  fish        docsctl completion fish > ~/.config/fish/completions/docsctl.fish
  powershell  docsctl completion powershell >> $PROFILE
`,
  examples: ['docsctl completion bash'],
};

export const define: DefineCommand = (command, inSession) => {
  command.argument('<shell>', shells).action(
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
