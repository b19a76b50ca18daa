/** The red, green and blue values of a color, each from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

export const white: Rgb = [255, 255, 255];
export const black: Rgb = [0, 0, 0];

/** Minimum contrast of text (WCAG 2.2, 1.4.3). */
export const minContrast = 4.5;

/** Makes a color darker or lighter until its contrast to each of the backgrounds is at least `least`. */
export function readable(color: Rgb, backgrounds: Rgb | readonly Rgb[], least = minContrast): Rgb {
  const all = (typeof backgrounds[0] === 'number' ? [backgrounds] : backgrounds) as readonly Rgb[];
  const [first = white] = all;
  const target = contrast(white, first) > contrast(black, first) ? white : black;
  for (let part = 0; part < 1; part += 0.05) {
    const moved = mix(target, color, part);
    if (all.every((background) => contrast(moved, background) >= least)) return moved;
  }
  return target;
}

/** Mixes two colors. `part` is the share of the first one, from 0 to 1. */
export function mix(one: Rgb, other: Rgb, part: number): Rgb {
  return [0, 1, 2].map((at) =>
    Math.round((one[at] ?? 0) * part + (other[at] ?? 0) * (1 - part)),
  ) as unknown as Rgb;
}

/** Returns the contrast of two colors, from 1 to 21 (WCAG 2.2). */
export function contrast(one: Rgb, other: Rgb): number {
  const [first, second] = [luminance(one), luminance(other)];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

/** The linear light of each channel value (WCAG 2.2), precomputed because a page compares colors thousands of times. */
const light = Array.from({ length: 256 }, (_, channel) => {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

/** Returns the relative luminance of a color (WCAG 2.2). */
function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * (light[red] ?? 0) + 0.7152 * (light[green] ?? 0) + 0.0722 * (light[blue] ?? 0);
}

/** Parses a color such as #346ddb, 346ddb or #fff. */
export function parseColor(hex: string): Rgb {
  const digits = hex.replace('#', '');
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  return [0, 2, 4].map((at) => parseInt(full.slice(at, at + 2), 16)) as unknown as Rgb;
}

/** Formats a color as #346ddb. */
export function writeColor(color: Rgb): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
