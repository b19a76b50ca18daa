/** The size and margins of a sheet; all sizes here are in points. */
export const sheet = { width: 595.28, height: 841.89, left: 62, right: 62, top: 76, bottom: 68 } as const;

export const colors = {
  text: '#1f2937',
  strong: '#0f172a',
  muted: '#64748b',
  faint: '#94a3b8',
  line: '#dde3ea',
  tint: '#f5f7fa',
  accent: '#2563eb',
  code: '#eef1f5',
} as const;

export const body = { size: 9.6, leading: 1.55 } as const;
export const code = { size: 7.9, leading: 1.45 } as const;
export const small = { size: 8, leading: 1.45 } as const;

/** The headings of levels 1 to 3, with the space before and after them. */
export const headings = [
  { size: 16.5, before: 22, after: 7 },
  { size: 13.2, before: 19, after: 6 },
  { size: 11, before: 15, after: 5 },
] as const;

interface HintColors {
  readonly bar: string;
  readonly tint: string;
}

const infoHint: HintColors = { bar: '#3b82f6', tint: '#eff5ff' };
const hints: Readonly<Record<string, HintColors>> = {
  success: { bar: '#16a34a', tint: '#effaf2' },
  warning: { bar: '#d97706', tint: '#fff8eb' },
  danger: { bar: '#dc2626', tint: '#fef1f1' },
};

/** Returns the colors of a hint. An unknown style has the colors of `info`. */
export function hintColors(style: string): HintColors {
  return hints[style] ?? infoHint;
}

/** Space between blocks, between the items of a list, and after a frame. */
export const gaps = { block: 9, item: 3.5, frame: 11 } as const;

interface MarkColor {
  readonly text: string;
  readonly background: string;
}
const blue: MarkColor = { text: '#1d4ed8', background: '#dbeafe' };
const green: MarkColor = { text: '#15803d', background: '#dcfce7' };
const orange: MarkColor = { text: '#c2410c', background: '#ffedd5' };
const red: MarkColor = { text: '#b91c1c', background: '#fee2e2' };

/** The colors of marks by their names in the API. */
export const markColors: Readonly<Record<string, MarkColor>> = {
  blue,
  green,
  orange,
  red,
  yellow: { text: '#a16207', background: '#fef9c3' },
  purple: { text: '#7e22ce', background: '#f3e8ff' },
  $primary: blue,
  $info: blue,
  $success: green,
  $warning: orange,
  $danger: red,
};
