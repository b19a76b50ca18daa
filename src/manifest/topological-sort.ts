/** Nodes so that each stands behind those it needs, otherwise in their order; `cycle` holds those that need each other. */
export function topologicalSort<T>(
  nodes: readonly T[],
  keyOf: (node: T) => string,
  needsOf: (node: T) => Iterable<string>,
): { readonly sorted: T[]; readonly cycle: T[] } {
  const needs = new Map(nodes.map((node) => [keyOf(node), [...needsOf(node)]]));
  const { sorted, left } = peel(nodes, keyOf, needs);
  // What is left is in a cycle, or waits for one; seen from the other side the latter comes off as well.
  return { sorted, cycle: peel(left, keyOf, turned(left, keyOf, needs)).left };
}

/** Takes off node after node that needs none of those left. */
function peel<T>(
  nodes: readonly T[],
  keyOf: (node: T) => string,
  needs: ReadonlyMap<string, readonly string[]>,
): { readonly sorted: T[]; readonly left: T[] } {
  const keys = new Set(nodes.map(keyOf));
  const waiting = new Map<string, number>();
  const neededBy = new Map<string, T[]>();
  for (const node of nodes) {
    const own = new Set((needs.get(keyOf(node)) ?? []).filter((key) => keys.has(key)));
    waiting.set(keyOf(node), own.size);
    for (const key of own) {
      const others = neededBy.get(key);
      if (others === undefined) neededBy.set(key, [node]);
      else others.push(node);
    }
  }
  const sorted = nodes.filter((node) => waiting.get(keyOf(node)) === 0);
  for (let index = 0; index < sorted.length; index++) {
    for (const node of neededBy.get(keyOf(sorted[index]!)) ?? []) {
      const count = waiting.get(keyOf(node))! - 1;
      waiting.set(keyOf(node), count);
      if (count === 0) sorted.push(node);
    }
  }
  return { sorted, left: nodes.filter((node) => waiting.get(keyOf(node))! > 0) };
}

/** Who is needed by whom. */
function turned<T>(
  nodes: readonly T[],
  keyOf: (node: T) => string,
  needs: ReadonlyMap<string, readonly string[]>,
): Map<string, string[]> {
  const found = new Map<string, string[]>(nodes.map((node) => [keyOf(node), []]));
  for (const node of nodes)
    for (const key of new Set(needs.get(keyOf(node)))) found.get(key)?.push(keyOf(node));
  return found;
}
