import type { Operation } from '../../contract/operation.ts';
import type { TSchema } from '../../contract/schema.ts';
import { isRecord } from '../../contract/values.ts';
import { propertiesIn } from '../input/field-schema.ts';
import { positionalsOf } from '../input/positionals.ts';
import type { Session } from '../session/session.ts';
import type { TableView } from './table-views.ts';

/**
 * Returns the column that names the resource of each row, such as `space`, if the lists of several resources are printed as one
 * table. Undefined if the answers are not lists, or if each is printed as a whole.
 */
export function ownerColumn(
  operation: Operation,
  view: TableView | undefined,
  { format, flags }: Session,
): string | undefined {
  if (flags.query !== undefined || !['table', 'csv', 'tsv', 'id'].includes(format)) return undefined;
  const { schema } = operation.returns;
  const isRows = view === undefined ? rowSchema(schema) !== schema : view.needsOwner === true;
  return isRows ? positionalsOf(operation)[0]?.replace(/Id$/, '') : undefined;
}

/** Returns the schema of the rows of `rowsIn`, or else of the answer itself. */
export function rowSchema(schema: TSchema | undefined): object {
  const [only, second] = propertiesIn(schema);
  return (second === undefined ? only?.[1].items : undefined) ?? schema ?? {};
}

/**
 * Returns the rows of an answer that contains one array, such as `{ pages }`. Nested rows are in reading order, and indented in a
 * tree.
 */
export function rowsIn(result: unknown, isTree: boolean, depth = 0): unknown[] | undefined {
  if (!isRecord(result)) return undefined;
  const [entry, second] = Object.entries(result);
  if (entry === undefined || second !== undefined || !Array.isArray(entry[1])) return undefined;
  const [name, items] = entry as [string, Record<string, unknown>[]];
  return items.flatMap((item) => {
    const { title } = item;
    const isIndented = isTree && depth > 0 && typeof title === 'string';
    const row = isIndented ? { ...item, title: '  '.repeat(depth) + title } : item;
    const inner = { [name]: Array.isArray(item[name]) ? item[name] : [] };
    return [row, ...(rowsIn(inner, isTree, depth + 1) ?? [])];
  });
}
