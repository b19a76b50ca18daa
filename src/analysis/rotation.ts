const sweeps = 12;

/** Eigenvalues and eigenvectors (columns) of a small symmetric matrix, by Jacobi's rotations. */
export function rotationOf(
  symmetric: Float64Array,
  size: number,
): { values: Float64Array; vectors: Float64Array } {
  const matrix = symmetric.slice();
  const vectors = new Float64Array(size * size);
  for (let at = 0; at < size; at++) vectors[at * size + at] = 1;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let turned = false;
    for (let one = 0; one < size; one++)
      for (let other = one + 1; other < size; other++)
        turned = turn(matrix, vectors, size, one, other) || turned;
    if (!turned) break;
  }
  return { values: Float64Array.from({ length: size }, (_, at) => matrix[at * size + at]!), vectors };
}

function turn(
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
  for (let at = 0; at < size; at++) mix(matrix, at * size + one, at * size + other, cosine, sine);
  for (let at = 0; at < size; at++) mix(matrix, one * size + at, other * size + at, cosine, sine);
  for (let at = 0; at < size; at++) mix(vectors, at * size + one, at * size + other, cosine, sine);
  return true;
}

function mix(values: Float64Array, first: number, second: number, cosine: number, sine: number): void {
  const one = values[first]!;
  const other = values[second]!;
  values[first] = cosine * one - sine * other;
  values[second] = sine * one + cosine * other;
}
