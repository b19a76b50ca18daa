/** A sparse matrix: for each row the columns that are not zero. */
export interface SparseMatrix {
  readonly rows: readonly (readonly SparseEntry[])[];
  readonly width: number;
}

export interface SparseEntry {
  readonly column: number;
  /** Rounded to 32 bits. */
  readonly value: number;
}

const rounds = 4;
const maxSweeps = 12;

/** Returns one row of a sparse matrix from its values by column. */
export function sparseRow(values: ReadonlyMap<number, number>): SparseEntry[] {
  return Array.from(values, ([column, value]) => ({ column, value: Math.fround(value) }));
}

/** Adds a multiple of one vector to another of the same length. */
export function addScaled<T extends Float32Array | Float64Array>(sum: T, vector: T, factor: number): void {
  for (let at = 0; at < sum.length; at++) sum[at]! += factor * vector[at]!;
}

/**
 * Returns the left singular vectors of the `rank` greatest singular values, times these values to the given power: an
 * array of factors for each row of the matrix. There are fewer factors if the matrix is small.
 */
export function leftFactors(
  matrix: SparseMatrix,
  rank: number,
  random: () => number,
  power: number,
): Float64Array[] {
  const { left, axes } = decompose(matrix, rank, random);
  return left.map((row) =>
    Float64Array.from(axes, ({ value, vector }) => innerProduct(row, vector) * value ** power),
  );
}

/** Returns the right singular vectors of the `rank` greatest singular values: an array of factors for each column of the matrix. */
export function rightFactors(matrix: SparseMatrix, rank: number, random: () => number): Float64Array[] {
  const { right, axes } = decompose(matrix, rank, random);
  return right.map((row) =>
    Float64Array.from(axes, ({ value, vector }) => innerProduct(row, vector) / (value || 1)),
  );
}

interface Axis {
  /** The singular value. */
  readonly value: number;
  readonly vector: Float64Array;
}

/**
 * Subspace iteration for the greatest singular values (Halko, Martinsson and Tropp, "Finding structure with randomness",
 * 2011, algorithm 4.4). The rows of `left` and `right` span the singular vectors, which lie along the axes.
 */
function decompose(
  matrix: SparseMatrix,
  rank: number,
  random: () => number,
): { left: Float64Array[]; right: Float64Array[]; axes: Axis[] } {
  const { rows, width } = matrix;
  const size = Math.max(1, Math.min(rank, width - 1, rows.length - 1));
  const transposed = transposeSparse(matrix);
  const left = zeros(rows.length, size);
  const right = zeros(width, size);
  for (const row of right) for (let at = 0; at < size; at++) row[at] = random() - 0.5;
  for (let round = 1; round <= rounds; round++) {
    multiply(matrix, right, left);
    if (round === rounds) orthonormalize(left, size);
    multiply(transposed, left, right);
    if (round < rounds) orthonormalize(right, size);
  }
  const columns = transpose(right, zeros(size, width));
  const gram = columns.flatMap((one) => columns.map((other) => innerProduct(one, other)));
  const axes = eigenDecomposition(Float64Array.from(gram), size);
  return {
    left,
    right,
    axes: axes.map(({ value, vector }) => ({ value: Math.sqrt(Math.max(value, 0)), vector })),
  };
}

function zeros(height: number, width: number): Float64Array[] {
  const numbers = new Float64Array(height * width);
  return Array.from({ length: height }, (_, row) => numbers.subarray(row * width, (row + 1) * width));
}

function transposeSparse({ rows, width }: SparseMatrix): SparseMatrix {
  const columns = Array.from({ length: width }, (): SparseEntry[] => []);
  for (const [index, row] of rows.entries())
    for (const { column, value } of row) columns[column]?.push({ column: index, value });
  return { rows: columns, width: rows.length };
}

/** Multiplies a sparse matrix by a dense one, into the rows of a third. */
function multiply({ rows }: SparseMatrix, dense: readonly Float64Array[], product: Float64Array[]): void {
  for (const [index, sum] of product.entries()) {
    sum.fill(0);
    for (const { column, value } of rows[index] ?? []) addScaled(sum, dense[column]!, value);
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
    scale(column, square > 1e-20 ? 1 / Math.sqrt(square) : 0);
  }
  transpose(columns, rows);
}

function scale(vector: Float64Array, factor: number): void {
  vector.set(vector.map((value) => value * factor));
}

function innerProduct(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
}

/** Returns the eigenvalues and eigenvectors of a symmetric matrix of `size` rows, by Jacobi rotations. */
function eigenDecomposition(symmetric: Float64Array, size: number): Axis[] {
  const matrix = symmetric.slice();
  const isDiagonal = (_: number, at: number): boolean => at % (size + 1) === 0;
  const vectors = matrix.map((_, at) => Number(isDiagonal(_, at)));
  for (let sweep = 0, isRotated = true; sweep < maxSweeps && isRotated; sweep++) {
    isRotated = false;
    for (let one = 0; one < size; one++)
      for (let other = one + 1; other < size; other++)
        isRotated = eliminate(matrix, vectors, size, one, other) || isRotated;
  }
  return Array.from(matrix.filter(isDiagonal), (value, index) => ({
    value,
    vector: vectors.subarray(index * size, (index + 1) * size),
  }));
}

/** Rotates two axes so that the number between them becomes zero. Returns false if it was zero. */
function eliminate(
  matrix: Float64Array,
  vectors: Float64Array,
  size: number,
  one: number,
  other: number,
): boolean {
  const between = matrix[one * size + other]!;
  if (Math.abs(between) < 1e-12) return false;
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
