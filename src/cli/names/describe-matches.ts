import { valueAt } from '../../contract/paths.ts';
import { displayText } from '../output/cell.ts';

/**
 * Describes the differences between several resources with the same name: "Guide, created 2026-05-04 10:00Z, in Product". `names`
 * are the dotted paths of their names; `collections` has the titles of collections by ID.
 */
export function describeMatches(
  items: readonly unknown[],
  [namePath, ...otherPaths]: readonly [string, ...string[]],
  collections: ReadonlyMap<string, string>,
): string[] {
  const nameOf = (path: string) => (item: unknown) => valueAt(item, path);
  const differ = (path: string) => new Set(items.map(nameOf(path))).size === items.length;
  // Other names are needed only if the first one is shared.
  const telling = differ(namePath) ? [] : otherPaths.filter(differ);
  return items.map((item) => {
    const textAt = (path: string): string | undefined => {
      const value = valueAt(item, path);
      return typeof value === 'string' ? value : undefined;
    };
    const [created, deleted, parent] = ['createdAt', 'deletedAt', 'parent'].map(textAt);
    return [
      textAt(namePath) ?? '',
      ...telling.flatMap((path) => textAt(path) ?? []),
      ...(created === undefined ? [] : [`created ${displayText(created)}`]),
      ...(deleted === undefined ? [] : [`deleted ${displayText(deleted)}`]),
      ...(parent === undefined ? [] : [`in ${collections.get(parent) ?? parent}`]),
    ].join(', ');
  });
}
