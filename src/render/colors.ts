import type { Color } from '../richtext/marks.ts';

/** The colors of texts. Each has the classes `color-NAME` and `background-NAME`. */
const colorNames = [
  'blue',
  'green',
  'orange',
  'purple',
  'red',
  'yellow',
  'gray',
  'pink',
  'teal',
  'primary',
] as const;
type ColorName = (typeof colorNames)[number];

/** Other color names that authors write: those of the platform, and CSS colors that are similar to one of these. */
const aliases: Readonly<Record<string, ColorName>> = {
  info: 'blue',
  success: 'green',
  warning: 'orange',
  danger: 'red',
  tint: 'primary',
  accent: 'primary',
  grey: 'gray',
  silver: 'gray',
  black: 'gray',
  darkgray: 'gray',
  lightgray: 'gray',
  slategray: 'gray',
  brown: 'orange',
  coral: 'orange',
  darkorange: 'orange',
  tomato: 'red',
  crimson: 'red',
  maroon: 'red',
  darkred: 'red',
  firebrick: 'red',
  gold: 'yellow',
  lime: 'green',
  darkgreen: 'green',
  limegreen: 'green',
  seagreen: 'green',
  olive: 'green',
  aqua: 'teal',
  cyan: 'teal',
  turquoise: 'teal',
  navy: 'blue',
  darkblue: 'blue',
  dodgerblue: 'blue',
  royalblue: 'blue',
  steelblue: 'blue',
  skyblue: 'blue',
  violet: 'purple',
  indigo: 'purple',
  magenta: 'pink',
  fuchsia: 'pink',
  hotpink: 'pink',
  lightblue: 'blue',
  lightgreen: 'green',
};

/** The colors of the color wheel, each with the upper limit of its hue in degrees. */
const hues: readonly (readonly [number, ColorName])[] = [
  [15, 'red'],
  [42, 'orange'],
  [68, 'yellow'],
  [160, 'green'],
  [195, 'teal'],
  [255, 'blue'],
  [290, 'purple'],
  [340, 'pink'],
  [360, 'red'],
];

/** Returns the classes that color a text. Pages allow no inline styles, so every color is mapped to a named one. */
export function colorClasses(color: Color | undefined): string[] {
  const text = nameOf(color?.text);
  const background = nameOf(color?.background);
  return [
    ...(text === undefined ? [] : [`color-${text}`]),
    ...(background === undefined ? [] : [`background-${background}`]),
  ];
}

function nameOf(given: string | undefined): ColorName | undefined {
  const name = (given ?? 'default').toLowerCase().replace(/^\$/, '');
  if (name === 'default') return undefined;
  return colorNames.find((each) => each === name) ?? aliases[name] ?? nameOfHex(name);
}

function nameOfHex(text: string): ColorName | undefined {
  const [, short, long] = /^#(?:([\da-f]{3})[\da-f]?|([\da-f]{6})(?:[\da-f]{2})?)$/.exec(text) ?? [];
  const full = long ?? short?.replace(/./g, '$&$&');
  if (full === undefined) return undefined;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => parseInt(full.slice(at, at + 2), 16));
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  if (range < 32) return 'gray';
  const sector =
    most === red
      ? (green - blue) / range
      : most === green
        ? 2 + (blue - red) / range
        : 4 + (red - green) / range;
  const hue = (sector * 60 + 360) % 360;
  return hues.find(([end]) => hue < end)?.[1];
}
