import { nearest } from '../../contract/nearest.ts';
import { pathsOf, valueAt } from '../../contract/paths.ts';
import { isRecord } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import type { OutputOptions } from './format.ts';
import { headingsOf, type Column } from './headings.ts';

export interface Layout {
  readonly columns: readonly Column[];
  /** False for rows of scalars and of arrays, which have no column names. */
  readonly headers: boolean;
  /** Whether the headings are names that the user gave in --columns or --query. */
  readonly keepsNames: boolean;
}

/**
 * Parses --columns and --sort-by. The heading of a known column can be used for its path: `issues` for `stats.issues`.
 * @throws Problem(invalid-input) for a column that no item can have. Deeper paths are checked with the items.
 */
export function readColumns(
  flags: { columns?: string | undefined; sortBy?: string | undefined },
  known: readonly string[],
  fields: readonly string[] = [],
): { columns: string[] | undefined; sortBy: string | undefined } {
  const columns =
    flags.columns === undefined ? undefined : resolveHeadings(wordsOf(flags.columns), known, fields);
  const [, sign = '', field = ''] = /^([-+]?)(.*)$/s.exec(flags.sortBy ?? '') ?? [];
  // A field is sorted by its own value, even if a column with this heading shows it in another form.
  const sorted =
    flags.sortBy === undefined
      ? []
      : fields.includes(field)
        ? [field]
        : resolveHeadings([field], known, fields).map(pathOf);
  const topFields = new Set(fields.map(topOf));
  const unknown = [...(columns ?? []), ...sorted].find(
    (column) => topFields.size > 0 && !topFields.has(topOf(column)),
  );
  if (unknown !== undefined) {
    const headings = known
      .map((column) => column.split('=')[1] ?? column)
      .filter((title) => !title.includes('.'));
    const offered = [...new Set([...headings, ...topFields])];
    const [close] = nearest(topOf(unknown), offered);
    throw new Problem('invalid-input', `There is no column "${unknown}".`, {
      hint: `${close === undefined ? '' : `Did you mean ${close}? `}Columns: ${offered.join(', ')}.`,
    });
  }
  return { columns, sortBy: sorted.length === 0 ? undefined : sign + sorted.join('') };
}

/** Replaces each word that is the heading of a known column by its path. */
export function resolveHeadings(
  words: readonly string[],
  known: readonly string[],
  fields: readonly string[] = [],
): string[] {
  const paths = new Map<string, string>();
  const columns = known.length === 0 ? [] : parseColumns(known);
  for (const { path, title } of columns) if (!paths.has(title)) paths.set(title, path);
  /** Whether a heading is also a field. Then the word means the field, except for names: `team` means `team.title`. */
  const isOther = (heading: string, column?: Column) =>
    fields.includes(heading) && !/\.(?:title|name|displayName)$/.test(column?.path ?? '');
  for (const [index, heading] of headingsOf(columns).entries())
    if (!paths.has(heading) && !isOther(heading, columns[index]))
      paths.set(heading, columns[index]?.path ?? heading);
  return words.map((word) => {
    const [name = '', title = name] = word.split('=');
    const path = paths.get(name) ?? name;
    return path === name ? word : `${path}=${title}`;
  });
}

/** Returns the path in `path=Title`. */
function pathOf(column: string): string {
  return column.replace(/=.*$/s, '');
}

function topOf(column: string): string {
  return column.replace(/[.=].*$/s, '');
}

function wordsOf(list: string): string[] {
  return list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Parses `a,b.c,path=Title`. @throws Problem(invalid-input) for an empty list */
export function parseColumns(lists: readonly string[]): Column[] {
  const columns = lists.flatMap(wordsOf).map((word) => {
    const equals = word.indexOf('=');
    return equals > 0
      ? { path: word.slice(0, equals).trim(), title: word.slice(equals + 1).trim() }
      : { path: word, title: word };
  });
  if (columns.length === 0)
    throw new Problem('invalid-input', 'The list of columns is empty.', {
      hint: 'Name the columns, such as --columns id,title.',
    });
  return columns;
}

/** Chooses the columns of a result from its first items. @throws Problem(invalid-input) for a column that no item has */
export function layoutOf(items: readonly unknown[], options: OutputOptions): Layout {
  const { headers } = options;
  if (options.columns) {
    const columns = parseColumns(options.columns);
    for (const { path } of columns) requirePath(path, items, 'column', options.fields);
    return { columns, headers, keepsNames: true };
  }
  const [first] = items;
  if (first !== undefined && !isRecord(first))
    return { columns: positions(first, items), headers: false, keepsNames: true };
  if (options.defaultColumns.length > 0 && isResource(first, options))
    return { columns: parseColumns(options.defaultColumns), headers, keepsNames: false };
  const keys = [...new Set(items.flatMap((item) => (isRecord(item) ? Object.keys(item) : [])))];
  const keepsNames = options.query !== undefined;
  return { columns: keys.map((path) => ({ path, title: path })), headers, keepsNames };
}

/** Checks that the contract or an item has the path, if there are items. @throws Problem(invalid-input) */
export function requirePath(
  path: string,
  items: readonly unknown[],
  what: string,
  fields: readonly string[] = [],
): void {
  const isPath = (field: string) =>
    field === path || (field.endsWith('*') && path.startsWith(field.slice(0, -1)));
  if (items.length === 0 || fields.some(isPath) || items.some((item) => valueAt(item, path) !== undefined))
    return;
  const candidates = [
    ...new Set([
      ...fields.filter((field) => !field.endsWith('*')),
      ...items.slice(0, 100).flatMap((item) => pathsOf(item)),
    ]),
  ];
  const guesses = nearest(path, candidates);
  const hint =
    guesses.length > 0
      ? `Did you mean ${guesses.join(', ')}?`
      : `Known: ${candidates.slice(0, 20).join(', ')}.`;
  throw new Problem('invalid-input', `There is no ${what} "${path}".`, {
    hint: candidates.length > 0 ? hint : 'The items have no fields.',
  });
}

/** Whether the default columns fit an item. If a query has changed it, its own keys are the columns. */
function isResource(item: unknown, { defaultColumns, query }: OutputOptions): boolean {
  if (item === undefined || (isRecord(item) && typeof item['object'] === 'string')) return true;
  const has = (column: string) => valueAt(item, pathOf(column)) !== undefined;
  return query === undefined ? defaultColumns.some(has) : defaultColumns.every(has);
}

function positions(first: unknown, items: readonly unknown[]): Column[] {
  if (!Array.isArray(first)) return [{ path: '', title: '' }];
  const length = items.reduce<number>((max, item) => Math.max(max, Array.isArray(item) ? item.length : 1), 1);
  return Array.from({ length }, (_, index) => ({ path: String(index), title: '' }));
}
