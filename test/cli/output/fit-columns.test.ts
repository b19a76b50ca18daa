import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitColumns, widenColumns, type MeasuredColumn } from '../../../src/cli/output/fit-columns.ts';

const column = (role: MeasuredColumn['role'], full: number, short = full, heading = 4): MeasuredColumn => ({
  role,
  full,
  short,
  heading,
});
const id = column('id', 30, 7, 2);
const date = column('date', 17, 10, 9);

describe('fitColumns', () => {
  it('keeps full widths if there is room', () => {
    expect(fitColumns([column('name', 20), date, id], 80, true)).toEqual([
      { index: 0, width: 20, isShort: false },
      { index: 1, width: 17, isShort: false },
      { index: 2, width: 30, isShort: false },
    ]);
  });

  it('shortens IDs and dates first, then texts, and then hides columns', () => {
    const columns = [column('name', 30), column('text', 60), date, id];
    expect(fitColumns(columns, 80, true)).toEqual([
      { index: 0, width: 30, isShort: true },
      { index: 1, width: 27, isShort: true },
      { index: 2, width: 10, isShort: true },
      { index: 3, width: 7, isShort: true },
    ]);
    expect(fitColumns(columns, 60, true).map(({ index }) => index)).toEqual([0, 1, 3]);
  });

  it('hides no column that was requested', () => {
    expect(fitColumns([column('name', 50), date, column('text', 20), id], 60, false)).toHaveLength(4);
  });

  it('keeps a short ID complete while anything else can be shortened', () => {
    const widths = (width: number) =>
      fitColumns([column('name', 50), column('text', 50), date, id], width, false).map((one) => one.width);
    expect(widths(60).at(-1)).toBe(7);
    expect(widths(40).at(-1)).toBe(7);
    expect(widths(30).at(-1)).toBe(6);
  });

  it('shortens names only if less than 10 cells are left, to 70 % of the line', () => {
    const widths = (name: number) =>
      fitColumns([column('name', name), column('text', 50)], 60, false).map((one) => one.width);
    expect(widths(50)).toEqual([50, 8]);
    expect(widths(51)).toEqual([42, 16]);
    expect(fitColumns([column('name', 90)], 60, true)).toEqual([{ index: 0, width: 60, isShort: true }]);
  });

  it('hides columns with the same value in all rows before it shortens texts and names', () => {
    const columns = [column('name', 40), { ...column('text', 10), isSame: true }, column('text', 30)];
    expect(fitColumns(columns, 80, true).map(({ index, width }) => [index, width])).toEqual([
      [0, 40],
      [2, 30],
    ]);
    expect(fitColumns(columns, 100, true)).toHaveLength(3);
  });

  it('keeps the time of an event, and shortens it', () => {
    const columns = [
      column('time', 17, 12),
      column('name', 30),
      column('name', 30),
      date,
      column('text', 40),
    ];
    const fitted = fitColumns(columns, 80, true);
    expect(fitted[0]).toEqual({ index: 0, width: 12, isShort: true });
    expect(fitted.map(({ index }) => index)).toEqual([0, 1, 2, 4]);
  });

  it('hides the type and the ID of a row with a path, and then shortens the path', () => {
    const columns = [column('path', 60), column('name', 40), { ...column('text', 8), isType: true }, id];
    expect(fitColumns(columns, 80, true).map(({ index, width }) => [index, width])).toEqual([
      [0, 38],
      [1, 40],
    ]);
    expect(fitColumns(columns, 125, true)).toHaveLength(4);
  });

  it('keeps an address complete, and hides other columns and shortens names for it, unless only a few letters of the name would be left', () => {
    const columns = [column('name', 20), column('text', 6), date, column('address', 60), id];
    const fitted = (width: number) =>
      fitColumns(columns, width, true).map(({ index, width: cells }) => [index, cells]);
    expect(fitted(92)).toEqual([[0, 20], [1, 6], [3, 60]]); // prettier-ignore
    expect(fitted(82)).toEqual([[0, 20], [3, 60]]); // prettier-ignore
    expect(fitted(70)).toEqual([[0, 8], [3, 60]]); // prettier-ignore
    expect(fitted(69)).toEqual([[0, 20], [1, 6], [2, 10], [3, 18], [4, 7]]); // prettier-ignore
    expect(fitted(59)[0]).toEqual([0, 20]);
    expect(fitColumns([column('text', 40), column('address', 60)], 69, true)).toHaveLength(1);
    expect(fitColumns(columns, 70, false)).toHaveLength(5);
  });

  it('shows a drawing completely or not at all, and hides it before other columns', () => {
    const columns = [column('name', 40), column('text', 6), column('drawing', 24), id];
    const fitted = (width: number) =>
      fitColumns(columns, width, true).map(({ index, width: cells }) => [index, cells]);
    expect(fitted(90)).toEqual([[0, 40], [1, 6], [2, 24], [3, 7]]); // prettier-ignore
    expect(fitted(60)).toEqual([[0, 40], [1, 6], [3, 7]]); // prettier-ignore
  });

  it('widens columns for later rows, and never narrows them', () => {
    const fitted = fitColumns([column('name', 10), id], 60, true);
    expect(widenColumns(fitted, [column('name', 5), id], 60)).toEqual(fitted);
    expect(widenColumns(fitted, [column('name', 100), id], 60).map(({ width }) => width)).toEqual([28, 30]);
  });

  it('never exceeds the terminal, and shortens no name while an ID is complete', () => {
    const columns = fc.array(
      fc.oneof(
        fc.record({ role: fc.constant('name' as const), full: fc.integer({ min: 1, max: 90 }) }),
        fc.record({
          role: fc.constantFrom('text' as const, 'date' as const),
          full: fc.integer({ min: 1, max: 90 }),
        }),
        fc.record({ role: fc.constantFrom('id' as const, 'reference' as const), full: fc.constant(30) }),
      ),
      { minLength: 1, maxLength: 9 },
    );
    fc.assert(
      fc.property(columns, fc.integer({ min: 60, max: 200 }), (drawn, width) => {
        const measured = drawn.map(({ role, full }) =>
          column(role, full, role === 'id' || role === 'reference' ? 7 : full),
        );
        const fitted = fitColumns(measured, width, true);
        const total = fitted.reduce((sum, { width: cells }) => sum + cells + 2, -2);
        expect(total).toBeLessThanOrEqual(Math.max(width, fitted.length * 8));
        const cutNames = fitted.filter(
          ({ index, width: cells }) =>
            measured[index]?.role === 'name' && cells < (measured[index]?.full ?? 0),
        );
        const wholeIds = fitted.filter(
          ({ index, isShort }) => measured[index]?.full === 30 && measured[index]?.short === 7 && !isShort,
        );
        if (cutNames.length > 0) expect(wholeIds).toEqual([]);
      }),
    );
  });
});
