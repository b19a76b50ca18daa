/** Links of an undirected graph, by node: the neighbors of node `i` stand from `starts[i]` to `starts[i + 1]`. */
interface LinkGraph {
  readonly starts: Int32Array;
  readonly targets: Int32Array;
  readonly weights: Float64Array;
  /** The weight of links inside each node, counted twice. Nodes that represent a community have such links. */
  readonly loops: Float64Array;
}

export interface WeightedLink {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

/** Minimum gain, so that rounding errors do not move nodes back and forth. */
const minGain = 1e-12;

/** Builds a graph of links between different nodes. Each pair must be given once. */
export function linkGraph(nodes: number, links: readonly WeightedLink[]): LinkGraph {
  const starts = new Int32Array(nodes + 1);
  for (const { from, to } of links) {
    starts[from + 1]!++;
    starts[to + 1]!++;
  }
  for (let node = 0; node < nodes; node++) starts[node + 1]! += starts[node]!;
  const next = starts.slice();
  const targets = new Int32Array(links.length * 2);
  const weights = new Float64Array(links.length * 2);
  const add = (from: number, to: number, weight: number): void => {
    const at = next[from]!++;
    targets[at] = to;
    weights[at] = weight;
  };
  for (const { from, to, weight } of links) {
    add(from, to, weight);
    add(to, from, weight);
  }
  return { starts, targets, weights, loops: new Float64Array(nodes) };
}

/**
 * Returns the community of each node: 0, 1 and so on. Moves nodes to the community of a neighbor as long as modularity
 * grows, then does the same with the communities as nodes (Blondel et al., "Fast unfolding of communities in large
 * networks", 2008). A higher resolution gives more and smaller communities.
 */
export function louvain(graph: LinkGraph, resolution: number, random: () => number): Int32Array {
  let communities = Int32Array.from(graph.loops, (_, node) => node);
  for (let level = graph; ;) {
    const { moved, found } = moveNodes(level, resolution, random);
    if (!moved) return communities;
    communities = communities.map((community) => found[community]!);
    level = joinNodes(level, found);
  }
}

/** Moves nodes one by one, in random order, until no move increases modularity. Communities are numbered without gaps. */
function moveNodes(
  { starts, targets, weights, loops }: LinkGraph,
  resolution: number,
  random: () => number,
): { moved: boolean; found: Int32Array } {
  const nodes = loops.length;
  const degrees = loops.slice();
  for (let node = 0; node < nodes; node++)
    for (let at = starts[node]!; at < starts[node + 1]!; at++) degrees[node]! += weights[at]!;
  const all = degrees.reduce((sum, degree) => sum + degree, 0);
  const community = Int32Array.from(loops, (_, node) => node);
  const totals = degrees.slice();
  const linked = new Float64Array(nodes);
  const queue = shuffled(nodes, random);
  const isQueued = new Uint8Array(nodes).fill(1);
  let moved = false;
  // Nodes that the loop adds to the queue are visited too.
  for (const node of queue) {
    isQueued[node] = 0;
    const own = community[node]!;
    const near: number[] = [];
    for (let at = starts[node]!; at < starts[node + 1]!; at++) {
      const other = community[targets[at]!]!;
      if (linked[other] === 0) near.push(other);
      linked[other]! += weights[at]!;
    }
    const degree = degrees[node]!;
    totals[own]! -= degree;
    const gainOf = (other: number) => linked[other]! - (resolution * degree * totals[other]!) / all;
    let best = own;
    let highest = gainOf(own) + minGain;
    for (const other of near) {
      const gain = gainOf(other);
      if (gain > highest) [best, highest] = [other, gain];
    }
    totals[best]! += degree;
    for (const other of near) linked[other] = 0;
    if (best === own) continue;
    moved = true;
    community[node] = best;
    for (let at = starts[node]!; at < starts[node + 1]!; at++) {
      const other = targets[at]!;
      if (isQueued[other] === 1 || community[other] === best) continue;
      isQueued[other] = 1;
      queue.push(other);
    }
  }
  return { moved, found: renumber(community) };
}

/** Creates the graph whose nodes are the communities of another graph. */
function joinNodes({ starts, targets, weights, loops }: LinkGraph, communities: Int32Array): LinkGraph {
  const nodes = communities.reduce((max, community) => Math.max(max, community), -1) + 1;
  const sums = Array.from({ length: nodes }, () => new Map<number, number>());
  const joined = new Float64Array(nodes);
  for (let node = 0; node < loops.length; node++) {
    const community = communities[node]!;
    joined[community]! += loops[node]!;
    for (let at = starts[node]!; at < starts[node + 1]!; at++) {
      const other = communities[targets[at]!]!;
      if (other === community) joined[community]! += weights[at]!;
      else if (other > community) {
        const links = sums[community]!;
        links.set(other, (links.get(other) ?? 0) + weights[at]!);
      }
    }
  }
  const links = sums.flatMap((row, from) => Array.from(row, ([to, weight]) => ({ from, to, weight })));
  return { ...linkGraph(nodes, links), loops: joined };
}

function renumber(communities: Int32Array): Int32Array {
  const numbers = new Map<number, number>();
  return communities.map((community) => {
    const number = numbers.get(community) ?? numbers.size;
    numbers.set(community, number);
    return number;
  });
}

/** Returns the numbers from 0 to `count` - 1 in random order (Fisher and Yates). */
function shuffled(count: number, random: () => number): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    const at = Math.floor(random() * (last + 1));
    [order[last], order[at]] = [order[at]!, order[last]!];
  }
  return order;
}
