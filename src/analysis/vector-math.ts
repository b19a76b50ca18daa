type Vector = Float32Array | Float64Array;

/** Adds a multiple of one vector to another of the same length. */
export function addScaled(sum: Vector, vector: Vector, factor: number): void {
  for (let at = 0; at < sum.length; at++) sum[at]! += factor * vector[at]!;
}

/** Multiplies a vector in place and returns it. */
export function scaleBy<T extends Vector>(vector: T, factor: number): T {
  for (let at = 0; at < vector.length; at++) vector[at]! *= factor;
  return vector;
}

/** Returns the dot product of two vectors of the same length. */
export function innerProduct(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
}

/** Returns the dot product of two vectors from `start` to `end`, whose difference must be a multiple of four. */
export function dotProduct(one: Float32Array, other: Float32Array, start: number, end: number): number {
  // The processor can compute four independent sums in parallel.
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
