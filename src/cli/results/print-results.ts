import type { Operation } from '../../contract/operation.ts';
import { fieldPaths } from '../../contract/paths.ts';
import { queryText } from '../../client/request.ts';
import { defined } from '../../contract/values.ts';
import { pathOfCall } from '../session/changes.ts';
import type { PlannedCall } from '../confirm/refuse-certain.ts';
import { withoutCredentials } from '../session/secret-texts.ts';
import type { PrinterDefaults, Session } from '../session/session.ts';

/** Prints one result as a record, several as a list. With `isList`, a single one is a list too. */
export function printResults(
  session: Session,
  results: readonly unknown[],
  defaults: PrinterDefaults,
  isList = results.length !== 1,
): Promise<void> {
  return isList ? session.printAll(results, defaults) : session.print(results[0], defaults);
}

/** Returns the default columns and fields of an operation's results, from its declaration. */
export function defaultsOf({ cli, returns }: Operation, noun: string): PrinterDefaults {
  return { columns: cli.columns ?? [], noun, fields: fieldPaths(returns.schema ?? {}) };
}

/** Prints the requests that a changing command would send, after checking them like real ones. Credentials in URLs are hidden. */
export async function printRequests(
  session: Session,
  operation: Operation,
  inputs: readonly Readonly<Record<string, string>>[],
  { query = {}, body }: { query?: object; body?: unknown } = {},
): Promise<void> {
  await printCalls(
    session,
    operation,
    inputs.map((params) => ({ params, body })),
    query,
  );
}

/** Prints requests that each have their own body. */
export async function printCalls(
  session: Session,
  operation: Operation,
  calls: readonly PlannedCall[],
  query: object,
): Promise<void> {
  const requests = [];
  for (const { params, body } of calls) {
    await session.check(operation, { params, query, body });
    const shown = defined({ body: withoutCredentials(body) });
    const path = `${pathOfCall(operation, params)}${queryText(query)}`;
    requests.push({ method: operation.method, path, ...shown });
  }
  await printResults(session, requests, { columns: ['method', 'path', 'body'], noun: 'requests' });
  session.note('Dry run: nothing was sent.');
}
