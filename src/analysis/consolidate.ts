import { defined } from '../contract/values.ts';
import { findCommunities, nameCommunities, reassignLoosePoints } from './communities.ts';
import { mergePoints } from './merge-points.ts';
import { findNeighbors, keepStrongLinks, minFrequentSize } from './neighbors.ts';
import { packVector } from './packed-vectors.ts';
import { maxOthers, maxPoints } from './place-issues.ts';
import {
  type AnalysisState,
  type Model,
  type Move,
  type PointText,
  type StateChange,
  StateDraft,
  type StoredPoint,
  type Writes,
} from './state.ts';
import { writeMeanings } from './stored-meanings.ts';
import { centroid, embedText, meanContext, type Vocabulary } from './text-vectors.ts';
import { learnMeanings } from './word-meanings.ts';

/** Neighbors of a point; fewer once points were merged and each stands for several texts. */
const maxNeighbors = { plain: 10, merged: 6 };
const movesPerPage = 100;
/** When the state is full, merging keeps this share of the points, so that new topics find room. */
const keptShare = 0.75;
/** Less similar points are never merged. */
const minMergeSimilarity = 0.6;

export interface Consolidation extends StateChange {
  /** Clusters that are new, and clusters that no longer exist. */
  readonly created: readonly string[];
  readonly removed: readonly string[];
  /** Clusters with other members than before, the created ones included. */
  readonly changed: readonly string[];
}

export interface ConsolidateOptions {
  readonly newId: () => string;
  /** Awaited every few milliseconds of work, to let other work run; it may throw to stop the consolidation. */
  readonly pause?: () => Promise<void>;
  readonly seed?: number;
  readonly maxPoints?: number;
}

/**
 * Whether enough is new for a consolidation: a fifth more issues than at the last one, or four times as many while more
 * are `waiting` to be placed; never before the moves of the last one are carried out.
 */
export function isConsolidationDue(
  { fresh, issuesThen, points, pointsThen, movesFirst, movesEnd }: Model,
  waiting: boolean,
): boolean {
  if (movesFirst < movesEnd) return false;
  return (
    fresh >= Math.max(25, waiting ? Math.min(issuesThen * 3, 50_000) : Math.min(issuesThen / 5, 10_000)) ||
    (points > maxPoints && points - pointsThen >= 1000)
  );
}

/**
 * Learns the words anew and clusters all points anew. Until the state is full, the result depends only on the set of texts
 * (except for the names of clusters), not on their order or batches. The work is bounded by the number of points. Repeated
 * after an interruption, it gives the same result.
 */
export async function consolidate(
  state: AnalysisState,
  { newId, pause = async () => {}, seed = 1, maxPoints: limit = maxPoints }: ConsolidateOptions,
): Promise<Consolidation> {
  const draft = new StateDraft(state);
  const model = await draft.model();
  const isMerged = model.alike !== undefined;
  const stored = await readPoints(draft);
  const oldClusters = (await draft.centers()).map(({ cluster }) => cluster);
  await pause();
  const frequentSize = minFrequentSize(
    stored.map(({ size }) => size),
    isMerged,
  );
  const points = stored.map((point) => ({ ...point, isFrequent: point.size >= frequentSize }));
  const meanings = learnMeanings(points.flatMap(trainingTexts), seed);
  await pause();
  const meaning = meanings.get.bind(meanings);
  const mean = meanContext(
    points.map(({ stems }) => stems),
    meaning,
  );
  const embedded = points.map((point) => ({ ...point, vector: embedPoint(point, { meaning, mean }) }));
  const neighbors = await findNeighbors(embedded, isMerged ? maxNeighbors.merged : maxNeighbors.plain, pause);
  const clustered = reassignLoosePoints(findCommunities(keepStrongLinks(neighbors), seed));
  const names = nameCommunities(clustered, newId);
  const isFull = points.length > limit;
  const { targets, similarity } = mergePoints(
    clustered,
    isFull ? Math.floor(limit * keptShare) : points.length,
  );
  // Each time the state is full again, less similar points are merged, so that it fills more and more slowly.
  const alike = isFull
    ? Math.max(minMergeSimilarity, Math.min(similarity, (model.alike ?? 1) * 0.93))
    : model.alike;
  const { clusters, moves, changed } = putPoints(draft, clustered, names, targets);
  for (const cluster of oldClusters) if (!clusters.has(cluster)) draft.putPoints(cluster, []);
  draft.put(
    'centres',
    [...clusters].map(([cluster, members]) => ({
      cluster,
      vector: packVector(centroid(members.map(({ vector, stored: { size } }) => ({ vector, weight: size })))),
    })),
  );
  writeMeanings(draft, meanings);
  let page = model.movesEnd;
  for (let start = 0; start < moves.length; start += movesPerPage)
    draft.put(`moves.${page++}`, moves.slice(start, start + movesPerPage));
  const pointCount = points.length - targets.size;
  const change = await draft.finish({
    issuesThen: model.issues,
    pointsThen: pointCount,
    fresh: 0,
    ...defined({ alike }),
    points: pointCount,
    movesEnd: page,
    mean: packVector(mean),
  });
  return {
    ...change,
    created: [...clusters.keys()].filter((cluster) => !oldClusters.includes(cluster)),
    removed: oldClusters.filter((cluster) => !clusters.has(cluster)),
    changed: [...changed].filter((cluster) => clusters.has(cluster)),
  };
}

