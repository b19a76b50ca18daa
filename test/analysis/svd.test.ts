import { describe, expect, it } from 'vitest';
import { truncatedSvd, type SparseMatrix } from '../../src/analysis/svd.ts';
import { innerProduct } from '../../src/analysis/vector-math.ts';

/** Numbers from 0 up to 1 that are the same in every run. */
function createRandom(): () => number {
  let state = 1;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

function matrixOf(dense: readonly (readonly number[])[]): SparseMatrix {
  return {
    rows: dense.map((row) => row.flatMap((value, column) => (value === 0 ? [] : [{ column, value }]))),
    width: dense[0]?.length ?? 0,
  };
}

const columnsOf = (rows: readonly Float64Array[]) =>
  Array.from(rows[0] ?? [], (_, at) => Float64Array.from(rows, (row) => row[at] ?? 0));
/** The inner products of all pairs of columns, rounded. */
const gramOf = (rows: readonly Float64Array[]) =>
  columnsOf(rows).map((one) =>
    columnsOf(rows).map((other) => Math.abs(Math.round(innerProduct(one, other) * 1e8) / 1e8)),
  );
const identity = (size: number) =>
  Array.from({ length: size }, (_, row) => Array.from({ length: size }, (__, at) => Number(row === at)));

describe('singular vectors', () => {
  const random = createRandom();
  const dense = Array.from({ length: 12 }, () =>
    Array.from({ length: 9 }, () => Math.max(0, random() - 0.3)),
  );

  it('are of length one and orthogonal', () => {
    const { left, right } = truncatedSvd(matrixOf(dense), 6, createRandom());
    expect(gramOf(left)).toEqual(identity(6));
    expect(gramOf(right)).toEqual(identity(6));
  });

  it('give the matrix back when multiplied, if the rank is sufficient', () => {
    // Three rows are linear combinations of two others.
    const [a = [], b = []] = dense;
    const sum = (x: number, y: number) => a.map((value, at) => x * value + y * (b[at] ?? 0));
    const flat = [a, b, sum(1, 1), sum(2, -1), sum(0.5, 3)];
    const { left, right } = truncatedSvd(matrixOf(flat), 2, createRandom(), 1);
    for (const [row, values] of flat.entries())
      for (const [column, value] of values.entries())
        expect(innerProduct(left[row]!, right[column]!)).toBeCloseTo(value, 6);
  });

  it('contain no NaN for an identity matrix', () => {
    const { left, right } = truncatedSvd(matrixOf(identity(5)), 3, createRandom(), 1);
    expect(gramOf(left)).toEqual(identity(3));
    expect(gramOf(right)).toEqual(identity(3));
  });

  it.each([
    [5, 5, 10, 4],
    [5, 5, 4, 4],
    [5, 5, 3, 3],
    [3, 5, 10, 2],
    [5, 3, 10, 2],
    [2, 2, 10, 1],
    [1, 1, 10, 1],
  ])(
    'of %i rows and %i columns: of %i requested vectors, %i are returned',
    (height, width, rank, expected) => {
      const rows = Array.from({ length: height }, (_, row) =>
        Array.from({ length: width }, (__, at) => Number(row === at)),
      );
      const { left, right } = truncatedSvd(matrixOf(rows), rank, createRandom());
      expect([left[0]?.length, right[0]?.length]).toEqual([expected, expected]);
    },
  );

  it('are fewer for a small matrix', () => {
    const { left, right } = truncatedSvd(
      matrixOf([
        [1, 0],
        [0, 2],
        [1, 1],
      ]),
      10,
      createRandom(),
    );
    expect([left.length, left[0]?.length, right.length, right[0]?.length]).toEqual([3, 1, 2, 1]);
  });
});
