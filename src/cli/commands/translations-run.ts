import type { Command } from 'commander';
import { getTranslation, runTranslation } from '../../resources/translations/contract.ts';
import { printRequests } from '../dry-run.ts';
import { createNames } from '../names.ts';
import { fieldPaths } from '../output/path.ts';
import { readPatience, timeoutOption } from '../patience.ts';
import { waitForTranslation } from '../translation-wait.ts';
import type { RunIn } from './index.ts';

export function define(command: Command, run: RunIn): void {
  command
    .argument('<translation...>', 'ids')
    .option('--wait', 'wait until the space is translated')
    .option(...timeoutOption)
    .addHelpText(
      'after',
      `
Looks at every page, but sends nothing again that is translated already; segments for which no answer fitted are tried
once more. A target that was deleted is made anew.

Examples:
  docsctl translations run tra_1
  docsctl translations run tra_1 --wait
`,
    )
    .action((ids: readonly string[], options: { readonly wait?: boolean; readonly timeout?: string }) =>
      run(async (session) => {
        const patience = readPatience(options);
        const organizationId = await createNames(session).resolve('organizationId', undefined, {}, runTranslation.id);
        const inputs = ids.map((translationId) => ({ organizationId, translationId }));
        if (session.flags.dryRun === true) return printRequests(session, runTranslation, inputs, {}, undefined);
        const api = await session.api();
        for (const params of inputs) await api.call(runTranslation, { params }, { signal: session.runtime.signal });
        if (options.wait !== true) return session.terminal.stderrIsTTY ? session.note('translations run: asked for.') : undefined;
        const done = [];
        for (const params of inputs) done.push(await waitForTranslation(session, params, patience));
        const printer = await session.printer({ columns: getTranslation.cli.columns ?? [], noun: 'translations', fields: fieldPaths(getTranslation.returns.schema ?? {}) });
        await (done.length === 1 ? printer.one(done[0]) : printer.page({ count: done.length, items: done }));
        await printer.end();
      }),
    );
}
