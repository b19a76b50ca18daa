import { rotationOf } from './rotation.ts';
import { type Sparse, times, turnedTimes } from './sparse.ts';

export interface Factors {
  readonly size: number;
  /** A row for each row of the matrix. */
  readonly left: Float64Array;
  /** A row for each column of the matrix. */
  readonly right: Float64Array;
  readonly strength: Float64Array;
}

const rounds = 4;

/** The strongest `wanted` factors of a matrix (singular value decomposition by subspace iteration). */
export function factorsOf(matrix: Sparse, wanted: number, random: () => number): Factors {
  const size = Math.max(1, Math.min(wanted, matrix.width - 1, matrix.rows.length - 1));
  let right: Float64Array = Float64Array.from({ length: matrix.width * size }, () => random() - 0.5);
  let left: Float64Array = new Float64Array(0);
  for (let round = 0; round < rounds; round++) {
    left = straighten(times(matrix, right, size), size);
    right = turnedTimes(matrix, left, size);
    if (round < rounds - 1) straighten(right, size);
  }
  const { values, vectors } = rotationOf(squared(right, size), size);
  const strength = values.map((value) => Math.sqrt(Math.max(value, 0)));
  const turned = rotate(right, vectors, size);
  turned.forEach((value, at) => (turned[at] = value / (strength[at % size]! || 1)));
  return { size, left: rotate(left, vectors, size), right: turned, strength };
}

/** Makes the columns stand at right angles, each of length one. */
function straighten(dense: Float64Array, size: number): Float64Array {
  for (let column = 0; column < size; column++) {
    for (let before = 0; before < column; before++) {
      let along = 0;
      for (let row = 0; row < dense.length; row += size) along += dense[row + column]! * dense[row + before]!;
      for (let row = 0; row < dense.length; row += size) dense[row + column]! -= along * dense[row + before]!;
    }
    let length = 0;
    for (let row = 0; row < dense.length; row += size) length += dense[row + column]! ** 2;
    const scale = length > 1e-20 ? 1 / Math.sqrt(length) : 0;
    for (let row = 0; row < dense.length; row += size) dense[row + column]! *= scale;
  }
  return dense;
}

function squared(dense: Float64Array, size: number): Float64Array {
  const square = new Float64Array(size * size);
  for (let row = 0; row < dense.length; row += size)
    for (let one = 0; one < size; one++) for (let other = 0; other < size; other++) square[one * size + other]! += dense[row + one]! * dense[row + other]!;
  return square;
}

function rotate(dense: Float64Array, vectors: Float64Array, size: number): Float64Array {
  const turned = new Float64Array(dense.length);
  for (let row = 0; row < dense.length; row += size)
    for (let one = 0; one < size; one++) {
      const value = dense[row + one]!;
      for (let other = 0; other < size; other++) turned[row + other]! += value * vectors[one * size + other]!;
    }
  return turned;
}
