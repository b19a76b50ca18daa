import type { Command } from 'commander';
import type { InputOf } from '../../../contract/operation.ts';
import { Problem } from '../../../errors/problem.ts';
import { createTranslation } from '../../../resources/translations/contract.ts';
import { printRequests } from '../../dry-run.ts';
import { addFields, readFields } from '../../fields.ts';
import { createNames } from '../../names.ts';
import { showTranslations, waitForTranslation, waitOption } from './wait.ts';
import type { RunInSession } from '../../composite-command.ts';
import { readTimeout, timeoutOption } from '../../wait.ts';

type Body = InputOf<typeof createTranslation>['body'];

export function define(command: Command, run: RunInSession): void {
  addFields(command, createTranslation);
  command
    .option(...waitOption)
    .option(...timeoutOption)
    .addHelpText(
      'after',
      `
Makes a space beside the source and keeps it up: what changes in the source is translated again, page by page. Where the
work is done, DOCSCTL_TRANSLATION names the service: pseudo (the default: marks what would be
translated), openai, deepl or libretranslate.
The instructions may hold a glossary: "- term: translation", "do not translate: X, Y", or a table of two columns.

Examples:
  docsctl translations create --space Guide --from en --language fr --wait
  docsctl translations create --space Guide --from en --language de --instructions @glossary.md
`,
    )
    .action((options: Record<string, unknown>) =>
      run(async (session) => {
        const timeout = readTimeout(options);
        const names = createNames(session);
        const params = {
          organizationId: await names.resolve('organizationId', undefined, {}, createTranslation.id),
        };
        const { body: given } = await readFields(session, createTranslation, options, {});
        const body = given as Body;
        if (typeof body?.source?.space !== 'string')
          throw new Problem('usage', 'Which space shall be translated?', {
            hint: 'Give it as --space, and its language as --from.',
          });
        const space = await names.resolve('spaceId', body.source.space, params, createTranslation.id);
        const sent: Body = { ...body, source: { ...body.source, space } };
        if (session.flags.dryRun === true)
          return printRequests(session, createTranslation, [params], {}, sent);
        const api = await session.api();
        let translation = await api.call(
          createTranslation,
          { params, body: sent },
          { signal: session.runtime.signal },
        );
        if (options['wait'] === true)
          translation = await waitForTranslation(
            session,
            { ...params, translationId: translation.id },
            timeout,
          );
        await showTranslations(session, [translation]);
      }),
    );
}
