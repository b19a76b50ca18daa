import type { Command } from 'commander';
import { runTranslation } from '../../../resources/translations/contract.ts';
import { printRequests } from '../../dry-run.ts';
import { createNames } from '../../names.ts';
import { readArguments } from '../../operation-command.ts';
import { showTranslations, waitForTranslation, waitOption } from './wait.ts';
import { notePending, readTimeout, timeoutOption } from '../../wait.ts';
import type { RunInSession } from '../../composite-command.ts';

export function define(command: Command, run: RunInSession): void {
  command
    .argument('<translation...>', 'ids, titles of the spaces they are written to, or languages')
    .option(...waitOption)
    .option(...timeoutOption)
    .addHelpText(
      'after',
      `
Looks at every page, but sends nothing again that is translated already; segments for which no answer fitted are tried
once more. A target that was deleted is made anew.

Examples:
  docsctl translations run tra_1
  docsctl translations run "Guide (French)" --wait
`,
    )
    .action((given: readonly string[], options: { readonly wait?: boolean; readonly timeout?: string }) =>
      run(async (session) => {
        const timeout = readTimeout(options);
        const names = createNames(session);
        const organizationId = await names.resolve('organizationId', undefined, {}, runTranslation.id);
        const inputs = [];
        for (const word of await readArguments(session, given))
          inputs.push({
            organizationId,
            translationId: await names.resolve('translationId', word, { organizationId }, runTranslation.id),
          });
        if (session.flags.dryRun === true)
          return printRequests(session, runTranslation, inputs, {}, undefined);
        const api = await session.api();
        for (const params of inputs)
          await api.call(runTranslation, { params }, { signal: session.runtime.signal });
        if (options.wait !== true) {
          if (session.terminal.stderrIsTTY) session.note('translations run: asked for.');
          return notePending(session, inputs.length);
        }
        const done = [];
        for (const params of inputs) done.push(await waitForTranslation(session, params, timeout));
        await showTranslations(session, done);
      }),
    );
}
