import type { Key } from './store.ts';

/**
 * Compares two texts by code point, for sorting. This is the order of their UTF-8 bytes, as in SQLite; the `<` of
 * JavaScript compares UTF-16 code units.
 */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x !== y) return rankOfUnit(x) - rankOfUnit(y);
  }
  return a.length - b.length;
}

/** Compares two keys in the order of all indexes: null, then numbers, then strings. */
export function compareKeys(a: Key, b: Key): number {
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return rankOfKind(a) - rankOfKind(b);
}

/** Compares two lists of keys, key by key. */
export function comparePositions(one: readonly Key[], other: readonly Key[]): number {
  for (const [at, key] of one.entries()) {
    const order = compareKeys(key, other[at] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

/** Ranks surrogates above all other code units, because they encode the highest code points. */
function rankOfUnit(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

function rankOfKind(key: Key): number {
  if (key === null) return 0;
  return typeof key === 'number' ? 1 : 2;
}
