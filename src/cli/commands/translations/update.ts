import type { InputOf } from '../../../contract/operation.ts';
import { Problem } from '../../../errors/problem.ts';
import { updateTranslation } from '../../../resources/translations/contract.ts';
import type { DefineCommand } from '../../composite-command.ts';
import { addFields } from '../../field-options.ts';
import { readFields } from '../../fields.ts';
import { resolveArguments } from '../../names.ts';
import { printRequests } from '../../print-results.ts';
import type { Session } from '../../session.ts';
import { printTranslations, waitForTranslation, waitOption } from './wait.ts';
import type { CommandHelp } from '../../command-help.ts';

type Body = NonNullable<InputOf<typeof updateTranslation>['body']>;
type Options = Readonly<Record<string, unknown>>;

export const help: CommandHelp = {
  description: `
What the instructions say is done to every page; edits by hand in the translated space stay as they are.
`,
  examples: [
    'docsctl translations update "Guide (French)" --instructions @glossary.md --wait',
    `docsctl translations update fr --instructions '- sentence: phrase'`,
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addFields(command, updateTranslation);
  command
    .argument('[translation...]', 'ids, titles of the spaces they are written to, or languages')
    .option('--translation <id|name>', 'the translation, where it is not given by position')
    .option(...waitOption)
    .action(inSession(update));
};

async function update(session: Session, given: readonly string[], options: Options): Promise<void> {
  const body = (await readFields(session, updateTranslation, options, {})).body as Body;
  if ((body as Partial<Body>).instructions === undefined)
    throw new Problem('usage', 'Which instructions?', {
      hint: 'Give them as --instructions TEXT or @FILE.',
    });
  const { translation } = options;
  const names = typeof translation === 'string' ? [...given, translation] : given;
  const hint = 'Give its id, the title of its space or its language; `docsctl translations list` shows them.';
  const targets = await resolveArguments(session, 'translationId', names, 'Which translation?', hint);
  if (session.flags.dryRun === true) return printRequests(session, updateTranslation, targets, { body });
  const translations = [];
  for (const params of targets) translations.push(await session.call(updateTranslation, { params, body }));
  if (options['wait'] === true)
    for (const [index, params] of targets.entries())
      translations[index] = await waitForTranslation(session, params);
  await printTranslations(session, translations);
}
