import { chunk, defined, getOrInsert } from '../contract/values.ts';
import { findCommunities, nameCommunities, reassignLoosePoints } from './communities.ts';
import { mergePoints } from './merge-points.ts';
import { findNeighbors, keepStrongLinks, markFrequent } from './neighbors.ts';
import { packVector } from './packed-vectors.ts';
import { reassignByWords } from './reassign-by-words.ts';
import { maxOthers, maxPoints } from './place-issues.ts';
import {
  type AnalysisState,
  type Center,
  type Model,
  type Move,
  type PointText,
  type StateChange,
  StateDraft,
  type Writes,
} from './state.ts';
import { joinVectors, readSentences } from './sentence-vectors.ts';
import { writeMeanings } from './stored-meanings.ts';
import { centroid, type Embedded, embedText, meanContext, type Vocabulary } from './text-vectors.ts';
import { learnMeanings } from './word-meanings.ts';
import type { Stems } from './words.ts';

/**
 * Maximum number of neighbors of a point. It is lower if points were merged, because they then represent several texts, and if
 * there are few points.
 */
const maxNeighbors = { plain: 10, merged: 6 };
const minNeighbors = 3;
/** Minimum number of new issues for computing the clusters anew. Fewer than five issues cannot be grouped. */
const minFresh = { whileWaiting: 25, plain: 5 };
const movesPerPage = 100;
/** If the state is full, merging keeps this share of the points, so that there is space for new topics. */
const keptShare = 0.75;
const minMergeSimilarity = 0.6;

interface Consolidation extends StateChange {
  readonly created: readonly string[];
  readonly removed: readonly string[];
  /** Clusters with other members than before, created ones included. */
  readonly changed: readonly string[];
}

interface ConsolidateOptions {
  readonly newId: () => string;
  /** Awaited every few milliseconds, so that other work can run. It may throw to stop. */
  readonly pause?: () => Promise<void>;
  readonly seed?: number;
  readonly maxPoints?: number;
  /** The model whose sentence vectors are used in addition to words. Points without such a vector are clustered only by words. */
  readonly sentenceModel?: string | undefined;
}

/**
 * Whether a consolidation is due: there are a fifth more issues than at the last one (or four times as many while more issues are
 * waiting to be placed), the sentence model was changed or removed, or there are more than 4000 points and at least a thousand
 * more than at the last one. It is never due for fewer than five issues, or before all moves of the last one are done.
 */
export function isConsolidationDue(
  { issues, fresh, issuesThen, points, pointsThen, movesFirst, movesEnd, sentences }: Model,
  isMoreWaiting: boolean,
  sentenceModel?: string,
): boolean {
  if (movesFirst < movesEnd) return false;
  if (issuesThen > 0 && issues >= minFresh.plain && sentences?.model !== sentenceModel) return true;
  const enough = isMoreWaiting
    ? Math.max(minFresh.whileWaiting, Math.min(issuesThen * 3, 50_000))
    : Math.max(minFresh.plain, Math.min(issuesThen / 5, 10_000));
  return fresh >= enough || (points > maxPoints && points - pointsThen >= 1000);
}

/**
 * Learns the words and clusters all points again. Until the state is full, the result depends only on the set of texts
 * (except for the names of clusters), and not on their order or batches. The time is limited, because the number of points
 * is. After an interruption it can be repeated with the same result.
 */
export async function consolidate(
  state: AnalysisState,
  {
    newId,
    pause = async () => {},
    seed = 1,
    maxPoints: limit = maxPoints,
    sentenceModel,
  }: ConsolidateOptions,
): Promise<Consolidation> {
  const draft = new StateDraft(state);
  const model = await draft.model();
  const isMerged = model.alike !== undefined;
  const oldClusters = (await draft.centers()).map(({ cluster }) => cluster);
  const points = markFrequent(await readPoints(draft), isMerged);
  await pause();
  const meanings = learnMeanings(points.flatMap(trainingTexts), seed);
  await pause();
  const meaning = meanings.get.bind(meanings);
  const mean = meanContext(points, meaning);
  const sentences = sentenceModel === undefined ? undefined : readSentences(points, sentenceModel);
  const embedded = points.map((point) => {
    const words = embedPoint(point, { meaning, mean });
    const vector =
      sentences === undefined ? words : joinVectors(words, sentences.vectors.get(point.id), sentences.mean);
    return { ...point, vector };
  });
  const near = await findNeighbors(embedded, countNeighbors(points.length, isMerged), pause);
  const communities = await findCommunities(keepStrongLinks(near), seed, pause);
  const clustered = reassignByWords(reassignLoosePoints(communities));
  const names = nameCommunities(clustered, newId);
  const isFull = points.length > limit;
  const merged = mergePoints(clustered, isFull ? Math.floor(limit * keptShare) : points.length);
  const { clusters, moves, changed } = putPoints(draft, clustered, names, merged.targets);
  for (const cluster of oldClusters) if (!clusters.has(cluster)) draft.putPoints(cluster, []);
  writeMeanings(draft, meanings);
  let page = model.movesEnd;
  for (const some of chunk(moves, movesPerPage)) draft.put(`moves.${page++}`, some);
  const pointsThen = points.length - merged.targets.size;
  // Each time the state is full, points that are less similar are merged, so that it fills more slowly.
  const alike = isFull
    ? Math.max(minMergeSimilarity, Math.min(merged.similarity, (model.alike ?? 1) * 0.93))
    : model.alike;
  const change = await draft.finish({
    issuesThen: model.issues,
    pointsThen,
    fresh: 0,
    ...defined({ alike }),
    points: pointsThen,
    movesEnd: page,
    mean: packVector(mean),
    sentences:
      sentenceModel === undefined || sentences === undefined
        ? undefined
        : { model: sentenceModel, mean: packVector(sentences.mean) },
  });
  return {
    ...change,
    created: [...clusters].filter((cluster) => !oldClusters.includes(cluster)),
    removed: oldClusters.filter((cluster) => !clusters.has(cluster)),
    changed: [...changed].filter((cluster) => clusters.has(cluster)),
  };
}

