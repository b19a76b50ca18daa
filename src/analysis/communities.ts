import Graph from 'graphology';
import louvain from 'graphology-communities-louvain';
import type { Neighbour } from './neighbours.ts';
import { seeded } from './random.ts';

/** Higher gives more and smaller clusters. */
const resolution = 3.5;

/** The community of each point of a graph of neighbours (Louvain); one without neighbours is alone. */
export function communitiesOf(neighbours: readonly (readonly Neighbour[])[], seed: number): number[] {
  const graph = new Graph({ type: 'undirected' });
  neighbours.forEach((_, at) => graph.addNode(at));
  neighbours.forEach((near, one) => {
    // Neighbours of each other are bound twice.
    for (const { at: other, likeness } of near)
      graph.updateEdge(one, other, ({ weight = 0 }) => ({ weight: (weight as number) + likeness }));
  });
  if (graph.size === 0) return neighbours.map((_, at) => at);
  const found = louvain(graph, { resolution, rng: seeded(seed), getEdgeWeight: 'weight' });
  return neighbours.map((_, at) => found[at]!);
}
