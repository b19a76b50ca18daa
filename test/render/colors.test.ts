import { describe, expect, it } from 'vitest';
import { colorClasses } from '../../src/render/colors.ts';

/** The class of a color of text. */
const classOf = (text: string): string | undefined => colorClasses({ text, background: 'default' })[0];

/** A color of full saturation with the given hue in degrees, in CSS notation. */
function hexOf(hue: number): string {
  const part = (offset: number): string => {
    const at = (offset + hue / 30) % 12;
    const value = 0.5 - 0.5 * Math.max(-1, Math.min(at - 3, 9 - at, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}

describe('colorClasses', () => {
  it('returns no class without a color', () => {
    expect(colorClasses(undefined)).toEqual([]);
    expect(colorClasses({ text: 'default', background: 'Default' })).toEqual([]);
  });

  it('accepts the color names of the platform, of CSS and of expressions, in any case', () => {
    expect(colorClasses({ text: 'Red', background: 'grey' })).toEqual(['color-red', 'background-gray']);
    expect(colorClasses({ text: '$info', background: '$primary' })).toEqual([
      'color-blue',
      'background-primary',
    ]);
    expect(classOf('no-such-color')).toBeUndefined();
  });

  it.each([
    [0, 'red'],
    [14, 'red'],
    [16, 'orange'],
    [41, 'orange'],
    [43, 'yellow'],
    [67, 'yellow'],
    [69, 'green'],
    [159, 'green'],
    [161, 'teal'],
    [194, 'teal'],
    [196, 'blue'],
    [254, 'blue'],
    [256, 'purple'],
    [289, 'purple'],
    [291, 'pink'],
    [339, 'pink'],
    [341, 'red'],
    [359, 'red'],
  ])('finds the name of the color closest to a hue of %s degrees', (hue, name) => {
    expect(classOf(hexOf(hue))).toBe(`color-${name}`);
  });

  it('reads short and long colors, with and without transparency', () => {
    for (const text of ['#0f0', '#00ff00', '#0f08', '#00FF0080'])
      expect(classOf(text), text).toBe('color-green');
    for (const text of ['#0f', '#00ff0', 'x#0f0', '#0f0x', '#ggg', 'rgb(0, 255, 0)'])
      expect(classOf(text), text).toBeUndefined();
  });

  it('treats a color as gray if its components differ by less than 32', () => {
    expect(classOf('#00001f')).toBe('color-gray');
    expect(classOf('#000020')).toBe('color-blue');
    expect(classOf('#ffdfdf')).toBe('color-red');
    expect(classOf('#ffe0e0')).toBe('color-gray');
  });
});
