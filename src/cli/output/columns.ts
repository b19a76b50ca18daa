import { Problem } from '../../errors/problem.ts';
import { type OutputOptions } from './format.ts';
import { nearest } from '../../contract/nearest.ts';
import { pathsOf, valueAt } from '../../contract/paths.ts';
import { isRecord } from '../../contract/values.ts';

/** One column of rows. */
export interface Column {
  readonly title: string;
  readonly path: string;
}

export interface Layout {
  readonly columns: readonly Column[];
  /** Rows of scalars and of arrays have no names to show. */
  readonly headers: boolean;
}

/** Reads `a,b.c,path=Title`. */
export function parseColumns(words: readonly string[]): Column[] {
  const columns = words
    .flatMap((word) => word.split(','))
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .map((word) => {
      const equals = word.indexOf('=');
      return equals > 0
        ? { path: word.slice(0, equals).trim(), title: word.slice(equals + 1).trim() }
        : { path: word, title: word };
    });
  if (columns.length === 0)
    throw new Problem('usage', 'The list of columns is empty.', { hint: 'Name some: --columns id,title.' });
  return columns;
}

/** Decides the columns of a result from its first items; a column that is nowhere is the caller's mistake. */
export function layoutOf(items: readonly unknown[], options: OutputOptions): Layout {
  const { headers } = options;
  if (options.columns) {
    const columns = parseColumns(options.columns);
    for (const { path } of columns) requirePath(path, items, options.fields ?? [], 'column');
    return { columns, headers };
  }
  const first = items[0];
  if (first !== undefined && !isRecord(first)) return { columns: positions(first, items), headers: false };
  if (options.defaultColumns.length > 0 && isResource(first, options))
    return { columns: parseColumns(options.defaultColumns), headers };
  const keys = [...new Set(items.flatMap((item) => (isRecord(item) ? Object.keys(item) : [])))];
  return { columns: keys.map((path) => ({ path, title: path })), headers };
}

/** Throws when neither an item nor the contract has the path. Nothing can be said while there is no item. */
export function requirePath(
  path: string,
  items: readonly unknown[],
  fields: readonly string[],
  what: string,
): void {
  const known = (field: string) =>
    field === path || (field.endsWith('*') && path.startsWith(field.slice(0, -1)));
  if (items.length === 0 || fields.some(known) || items.some((item) => valueAt(item, path) !== undefined))
    return;
  const candidates = [
    ...new Set([
      ...fields.filter((field) => !field.endsWith('*')),
      ...items.slice(0, 100).flatMap((item) => pathsOf(item)),
    ]),
  ];
  const guesses = nearest(path, candidates);
  const listed =
    guesses.length > 0
      ? `Did you mean ${guesses.join(', ')}?`
      : `Known: ${candidates.slice(0, 20).join(', ')}.`;
  throw new Problem('usage', `There is no ${what} "${path}".`, {
    hint: candidates.length > 0 ? listed : 'The items have no fields.',
  });
}

/** A query may have made something else of the items; then their own keys are the columns. */
function isResource(item: unknown, { defaultColumns, query }: OutputOptions): boolean {
  if (item === undefined || (isRecord(item) && typeof item['object'] === 'string')) return true;
  const has = (column: string) => valueAt(item, column.split('=')[0]!) !== undefined;
  return query === undefined ? defaultColumns.some(has) : defaultColumns.every(has);
}

function positions(first: unknown, items: readonly unknown[]): Column[] {
  if (!Array.isArray(first)) return [{ path: '', title: '' }];
  const longest = items.reduce<number>(
    (most, item) => Math.max(most, Array.isArray(item) ? item.length : 1),
    1,
  );
  return Array.from({ length: longest }, (_, index) => ({ path: String(index), title: '' }));
}

/** The columns or the field to sort by that somebody named, with the path for each name that a table has as a heading: `issues` for `stats.issues`. */
export function resolveHeadings(words: readonly string[], headed: readonly string[]): string[] {
  const paths = new Map<string, string>();
  for (const column of headed) {
    const [path, title = path] = column.split('=') as [string, string?];
    if (!paths.has(title)) paths.set(title, path);
  }
  return words.map((word) => {
    const [name, title = name] = word.split('=') as [string, string?];
    const path = paths.get(name) ?? name;
    return path === name ? word : `${path}=${title}`;
  });
}
