import { type Measured, partEnds, productOf, vectorSize } from './vector.ts';

export interface Neighbour {
  readonly at: number;
  readonly likeness: number;
}

/** The `wanted` most alike vectors of each that are alike at all, best first; `breathe` is awaited now and then. */
export async function neighboursOf(
  vectors: readonly Float32Array[],
  wanted: number,
  breathe: () => Promise<void>,
): Promise<Neighbour[][]> {
  const best = new Best(vectors.length, wanted);
  const compare = comparer(vectors, best.least);
  const offer = (one: number, other: number, alike: number): void => {
    if (alike > best.least[one]!) best.offer(one, other, alike);
    if (alike > best.least[other]!) best.offer(other, one, alike);
  };
  for (let one = 0; one < vectors.length; one++) {
    if (one % 64 === 0) await breathe();
    compare(one, offer);
  }
  return vectors.map((_, one) => best.of(one));
}

/** The `wanted` of these that are most like the vector, best first; of equals the one that came first. */
export function nearest<T>(
  { values, rest }: Measured,
  among: Iterable<T>,
  vectorOf: (one: T) => Measured,
  wanted: number,
): { one: T; likeness: number }[] {
  const kept: { one: T; likeness: number }[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (const one of among) {
    const other = vectorOf(one);
    let alike = productOf(values, other.values, 0, partEnds[0]!);
    if (alike + rest * other.rest <= least) continue;
    alike += productOf(values, other.values, partEnds[0]!, vectorSize);
    if (alike <= least) continue;
    let place = kept.length;
    while (place > 0 && kept[place - 1]!.likeness < alike) place--;
    kept.splice(place, 0, { one, likeness: alike });
    if (kept.length > wanted) kept.pop();
    if (kept.length === wanted) least = kept.at(-1)!.likeness;
  }
  return kept;
}

/**
 * Compares a vector with all after it, part by part, and stops where the parts that are left cannot lift them above what
 * both have already (two parts are at most as alike as the product of their lengths): what is offered is exact.
 */
function comparer(
  vectors: readonly Float32Array[],
  least: Float64Array,
): (one: number, offer: (one: number, other: number, alike: number) => void) => void {
  const count = vectors.length;
  // Most pairs end at the first part: it lies by itself, as numbers that need no conversion.
  const [first, second] = [partEnds[0]!, partEnds[1]!];
  const front = new Float64Array(count * first);
  vectors.forEach((vector, at) => front.set(vector.subarray(0, first), at * first));
  const [leftFirst, leftSecond] = partEnds.map((end) =>
    Float64Array.from(vectors, (vector) => Math.sqrt(productOf(vector, vector, end, vectorSize))),
  ) as [Float64Array, Float64Array];
  const alikes = new Float64Array(count);
  return (one, offer) => {
    productsAfter(front, first, one, count, alikes);
    const vector = vectors[one]!;
    for (let other = one + 1; other < count; other++) {
      const enough = Math.min(least[one]!, least[other]!);
      let alike = alikes[other]!;
      if (alike + leftFirst[one]! * leftFirst[other]! <= enough) continue;
      alike += productOf(vector, vectors[other]!, first, second);
      if (alike + leftSecond[one]! * leftSecond[other]! <= enough) continue;
      offer(one, other, alike + productOf(vector, vectors[other]!, second, vectorSize));
    }
  };
}

/** The products of one row with each row after it, four rows at once. */
function productsAfter(
  rows: Float64Array,
  width: number,
  one: number,
  count: number,
  into: Float64Array,
): void {
  const own = rows.slice(one * width, (one + 1) * width);
  let other = one + 1;
  for (; other + 4 <= count; other += 4) {
    const a = other * width;
    const b = a + width;
    const c = b + width;
    const d = c + width;
    let first = 0;
    let second = 0;
    let third = 0;
    let fourth = 0;
    for (let at = 0; at < width; at++) {
      const value = own[at]!;
      first += value * rows[a + at]!;
      second += value * rows[b + at]!;
      third += value * rows[c + at]!;
      fourth += value * rows[d + at]!;
    }
    into[other] = first;
    into[other + 1] = second;
    into[other + 2] = third;
    into[other + 3] = fourth;
  }
  for (; other < count; other++) {
    let sum = 0;
    for (let at = 0; at < width; at++) sum += own[at]! * rows[other * width + at]!;
    into[other] = sum;
  }
}

/** For each, the best offers so far. */
class Best {
  /** What an offer has to be above. */
  readonly least: Float64Array;
  readonly #wanted: number;
  readonly #kept: Neighbour[][];

  constructor(count: number, wanted: number) {
    this.least = new Float64Array(count);
    this.#wanted = wanted;
    this.#kept = Array.from({ length: count }, () => []);
  }

  offer(one: number, at: number, alike: number): void {
    const kept = this.#kept[one]!;
    let place = kept.length;
    while (place > 0 && kept[place - 1]!.likeness < alike) place--;
    if (kept.length === this.#wanted) kept.pop();
    kept.splice(place, 0, { at, likeness: alike });
    if (kept.length === this.#wanted) this.least[one] = kept.at(-1)!.likeness;
  }

  of(one: number): Neighbour[] {
    return this.#kept[one]!;
  }
}
