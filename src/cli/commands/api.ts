import type { Command } from 'commander';
import { isOperation, type Operation } from '../../contract/operation.ts';
import { Problem } from '../../errors/problem.ts';
import { nouns } from '../../resources/index.ts';
import { confirm } from '../confirm.ts';
import { readDocument } from '../files.ts';
import type { RunInSession } from '../composite-command.ts';
import { forceOption, outOption, type SaveOptions } from '../fields.ts';

export function define(command: Command, run: RunInSession): void {
  command
    .argument('<method>', 'GET, POST, PUT, PATCH or DELETE')
    .argument('<path>', 'path with its query, with or without /v1')
    .option('--body <file>', 'body as JSON or YAML, - for standard input')
    .option(...outOption)
    .option(...forceOption)
    .addHelpText(
      'after',
      '\nExamples:\n  docsctl api GET "/orgs?limit=5"\n  docsctl api PATCH /spaces/spc_1 --body change.yaml\n',
    )
    .action((method: string, path: string, options: SaveOptions & { body?: string }) =>
      run(async (session) => {
        const { operation, params, query } = await match(method.toUpperCase(), path);
        const body = options.body === undefined ? undefined : await readDocument(session, options.body);
        if (session.flags.dryRun === true && operation.method !== 'GET') {
          const { printRequests } = await import('../dry-run.ts');
          return printRequests(session, operation, [params], query, body);
        }
        if (operation.method === 'DELETE')
          await confirm(session, {
            verb: 'delete',
            noun: operation.id.split('.').slice(0, -1).join(' '),
            names: [path],
          });
        if (operation.returns.file === true) {
          const { saveAnswer } = await import('../save-file.ts');
          return saveAnswer(session, operation, { params, query }, options);
        }
        if (options.out !== undefined)
          throw new Problem('usage', '--out is for answers that are files.', {
            hint: 'Redirect standard output instead.',
          });
        const api = await session.api();
        const result: unknown = await api.call(
          operation,
          { params, query, ...(body === undefined ? {} : { body }) } as never,
          { signal: session.runtime.signal },
        );
        if (result === undefined) return;
        const printer = await session.printer(
          operation.cli.columns === undefined ? {} : { columns: operation.cli.columns },
        );
        await (operation.returns.item === undefined ? printer.one(result) : printer.page(result as never));
        await printer.end();
      }),
    );
}

/** The operation a method and path belong to, with the parameters taken out of the path. */
async function match(
  method: string,
  target: string,
): Promise<{ operation: Operation; params: Record<string, string>; query: Record<string, unknown> }> {
  const url = new URL(target.replace(/^\/?(v1\/)?\/?/, '/'), 'http://api.invalid');
  for (const noun of nouns) {
    for (const operation of Object.values(await noun.contract())) {
      if (!isOperation(operation) || operation.method !== method) continue;
      const found = new RegExp(`^${operation.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`).exec(url.pathname);
      if (found === null) continue;
      const { readQuery } = await import('../../server/query.ts');
      const params = Object.fromEntries(
        Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
      );
      const raw: Record<string, string[] | string> = {};
      for (const name of new Set(url.searchParams.keys())) {
        const values = url.searchParams.getAll(name);
        raw[name] = values.length === 1 ? values[0]! : values;
      }
      return { operation, params, query: readQuery(operation.query, raw) };
    }
  }
  throw new Problem('not-found', `The API has no ${method} ${url.pathname}.`, {
    hint: '`docsctl commands` lists the operations with their paths.',
  });
}
