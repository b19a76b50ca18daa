import { parseColumns, requirePath } from './columns.ts';
import { type OutputOptions } from './format.ts';
import { valueAt } from '../../contract/paths.ts';
import { isRecord } from '../../contract/values.ts';

type Field = readonly [title: string, value: unknown];

/** Fields that tell a person little; --columns and the structured formats have them. */
const furniture = new Set(['object', 'urls', 'permissions', 'layout']);
/** As many things are named one by one; of more a person only wants the number. */
const mostNamed = 10;

/** The fields of one object that a table shows, with their titles: all that tell something, or those of --columns. */
export function fieldsOf(record: object, options: OutputOptions): Field[] {
  if (!options.columns) {
    const fields = Object.entries(record).filter(([name]) => !furniture.has(name));
    // What a list shows of each, the address of a share link, is no furniture there.
    const listed = options.defaultColumns
      .filter((path) => furniture.has(path.split('.')[0]!))
      .map((path): Field => [path, valueAt(record, path)]);
    const titles = new Map(
      options.defaultColumns.flatMap((column) =>
        column.includes('=') ? [column.split('=') as [string, string]] : [],
      ),
    );
    const shown = fields
      .flatMap(([name, value]) => spread(name, value))
      .map(([path, value]): Field => [titles.get(path) ?? path, value]);
    return [...shown, ...listed.filter(([, value]) => value !== undefined)];
  }
  return parseColumns(options.columns).map(({ path, title }) => {
    requirePath(path, [record], options.fields ?? [], 'column');
    return [title, valueAt(record, path)] as const;
  });
}

/** An object that is no resource, such as the place of a page in its folder, as a field for each of its own. */
function spread(name: string, value: unknown): Field[] {
  if (Array.isArray(value) && value.length > 0 && value.every(isFault)) return faults(name, value);
  if (!isRecord(value) || 'object' in value) return [[name, brief(value)]];
  const entries = Object.entries(value);
  return entries.length === 0
    ? [[name, undefined]]
    : entries.flatMap(([key, inner]) => spread(`${name}.${key}`, inner));
}

/** What says what is wrong, as in an error with its code. */
function isFault(value: unknown): value is { readonly message: string; readonly code?: unknown } {
  return (
    isRecord(value) &&
    typeof value['message'] === 'string' &&
    Object.keys(value).every((key) => key === 'message' || key === 'code')
  );
}

/** Each of what is wrong on a line of its own. */
function faults(
  name: string,
  all: readonly { readonly message: string; readonly code?: unknown }[],
): Field[] {
  const shown = all
    .slice(0, mostNamed)
    .map(({ code, message }): Field => [name, typeof code === 'string' ? `${code}: ${message}` : message]);
  return all.length > mostNamed
    ? [...shown, [name, `${all.length - mostNamed} more (all with -o json)`]]
    : shown;
}

/** A user by the email, a resource by its title or id, a text by its words, a list by what is in it or how many; everything else as it is. */
function brief(value: unknown): unknown {
  if (Array.isArray(value)) return briefList(value);
  if (!isRecord(value)) return value;
  if (value['object'] === 'document') return wordsOf(value).replace(/\s+/g, ' ').trim();
  const { email, displayName, title, subject, name, id } = value;
  return email ?? displayName ?? title ?? subject ?? name ?? id ?? value;
}

function briefList(items: readonly unknown[]): unknown {
  if (items.length === 0) return undefined;
  const named = items.map(brief);
  const areNamed = named.every((item) => typeof item !== 'object');
  return areNamed && items.length <= mostNamed ? named.join(', ') : `${items.length} (all with -o json)`;
}

function wordsOf(node: Readonly<Record<string, unknown>>): string {
  if (typeof node['text'] === 'string') return node['text'];
  const inner = ['nodes', 'leaves'].flatMap((name) =>
    Array.isArray(node[name]) ? (node[name] as Record<string, unknown>[]) : [],
  );
  return inner.map(wordsOf).join('') + (node['object'] === 'block' ? ' ' : '');
}
