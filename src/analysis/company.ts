import { factorsOf } from './factors.ts';
import { type Sparse, sparseRow } from './sparse.ts';
import { isAsking } from './words.ts';

const reach = 5;
const smoothing = 0.75;

/** A vector of length one for each word, alike for words that occur beside the same others (factors of their positive mutual information). */
export function companyFactors(
  texts: readonly (readonly string[])[],
  words: readonly string[],
  wanted: number,
  random: () => number,
): Map<string, Float32Array> {
  if (words.length < 3) return new Map();
  const matrix = mutualInformation(texts, words);
  const { left, strength, size } = factorsOf(matrix, wanted, random);
  return new Map(
    words.map((word, index) => {
      const vector = new Float32Array(wanted);
      let length = 0;
      for (let at = 0; at < size; at++) {
        vector[at] = left[index * size + at]! * strength[at]! ** 0.75;
        length += vector[at]! ** 2;
      }
      const scale = length > 0 ? 1 / Math.sqrt(length) : 0;
      return [word, vector.map((value) => value * scale)];
    }),
  );
}

/** How much more often two words stand near each other than chance has it; near weighs more than far. */
function mutualInformation(texts: readonly (readonly string[])[], words: readonly string[]): Sparse {
  const place = new Map(words.map((word, index) => [word, index]));
  const beside = words.map(() => new Map<number, number>());
  const sums = new Float64Array(words.length);
  for (const stems of texts) {
    const known = stems.filter((stem) => !isAsking(stem)).map((stem) => place.get(stem));
    known.forEach((word, index) => {
      if (word === undefined) return;
      for (
        let other = Math.max(0, index - reach);
        other <= Math.min(known.length - 1, index + reach);
        other++
      ) {
        const neighbour = known[other];
        if (other === index || neighbour === undefined) continue;
        const near = 1 / Math.sqrt(Math.abs(index - other));
        beside[word]!.set(neighbour, (beside[word]!.get(neighbour) ?? 0) + near);
        sums[word]! += near;
      }
    });
  }
  const smooth = sums.map((sum) => sum ** smoothing);
  const all = smooth.reduce((total, value) => total + value, 0);
  const rows = beside.map((counts, word) => {
    const positive = new Map<number, number>();
    for (const [neighbour, count] of counts) {
      const information = Math.log((count * all) / (sums[word]! * smooth[neighbour]!));
      if (information > 0) positive.set(neighbour, information);
    }
    return sparseRow(positive);
  });
  return { rows, width: words.length };
}
