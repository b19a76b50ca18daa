import { seededRandom } from './hash.ts';
import { pmiEmbeddings } from './pmi-embeddings.ts';
import { type SparseEntry, sparseRow, truncatedSvd } from './svd.ts';
import { isRequestStem, type Stems } from './words.ts';

/** Numbers in each of the two vectors of a word. */
export const embeddingSize = 60;
const maxWords = 8000;

export interface WordMeaning {
  /** ln((texts + 1) / (texts with the word + 0.5)). */
  readonly rarity: number;
  /** Similar for words with the same neighbors, weighted by rarity; undefined for request words. */
  readonly context: Float32Array | undefined;
  /** Similar for words of the same texts, weighted by rarity. */
  readonly topic: Float32Array;
}

interface KnownWord {
  readonly word: string;
  readonly index: number;
  readonly rarity: number;
}

/** Learns the 8,000 most frequent words of texts, which are given as stems; words of a single text are not learned. */
export function learnMeanings(texts: readonly Stems[], seed: number): Map<string, WordMeaning> {
  const words = frequentWords(texts);
  if (words.length < 3) return new Map();
  const topics = topicVectors(texts, words, seed);
  const topicWords = words.map(({ word }) => word).filter((word) => !isRequestStem(word));
  const contexts = pmiEmbeddings(texts, topicWords, embeddingSize, seededRandom(seed + 1));
  return new Map(
    words.map(({ word, rarity }) => {
      const context = contexts.get(word)?.map((value) => value * rarity ** 0.4);
      return [word, { rarity, context, topic: topics.get(word) ?? new Float32Array(embeddingSize) }];
    }),
  );
}

function frequentWords(texts: readonly Stems[]): KnownWord[] {
  const counts = new Map<string, number>();
  for (const stems of texts) for (const stem of new Set(stems)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > 1)
    .sort(([one, count], [other, more]) => more - count || (one < other ? -1 : 1))
    .slice(0, maxWords)
    .map(([word, count], index) => ({ word, index, rarity: Math.log((texts.length + 1) / (count + 0.5)) }));
}

/** Latent semantic analysis: returns for each word the vector with which it contributes to a text. */
function topicVectors(
  texts: readonly Stems[],
  words: readonly KnownWord[],
  seed: number,
): Map<string, Float32Array> {
  const known = new Map(words.map((word) => [word.word, word]));
  const rows = texts.map((stems) => textRow(stems, known));
  const { right } = truncatedSvd({ rows, width: words.length }, embeddingSize, seededRandom(seed));
  return new Map(
    words.map(({ word, index, rarity }) => {
      const vector = new Float32Array(embeddingSize);
      vector.set((right[index] ?? vector).map((value) => value * Math.sqrt(rarity)));
      return [word, vector];
    }),
  );
}

/** Returns a text as a row of length one: the logarithmic count of each word, weighted by the root of its rarity. */
function textRow(stems: Stems, known: ReadonlyMap<string, KnownWord>): SparseEntry[] {
  const counts = new Map<KnownWord, number>();
  for (const stem of stems) {
    const word = known.get(stem);
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const weights = new Map<number, number>();
  let square = 0;
  for (const [{ index, rarity }, count] of counts) {
    const weight = (1 + Math.log(count)) * Math.sqrt(rarity);
    weights.set(index, weight);
    square += weight * weight;
  }
  for (const [index, weight] of weights) weights.set(index, weight / Math.sqrt(square));
  return sparseRow(weights);
}
