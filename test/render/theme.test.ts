import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { themeStyles, type ThemeSettings } from '../../src/render/theme.ts';

const settings = (light: string, dark = light, more: Partial<ThemeSettings> = {}): ThemeSettings => ({
  primaryColor: { light, dark },
  corners: 'rounded',
  font: 'Inter',
  monospaceFont: 'FiraCode',
  ...more,
});

/** The relative luminance of a color, as WCAG 2.2 defines it. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}
/** The colors of a theme by their names. */
function colorsIn(styles: string, start: string): Record<string, string> {
  const rule = styles.slice(styles.indexOf(start) + start.length).split('}')[0] ?? '';
  return Object.fromEntries(
    [...rule.matchAll(/--([\w-]+):(#[\da-f]{6});/g)].map(([, name, color]) => [name, color]),
  );
}

describe('the styles of a site', () => {
  it('have the shapes and fonts of its customization', () => {
    const styles = (more: Partial<ThemeSettings>) => themeStyles(settings('#346ddb', '#346ddb', more));
    expect(styles({})).toContain('--corner:8px;--font:"Inter",-apple-system,');
    expect(styles({ corners: 'straight' })).toContain('--corner:0px;');
    expect(styles({ corners: 'circular' })).toContain('--corner:16px;');
    expect(styles({ font: 'RobotoSlab' })).toContain('--font:"Roboto Slab",ui-serif,Georgia,serif;');
    expect(styles({})).toContain('--mono:"Fira Code",ui-monospace,Menlo,Consolas,monospace}');
  });

  it('keep colors that can be read', () => {
    const styles = themeStyles(settings('#346ddb', '#8fb6ff'));
    expect(colorsIn(styles, ':root{')).toMatchObject({ primary: '#346ddb', 'on-primary': '#ffffff' });
    expect(colorsIn(styles, '[data-theme=dark]{')).toMatchObject({
      primary: '#8fb6ff',
      'primary-text': '#8fb6ff',
      'on-primary': '#000000',
    });
    expect(colorsIn(styles, '[data-theme=auto]{')).toEqual(colorsIn(styles, '[data-theme=dark]{'));
    expect(themeStyles(settings('#3d7'))).toBe(themeStyles(settings('#33dd77')));
  });

  it('are the same as before for some colors', () => {
    const colors = ['#000000', '#ffffff', '#ffff00', '#808080', '#ff0000', '#0b1220'];
    expect(
      colors.map((color) => {
        const styles = themeStyles(settings(color));
        const of = (start: string) => Object.values(colorsIn(styles, start)).join(' ');
        return `${color}: ${of(':root{')} | ${of('[data-theme=dark]{')}`;
      }),
    ).toMatchInlineSnapshot(`
      [
        "#000000: #000000 #000000 #e6e6e6 #ffffff | #666666 #8a8a8a #202429 #ffffff",
        "#ffffff: #8c8c8c #707070 #f4f4f4 #000000 | #ffffff #ffffff #3f4248 #000000",
        "#ffff00: #999900 #747400 #f5f5e6 #000000 | #ffff00 #ffff00 #3f4215 #000000",
        "#808080: #808080 #6d6d6d #f2f2f2 #000000 | #808080 #939393 #26292e #000000",
        "#ff0000: #ff0000 #cf0000 #ffe6e6 #000000 | #ff0000 #ff4040 #3f0f15 #000000",
        "#0b1220: #0b1220 #0b1220 #e7e7e9 #ffffff | #60656e #868a91 #1f232b #ffffff",
      ]
    `);
  });

  it('can be read with any color', () => {
    const color = fc
      .integer({ min: 0, max: 0xffffff })
      .map((value) => `#${value.toString(16).padStart(6, '0')}`);
    fc.assert(
      fc.property(color, color, (light, dark) => {
        const styles = themeStyles(settings(light, dark));
        for (const [start, page] of [
          [':root{', '#ffffff'],
          ['[data-theme=dark]{', '#0f131a'],
        ] as const) {
          const colors = colorsIn(styles, start);
          expect(contrast(colors['primary-text'] ?? '', page)).toBeGreaterThanOrEqual(4.5);
          expect(contrast(colors['primary-text'] ?? '', colors['primary-tint'] ?? '')).toBeGreaterThanOrEqual(
            4.5,
          );
          expect(contrast(colors['on-primary'] ?? '', colors['primary'] ?? '')).toBeGreaterThanOrEqual(4.5);
        }
      }),
    );
  });
});
