import { expect, it } from 'vitest';
import { drawBars } from '../../../src/cli/output/bars.ts';

it('drawBars scales bars to the largest number', () => {
  expect(drawBars([100, 50, 6, 1, 0], 10)).toEqual(['██████████', '█████', '▋', '▏', '']);
  expect(drawBars([0, 0], 10)).toEqual(['', '']);
  expect(drawBars([], 10)).toEqual([]);
});
