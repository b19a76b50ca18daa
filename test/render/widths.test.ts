import { expect, it } from 'vitest';
import { pixelsOf } from '../../src/render/widths.ts';

it('a width in pixels is at least one pixel', () => {
  const widths = [1, { unit: 'px', value: 1 }, 20.6, 0, -1, { unit: '%', value: 1 }];
  expect(widths.map(pixelsOf)).toEqual([1, 1, 21, undefined, undefined, undefined]);
});
