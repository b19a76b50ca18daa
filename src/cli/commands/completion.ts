import { Problem } from '../../errors/problem.ts';
import { scripts } from '../completion/scripts.ts';
import type { DefineCommand } from '../composite-command.ts';
import type { CommandHelp } from '../command-help.ts';

const shells = Object.keys(scripts).join(', ');

export const help: CommandHelp = {
  description: `
Prints a script that completes commands, options and values, such as the titles of spaces, in your shell. Set it up once:

  bash        docsctl completion bash > ~/.local/share/bash-completion/completions/docsctl
  zsh         docsctl completion zsh > "\${fpath[1]}/_docsctl"
  fish        docsctl completion fish > ~/.config/fish/completions/docsctl.fish
  powershell  docsctl completion powershell >> $PROFILE
`,
  examples: ['docsctl completion bash'],
};

export const define: DefineCommand = (command, inSession) => {
  command.argument('<shell>', `shell to complete in: ${shells}`).action(
    inSession(async ({ terminal }, shell: string) => {
      const script = new Map(Object.entries(scripts)).get(shell.toLowerCase());
      if (script === undefined)
        throw new Problem('usage', `There is no completion script for the shell "${shell}".`, {
          hint: `Choose one of: ${shells}.`,
        });
      await terminal.stdout.write(script);
    }),
  );
};
