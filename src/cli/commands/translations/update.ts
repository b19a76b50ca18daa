import { Option } from 'commander';
import type { InputOf } from '../../../contract/operation.ts';
import { Problem } from '../../../errors/problem.ts';
import { updateTranslation } from '../../../resources/translations/contract.ts';
import { requiredArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { addFields } from '../../input/field-options.ts';
import { readFields } from '../../input/fields.ts';
import { resolveArguments } from '../../names/names.ts';
import { printRequests } from '../../results/print-results.ts';
import type { Session } from '../../session/session.ts';
import { printTranslations, waitForTranslation, waitOption } from './wait.ts';
import { areSeveral, severalNotes } from '../../input/positionals.ts';

type Body = NonNullable<InputOf<typeof updateTranslation>['body']>;
type Options = Readonly<Record<string, unknown>>;

export const help: CommandHelp = {
  description: `
The new instructions apply to every page, so the whole space is translated again. Manual edits in the translated space are kept.
`,
  examples: [
    'docsctl translations update "Guide (French)" --instructions @glossary.md --wait',
    `docsctl translations update fr --instructions '- sentence: phrase'`,
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addFields(command, updateTranslation);
  command
    .addArgument(
      requiredArgument(
        '[translation...]',
        `titles of translated spaces, languages or IDs${severalNotes.items}`,
      ),
    )
    .addOption(new Option('--translation <translation>', 'translation, by title or ID').hideHelp())
    .option(...waitOption)
    .action(inSession(update));
};

async function update(session: Session, given: readonly string[], options: Options): Promise<void> {
  const body = (await readFields(session, updateTranslation, options, {})).body as Body;
  if ((body as Partial<Body>).instructions === undefined)
    throw new Problem('usage', '--instructions is missing.', {
      hint: 'Give the instructions with --instructions TEXT or --instructions @FILE.',
    });
  const { translation } = options;
  const names = typeof translation === 'string' ? [...given, translation] : given;
  const hint = 'Give its title, its language or its ID. `docsctl translations list` shows them.';
  const targets = await resolveArguments(session, 'translationId', names, 'No translation is given.', hint);
  if (session.flags.dryRun === true) return printRequests(session, updateTranslation, targets, { body });
  const translations = [];
  for (const params of targets) translations.push(await session.call(updateTranslation, { params, body }));
  if (options['wait'] === true)
    for (const [index, params] of targets.entries())
      translations[index] = await waitForTranslation(session, params);
  await printTranslations(session, translations, areSeveral(names));
}
