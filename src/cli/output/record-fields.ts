import { valueAt } from '../../contract/paths.ts';
import { isRecord } from '../../contract/values.ts';
import { parseColumns, requirePath } from './columns.ts';
import type { OutputOptions } from './format.ts';

type Field = readonly [title: string, value: unknown];

/** An error in a result, such as an error of a specification. */
interface Fault {
  readonly message: string;
  readonly code?: unknown;
}

/** Fields that are not interesting for a person. --columns and structured formats still show them. */
const hiddenFields = new Set(['object', 'urls', 'permissions', 'layout', 'redundant']);
/** Maximum length of a list that is shown. Longer ones become a number. */
const maxListed = 10;

/** Returns the fields of one object for a table with their titles: those in --columns, otherwise all interesting ones. */
export function fieldsOf(record: object, { columns, defaultColumns, fields }: OutputOptions): Field[] {
  if (columns)
    return parseColumns(columns).map(({ path, title }) => {
      requirePath(path, [record], 'column', fields);
      return [title, valueAt(record, path)];
    });
  const defaults = defaultColumns.map((column) => column.split('='));
  const titles = new Map(defaults.map(([path = '', title = path]) => [path, title]));
  const shown = Object.entries(record)
    .filter(([name]) => !hiddenFields.has(name))
    .flatMap(([name, value]) => flatten(name, value))
    .map(([path, value]): Field => [titles.get(path) ?? path, value]);
  // Hidden fields that a list shows, such as the URL of a share link.
  const listed = defaults
    .filter(([path = '']) => hiddenFields.has(path.replace(/\..*$/s, '')))
    .map(([path = '', title = path]): Field => [title, valueAt(record, path)])
    .filter(([, value]) => value !== undefined);
  return [...shown, ...listed];
}

/** Returns the fields of an object that is not a resource one by one, such as the git path of a page. */
function flatten(name: string, value: unknown): Field[] {
  if (Array.isArray(value) && value.length > 0 && value.every(isFault)) return listFaults(name, value);
  if (!isRecord(value) || 'object' in value) return [[name, summarize(value)]];
  const entries = Object.entries(value);
  return entries.length === 0
    ? [[name, undefined]]
    : entries.flatMap(([key, inner]) => flatten(`${name}.${key}`, inner));
}

function isFault(value: unknown): value is Fault {
  return (
    isRecord(value) &&
    typeof value['message'] === 'string' &&
    Object.keys(value).every((key) => key === 'message' || key === 'code')
  );
}

function listFaults(name: string, faults: readonly Fault[]): Field[] {
  const shown = faults
    .slice(0, maxListed)
    .map(({ code, message }): Field => [name, typeof code === 'string' ? `${code}: ${message}` : message]);
  const more = faults.length - maxListed;
  return more > 0 ? [...shown, [name, `${more} more (all with -o json)`]] : shown;
}

/**
 * Summarizes a value: a user as the email, a resource as its title or ID, a document as its text, a list as its items or their
 * number.
 */
function summarize(value: unknown): unknown {
  if (Array.isArray(value)) {
    if (value.length === 0) return undefined;
    const items = value.map(summarize);
    const areNames = items.every((item) => typeof item !== 'object');
    return areNames && items.length <= maxListed ? items.join(', ') : `${items.length} (all with -o json)`;
  }
  if (!isRecord(value)) return value;
  if (value['object'] === 'document') return textOf(value).replace(/\s+/g, ' ').trim();
  const { email, displayName, title, subject, name, id } = value;
  return email ?? displayName ?? title ?? subject ?? name ?? id ?? value;
}

function textOf(node: Readonly<Record<string, unknown>>): string {
  if (typeof node['text'] === 'string') return node['text'];
  const inner = ['nodes', 'leaves'].flatMap((name) =>
    Array.isArray(node[name]) ? (node[name] as Record<string, unknown>[]) : [],
  );
  return inner.map(textOf).join('') + (node['object'] === 'block' ? ' ' : '');
}
