import { parseColumns, requirePath } from './columns.ts';
import type { OutputOptions } from './format.ts';
import { valueAt } from './path.ts';

/** Fields that tell a person little; --columns and the structured formats have them. */
const furniture = new Set(['object', 'urls', 'permissions']);

/** The fields of one object that a table shows, with their titles: all that tell something, or those of --columns. */
export function fieldsOf(record: object, options: OutputOptions): (readonly [title: string, value: unknown])[] {
  if (!options.columns) return Object.entries(record).filter(([name]) => !furniture.has(name));
  return parseColumns(options.columns).map(({ path, title }) => {
    requirePath(path, [record], options.fields ?? [], 'column');
    return [title, valueAt(record, path)] as const;
  });
}
