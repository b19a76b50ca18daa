import { textId } from './hash.ts';
import { findNearest } from './neighbors.ts';
import { packVector } from './packed-vectors.ts';
import { type AnalysisState, type StateChange, StateDraft, type StoredPoint } from './state.ts';
import { readVocabulary } from './stored-meanings.ts';
import { embedText, measureVector } from './text-vectors.ts';
import { stemsOf } from './words.ts';

/** Points from which the state is full: now an issue is merged into the most similar point if it is similar enough. */
export const maxPoints = 4000;
/** Texts that a point keeps beside its own, so that words are learned from more texts than there are points. */
export const maxOthers = 3;
const searchedClusters = 4;
const voters = 5;
/** An issue that is less similar to all known points starts a cluster. */
const minClusterSimilarity = 0.35;
const defaultMergeSimilarity = 0.8;

export interface Placement {
  readonly point: string;
  readonly cluster: string;
  /** Whether the cluster starts with this issue. */
  readonly isNewCluster: boolean;
}

export interface PlaceOptions {
  readonly newId: () => string;
  readonly maxPoints?: number;
}

/**
 * Places issues one after the other in the cluster of their most similar points, which takes a handful of reads for each,
 * however many points there are. The clusters depend on the order of the issues until the next consolidation.
 */
export async function placeIssues<T extends { readonly text: string }>(
  state: AnalysisState,
  issues: readonly T[],
  options: PlaceOptions,
): Promise<StateChange & { readonly placed: (T & Placement)[] }> {
  const draft = new StateDraft(state);
  const model = await draft.model();
  const texts = issues.map((issue) => ({ issue, stems: stemsOf(issue.text) }));
  const allStems = texts.flatMap(({ stems }) => stems);
  const vocabulary = await readVocabulary(draft, model, allStems);
  const isFull = model.alike !== undefined || model.points >= (options.maxPoints ?? maxPoints);
  const mergeFrom = isFull ? (model.alike ?? defaultMergeSimilarity) : Number.POSITIVE_INFINITY;
  const placed: (T & Placement)[] = [];
  let { points } = model;
  for (const { issue, stems } of texts) {
    const id = textId(stems.join(' '));
    const same = await draft.text(id);
    if (same !== undefined) {
      await resizePoint(draft, same.cluster, id, 1);
      placed.push({ ...issue, point: id, cluster: same.cluster, isNewCluster: false });
      continue;
    }
    const vector = embedText(stems, vocabulary);
    const near = await nearestPoints(draft, vector);
    const best = near[0];
    if (best !== undefined && best.similarity >= mergeFrom) {
      await mergeIssue(draft, best.item, stems);
      placed.push({ ...issue, point: best.item.id, cluster: best.item.cluster, isNewCluster: false });
      continue;
    }
    const isNewCluster = best === undefined || best.similarity < minClusterSimilarity;
    const cluster = isNewCluster ? options.newId() : electCluster(near);
    const packed = packVector(vector);
    if (isNewCluster) draft.put('centres', [...(await draft.centers()), { cluster, vector: packed }]);
    draft.putPoints(cluster, [...(await draft.points(cluster)), { id, size: 1, vector: packed }]);
    draft.putText(id, { cluster, stems });
    points++;
    placed.push({ ...issue, point: id, cluster, isNewCluster });
  }
  const change = await draft.finish({
    issues: model.issues + issues.length,
    fresh: model.fresh + issues.length,
    points,
  });
  return { ...change, placed };
}

/**
 * Removes one issue from each of the named points, as conversations are replaced or deleted. Points that were merged into
 * another one are skipped. `removed` lists the clusters that have no issues anymore.
 */
export async function withdrawIssues(
  state: AnalysisState,
  points: readonly string[],
): Promise<StateChange & { readonly removed: readonly string[] }> {
  const draft = new StateDraft(state);
  const model = await draft.model();
  const removed: string[] = [];
  let removedPoints = 0;
  for (const id of points) {
    const text = await draft.text(id);
    if (text === undefined) continue;
    const left = await resizePoint(draft, text.cluster, id, -1);
    if (left.some((point) => point.id === id)) continue;
    removedPoints++;
    draft.putText(id, undefined);
    if (left.length > 0) continue;
    removed.push(text.cluster);
    const centers = await draft.centers();
    draft.put(
      'centres',
      centers.filter(({ cluster }) => cluster !== text.cluster),
    );
  }
  const change = await draft.finish({
    issues: Math.max(0, model.issues - points.length),
    points: model.points - removedPoints,
  });
  return { ...change, removed };
}

interface NearPoint {
  readonly item: { readonly id: string; readonly cluster: string };
  readonly similarity: number;
}

async function nearestPoints(draft: StateDraft, values: Float32Array): Promise<NearPoint[]> {
  const vector = measureVector(values);
  const centers = findNearest(
    vector,
    await draft.centers(),
    (center) => draft.vectors.of(center),
    searchedClusters,
  );
  const candidates: { id: string; cluster: string; row: StoredPoint }[] = [];
  for (const { item } of centers)
    for (const row of await draft.points(item.cluster))
      candidates.push({ id: row.id, cluster: item.cluster, row });
  return findNearest(vector, candidates, ({ row }) => draft.vectors.of(row), voters);
}

/** The cluster with the greatest sum of similarities. */
function electCluster(votes: readonly NearPoint[]): string {
  const sums = new Map<string, number>();
  for (const { item, similarity } of votes)
    sums.set(item.cluster, (sums.get(item.cluster) ?? 0) + Math.max(0, similarity) ** 3);
  return [...sums].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

/** Adds an issue to a point that says the same in other words; the point keeps the first few of these texts. */
async function mergeIssue(
  draft: StateDraft,
  { id, cluster }: NearPoint['item'],
  stems: readonly string[],
): Promise<void> {
  await resizePoint(draft, cluster, id, 1);
  const text = await draft.text(id);
  const others = text?.others ?? [];
  if (text !== undefined && others.length < maxOthers)
    draft.putText(id, { ...text, others: [...others, stems] });
}

/** Changes the number of issues of a point and returns the points that its cluster has left. */
async function resizePoint(
  draft: StateDraft,
  cluster: string,
  id: string,
  by: number,
): Promise<StoredPoint[]> {
  const left = (await draft.points(cluster))
    .map((point) => (point.id === id ? { ...point, size: point.size + by } : point))
    .filter(({ size }) => size > 0);
  draft.putPoints(cluster, left);
  return left;
}
