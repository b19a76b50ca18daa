import { hash32 } from './hash.ts';
import { addScaled, dotProduct, scaleBy } from './vector-math.ts';
import { embeddingSize, type WordMeaning } from './word-meanings.ts';
import type { Stems } from './words.ts';

const spellingSize = 256;
/** A vector has three parts: context, topic and spelling. The vector of a sentence may follow. */
export const contextEnd = embeddingSize;
export const topicEnd = 2 * embeddingSize;
export const vectorSize = topicEnd + spellingSize;

const contextWeight = 1;
const topicWeight = 0.5;
const spellingWeight = 0.3;
const totalWeight = contextWeight + topicWeight + spellingWeight;

export interface Embedded {
  readonly vector: Float32Array;
}

type MeaningOf = (stem: string) => WordMeaning | undefined;

/** The learned words with the mean context of all texts. */
export interface Vocabulary {
  readonly meaning: MeaningOf;
  readonly mean: Float32Array;
}

/** Returns the vector of a text. It has length one, so that the dot product of two vectors is the similarity of their texts. */
export function embedText(stems: Stems, { meaning, mean }: Vocabulary): Float32Array {
  const vector = new Float32Array(vectorSize);
  const context = contextOf(stems, meaning);
  // The common part of all texts does not distinguish them.
  if (context.some((value) => value !== 0)) addScaled(context, mean, -0.5);
  vector.set(scaleTo(contextWeight, context), 0);
  const topic = new Float32Array(embeddingSize);
  for (const [stem, weight] of logCounts(stems)) addIfKnown(topic, meaning(stem)?.topic, weight);
  vector.set(scaleTo(topicWeight, topic), contextEnd);
  vector.set(scaleTo(spellingWeight, spellingOf(stems)), topicEnd);
  // Without a known word, only the spelling can be compared.
  return scaleTo(totalWeight, vector);
}

/** Returns the mean context of texts. */
export function meanContext(texts: readonly { stems: Stems }[], meaning: MeaningOf): Float32Array {
  const mean = new Float32Array(embeddingSize);
  for (const { stems } of texts)
    addScaled(
      mean,
      Float64Array.from(contextOf(stems, meaning), (value) => value / texts.length),
      1,
    );
  return mean;
}

/** Returns the mean of vectors, weighted by size and scaled to length one. */
export function centroid(vectors: readonly (Embedded & { size: number })[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.vector.length ?? vectorSize);
  for (const { vector, size } of vectors) addScaled(sum, vector, size);
  return scaleTo(totalWeight, sum);
}

/** Returns the length of the parts of a vector from an index on, which limits their contribution to a dot product. */
export function restLength(vector: Float32Array, start: number): number {
  return Math.sqrt(dotProduct(vector, vector, start, vector.length));
}

function contextOf(stems: Stems, meaning: MeaningOf): Float32Array {
  const context = new Float32Array(embeddingSize);
  for (const stem of stems) addIfKnown(context, meaning(stem)?.context, 1);
  return scaleTo(totalWeight, context);
}

/** Counts runs of three to five letters by their hashes, so that misspelled and unknown words are similar too. */
function spellingOf(stems: Stems): Float32Array {
  const pieces: string[] = [];
  for (const stem of stems) {
    const whole = `<${stem}>`;
    for (let length = 3; length <= 5; length++)
      for (let start = 0; start + length <= whole.length; start++)
        pieces.push(whole.slice(start, start + length));
  }
  const spelling = new Float32Array(spellingSize);
  for (const [piece, weight] of logCounts(pieces)) {
    const hash = hash32(piece);
    const slot = (hash >>> 1) % spellingSize;
    spelling[slot] = (spelling[slot] ?? 0) + ((hash & 1) === 1 ? weight : -weight);
  }
  return spelling;
}

/** Returns 1 + ln(count) for each feature. */
function logCounts(features: readonly string[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const feature of features) weights.set(feature, (weights.get(feature) ?? 0) + 1);
  for (const [feature, count] of weights) weights.set(feature, 1 + Math.log(count));
  return weights;
}

function addIfKnown(sum: Float32Array, vector: Float32Array | undefined, factor: number): void {
  if (vector !== undefined) addScaled(sum, vector, factor);
}

/** Scales a vector in place to its share of the length one; zero stays zero. */
function scaleTo(weight: number, vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  return scaleBy(vector, square > 0 ? Math.sqrt(weight / totalWeight / square) : 0);
}
