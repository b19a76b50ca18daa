/**
 * Sorts live items in the order of the stated ones with the same key, so that a plan shows only items that differ. Items that are
 * not stated keep their order, at the end.
 */
export function inOrderOf<T>(stated: readonly T[], live: readonly T[], keyOf: (item: T) => string): T[] {
  const ranks = new Map(stated.map((item, index) => [keyOf(item), index]));
  const rankOf = (item: T) => ranks.get(keyOf(item)) ?? ranks.size;
  return live.toSorted((a, b) => rankOf(a) - rankOf(b));
}
