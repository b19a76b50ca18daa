import { maxDepth, tooDeep } from './guard.ts';

/** Something in a row that may open or close what is around its neighbours. */
export interface Part<T> {
  readonly item: T;
  readonly opens?: string | undefined;
  readonly closes?: string | undefined;
}

/** An item by itself, or a pair of items with what is between them. */
export type Nested<T> =
  | { readonly item: T }
  | { readonly open: T; readonly close: T; readonly inner: Nested<T>[] };

/**
 * Pairs what opens with what closes, in one pass: a closing part ends the nearest one of its name that is open, and
 * whatever opened inside of that without an end stands by itself.
 */
export function nest<T>(parts: readonly Part<T>[]): Nested<T>[] {
  const ends = pairsOf(parts);
  const top: Nested<T>[] = [];
  const open: { readonly end: number; readonly inner: Nested<T>[] }[] = [];
  parts.forEach((part, index) => {
    const last = open.at(-1);
    if (last?.end === index) {
      open.pop();
      return;
    }
    const here = last?.inner ?? top;
    const end = ends.get(index);
    if (end === undefined) {
      here.push({ item: part.item });
      return;
    }
    const inner: Nested<T>[] = [];
    here.push({ open: part.item, close: parts[end]!.item, inner });
    open.push({ end, inner });
    if (open.length > maxDepth) throw tooDeep();
  });
  return top;
}

/** For each part that opens, the place of the one that closes it. */
function pairsOf<T>(parts: readonly Part<T>[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  const count = new Map<string, number>();
  parts.forEach(({ opens, closes }, index) => {
    if (opens !== undefined) {
      open.push(index);
      count.set(opens, (count.get(opens) ?? 0) + 1);
    }
    if (closes === undefined || (count.get(closes) ?? 0) === 0) return;
    for (let start = open.pop()!; ; start = open.pop()!) {
      const name = parts[start]!.opens!;
      count.set(name, count.get(name)! - 1);
      if (name !== closes) continue;
      ends.set(start, index);
      break;
    }
  });
  return ends;
}
