/** The settings of a site that its colors and shapes follow from. Colors are hexadecimal, such as #346ddb. */
export interface ThemeSettings {
  readonly primaryColor: { readonly light: string; readonly dark: string };
  readonly corners: 'straight' | 'rounded' | 'circular';
  readonly font: string;
  readonly monospaceFont: string;
}

type Rgb = readonly [red: number, green: number, blue: number];

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];
/** The backgrounds of pages in site.css. */
const pages = { light: white, dark: [15, 19, 26] as Rgb };
/** The least contrast of text (WCAG 2.2, 1.4.3). */
const minContrast = 4.5;
const corners = { straight: 0, rounded: 8, circular: 16 };
const serif = new Set(['RobotoSlab', 'Merriweather', 'IBMPlexSerif']);

/**
 * Writes the styles of one site: variables that site.css uses. A color that could not be read on the page becomes darker or
 * lighter where it is used for text.
 */
export function themeStyles({ primaryColor, corners: shape, font, monospaceFont }: ThemeSettings): string {
  const light = colorsOf(primaryColor.light, 'light');
  const dark = colorsOf(primaryColor.dark, 'dark');
  const family = (name: string): string => `"${name.replace(/([a-z])([A-Z])/g, '$1 $2')}"`;
  const fallback = serif.has(font)
    ? 'ui-serif,Georgia,serif'
    : '-apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",system-ui,sans-serif';
  return [
    `:root{${light}--corner:${corners[shape]}px;`,
    `--font:${family(font)},${fallback};--mono:${family(monospaceFont)},ui-monospace,Menlo,Consolas,monospace}`,
    `@media screen{:root[data-theme=dark]{${dark}}}`,
    `@media screen and (prefers-color-scheme:dark){:root[data-theme=auto]{${dark}}}`,
  ].join('');
}

function colorsOf(hex: string, theme: 'light' | 'dark'): string {
  const page = pages[theme];
  const primary = readable(parse(hex), page, 3);
  const tint = mix(primary, page, theme === 'light' ? 0.1 : 0.2);
  const text = readable(readable(primary, page, minContrast), tint, minContrast);
  const onPrimary = contrast(primary, white) >= minContrast ? white : black;
  const filled = readable(primary, onPrimary, minContrast);
  return `--primary:${write(filled)};--primary-text:${write(text)};--primary-tint:${write(tint)};--on-primary:${write(onPrimary)};`;
}

/** Moves a color away from the background until their contrast is enough. */
function readable(color: Rgb, background: Rgb, least: number): Rgb {
  const target = luminance(background) > 0.18 ? black : white;
  for (let part = 0; part < 1; part += 0.05) {
    const moved = mix(target, color, part);
    if (contrast(moved, background) >= least) return moved;
  }
  return target;
}

function mix(one: Rgb, other: Rgb, part: number): Rgb {
  return [0, 1, 2].map((at) =>
    Math.round((one[at] ?? 0) * part + (other[at] ?? 0) * (1 - part)),
  ) as unknown as Rgb;
}

function contrast(one: Rgb, other: Rgb): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** The relative luminance of a color (WCAG 2.2). */
function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function parse(hex: string): Rgb {
  const digits = hex.slice(1);
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  return [0, 2, 4].map((at) => parseInt(full.slice(at, at + 2), 16)) as unknown as Rgb;
}

function write(color: Rgb): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
