/** Rows of a matrix in which most is nothing. */
export interface Sparse {
  readonly rows: readonly SparseRow[];
  readonly width: number;
}

export interface SparseRow {
  readonly at: Int32Array;
  readonly value: Float32Array;
}

/** One row from column → value. */
export function sparseRow(entries: ReadonlyMap<number, number>): SparseRow {
  return { at: Int32Array.from(entries.keys()), value: Float32Array.from(entries.values()) };
}

/** The matrix times a dense one of `size` columns, put into `product`. */
export function times({ rows }: Sparse, dense: Float64Array, size: number, product: Float64Array): void {
  product.fill(0);
  rows.forEach(({ at, value }, row) => {
    for (let entry = 0; entry < at.length; entry++)
      addScaled(product, row * size, dense, at[entry]! * size, value[entry]!, size);
  });
}

/** The matrix, turned over, times a dense one of `size` columns, put into `product`. */
export function turnedTimes(
  { rows }: Sparse,
  dense: Float64Array,
  size: number,
  product: Float64Array,
): void {
  product.fill(0);
  rows.forEach(({ at, value }, row) => {
    for (let entry = 0; entry < at.length; entry++)
      addScaled(product, at[entry]! * size, dense, row * size, value[entry]!, size);
  });
}

function addScaled(
  into: Float64Array,
  to: number,
  from: Float64Array,
  start: number,
  factor: number,
  size: number,
): void {
  for (let at = 0; at < size; at++) into[to + at]! += factor * from[start + at]!;
}
