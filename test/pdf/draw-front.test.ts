import { expect, it } from 'vitest';
import { divideContents } from '../../src/pdf/draw-front.ts';
import { book, page, rendered } from './support.ts';

/** Returns the number of entries on each sheet of a table of contents, for entries of the given depths. */
const sheetsOf = (depths: readonly number[]): number[] =>
  divideContents(depths.map((depth) => ({ depth }))).map((entries) => entries.length);
const times = (count: number, depth: number): number[] => Array.from({ length: count }, () => depth);

it('needs at least one sheet for a table of contents', () => {
  expect(sheetsOf([])).toEqual([0]);
  expect(sheetsOf([0])).toEqual([1]);
});

it('leaves a gap above chapters, except for the first on a sheet', () => {
  expect(sheetsOf(times(200, 1))).toMatchInlineSnapshot(`
    [
      39,
      42,
      42,
      42,
      35,
    ]
  `);
  expect(sheetsOf(times(200, 0))).toMatchInlineSnapshot(`
    [
      30,
      32,
      32,
      32,
      32,
      32,
      10,
    ]
  `);
  expect(sheetsOf([0, ...times(199, 1)])).toEqual(sheetsOf(times(200, 1)));
});

it('draws dots on a grid, which end 6 points before the number of a page', async () => {
  const pages = Array.from({ length: 120 }, (_, index) => page(`p${index}`, [], { depth: index % 2 }));
  const { raw } = await rendered(book(pages));
  const step = 4.4;
  // The position of a number, and then the dots before it.
  const row =
    /1 0 0 1 ([\d.]+) [\d.]+ Tm\n[^\n]+\n[^\n]+\nET\nQ\n((?:[\d.]+ [\d.]+ m\n(?:[\d. ]+ c\n)+h\n)+)/g;
  const rows = [...raw.matchAll(row)];
  expect(rows).toHaveLength(pages.length);
  for (const [, number, drawn = ''] of rows) {
    const dots = [...drawn.matchAll(/^([\d.]+) [\d.]+ m$/gm)].map(([, left]) => Number(left) + 0.5);
    for (const [index, dot] of dots.entries()) expect(dot).toBeCloseTo((dots[0] ?? 0) + index * step, 3);
    const gap = Number(number) - (dots.at(-1) ?? 0);
    expect(gap).toBeGreaterThanOrEqual(6);
    expect(gap).toBeLessThan(6 + step);
  }
});
