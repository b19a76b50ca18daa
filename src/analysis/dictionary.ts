import { companyFactors } from './company.ts';
import { factorsOf } from './factors.ts';
import { seeded } from './random.ts';
import { type Sparse, sparseRow } from './sparse.ts';
import { isAsking } from './words.ts';

/** Numbers that a word has in each of the two learnt parts of a vector. */
export const learntSize = 60;
const maxWords = 8000;

/** What a word means here, learnt from the texts themselves. */
export interface Meaning {
  /** How rare it is: ln((texts + 1) / (texts with it + 0.5)). */
  readonly rarity: number;
  /** From the company it keeps, weighed; absent for a word that only asks. */
  readonly company: Float32Array | undefined;
  /** From the texts it occurs in, weighed. */
  readonly topic: Float32Array;
}

/** Learns words from texts given as stems: which words are alike because they occur beside the same others, and in the same texts. */
export function learn(texts: readonly (readonly string[])[], seed: number): Map<string, Meaning> {
  const counts = new Map<string, number>();
  for (const stems of texts) for (const stem of new Set(stems)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const known = [...counts]
    .filter(([, count]) => count > 1)
    .sort(([one, count], [other, more]) => more - count || (one < other ? -1 : 1));
  const words = known.slice(0, maxWords).map(([word]) => word);
  if (words.length < 3) return new Map();
  const rarity = words.map((word) => Math.log((texts.length + 1) / (counts.get(word)! + 0.5)));
  const topics = topicFactors(texts, words, rarity, seed);
  const speaking = words.filter((word) => !isAsking(word));
  const company = companyFactors(texts, speaking, learntSize, seeded(seed + 1));
  const meanings = new Map<string, Meaning>();
  words.forEach((word, index) => {
    const own = company.get(word);
    meanings.set(word, {
      rarity: rarity[index]!,
      company: own?.map((value) => value * rarity[index]! ** 0.4),
      topic: topics(index),
    });
  });
  return meanings;
}

/** Latent semantic analysis: the vector of each word by which a text is folded in. */
function topicFactors(
  texts: readonly (readonly string[])[],
  words: readonly string[],
  rarity: readonly number[],
  seed: number,
): (index: number) => Float32Array {
  const place = new Map(words.map((word, index) => [word, index]));
  const matrix: Sparse = { width: words.length, rows: texts.map((stems) => textRow(stems, place, rarity)) };
  const { right, size } = factorsOf(matrix, learntSize, seeded(seed));
  return (index) => {
    const vector = new Float32Array(learntSize);
    for (let at = 0; at < size; at++) vector[at] = right[index * size + at]! * Math.sqrt(rarity[index]!);
    return vector;
  };
}

function textRow(
  stems: readonly string[],
  place: ReadonlyMap<string, number>,
  rarity: readonly number[],
): Sparse['rows'][number] {
  const times = new Map<number, number>();
  for (const stem of stems) {
    const index = place.get(stem);
    if (index !== undefined) times.set(index, (times.get(index) ?? 0) + 1);
  }
  let length = 0;
  for (const [index, count] of times) {
    const weight = (1 + Math.log(count)) * Math.sqrt(rarity[index]!);
    times.set(index, weight);
    length += weight * weight;
  }
  for (const [index, weight] of times) times.set(index, weight / Math.sqrt(length));
  return sparseRow(times);
}
