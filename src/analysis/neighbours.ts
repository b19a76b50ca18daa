import { likeness, partEnds, vectorSize } from './vector.ts';

export interface Neighbour {
  readonly at: number;
  readonly likeness: number;
}

/** The `wanted` most alike vectors of each that are alike at all, best first; `breathe` is awaited now and then. */
export async function neighboursOf(vectors: readonly Float32Array[], wanted: number, breathe: () => Promise<void>): Promise<Neighbour[][]> {
  const best = new Best(vectors.length, wanted);
  const compare = comparer(vectors, best.least);
  for (let one = 0; one < vectors.length; one++) {
    if (one % 64 === 0) await breathe();
    for (let other = one + 1; other < vectors.length; other++) {
      const alike = compare(one, other);
      if (alike > best.least[one]!) best.offer(one, other, alike);
      if (alike > best.least[other]!) best.offer(other, one, alike);
    }
  }
  return vectors.map((_, one) => best.of(one));
}

/** The `wanted` of these that are most like the vector, best first. */
export function nearest<T>(vector: Float32Array, among: Iterable<T>, vectorOf: (one: T) => Float32Array, wanted: number): { one: T; likeness: number }[] {
  const scored = [...among].map((one) => ({ one, likeness: likeness(vector, vectorOf(one)) }));
  return scored.sort((one, other) => other.likeness - one.likeness).slice(0, wanted);
}

/**
 * Compares two vectors part by part, and stops where the parts that are left cannot lift them above what both have
 * already (two parts are at most as alike as the product of their lengths): the answer is exact or too low to matter.
 */
function comparer(vectors: readonly Float32Array[], least: Float64Array): (one: number, other: number) => number {
  const block = new Float32Array(vectors.length * vectorSize);
  vectors.forEach((vector, at) => block.set(vector, at * vectorSize));
  const left = partEnds.map((end) => Float64Array.from(vectors, (vector) => Math.hypot(...vector.subarray(end))));
  const [first, second] = [partEnds[0]!, partEnds[1]!];
  const [leftFirst, leftSecond] = [left[0]!, left[1]!];
  return (one, other) => {
    const enough = Math.min(least[one]!, least[other]!);
    const from = one * vectorSize;
    const to = other * vectorSize;
    let alike = product(block, from, to, 0, first);
    if (alike + leftFirst[one]! * leftFirst[other]! <= enough) return alike;
    alike += product(block, from, to, first, second);
    if (alike + leftSecond[one]! * leftSecond[other]! <= enough) return alike;
    return alike + product(block, from, to, second, vectorSize);
  };
}

/** Four sums at once, which the processor works out side by side; parts have a multiple of four numbers. */
function product(block: Float32Array, from: number, to: number, start: number, end: number): number {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (let at = start; at < end; at += 4) {
    first += block[from + at]! * block[to + at]!;
    second += block[from + at + 1]! * block[to + at + 1]!;
    third += block[from + at + 2]! * block[to + at + 2]!;
    fourth += block[from + at + 3]! * block[to + at + 3]!;
  }
  return first + second + third + fourth;
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
    kept.splice(place, 0, { at, likeness: alike });
    if (kept.length > this.#wanted) kept.pop();
    if (kept.length === this.#wanted) this.least[one] = kept.at(-1)!.likeness;
  }

  of(one: number): Neighbour[] {
    return this.#kept[one]!;
  }
}
