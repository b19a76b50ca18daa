import { maxDepth, tooDeep } from './guard.ts';

/** An item of a sequence that may open or close a level. */
export interface Part<T> {
  readonly item: T;
  readonly opens?: string;
  readonly closes?: string;
}

/** A single item, or a pair of items with the content between them. */
export type Nested<T> =
  | { readonly item: T }
  | { readonly open: T; readonly close: T; readonly inner: Nested<T>[] };

interface Level<T> {
  readonly inner: Nested<T>[];
  depth: number;
}

interface OpenLevel<T> extends Level<T> {
  readonly item: T;
  readonly name: string;
}

/**
 * Pairs opening and closing parts in one pass. A closing part closes the nearest open part with its name. Open parts inside it
 * that have no end become single items.
 *
 * @throws Problem(invalid-input) if pairs are nested too deeply
 */
export function nest<T>(parts: readonly Part<T>[]): Nested<T>[] {
  const top: Level<T> = { inner: [], depth: 0 };
  const open: OpenLevel<T>[] = [];
  /** The number of open parts of each name. It avoids a quadratic search for parts that are not open. */
  const counts = new Map<string, number>();
  const count = (name: string, change: number) => counts.set(name, (counts.get(name) ?? 0) + change);
  for (const { item, opens, closes } of parts) {
    if (opens !== undefined) {
      open.push({ item, name: opens, inner: [], depth: 0 });
      count(opens, 1);
      continue;
    }
    const isClosing = closes !== undefined && (counts.get(closes) ?? 0) > 0;
    const [level, ...unclosed] = isClosing
      ? open.splice(open.findLastIndex(({ name }) => name === closes))
      : [];
    const outer = open.at(-1) ?? top;
    if (level === undefined) {
      outer.inner.push({ item });
      continue;
    }
    standAlone(unclosed, level);
    for (const { name } of [level, ...unclosed]) count(name, -1);
    outer.inner.push({ open: level.item, close: item, inner: level.inner });
    outer.depth = Math.max(outer.depth, level.depth + 1);
    if (outer.depth > maxDepth) throw tooDeep();
  }
  standAlone(open, top);
  return top.inner;
}

/** Moves unclosed parts, and everything in them, to the enclosing level. */
function standAlone<T>(unclosed: readonly OpenLevel<T>[], outer: Level<T>): void {
  for (const { item, inner, depth } of unclosed) {
    outer.inner.push({ item });
    for (const part of inner) outer.inner.push(part);
    outer.depth = Math.max(outer.depth, depth);
  }
}
