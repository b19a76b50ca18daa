import { parseColumns, requirePath } from './columns.ts';
import type { OutputOptions } from './format.ts';
import { valueAt } from './path.ts';

/** Fields that tell a person little; --columns and the structured formats have them. */
const furniture = new Set(['object', 'urls', 'permissions']);

/** The fields of one object that a table shows, with their titles: all that tell something, or those of --columns. */
export function fieldsOf(record: object, options: OutputOptions): (readonly [title: string, value: unknown])[] {
  if (!options.columns)
    return Object.entries(record)
      .filter(([name]) => !furniture.has(name))
      .map(([name, value]) => [name, brief(value)] as const);
  return parseColumns(options.columns).map(({ path, title }) => {
    requirePath(path, [record], options.fields ?? [], 'column');
    return [title, valueAt(record, path)] as const;
  });
}

/** A user by the email, a resource by its title or id; everything else as it is. */
function brief(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => typeof item === 'object' && typeof brief(item) === 'string') ? value.map(brief).join(', ') : value;
  if (typeof value !== 'object' || value === null || !('object' in value)) return value;
  const { email, displayName, title, name, id } = value as Record<string, unknown>;
  return email ?? displayName ?? title ?? name ?? id ?? value;
}
