import type { Command } from 'commander';
import type { InputOf } from '../../../contract/operation.ts';
import { Problem } from '../../../errors/problem.ts';
import { updateTranslation } from '../../../resources/translations/contract.ts';
import { printRequests } from '../../dry-run.ts';
import { addFields, readFields } from '../../fields.ts';
import { createNames } from '../../names.ts';
import { readArguments } from '../../operation-command.ts';
import { showTranslations, waitForTranslation, waitOption } from './wait.ts';
import type { RunInSession } from '../../composite-command.ts';
import { readTimeout, timeoutOption } from '../../wait.ts';

type Body = NonNullable<InputOf<typeof updateTranslation>['body']>;

export function define(command: Command, run: RunInSession): void {
  addFields(command, updateTranslation);
  command
    .argument('[translation...]', 'ids, titles of the spaces they are written to, or languages')
    .option('--translation <id|name>', 'the translation, where it is not given by position')
    .option(...waitOption)
    .option(...timeoutOption)
    .addHelpText(
      'after',
      `
What the instructions say is done to every page; edits by hand in the translated space stay as they are.

Examples:
  docsctl translations update "Guide (French)" --instructions @glossary.md --wait
  docsctl translations update fr --instructions '- sentence: phrase'
`,
    )
    .action((things: readonly string[], options: Record<string, unknown>) =>
      run(async (session) => {
        const timeout = readTimeout(options);
        const names = createNames(session);
        const organizationId = await names.resolve('organizationId', undefined, {}, updateTranslation.id);
        const { body: read } = await readFields(session, updateTranslation, options, {});
        const body = read as Partial<Body> | undefined;
        if (body?.instructions === undefined)
          throw new Problem('usage', 'Which instructions?', {
            hint: 'Give them as --instructions TEXT or @FILE.',
          });
        const given =
          typeof options['translation'] === 'string' ? [...things, options['translation']] : things;
        if (given.length === 0)
          throw new Problem('usage', 'Which translation?', {
            hint: 'Give its id, the title of its space or its language; `docsctl translations list` shows them.',
          });
        const inputs = [];
        for (const word of await readArguments(session, given))
          inputs.push({
            organizationId,
            translationId: await names.resolve(
              'translationId',
              word,
              { organizationId },
              updateTranslation.id,
            ),
          });
        if (session.flags.dryRun === true) return printRequests(session, updateTranslation, inputs, {}, body);
        const api = await session.api();
        const updated = [];
        for (const params of inputs)
          updated.push(
            await api.call(
              updateTranslation,
              { params, body: body as Body },
              { signal: session.runtime.signal },
            ),
          );
        if (options['wait'] === true)
          for (const [index, params] of inputs.entries())
            updated[index] = await waitForTranslation(session, params, timeout);
        await showTranslations(session, updated);
      }),
    );
}
