import { hash32 } from './hash.ts';
import { addScaled } from './svd.ts';
import { embeddingSize, type WordMeaning } from './word-meanings.ts';

const spellingSize = 256;
/** Where the context part of a vector ends and the topic part begins, and where that ends. */
export const contextEnd = embeddingSize;
export const topicEnd = 2 * embeddingSize;
/** Numbers in a vector: context, topic and spelling, in this order. */
export const vectorSize = topicEnd + spellingSize;

const contextWeight = 1;
const topicWeight = 0.5;
const spellingWeight = 0.3;
const totalWeight = contextWeight + topicWeight + spellingWeight;

/** The learned words, and the mean context of all texts. */
export interface Vocabulary {
  meaning(stem: string): WordMeaning | undefined;
  readonly mean: Float32Array;
}

/**
 * Returns the vector of a text given as stems. It has length one, so that the dot product of two vectors is the
 * similarity of their texts (1 = the same).
 */
export function embedText(stems: readonly string[], vocabulary: Vocabulary): Float32Array {
  const vector = new Float32Array(vectorSize);
  const context = contextVector(stems, vocabulary);
  // What all texts have in common does not tell them apart.
  if (context.some((value) => value !== 0)) addScaled(context, vocabulary.mean, -0.5);
  vector.set(scaleTo(context, contextWeight), 0);
  const topic = new Float32Array(embeddingSize);
  for (const [stem, weight] of logCounts(stems)) addTo(topic, vocabulary.meaning(stem)?.topic, weight);
  vector.set(scaleTo(topic, topicWeight), contextEnd);
  vector.set(scaleTo(spellingVector(stems), spellingWeight), topicEnd);
  // Without a known word, spelling is all there is.
  return scaleTo(vector, totalWeight);
}

/** Returns the context part of a text's vector before it is centered: the sum of its words, of length one. */
function contextVector(stems: readonly string[], vocabulary: Pick<Vocabulary, 'meaning'>): Float32Array {
  const context = new Float32Array(embeddingSize);
  for (const stem of stems) addTo(context, vocabulary.meaning(stem)?.context, 1);
  return scaleTo(context, totalWeight);
}

/** Returns the mean context vector of texts given as stems. */
export function meanContext(
  texts: readonly (readonly string[])[],
  meaning: Vocabulary['meaning'],
): Float32Array {
  const mean = new Float32Array(embeddingSize);
  for (const stems of texts) {
    let at = 0;
    for (const value of contextVector(stems, { meaning })) mean[at++]! += value / texts.length;
  }
  return mean;
}

/** A vector that is compared with many others. */
export interface MeasuredVector {
  readonly values: Float32Array;
  /** The length of all parts after the context: it limits what they can add to a dot product. */
  readonly rest: number;
}

export function measureVector(values: Float32Array): MeasuredVector {
  return { values, rest: restLength(values, contextEnd) };
}

/** Returns the length of a vector from an index on. */
export function restLength(values: Float32Array, start: number): number {
  return Math.sqrt(dotProduct(values, values, start, vectorSize));
}

/** Returns the dot product of two vectors from `start` to `end`, which are a multiple of four apart. */
export function dotProduct(one: Float32Array, other: Float32Array, start: number, end: number): number {
  // The processor works out four independent sums side by side.
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (let at = start; at < end; at += 4) {
    first += one[at]! * other[at]!;
    second += one[at + 1]! * other[at + 1]!;
    third += one[at + 2]! * other[at + 2]!;
    fourth += one[at + 3]! * other[at + 3]!;
  }
  return first + second + third + fourth;
}

/** Returns the weighed mean of vectors, scaled to length one. */
export function centroid(
  vectors: Iterable<{ readonly vector: Float32Array; readonly weight: number }>,
): Float32Array {
  const sum = new Float32Array(vectorSize);
  for (const { vector, weight } of vectors) addScaled(sum, vector, weight);
  return scaleTo(sum, totalWeight);
}

/** The letter n-grams of length 3 to 5, hashed into a fixed size: misspelled and unknown words are similar too. */
function spellingVector(stems: readonly string[]): Float32Array {
  const pieces: string[] = [];
  for (const stem of stems) {
    const whole = `<${stem}>`;
    for (let length = 3; length <= 5; length++)
      for (let start = 0; start + length <= whole.length; start++)
        pieces.push(whole.slice(start, start + length));
  }
  const values = new Float32Array(spellingSize);
  for (const [piece, weight] of logCounts(pieces)) {
    const hash = hash32(piece);
    values[(hash >>> 1) % spellingSize]! += (hash & 1) === 1 ? weight : -weight;
  }
  return values;
}

/** Returns 1 + ln(count) for each feature. */
function logCounts(features: readonly string[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const feature of features) weights.set(feature, (weights.get(feature) ?? 0) + 1);
  for (const [feature, count] of weights) weights.set(feature, 1 + Math.log(count));
  return weights;
}

function addTo(sum: Float32Array, vector: Float32Array | undefined, factor: number): void {
  if (vector !== undefined) addScaled(sum, vector, factor);
}

/** Scales a vector in place so that a weight of `totalWeight` gives length one; zero stays zero. */
function scaleTo(vector: Float32Array, weight: number): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const scale = square > 0 ? Math.sqrt(weight / totalWeight / square) : 0;
  for (let at = 0; at < vector.length; at++) vector[at]! *= scale;
  return vector;
}
