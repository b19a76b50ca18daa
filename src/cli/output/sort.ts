import { valueAt } from '../../contract/paths.ts';
import { Problem } from '../../errors/problem.ts';
import { requirePath } from './columns.ts';

/**
 * Creates a stable sort by a path, descending with a leading `-`. Numbers are sorted as numbers, missing values last.
 * @throws Problem(invalid-input) without a path
 */
export function createSort(
  spec: string,
  fields: readonly string[] | undefined,
): (items: readonly unknown[]) => unknown[] {
  const direction = spec.startsWith('-') ? -1 : 1;
  const path = spec.replace(/^[-+]/, '').trim();
  if (path === '')
    throw new Problem('invalid-input', '--sort-by names no field.', {
      hint: 'For example --sort-by title, or --sort-by=-createdAt for the newest first.',
    });
  const collator = new Intl.Collator('en');
  const compare = (a: unknown, b: unknown): number => {
    if (typeof a === 'string' && typeof b === 'string') return collator.compare(a, b);
    if (typeof a === 'object' && typeof b === 'object')
      return collator.compare(JSON.stringify(a), JSON.stringify(b));
    return typeof a === typeof b ? Number(a) - Number(b) : rank(a) - rank(b);
  };
  return (items) => {
    requirePath(path, items, 'field to sort by', fields);
    const keyed = items.map((item) => ({ item, key: valueAt(item, path) ?? undefined }));
    keyed.sort((a, b) =>
      a.key === undefined || b.key === undefined
        ? Number(a.key === undefined) - Number(b.key === undefined)
        : direction * compare(a.key, b.key),
    );
    return keyed.map(({ item }) => item);
  };
}

/** Returns the order of types: numbers, booleans, text, others. */
function rank(value: unknown): number {
  return ['number', 'boolean', 'string', 'object'].indexOf(typeof value);
}