/** Returns the oldest page of pending moves from a consolidation. Applying moves twice has no effect. */
export async function nextMoves(
  state: AnalysisState,
): Promise<{ moves: readonly Move[]; writes: Writes } | undefined> {
  const draft = new StateDraft(state);
  const { movesFirst, movesEnd } = await draft.model();
  if (movesFirst >= movesEnd) return undefined;
  const key = `moves.${movesFirst}`;
  const moves = (await draft.get<readonly Move[]>(key)) ?? [];
  draft.put(key, undefined);
  const { writes } = await draft.finish({ movesFirst: movesFirst + 1 });
  return { moves, writes };
}

/** The number of neighbors of each point: with too many, few points would all be linked to each other. */
function countNeighbors(points: number, isMerged: boolean): number {
  const max = isMerged ? maxNeighbors.merged : maxNeighbors.plain;
  return Math.max(minNeighbors, Math.min(max, Math.round(points / 5)));
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

/** Returns the texts for learning words. A frequent text counts twice, because words of a single text are not learned. */
function trainingTexts({ stems, others = [], isFrequent }: Point & { isFrequent: boolean }): Stems[] {
  return [stems, ...(isFrequent && others.length === 0 ? [stems] : others)];
}

function embedPoint({ stems, others = [] }: Point, vocabulary: Vocabulary): Float32Array {
  const own = embedText(stems, vocabulary);
  if (others.length === 0) return own;
  const vectors = [own, ...others.map((other) => embedText(other, vocabulary))];
  return centroid(vectors.map((vector) => ({ vector, size: 1 })));
}

interface ClusteredPoint extends Point, Embedded {
  readonly community: number;
}

/**
 * Stores the centers, points and texts of all clusters. Returns the clusters, the moves of issues, and the clusters whose members
 * changed.
 */
function putPoints(
  draft: StateDraft,
  points: readonly ClusteredPoint[],
  names: ReadonlyMap<number, string>,
  targets: ReadonlyMap<ClusteredPoint, ClusteredPoint>,
): { clusters: ReadonlySet<string>; moves: Move[]; changed: Set<string> } {
  const sources = new Map<ClusteredPoint, ClusteredPoint[]>();
  for (const point of points) {
    const target = targets.get(point);
    if (target !== undefined) getOrInsert(sources, target, () => []).push(point);
  }
  const members = new Map(
    Array.from(names.values(), (name): [string, (Embedded & { id: string; size: number })[]] => [name, []]),
  );
  const moves: Move[] = [];
  const changed = new Set<string>();
  for (const point of points) {
    const { id, stems, vector, sentence } = point;
    const cluster = names.get(point.community) ?? point.cluster;
    const isMoved = cluster !== point.cluster;
    const into = targets.get(point)?.id;
    if (isMoved || into !== undefined) moves.push(defined({ point: id, cluster, into }));
    if (isMoved) changed.add(point.cluster).add(cluster);
    if (into !== undefined) {
      draft.putText(id, undefined);
      continue;
    }
    const merged = sources.get(point) ?? [];
    if (isMoved || merged.length > 0)
      draft.putText(id, defined({ cluster, stems, others: mergedTexts(point, merged), sentence }));
    const size = merged.reduce((sum, source) => sum + source.size, point.size);
    members.get(cluster)?.push({ id, size, vector });
  }
  const centers: Center[] = [];
  for (const [cluster, its] of members) {
    draft.putPoints(
      cluster,
      its.map(({ id, size, vector }) => ({ id, size, vector: packVector(vector) })),
    );
    centers.push({ cluster, vector: packVector(centroid(its)) });
  }
  draft.put('centres', centers);
  return { clusters: new Set(members.keys()), moves, changed };
}

/** The other texts of a point after some points were merged into it. */
function mergedTexts({ others }: Point, merged: readonly Point[]): PointText['others'] {
  if (merged.length === 0) return others;
  const texts = merged.flatMap((point) => [point.stems, ...(point.others ?? [])]);
  return [...(others ?? []), ...texts].slice(0, maxOthers);
}
