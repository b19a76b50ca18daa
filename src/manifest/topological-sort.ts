interface Vertex<T> {
  readonly node: T;
  readonly needs: Set<Vertex<T>>;
  readonly users: Set<Vertex<T>>;
}

/**
 * Sorts nodes so that each comes after the nodes that it needs, otherwise in the given order (Kahn's algorithm). `cycle` contains
 * the nodes that need each other. `sorted` contains neither these nor the nodes that need them.
 */
export function topologicalSort<T>(
  nodes: readonly T[],
  keyOf: (node: T) => string,
  needsOf: (node: T) => Iterable<string>,
): { sorted: T[]; cycle: T[] } {
  const vertices = nodes.map((node): Vertex<T> => ({ node, needs: new Set(), users: new Set() }));
  const byKey = new Map(vertices.map((vertex) => [keyOf(vertex.node), vertex]));
  for (const vertex of vertices)
    for (const key of needsOf(vertex.node)) {
      const needed = byKey.get(key);
      if (needed === undefined) continue;
      vertex.needs.add(needed);
      needed.users.add(vertex);
    }
  const sorted = peel(vertices, 'needs', 'users');
  const left = vertices.filter(({ needs }) => needs.size > 0);
  // The remaining nodes are in a cycle or wait for one. Peeling from the other side removes the latter.
  peel(left, 'users', 'needs');
  return {
    sorted: sorted.map(({ node }) => node),
    cycle: left.filter(({ users }) => users.size > 0).map(({ node }) => node),
  };
}

/** Removes nodes without edges in one direction, and the edges to them, until none is left. */
function peel<T>(
  vertices: readonly Vertex<T>[],
  edges: 'needs' | 'users',
  reverse: 'needs' | 'users',
): Vertex<T>[] {
  const peeled = vertices.filter((vertex) => vertex[edges].size === 0);
  for (const vertex of peeled)
    for (const neighbor of vertex[reverse]) {
      neighbor[edges].delete(vertex);
      if (neighbor[edges].size === 0) peeled.push(neighbor);
    }
  return peeled;
}
