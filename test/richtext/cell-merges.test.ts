import { expect, it } from 'vitest';
import { MergedCells, readMerges } from '../../src/richtext/cell-merges.ts';

const merge = (record: unknown, column: unknown, rowSpan: unknown, colSpan: unknown) => ({
  anchor: { record, column },
  rowSpan,
  colSpan,
});

it.each<[string, unknown, object | undefined]>([
  ['of all cells', merge('r0', 'c0', 2, 3), { row: 0, column: 0, rowSpan: 2, colSpan: 3 }],
  ['to the last row', merge('r0', 'c1', 2, 1), { row: 0, column: 1, rowSpan: 2, colSpan: 1 }],
  ['to the last column', merge('r1', 'c1', 1, 2), { row: 1, column: 1, rowSpan: 1, colSpan: 2 }],
  ['below the last row', merge('r1', 'c0', 2, 1), undefined],
  ['beyond the last column', merge('r0', 'c2', 1, 2), undefined],
  ['at a missing row', merge('r2', 'c0', 1, 2), undefined],
  ['at a missing column', merge('r0', 'c3', 2, 1), undefined],
  ['of one cell', merge('r0', 'c0', 1, 1), undefined],
  ['of no rows', merge('r0', 'c0', 0, 2), undefined],
  ['of half a row', merge('r0', 'c0', 1.5, 2), undefined],
  ['of text', merge('r0', 'c0', '2', 2), undefined],
  ['without an anchor', { rowSpan: 2, colSpan: 2 }, undefined],
  ['without any fields', null, undefined],
])('reads, or ignores as invalid, a merge %s', (_name, given, expected) => {
  const cells = readMerges([given], ['r0', 'r1'], ['c0', 'c1', 'c2']);
  expect(cells.size).toBe(expected === undefined ? 0 : 1);
  const { row, column } = (expected ?? { row: 0, column: 0 }) as { row: number; column: number };
  expect(cells.at(row, column)).toEqual(expected);
});

it('lists the cells of a row, and the positions that are covered by cells above', () => {
  const cells = new MergedCells();
  expect(cells.add({ row: 0, column: 1, rowSpan: 2, colSpan: 2 })).toBe(true);
  expect([
    cells.isCovered(0, 1),
    cells.isCovered(0, 2),
    cells.isCovered(1, 1),
    cells.isCovered(1, 2),
    cells.isCovered(2, 1),
    cells.isCovered(1, 3),
  ]).toEqual([false, true, true, true, false, false]);
  const [plain, covered] = [
    { count: 1, isBelow: false, continues: false },
    { column: 1, count: 2, isBelow: true, continues: false },
  ];
  expect(cells.slotsOf(0, 4)).toEqual([
    { column: 0, ...plain },
    { column: 1, count: 2, isBelow: false, continues: true },
    { column: 3, ...plain },
  ]);
  expect(cells.slotsOf(1, 4)).toEqual([{ column: 0, ...plain }, covered, { column: 3, ...plain }]);
  expect(cells.slotsOf(2, 2)).toEqual([
    { column: 0, ...plain },
    { column: 1, ...plain },
  ]);
  // A table may show fewer columns.
  expect(cells.slotsOf(0, 2).at(-1)).toMatchObject({ column: 1, count: 1 });
});

it('refuses a merge that overlaps another', () => {
  const cells = new MergedCells();
  cells.add({ row: 0, column: 0, rowSpan: 2, colSpan: 2 });
  for (const [row, column] of [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ] as const)
    expect(cells.add({ row, column, rowSpan: 1, colSpan: 2 })).toBe(false);
  expect(cells.add({ row: 0, column: 2, rowSpan: 2, colSpan: 1 })).toBe(true);
  expect(cells.size).toBe(2);
});
