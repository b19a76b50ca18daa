import { expect, it } from 'vitest';
import { divideContents } from '../../src/pdf/draw-front.ts';

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
