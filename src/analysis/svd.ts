import { addScaled, innerProduct, scaleBy } from './vector-math.ts';

/** A sparse matrix, by rows. */
export interface SparseMatrix {
  readonly rows: readonly (readonly SparseEntry[])[];
  readonly width: number;
}

export interface SparseEntry {
  readonly column: number;
  readonly value: number;
}

const rounds = 4;
const maxSweeps = 12;

/** Returns a row of a sparse matrix from its values by column, rounded to 32 bits. */
export function sparseRow(values: ReadonlyMap<number, number>): SparseEntry[] {
  return Array.from(values, ([column, value]) => ({ column, value: Math.fround(value) }));
}

/**
 * Computes the singular vectors of the `rank` greatest singular values, or of fewer if the matrix is small, by subspace
 * iteration (Halko, Martinsson and Tropp, "Finding structure with randomness", 2011, algorithm 4.4). `left` has a row for
 * each row of the matrix and is multiplied by the singular values to the given power; `right` has one for each column.
 */
export function truncatedSvd(
  matrix: SparseMatrix,
  rank: number,
  random: () => number,
  power = 0,
): { left: Float64Array[]; right: Float64Array[] } {
  const { rows, width } = matrix;
  const size = Math.max(1, Math.min(rank, width - 1, rows.length - 1));
  const left = zeros(rows.length, size);
  const right = zeros(width, size);
  for (const row of right) for (let at = 0; at < size; at++) row[at] = random() - 0.5;
  for (let round = 1; round <= rounds; round++) {
    multiply(matrix, right, left);
    if (round === rounds) orthonormalize(left, size);
    multiplyTransposed(matrix, left, right);
    if (round < rounds) orthonormalize(right, size);
  }
  const columns = transpose(right, zeros(size, width));
  const gram = columns.flatMap((one) => columns.map((other) => innerProduct(one, other)));
  const axes = eigenDecomposition(Float64Array.from(gram), size).map(({ value, vector }) => ({
    vector,
    value: Math.sqrt(Math.max(value, 0)),
  }));
  const project = (row: Float64Array, scale: (product: number, value: number) => number): Float64Array =>
    Float64Array.from(axes, ({ value, vector }) => scale(innerProduct(row, vector), value));
  return {
    left: left.map((row) => project(row, (product, value) => product * value ** power)),
    right: right.map((row) => project(row, (product, value) => product / (value || 1))),
  };
}

function zeros(height: number, width: number): Float64Array[] {
  const numbers = new Float64Array(height * width);
  return Array.from({ length: height }, (_, row) => numbers.subarray(row * width, (row + 1) * width));
}

/** Multiplies a sparse matrix by a dense one, into the rows of `product`. */
function multiply({ rows }: SparseMatrix, dense: readonly Float64Array[], product: Float64Array[]): void {
  for (const [index, sum] of product.entries()) {
    sum.fill(0);
    for (const { column, value } of rows[index] ?? []) {
      const vector = dense[column];
      if (vector !== undefined) addScaled(sum, vector, value);
    }
  }
}

/** Multiplies a transposed sparse matrix by a dense one, into the rows of `product`. */
function multiplyTransposed(
  { rows }: SparseMatrix,
  dense: readonly Float64Array[],
  product: Float64Array[],
): void {
  for (const sum of product) sum.fill(0);
  for (const [index, vector] of dense.entries())
    for (const { column, value } of rows[index] ?? []) {
      const sum = product[column];
      if (sum !== undefined) addScaled(sum, vector, value);
    }
}

function transpose(rows: readonly Float64Array[], columns: Float64Array[]): Float64Array[] {
  for (const [index, row] of rows.entries()) {
    let at = 0;
    for (const column of columns) column[index] = row[at++]!;
  }
  return columns;
}

/** Makes the columns of a matrix orthogonal and of length one (modified Gram-Schmidt). */
function orthonormalize(rows: Float64Array[], width: number): void {
  const columns = transpose(rows, zeros(width, rows.length));
  for (const [index, column] of columns.entries()) {
    for (const before of columns.slice(0, index)) addScaled(column, before, -innerProduct(column, before));
    const square = innerProduct(column, column);
    scaleBy(column, square > 1e-20 ? 1 / Math.sqrt(square) : 0);
  }
  transpose(columns, rows);
}

/** Returns the eigenvalues and eigenvectors of a symmetric matrix of `size` rows, which is overwritten, by Jacobi rotations. */
function eigenDecomposition(matrix: Float64Array, size: number): { value: number; vector: Float64Array }[] {
  const isDiagonal = (_: number, at: number) => at % (size + 1) === 0;
  const vectors = matrix.map((_, at) => Number(isDiagonal(_, at)));
  for (let sweep = 0, isRotated = true; sweep < maxSweeps && isRotated; sweep++) {
    isRotated = false;
    for (let one = 0; one < size; one++)
      for (let other = one + 1; other < size; other++)
        isRotated = eliminate(matrix, vectors, one, other) || isRotated;
  }
  return Array.from(matrix.filter(isDiagonal), (value, index) => ({
    value,
    vector: vectors.subarray(index * size, (index + 1) * size),
  }));
}

/** Rotates two axes so that the number between them becomes zero. Returns false if it was. */
function eliminate(matrix: Float64Array, vectors: Float64Array, one: number, other: number): boolean {
  const size = Math.sqrt(matrix.length);
  const between = matrix[one * size + other];
  if (between === undefined || Math.abs(between) < 1e-12) return false;
  const theta = (matrix[other * size + other]! - matrix[one * size + one]!) / (2 * between);
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  for (let at = 0; at < size; at++) rotate(matrix, at * size + one, at * size + other, cosine, sine);
  for (let at = 0; at < size; at++) rotate(matrix, one * size + at, other * size + at, cosine, sine);
  for (let at = 0; at < size; at++) rotate(vectors, one * size + at, other * size + at, cosine, sine);
  return true;
}

function rotate(values: Float64Array, first: number, second: number, cosine: number, sine: number): void {
  const one = values[first]!;
  const other = values[second]!;
  values[first] = cosine * one - sine * other;
  values[second] = sine * one + cosine * other;
}
