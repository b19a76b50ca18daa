import { Problem } from '../../errors/problem.ts';
import { scripts } from '../completion/scripts.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';

const shells = Object.keys(scripts).join(', ');

export const help: CommandHelp = {
  description: `
Prints a script that completes commands, options and values, such as the titles of spaces, in your shell. Set it up once:

  bash        echo 'eval "$(docsctl completion bash)"' >> ~/.bashrc
  zsh         echo 'source <(docsctl completion zsh)' >> ~/.zshrc
  fish        docsctl completion fish > ~/.config/fish/completions/docsctl.fish
  powershell  docsctl completion powershell >> $PROFILE

In zsh, \`autoload -U compinit && compinit\` must come before that line.
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
