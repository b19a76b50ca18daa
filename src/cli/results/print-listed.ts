import { eachItem } from '../../contract/each-page.ts';
import type { Operation, PathParams } from '../../contract/operation.ts';
import { valueAt } from '../../contract/paths.ts';
import { notFound, Problem } from '../../errors/problem.ts';
import { defaultsOf, printResults } from './print-results.ts';
import { wantsReport, type Session } from '../session/session.ts';

interface Listed {
  readonly params: PathParams;
  readonly ids: readonly string[];
  /** Whether a single item is printed as a list. */
  readonly isList: boolean;
  /** The path of the ID in an item (default: `id`). */
  readonly idPath?: string;
  /** The word for an item in errors, such as "token". */
  readonly word: string;
  /** Returns the table row of an item, if it is not the item itself. */
  readonly record?: (item: unknown) => object;
}

/**
 * Prints items of a list by their IDs, for resources that the API can only list.
 * @throws Problem(not-found) if the list does not contain one of them
 */
export async function printListed(
  session: Session,
  list: Operation,
  { params, ids, isList, idPath = 'id', word, record }: Listed,
): Promise<void> {
  const found = new Map<string, unknown>();
  const all: AsyncIterable<unknown> = eachItem(session, list, { params });
  for await (const item of all) found.set(String(valueAt(item, idPath)), item);
  const unknown: string[] = [];
  const items = ids.map((id) => {
    const item = found.get(id);
    if (item === undefined) unknown.push(id);
    return item;
  });
  if (unknown[0] !== undefined) {
    const { listCommand } = await import('../find-operation.ts');
    throw new Problem('not-found', notFound(word, unknown[0]).message, {
      hint: `To see the ${word}s, run \`${await listCommand(list.id, params)}\`.`,
    });
  }
  const isRecord = !isList && record !== undefined && wantsReport(session);
  await printResults(session, isRecord ? items.map(record) : items, defaultsOf(list, `${word}s`), isList);
}
