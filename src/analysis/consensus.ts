import { seededRandom } from './hash.ts';
import { linkGraph, louvain, type WeightedLink } from './louvain.ts';

/** The resolutions, from few large to many small communities. */
const resolutions = [1.5, 2.2, 3.3, 5, 7.5] as const;
/** The number of random samples of the links, and the share of links in each. */
const samples = { count: 12, share: 0.65 };
/** A resolution whose stability is lower by this value has a weight that is lower by the factor e. */
const stabilityScale = 0.03;
/** Links that are weighted by agreement hold communities together, so a higher resolution is needed for the same number. */
const consensusFactor = 1.25;
/** Links with a lower agreement between the communities are left out. */
const minAgreement = 1e-9;

interface Grouping {
  readonly resolution: number;
  /** The communities of each sample of the links. */
  readonly found: readonly Int32Array[];
  /** The agreement of the samples, from about 0 to 1. */
  readonly stability: number;
}

/**
 * Returns the community of each node, at the resolution that suits the links: the one at which random samples of the links give
 * the same communities (Ben-Hur, Elisseeff and Guyon, "A stability based method for discovering structure in clustered data",
 * 2002). Each link is then weighted by the number of these communities that contain it (Lancichinetti and Fortunato, "Consensus
 * clustering in complex networks", 2012). `pause` is awaited between communities.
 */
export async function consensusCommunities(
  nodes: number,
  links: readonly WeightedLink[],
  seed: number,
  pause: () => Promise<void>,
): Promise<Int32Array> {
  const graphs = Array.from({ length: samples.count }, (_, sample) => {
    const random = seededRandom(seed + 1 + sample);
    return linkGraph(
      nodes,
      links.filter(() => random() < samples.share),
    );
  });
  const groupings: Grouping[] = [];
  for (const resolution of resolutions) {
    const found: Int32Array[] = [];
    for (const [sample, graph] of graphs.entries()) {
      found.push(louvain(graph, resolution, seededRandom(seed + sample)));
      await pause();
    }
    groupings.push({ resolution, found, stability: meanAgreement(found) });
    await pause();
  }
  const highest = Math.max(...groupings.map(({ stability }) => stability));
  const weights = groupings.map(({ stability }) => Math.exp((stability - highest) / stabilityScale));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = groupings.map((grouping, at) => ({ ...grouping, share: (weights[at] ?? 0) / total }));
  const resolution = Math.exp(
    shares.reduce((sum, { resolution: each, share }) => sum + share * Math.log(each), 0),
  );
  const agreed = links.flatMap(({ from, to, weight }) => {
    let agreement = 0;
    for (const { found, share } of shares) {
      let together = 0;
      for (const communities of found) if (communities[from] === communities[to]) together++;
      agreement += (share * together) / found.length;
    }
    return agreement > minAgreement ? [{ from, to, weight: weight * agreement }] : [];
  });
  return louvain(linkGraph(nodes, agreed), consensusFactor * resolution, seededRandom(seed));
}

function meanAgreement(found: readonly Int32Array[]): number {
  let sum = 0;
  let pairs = 0;
  for (const [at, one] of found.entries())
    for (const other of found.slice(0, at)) {
      sum += adjustedRandIndex(one, other);
      pairs++;
    }
  return sum / pairs;
}

/**
 * Returns the agreement of two groupings: 1 if they are equal, about 0 by chance (Hubert and Arabie, 1985). Returns 0 if both
 * have each node alone or all nodes together, because such groupings always agree.
 */
export function adjustedRandIndex(one: Int32Array, other: Int32Array): number {
  const cells = new Map<number, number>();
  const rows = new Map<number, number>();
  const columns = new Map<number, number>();
  const count = (counts: Map<number, number>, key: number): void => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  for (const [at, row] of one.entries()) {
    const column = other[at] ?? 0;
    count(cells, row * one.length + column);
    count(rows, row);
    count(columns, column);
  }
  const pairsIn = (counts: Map<number, number>): number => {
    let sum = 0;
    for (const size of counts.values()) sum += (size * (size - 1)) / 2;
    return sum;
  };
  const [inRows, inColumns] = [pairsIn(rows), pairsIn(columns)];
  const byChance = (2 * inRows * inColumns) / Math.max(1, one.length * (one.length - 1));
  const most = (inRows + inColumns) / 2;
  return most === byChance ? 0 : (pairsIn(cells) - byChance) / (most - byChance);
}
