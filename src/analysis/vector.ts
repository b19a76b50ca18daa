import { learntSize, type Meaning } from './dictionary.ts';
import { hash32 } from './hash.ts';

const spellingSize = 256;
/** Numbers in a vector. */
export const vectorSize = 2 * learntSize + spellingSize;

/** Where the first parts end, those that tell the most. */
export const partEnds: readonly number[] = [learntSize, 2 * learntSize];

const companyWeight = 1;
const topicWeight = 0.5;
const spellingWeight = 0.3;
const all = companyWeight + topicWeight + spellingWeight;

/** Knows words; the mean is that of all texts, and half of it is taken away, as what all have in common tells nothing apart. */
export interface Knowledge {
  meaning(stem: string): Meaning | undefined;
  readonly mean: Float32Array;
}

/** The vector of a text given as stems: company, topic and spelling side by side, so that one product of two is their likeness (1 = the same). */
export function vectorOf(stems: readonly string[], knowledge: Knowledge): Float32Array {
  const vector = new Float32Array(vectorSize);
  const company = companyOf(stems, knowledge);
  if (company.some((value) => value !== 0))
    for (let at = 0; at < learntSize; at++) company[at]! -= knowledge.mean[at]! / 2;
  vector.set(unit(company, companyWeight), 0);
  const topic = new Float32Array(learntSize);
  for (const [stem, weight] of weighed(stems)) addTo(topic, knowledge.meaning(stem)?.topic, weight);
  vector.set(unit(topic, topicWeight), learntSize);
  vector.set(unit(spelling(stems), spellingWeight), 2 * learntSize);
  // Without a word that is known, spelling is all there is.
  return unit(vector, all);
}

/** The part of a vector that is centred: the company that its words keep, of length one. */
export function companyOf(stems: readonly string[], knowledge: Pick<Knowledge, 'meaning'>): Float32Array {
  const company = new Float32Array(learntSize);
  for (const stem of stems) addTo(company, knowledge.meaning(stem)?.company, 1);
  return unit(company, all);
}

export interface Measured {
  readonly values: Float32Array;
  /** The length of all after the first part: with it, a comparison can end there. */
  readonly rest: number;
}

/** A vector that is to be compared with many. */
export function measured(values: Float32Array): Measured {
  return { values, rest: Math.sqrt(productOf(values, values, learntSize, vectorSize)) };
}

/** The product of the same stretch of two vectors, a multiple of four numbers: four sums, which the processor works out side by side. */
export function productOf(one: Float32Array, other: Float32Array, start: number, end: number): number {
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

/** The mean of vectors by their weights, of length one. */
export function middleOf(
  vectors: Iterable<{ readonly vector: Float32Array; readonly weight: number }>,
): Float32Array {
  const middle = new Float32Array(vectorSize);
  for (const { vector, weight } of vectors) addTo(middle, vector, weight);
  return unit(middle, all);
}

/** Pieces of three to five letters, so that misspelt and unknown words are alike too; which number a piece has, its hash says. */
function spelling(stems: readonly string[]): Float32Array {
  const pieces: string[] = [];
  for (const stem of stems) {
    const whole = `<${stem}>`;
    for (let length = 3; length <= 5; length++)
      for (let start = 0; start + length <= whole.length; start++)
        pieces.push(whole.slice(start, start + length));
  }
  const values = new Float32Array(spellingSize);
  for (const [piece, weight] of weighed(pieces)) {
    const hash = hash32(piece);
    values[(hash >>> 1) % spellingSize]! += (hash & 1) === 1 ? weight : -weight;
  }
  return values;
}

function weighed(features: readonly string[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const feature of features) weights.set(feature, (weights.get(feature) ?? 0) + 1);
  for (const [feature, count] of weights) weights.set(feature, 1 + Math.log(count));
  return weights;
}

function addTo(sum: Float32Array, vector: Float32Array | undefined, factor: number): void {
  if (vector !== undefined) for (let at = 0; at < sum.length; at++) sum[at]! += factor * vector[at]!;
}

function unit(vector: Float32Array, weight: number): Float32Array {
  let length = 0;
  for (const value of vector) length += value * value;
  const scale = length > 0 ? Math.sqrt(weight / all / length) : 0;
  for (let at = 0; at < vector.length; at++) vector[at]! *= scale;
  return vector;
}
