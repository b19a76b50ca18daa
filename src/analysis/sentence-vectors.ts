import { seededRandom } from './hash.ts';
import { packVector, unpackVector } from './packed-vectors.ts';
import { type AnalysisState, type PointText, type StateChange, StateDraft } from './state.ts';
import { addScaled, scaleBy } from './vector-math.ts';

/** Maximum length of the vector of a sentence. Longer vectors of a model are shortened. A multiple of 32. */
const maxSentenceSize = 512;
/** The weight of sentences in a similarity. Words have the remaining weight. */
const sentenceShare = 0.5;

/** Turns texts into vectors that are similar if the texts mean the same. */
export interface SentenceEmbedder<T> {
  /** The name of the model. Vectors of different models are not compared. */
  readonly model: string;
  /** Returns a vector of length one for each item; undefined for those that have none. */
  embed(items: readonly T[]): Promise<readonly (Float32Array | undefined)[]>;
}

/** Vectors of sentences by point, and the mean of all sentences. All have the same length. */
export interface Sentences {
  readonly vectors: ReadonlyMap<string, Float32Array>;
  readonly mean: Float32Array;
}

/**
 * Scales a vector of a model to length one, with a multiple of four numbers. If it has more than 512 numbers, each number of the
 * result is the sum of all numbers with random signs, which are always the same. This preserves similarities (Achlioptas,
 * "Database-friendly random projections", 2003).
 */
export function shortenVector(values: readonly number[]): Float32Array {
  const short = new Float32Array(Math.min(maxSentenceSize, Math.ceil(values.length / 4) * 4));
  if (values.length <= maxSentenceSize) short.set(values);
  else {
    const random = seededRandom(values.length);
    for (const value of values)
      for (let start = 0; start < maxSentenceSize; start += 32) {
        const signs = (random() * 2 ** 32) | 0;
        for (let at = 0; at < 32; at++) short[start + at]! += value * (((signs >>> at) & 1) * 2 - 1);
      }
  }
  return scaleToLength(1, short);
}

/** Returns the points that have no vector of a model, ordered by ID. */
export async function findPointsWithoutSentence(state: AnalysisState, model: string): Promise<string[]> {
  const draft = new StateDraft(state);
  const missing: string[] = [];
  for (const { cluster } of await draft.centers())
    for (const { id } of await draft.points(cluster)) {
      const text = await draft.text(id);
      if (text !== undefined && text.sentence?.model !== model) missing.push(id);
    }
  return missing.sort();
}

/** Adds vectors of a model to points, for the next consolidation. */
export async function putSentences(
  state: AnalysisState,
  model: string,
  vectors: ReadonlyMap<string, Float32Array>,
): Promise<StateChange> {
  const draft = new StateDraft(state);
  for (const [id, vector] of vectors) {
    const text = await draft.text(id);
    if (text !== undefined) draft.putText(id, { ...text, sentence: { model, vector: packVector(vector) } });
  }
  return draft.finish({});
}

/** Reads the vectors of a model from points. Leaves out vectors whose length differs from the first. */
export function readSentences(
  points: readonly (Pick<PointText, 'sentence'> & { id: string })[],
  model: string,
): Sentences {
  const vectors = new Map<string, Float32Array>();
  let sum: Float64Array | undefined;
  for (const { id, sentence } of points) {
    if (sentence?.model !== model) continue;
    const vector = unpackVector(sentence.vector);
    sum ??= new Float64Array(vector.length);
    if (vector.length !== sum.length) continue;
    vectors.set(id, vector);
    addScaled(sum, vector, 1);
  }
  return { vectors, mean: Float32Array.from(sum ?? [], (value) => value / vectors.size) };
}

/**
 * Appends the vector of a sentence to the vector of its words. The result has length one. If the sentence has a length other than
 * the mean, or is missing, only the words count.
 */
export function joinVectors(
  words: Float32Array,
  sentence: Float32Array | undefined,
  mean: Float32Array,
): Float32Array {
  const joined = new Float32Array(words.length + mean.length);
  joined.set(words);
  if (sentence === undefined || sentence.length !== mean.length) return joined;
  const own = Float32Array.from(sentence);
  // The common part of all texts does not distinguish them.
  addScaled(own, mean, -1);
  joined.set(scaleToLength(Math.sqrt(sentenceShare), own), words.length);
  const length = own.some((value) => value !== 0) ? Math.sqrt(1 - sentenceShare) : 1;
  for (let at = 0; at < words.length; at++) joined[at]! *= length;
  return joined;
}

/** Scales a vector in place; zero stays zero. */
function scaleToLength(length: number, vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  return scaleBy(vector, square > 0 ? length / Math.sqrt(square) : 0);
}
