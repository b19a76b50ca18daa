import { codeThemes } from './code-themes.ts';
import {
  black,
  contrast,
  minContrast,
  mix,
  parseColor,
  readable,
  white,
  writeColor,
  type Rgb,
} from './color-math.ts';
import type { ThemeSettings } from './theme-settings.ts';

/** The color scheme in which a reader sees a page. */
export type Mode = 'light' | 'dark';

/** CSS variables, without their leading dashes. */
export type Variables = Readonly<Record<string, string>>;

/** The default colors of a page, as in site.css. */
const base = {
  light: {
    page: 'ffffff',
    raised: 'f7f8fa',
    line: 'e3e6eb',
    'line-strong': 'c9ced6',
    text: '2b3340',
    strong: '10151d',
    muted: '5a6472',
    code: 'f4f5f8',
  },
  dark: {
    page: '0f131a',
    raised: '161b24',
    line: '262d38',
    'line-strong': '3c4553',
    text: 'c6ccd6',
    strong: 'f2f4f8',
    muted: '98a2b1',
    code: '171d27',
  },
} as const;
const grounds = ['page', 'raised', 'line', 'line-strong', 'code'] as const;
const inks = ['text', 'strong', 'muted'] as const;
const words = ['comment', 'keyword', 'string', 'number', 'title', 'type', 'meta'] as const;

/** The background of yellow texts, as in site.css. */
const yellow = { light: 'fdf1b3', dark: '332c0a' };

/** The color of deleted lines of code. */
const deleted: Rgb = [200, 51, 43];

type PageColors = Readonly<Record<keyof (typeof base)['light'], Rgb>>;

/** Returns the colors of a page: background, lines and texts, and those of hints, links and buttons. */
export function pageVariables(settings: ThemeSettings, mode: Mode): Variables {
  const colors = colorsOf(settings, mode);
  const primary = parseColor(settings.primaryColor[mode]);
  const filled = filledOf(readable(primary, colors.page, 3));
  const tint = mix(readable(primary, colors.page, 3), colors.page, mode === 'light' ? 0.1 : 0.2);
  const glow = mix(primary, colors.page, mode === 'light' ? 0.13 : 0.22);
  const hints = hintColors(settings, colors.page, mode);
  const tints = hints.map(({ tint: ground }) => ground);
  const glows = settings.theme === 'gradient' ? [glow] : [];
  // The background of table headers and code, as in site.css.
  const head =
    mode === 'light' ? mix(parseColor(base.light.strong), colors.code, 0.03) : mix(white, colors.code, 0.04);
  const seen = [colors.page, colors.raised, colors.code, head, ...tints, ...glows];
  const plainCode = codeColors(`default-${mode}`).slice(2);
  return {
    ...written(colors),
    ...Object.fromEntries(inks.map((ink) => [ink, writeColor(readable(colors[ink], seen))])),
    ...(settings.theme === 'gradient' ? { glow: writeColor(glow) } : {}),
    ...Object.fromEntries(
      hints.flatMap(({ kind, ink, tint: ground }) => [
        [kind, writeColor(ink)],
        [`${kind}-tint`, writeColor(ground)],
      ]),
    ),
    primary: writeColor(filled.ground),
    'primary-text': writeColor(readable(primary, [...seen, tint])),
    'primary-tint': writeColor(tint),
    'on-primary': writeColor(filled.ink),
    ...Object.fromEntries(
      words.map((word, index) => [
        `hl-${word}`,
        writeColor(readable(plainCode[index] ?? black, colors.code)),
      ]),
    ),
  };
}

/**
 * Returns the colors inside a block of code. If they equal the colors of the page, returns undefined unless `isAlways` is set.
 */
export function codeVariables(name: string, mode: Mode, isAlways = false): Variables | undefined {
  if (name === `default-${mode}` && !isAlways) return undefined;
  const [ground = white, ink = black, ...colors] = codeColors(name);
  const text = readable(ink, ground);
  return {
    code: writeColor(ground),
    page: writeColor(ground),
    head: writeColor(mix(text, ground, 0.06)),
    line: writeColor(mix(text, ground, 0.16)),
    strong: writeColor(text),
    muted: writeColor(readable(mix(text, ground, 0.6), [ground, mix(text, ground, 0.06)])),
    danger: writeColor(readable(deleted, ground)),
    edge: writeColor(mix(black, ground, contrast(ground, white) < minContrast ? 0.16 : 0.6)),
    ...Object.fromEntries(
      words.map((word, index) => [`hl-${word}`, writeColor(readable(colors[index] ?? ink, ground))]),
    ),
  };
}

