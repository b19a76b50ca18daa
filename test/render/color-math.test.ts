import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  black,
  contrast,
  mix,
  parseColor,
  readable,
  white,
  writeColor,
  type Rgb,
} from '../../src/render/color-math.ts';

const channel = fc.integer({ min: 0, max: 255 });
const color = fc.tuple(channel, channel, channel);

it('reads the colors that it writes, and short colors', () => {
  fc.assert(
    fc.property(color, (any) => {
      expect(parseColor(writeColor(any))).toEqual(any);
    }),
  );
  expect([parseColor('#346ddb'), parseColor('0af'), writeColor([0, 10, 255])]).toEqual([
    [0x34, 0x6d, 0xdb],
    [0, 0xaa, 0xff],
    '#000aff',
  ]);
});

it('mixes each component of two colors', () => {
  const [one, other]: Rgb[] = [
    [200, 100, 0],
    [0, 50, 10],
  ];
  expect([0, 0.25, 0.5, 1].map((part) => mix(one!, other!, part))).toEqual([
    [0, 50, 10],
    [50, 63, 8],
    [100, 75, 5],
    [200, 100, 0],
  ]);
});

it.each<[string, string, number]>([
  ['ffffff', '000000', 21],
  ['777777', '777777', 1],
  ['777777', 'ffffff', 4.48],
  ['ff0000', 'ffffff', 4],
  ['008000', 'ffffff', 5.14],
  ['0000ff', 'ffffff', 8.59],
  // The darkest colors are linear.
  ['0a0a0a', '000000', 1.06],
])('computes the contrast of %s and %s as WCAG does: %d', (one, other, expected) => {
  expect(contrast(parseColor(one), parseColor(other))).toBeCloseTo(expected, 2);
  expect(contrast(parseColor(other), parseColor(one))).toBeCloseTo(expected, 2);
});

it('makes a color readable on a background, and keeps it if it is', () => {
  fc.assert(
    fc.property(color, color, (any, ground) => {
      const found = readable(any, ground);
      expect(contrast(found, ground)).toBeGreaterThanOrEqual(4.5);
      if (contrast(any, ground) >= 4.5) expect(found).toEqual(any);
      else expect(contrast(found, ground)).toBeGreaterThan(contrast(any, ground));
    }),
  );
  // It moves in steps of one twentieth, and no further than necessary.
  expect(readable([119, 119, 119], white)).toEqual([113, 113, 113]);
  expect(readable([119, 119, 119], white, 3)).toEqual([119, 119, 119]);
});

it('moves a color away from all backgrounds, up to black or white', () => {
  expect(readable([200, 200, 200], [white, [238, 238, 238]])).toEqual([100, 100, 100]);
  expect(readable([119, 119, 119], [white, black])).toEqual(black);
});
