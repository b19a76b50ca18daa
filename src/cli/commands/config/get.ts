import { Problem } from '../../../errors/problem.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { wantsTable, type Session } from '../../session/session.ts';
import { describeSetting, findSetting } from './describe-settings.ts';

export const help: CommandHelp = {
  description:
    'Prints the values that commands use, whether they come from an option, a variable, a file, a profile or a default. Exits with code 5 if a setting is not set. Tokens are never printed.',
  examples: ['docsctl config get org', 'docsctl config get store org -o json'],
};

export const define: DefineCommand = (command, inSession) => {
  command.argument('<setting...>', 'names of settings, such as org, space or output').action(
    inSession(async (session, words: readonly string[]) => {
      const settings = words.map((word) => readSetting(session, word));
      const [only, second] = settings;
      if (only === undefined || second !== undefined)
        return session.printAll(settings, { columns: ['id', 'value'], noun: 'settings' });
      if (wantsTable(session)) return void (await session.terminal.stdout.write(`${only.value}\n`));
      await session.print(only);
    }),
  );
};

function readSetting(session: Session, word: string): ReturnType<typeof describeSetting> {
  const name = findSetting(word);
  if (name === 'token')
    throw new Problem('usage', 'Tokens are not printed.', {
      hint: 'To see where the token comes from, run `docsctl config explain`.',
    });
  const setting = describeSetting(session, name);
  if (setting.value !== null) return setting;
  throw new Problem('not-found', `The setting ${word} is not set.`, {
    hint: `Set it with \`docsctl config set ${word} VALUE\`.`,
  });
}
