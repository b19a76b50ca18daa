import { type SparseMatrix, sparseRow, truncatedSvd } from './svd.ts';
import { scaleBy } from './vector-math.ts';
import { isRequestStem, type Stems } from './words.ts';

/** Words on each side of a word that count as its context. */
const contextRadius = 5;
const smoothing = 0.75;

interface WordContext {
  readonly index: number;
  /** Counts of the words nearby, weighted by distance. */
  readonly neighbors: Map<WordContext, number>;
  total: number;
  smoothed: number;
}

/**
 * Returns a vector of length one for each word; words in the same contexts have similar vectors. They are factors of the
 * positive pointwise mutual information of words (Levy and Goldberg, "Neural Word Embedding as Implicit Matrix
 * Factorization", 2014). Empty for fewer than three words.
 */
export function pmiEmbeddings(
  texts: readonly Stems[],
  words: readonly string[],
  size: number,
  random: () => number,
): Map<string, Float32Array> {
  if (words.length < 3) return new Map();
  const { left } = truncatedSvd(pmiMatrix(texts, words), size, random, 0.75);
  return new Map(
    words.map((word, index) => {
      const vector = new Float32Array(size);
      vector.set(left[index] ?? []);
      const square = vector.reduce((sum, value) => sum + value * value, 0);
      return [word, scaleBy(vector, square > 0 ? 1 / Math.sqrt(square) : 0)];
    }),
  );
}

/** Returns for each pair of words the logarithm of how much more often they occur together than by chance, if it is positive. */
function pmiMatrix(texts: readonly Stems[], words: readonly string[]): SparseMatrix {
  const contexts = new Map(
    words.map((word, index): [string, WordContext] => [
      word,
      { index, neighbors: new Map(), total: 0, smoothed: 0 },
    ]),
  );
  for (const stems of texts)
    countNeighbors(stems.filter((stem) => !isRequestStem(stem)).map((stem) => contexts.get(stem)));
  let all = 0;
  for (const context of contexts.values()) all += context.smoothed = context.total ** smoothing;
  const rows = Array.from(contexts.values(), ({ neighbors, total }) => {
    const positive = new Map<number, number>();
    for (const [{ index, smoothed }, count] of neighbors) {
      const information = Math.log((count * all) / (total * smoothed));
      if (information > 0) positive.set(index, information);
    }
    return sparseRow(positive);
  });
  return { rows, width: words.length };
}

/** Counts the neighbors of each word of a text; unknown words are undefined and keep their places. */
function countNeighbors(text: readonly (WordContext | undefined)[]): void {
  for (const [index, word] of text.entries()) {
    if (word === undefined) continue;
    const start = Math.max(0, index - contextRadius);
    for (const [offset, other] of text.slice(start, index + contextRadius + 1).entries()) {
      const distance = Math.abs(index - start - offset);
      if (other === undefined || distance === 0) continue;
      const weight = 1 / Math.sqrt(distance);
      word.neighbors.set(other, (word.neighbors.get(other) ?? 0) + weight);
      word.total += weight;
    }
  }
}
