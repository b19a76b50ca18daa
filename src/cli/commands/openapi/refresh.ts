import type { Command } from 'commander';
import { Problem } from '../../../errors/problem.ts';
import { refreshSpec } from '../../../resources/openapi/contract.ts';
import { printRequests } from '../../dry-run.ts';
import { createNames } from '../../names.ts';
import { readArguments } from '../../operation-command.ts';
import { fieldPaths } from '../../../contract/paths.ts';
import { waitForSpecification } from './wait.ts';
import { notePending, readTimeout, timeoutOption } from '../../wait.ts';
import type { RunInSession } from '../../composite-command.ts';

interface Options {
  readonly specSlug?: string;
  readonly wait?: boolean;
  readonly timeout?: string;
}

export function define(command: Command, run: RunInSession): void {
  command
    .argument('[spec-slug...]', 'specifications, by their slugs')
    .option('--spec-slug <id|name>', 'the specification, where it is not given by position')
    .option('--wait', 'wait until it is processed; exit 8 when it has errors')
    .option(...timeoutOption)
    .addHelpText(
      'after',
      `
Only one from an address is fetched again; that is done every six hours as well. Of what is the same, no new version is made.

Examples:
  docsctl openapi refresh billing --wait
  docsctl openapi refresh billing pets
`,
    )
    .action((slugs: readonly string[], options: Options) =>
      run(async (session) => {
        const timeout = readTimeout(options);
        const given = options.specSlug === undefined ? slugs : [...slugs, options.specSlug];
        if (given.length === 0)
          throw new Problem('usage', 'Which specification?', {
            hint: 'docsctl openapi list shows those that there are.',
          });
        const names = createNames(session);
        const organizationId = await names.resolve('organizationId', undefined, {}, refreshSpec.id);
        const inputs = [];
        for (const word of await readArguments(session, given))
          inputs.push({
            organizationId,
            specSlug: await names.resolve('specSlug', word, { organizationId }, refreshSpec.id),
          });
        if (session.flags.dryRun === true) return printRequests(session, refreshSpec, inputs, {}, undefined);
        const api = await session.api();
        const specs = [];
        for (const params of inputs)
          specs.push({
            params,
            spec: await api.call(refreshSpec, { params }, { signal: session.runtime.signal }),
          });
        const shown = [];
        for (const { params, spec } of specs)
          shown.push(
            options.wait === true ? await waitForSpecification(session, params, spec, timeout) : spec,
          );
        const printer = await session.printer({
          columns: refreshSpec.cli.columns ?? [],
          noun: 'openapi',
          fields: fieldPaths(refreshSpec.returns.schema ?? {}),
        });
        await (shown.length === 1
          ? printer.one(shown[0])
          : printer.page({ count: shown.length, items: shown }));
        await printer.end();
        if (options.wait !== true) await notePending(session);
      }),
    );
}
