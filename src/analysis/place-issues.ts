import { defined } from '../contract/values.ts';
import { textId } from './hash.ts';
import { findNearest } from './neighbors.ts';
import { measureVector, packVector, unpackVector } from './packed-vectors.ts';
import { type AnalysisState, type Model, type StateChange, StateDraft, type StoredPoint } from './state.ts';
import { joinVectors, type SentenceEmbedder, type Sentences } from './sentence-vectors.ts';
import { readVocabulary } from './stored-meanings.ts';
import { embedText } from './text-vectors.ts';
import { type Stems, stemsOf } from './words.ts';

/** Maximum number of points. Above it, an issue is merged into a point that is similar enough. */
export const maxPoints = 4000;
/** Maximum number of other texts that a point stores, so that words are learned from more texts than there are points. */
export const maxOthers = 3;
const searchedClusters = 4;
const voters = 5;
/** An issue whose similarity to all known points is below this value starts a new cluster. */
const minClusterSimilarity = 0.35;
const defaultMergeSimilarity = 0.8;

export interface Placement {
  readonly point: string;
  readonly cluster: string;
  /** Whether the cluster starts with this issue. */
  readonly isNewCluster: boolean;
}

/**
 * Places issues one by one in the cluster of their most similar points, with a handful of reads for each, however many
 * points there are. The clusters depend on the order of the issues until the next consolidation.
 */
export async function placeIssues<T extends { text: string }>(
  state: AnalysisState,
  issues: readonly T[],
  options: {
    newId: () => string;
    maxPoints?: number;
    embedder?: SentenceEmbedder<T> | undefined;
  },
): Promise<StateChange & { placed: (T & Placement)[] }> {
  const draft = new StateDraft(state);
  const model = await draft.model();
  const texts = issues.map((issue) => {
    const stems = stemsOf(issue.text);
    return { issue, stems, id: textId(stems.join(' ')) };
  });
  const allStems = texts.flatMap(({ stems }) => stems);
  const vocabulary = await readVocabulary(draft, model, allStems);
  const isFull = model.alike !== undefined || model.points >= (options.maxPoints ?? maxPoints);
  const mergeFrom = isFull ? (model.alike ?? defaultMergeSimilarity) : Number.POSITIVE_INFINITY;
  const placed: (T & Placement)[] = [];
  let { points } = model;
  const sentences = await embedNewTexts(draft, model, texts, options.embedder);
  for (const { issue, stems, id } of texts) {
    const same = await draft.text(id);
    if (same !== undefined) {
      await resizePoint(draft, same.cluster, id, 1);
      placed.push({ ...issue, point: id, cluster: same.cluster, isNewCluster: false });
      continue;
    }
    const sentence = sentences?.vectors.get(id);
    const words = embedText(stems, vocabulary);
    const vector = sentences === undefined ? words : joinVectors(words, sentence, sentences.mean);
    const near = await nearestPoints(draft, vector);
    const [best] = near;
    if (best !== undefined && best.similarity >= mergeFrom) {
      const { point, cluster } = best.item;
      await mergeText(draft, cluster, point.id, stems);
      placed.push({ ...issue, point: point.id, cluster, isNewCluster: false });
      continue;
    }
    const isNewCluster = best === undefined || best.similarity < minClusterSimilarity;
    const cluster = isNewCluster ? options.newId() : electCluster(near);
    const packed = packVector(vector);
    if (isNewCluster) draft.put('centres', [...(await draft.centers()), { cluster, vector: packed }]);
    draft.putPoints(cluster, [...(await draft.points(cluster)), { id, size: 1, vector: packed }]);
    const stored =
      sentences === undefined || sentence === undefined
        ? undefined
        : { model: sentences.model, vector: packVector(sentence) };
    draft.putText(id, defined({ cluster, stems, sentence: stored }));
    points++;
    placed.push({ ...issue, point: id, cluster, isNewCluster });
  }
  const { length } = issues;
  const change = await draft.finish({ issues: model.issues + length, fresh: model.fresh + length, points });
  return { ...change, placed };
}

/**
 * Removes one issue from each of the named points, for conversations that were replaced or deleted. Points that were merged
 * into another one are skipped. `removed` lists the clusters that have no issues anymore.
 */
export async function withdrawIssues(
  state: AnalysisState,
  points: readonly string[],
): Promise<StateChange & { removed: readonly string[] }> {
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
    const centers = (await draft.centers()).filter(({ cluster }) => cluster !== text.cluster);
    draft.put('centres', centers);
  }
  const change = await draft.finish({
    issues: Math.max(0, model.issues - points.length),
    points: model.points - removedPoints,
  });
  return { ...change, removed };
}

interface NewSentences extends Sentences {
  readonly model: string;
}

/**
 * Requests the vectors of the texts that have no point yet. Returns undefined if the last consolidation used no sentences.
 * Returns no vectors if it used another model, or if there is no model now.
 */
async function embedNewTexts<T>(
  draft: StateDraft,
  { sentences }: Model,
  texts: readonly { issue: T; id: string }[],
  embedder: SentenceEmbedder<T> | undefined,
): Promise<NewSentences | undefined> {
  if (sentences === undefined) return undefined;
  const vectors = new Map<string, Float32Array>();
  if (embedder?.model === sentences.model) {
    const issues = new Map<string, T>();
    for (const { id, issue } of texts)
      if (!issues.has(id) && (await draft.text(id)) === undefined) issues.set(id, issue);
    const found = await embedder.embed([...issues.values()]);
    for (const [at, id] of [...issues.keys()].entries()) {
      const vector = found[at];
      if (vector !== undefined) vectors.set(id, vector);
    }
  }
  return { model: sentences.model, vectors, mean: unpackVector(sentences.mean) };
}

interface NearPoint {
  readonly item: { readonly cluster: string; readonly point: StoredPoint };
  readonly similarity: number;
}

async function nearestPoints(draft: StateDraft, values: Float32Array): Promise<NearPoint[]> {
  const { vectors } = draft;
  const vector = measureVector(values);
  const centers = await draft.centers();
  const candidates: NearPoint['item'][] = [];
  for (const { item } of findNearest(vector, centers, (center) => vectors.of(center), searchedClusters))
    for (const point of await draft.points(item.cluster)) candidates.push({ cluster: item.cluster, point });
  return findNearest(vector, candidates, ({ point }) => vectors.of(point), voters);
}

/** Returns the cluster with the greatest sum of similarities. */
function electCluster(votes: readonly NearPoint[]): string {
  const sums = new Map<string, number>();
  for (const { item, similarity } of votes)
    sums.set(item.cluster, (sums.get(item.cluster) ?? 0) + Math.max(0, similarity) ** 3);
  return [...sums].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

/** Adds an issue to a point with the same meaning in other words. The point stores the first few of these texts. */
async function mergeText(draft: StateDraft, cluster: string, id: string, stems: Stems): Promise<void> {
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
