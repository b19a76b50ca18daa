import { isOperation, type Operation } from '../../contract/operation.ts';
import { defined } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { nouns } from '../../resources/index.ts';
import type { DefineCommand } from '../composite-command.ts';
import { confirm } from '../confirm.ts';
import { forceOption, outOption, type SaveOptions } from '../fields.ts';
import { readDocument } from '../files.ts';
import type { Session } from '../session.ts';
import type { CommandHelp } from '../command-help.ts';

interface Options extends SaveOptions {
  readonly body?: string;
}

export const help: CommandHelp = {
  examples: ['docsctl api GET "/orgs?limit=5"', 'docsctl api PATCH /spaces/spc_1 --body change.yaml'],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<method>', 'GET, POST, PUT, PATCH or DELETE')
    .argument('<path>', 'path with its query, with or without /v1')
    .option('--body <file>', 'body as JSON or YAML, - for standard input')
    .option(...outOption)
    .option(...forceOption)
    .action(inSession(sendRequest));
};

async function sendRequest(session: Session, verb: string, path: string, options: Options): Promise<void> {
  const method = verb.toUpperCase();
  const { operation, params, query } = await findOperation(method, path);
  const { id, returns, cli } = operation;
  const body = options.body === undefined ? undefined : await readDocument(session, options.body);
  if (session.flags.dryRun === true && method !== 'GET') {
    const { printRequests } = await import('../print-results.ts');
    return printRequests(session, operation, [params], { query, body });
  }
  if (method === 'DELETE')
    await confirm(session, { verb: 'delete', noun: id.split('.').slice(0, -1).join(' '), names: [path] });
  if (returns.file === true) {
    const { saveAnswer } = await import('../save-file.ts');
    return saveAnswer(session, operation, { params, query }, options);
  }
  if (options.out !== undefined)
    throw new Problem('usage', '--out is for answers that are files.', {
      hint: 'Redirect standard output instead.',
    });
  const result: unknown = await session.call(operation, { params, query, ...defined({ body }) } as never);
  if (result === undefined) return;
  const { one, page, end } = await session.printer(defined({ columns: cli.columns }));
  await (returns.item === undefined ? one(result) : page(result as never));
  await end();
}

/** Finds the operation of a method and path, with the parameters in the path. @throws Problem(not-found) */
async function findOperation(
  method: string,
  target: string,
): Promise<{ operation: Operation; params: Record<string, string>; query: Record<string, unknown> }> {
  const { pathname, searchParams } = new URL(target.replace(/^\/?(v1\/)?\/?/, '/'), 'http://api.invalid');
  for (const noun of nouns) {
    for (const operation of Object.values(await noun.contract())) {
      if (!isOperation(operation) || operation.method !== method) continue;
      const found = new RegExp(`^${operation.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`).exec(pathname);
      if (found === null) continue;
      const params = Object.entries(found.groups ?? {}).map(([name, value]) => [
        name,
        decodeURIComponent(value),
      ]);
      const raw: Record<string, string[] | string> = {};
      for (const name of new Set(searchParams.keys())) {
        const values = searchParams.getAll(name);
        raw[name] = values.length === 1 ? values.join() : values;
      }
      const { readQuery } = await import('../../server/query.ts');
      return { operation, params: Object.fromEntries(params), query: readQuery(operation.query, raw) };
    }
  }
  throw new Problem('not-found', `The API has no ${method} ${pathname}.`, {
    hint: '`docsctl commands` lists the operations with their paths.',
  });
}