/** Returns the oldest page of moves that a consolidation left to be carried out. Carrying moves out twice does no harm. */
export async function nextMoves(
  state: AnalysisState,
): Promise<{ readonly moves: readonly Move[]; readonly writes: Writes } | undefined> {
  const draft = new StateDraft(state);
  const { movesFirst, movesEnd } = await draft.model();
  if (movesFirst >= movesEnd) return undefined;
  const key = `moves.${movesFirst}`;
  const moves = (await draft.get<readonly Move[]>(key)) ?? [];
  draft.put(key, undefined);
  const { writes } = await draft.finish({ movesFirst: movesFirst + 1 });
  return { moves, writes };
}

interface Point extends PointText {
  readonly id: string;
  readonly size: number;
}

/** Reads all points, ordered by ID so that nothing depends on the order of their arrival. */
async function readPoints(draft: StateDraft): Promise<Point[]> {
  const points: Point[] = [];
  for (const { cluster } of await draft.centers())
    for (const { id, size } of await draft.points(cluster)) {
      const text = await draft.text(id);
      if (text !== undefined) points.push({ ...text, id, size, cluster });
    }
  return points.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** The texts of a point that words are learned from; a frequent text counts twice, as words need two texts to be learned. */
function trainingTexts({
  stems,
  others = [],
  isFrequent,
}: Point & { isFrequent: boolean }): (readonly string[])[] {
  return [stems, ...(isFrequent && others.length === 0 ? [stems] : others)];
}

function embedPoint({ stems, others = [] }: Point, vocabulary: Vocabulary): Float32Array {
  const own = embedText(stems, vocabulary);
  if (others.length === 0) return own;
  const vectors = [own, ...others.map((other) => embedText(other, vocabulary))];
  return centroid(vectors.map((vector) => ({ vector, weight: 1 })));
}

interface ClusteredPoint extends Point {
  readonly community: number;
  readonly vector: Float32Array;
}

interface Member {
  readonly vector: Float32Array;
  readonly stored: StoredPoint;
}

/** Puts the points of all clusters and their texts. Returns the clusters, the moves of issues and the clusters with other members. */
function putPoints(
  draft: StateDraft,
  points: readonly ClusteredPoint[],
  names: ReadonlyMap<number, string>,
  targets: ReadonlyMap<ClusteredPoint, ClusteredPoint>,
): { clusters: Map<string, Member[]>; moves: Move[]; changed: Set<string> } {
  const merged = new Map<ClusteredPoint, ClusteredPoint[]>();
  for (const point of points) {
    const target = targets.get(point);
    if (target !== undefined) merged.set(target, [...(merged.get(target) ?? []), point]);
  }
  const clusters = new Map([...names.values()].map((name): [string, Member[]] => [name, []]));
  const moves: Move[] = [];
  const changed = new Set<string>();
  for (const point of points) {
    const { id, stems, vector } = point;
    const cluster = names.get(point.community) ?? point.cluster;
    const target = targets.get(point);
    if (target !== undefined || cluster !== point.cluster)
      moves.push(defined({ point: id, cluster, into: target?.id }));
    if (cluster !== point.cluster) changed.add(point.cluster).add(cluster);
    if (target !== undefined) {
      draft.putText(id, undefined);
      continue;
    }
    const sources = merged.get(point) ?? [];
    if (cluster !== point.cluster || sources.length > 0)
      draft.putText(id, defined({ cluster, stems, others: othersOf(point, sources) }));
    const size = sources.reduce((sum, source) => sum + source.size, point.size);
    clusters.get(cluster)?.push({ vector, stored: { id, size, vector: packVector(vector) } });
  }
  for (const [cluster, members] of clusters)
    draft.putPoints(
      cluster,
      members.map(({ stored }) => stored),
    );
  return { clusters, moves, changed };
}

/** The other texts of a point after the sources were merged into it. */
function othersOf({ others }: Point, sources: readonly Point[]): PointText['others'] {
  if (sources.length === 0) return others;
  const texts = sources.flatMap((source) => [source.stems, ...(source.others ?? [])]);
  return [...(others ?? []), ...texts].slice(0, maxOthers);
}
