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
  const right = Float64Array.from({ length: matrix.width * size }, () => random() - 0.5);
  const left = new Float64Array(matrix.rows.length * size);
  for (let round = 0; round < rounds; round++) {
    times(matrix, right, size, left);
    if (round === rounds - 1) straighten(left, size);
    turnedTimes(matrix, left, size, right);
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
  const height = dense.length / size;
  // Each column is gone through many times, so its numbers lie side by side meanwhile.
  const columns = Array.from({ length: size }, (_, column) =>
    Float64Array.from({ length: height }, (__, row) => dense[row * size + column]!),
  );
  columns.forEach((own, column) => {
    for (const before of columns.slice(0, column)) {
      let along = 0;
      for (let row = 0; row < height; row++) along += own[row]! * before[row]!;
      for (let row = 0; row < height; row++) own[row]! -= along * before[row]!;
    }
    let length = 0;
    for (let row = 0; row < height; row++) length += own[row]! ** 2;
    const scale = length > 1e-20 ? 1 / Math.sqrt(length) : 0;
    for (let row = 0; row < height; row++) dense[row * size + column] = own[row]! *= scale;
  });
  return dense;
}

function squared(dense: Float64Array, size: number): Float64Array {
  const square = new Float64Array(size * size);
  for (let row = 0; row < dense.length; row += size)
    for (let one = 0; one < size; one++)
      for (let other = 0; other < size; other++)
        square[one * size + other]! += dense[row + one]! * dense[row + other]!;
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