/** Returns the colors inside the header; undefined if they are the colors of the page. */
export function headerVariables(settings: ThemeSettings, mode: Mode): Variables | undefined {
  const { preset, backgroundColor, linkColor } = settings.header;
  const { page, strong } = colorsOf(settings, mode);
  const primary = filledOf(parseColor(settings.primaryColor[mode]));
  if (preset === 'contrast') return inkOn(strong, page);
  if (preset === 'custom') {
    const ground = backgroundColor === undefined ? page : parseColor(backgroundColor[mode]);
    return inkOn(ground, linkColor === undefined ? strong : parseColor(linkColor[mode]));
  }
  return preset === 'bold' || (preset === 'default' && settings.theme === 'bold')
    ? inkOn(primary.ground, primary.ink)
    : undefined;
}

/** Returns the colors on a colored background: all texts have one readable color. */
function inkOn(ground: Rgb, ink: Rgb): Variables {
  const raised = mix(readable(ink, ground), ground, 0.12);
  const text = writeColor(readable(ink, [ground, raised]));
  return {
    page: writeColor(ground),
    raised: writeColor(raised),
    line: writeColor(mix(ink, ground, 0.3)),
    'line-strong': writeColor(mix(ink, ground, 0.5)),
    text,
    strong: text,
    muted: text,
    primary: text,
    'primary-text': text,
    'primary-tint': writeColor(raised),
    'on-primary': writeColor(ground),
  };
}

/** Returns the colors of background, lines and texts. */
function colorsOf({ theme, tint, background, primaryColor }: ThemeSettings, mode: Mode): PageColors {
  const plain = Object.fromEntries(
    Object.entries(base[mode]).map(([name, hex]) => [name, parseColor(hex)]),
  ) as PageColors;
  const hue = parseColor((tint?.color ?? primaryColor)[mode]);
  const shares: Partial<Record<keyof PageColors, number>> = {};
  for (const name of grounds) {
    if (tint !== undefined) shares[name] = name === 'page' ? 0.015 : name.startsWith('line') ? 0.14 : 0.06;
    if (theme === 'gradient' && name.startsWith('line')) shares[name] = 0.16;
    if (background === 'match') shares[name] = (shares[name] ?? 0) + (name === 'page' ? 0.07 : 0.09);
  }
  const made = Object.fromEntries(
    Object.entries(plain).map(([name, color]) => [
      name,
      mix(hue, color, shares[name as keyof PageColors] ?? 0),
    ]),
  ) as PageColors;
  // The muted theme has less contrast between the parts of a page: its background is the color of raised parts.
  const muted =
    theme === 'muted'
      ? {
          ...made,
          page: mix(plain.strong, made.page, 0.035),
          raised: mix(plain.strong, made.raised, 0.04),
          code: mix(plain.strong, made.code, 0.04),
          line: mix(plain.strong, made.line, 0.04),
          strong: mix(made.text, made.strong, 0.6),
        }
      : made;
  return muted;
}

/** Returns the colors of hints: their background, and a text color that is readable on it, on the other hints and on the page. */
function hintColors(
  settings: ThemeSettings,
  page: Rgb,
  mode: Mode,
): readonly { readonly kind: string; readonly ink: Rgb; readonly tint: Rgb }[] {
  const kinds = ['info', 'success', 'warning', 'danger'] as const;
  const tinted = kinds.map((kind) => {
    const color = parseColor(settings[`${kind}Color`][mode]);
    return { kind, color, tint: mix(color, page, mode === 'light' ? 0.08 : 0.14) };
  });
  // Authors can combine the text color of one kind with the background of another, or with yellow.
  const behind = [page, parseColor(yellow[mode]), ...tinted.map(({ tint }) => tint)];
  return tinted.map(({ kind, color, tint }) => ({ kind, ink: readable(color, behind), tint }));
}

/** Returns a background color that is as close as possible to the given one, and a text color that is readable on it. */
function filledOf(color: Rgb): { readonly ground: Rgb; readonly ink: Rgb } {
  const ink = contrast(color, white) >= minContrast ? white : black;
  return { ground: readable(color, ink), ink };
}

function codeColors(name: string): readonly Rgb[] {
  return (codeThemes[name] ?? '').split(' ').map(parseColor);
}

function written(colors: PageColors): Variables {
  return Object.fromEntries(Object.entries(colors).map(([name, color]) => [name, writeColor(color)]));
}
