import { Problem } from '../../../errors/problem.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { wantsTable } from '../../session/session.ts';
import { describeSetting, findSetting } from './describe-settings.ts';

export const help: CommandHelp = {
  description:
    'Prints the value that commands use, whether it comes from an option, a variable, a file, a profile or a default. Exits with code 5 if the setting is not set. Tokens are never printed.',
  examples: ['docsctl config get org', 'docsctl config get store -o json'],
};

export const define: DefineCommand = (command, inSession) => {
  command.argument('<setting>', 'name of the setting, such as org, space or output').action(
    inSession(async (session, word: string) => {
      const name = findSetting(word);
      if (name === 'token')
        throw new Problem('usage', 'Tokens are not printed.', {
          hint: 'To see where the token comes from, run `docsctl config explain`.',
        });
      const setting = describeSetting(session, name);
      if (setting.value === null)
        throw new Problem('not-found', `The setting ${word} is not set.`, {
          hint: `Set it with \`docsctl config set ${word} VALUE\`.`,
        });
      if (wantsTable(session)) return void (await session.terminal.stdout.write(`${setting.value}\n`));
      await session.print(setting);
    }),
  );
};
