/** Sizes in points, colours as CSS: the look of every document, in one place. */
export const sheet = { width: 595.28, height: 841.89, left: 62, right: 62, top: 76, bottom: 68 } as const;

export const colours = {
  text: '#1f2937',
  strong: '#0f172a',
  muted: '#64748b',
  faint: '#94a3b8',
  line: '#dde3ea',
  tint: '#f5f7fa',
  accent: '#2563eb',
  chip: '#eef1f5',
} as const;

export const body = { size: 9.6, leading: 1.55 } as const;
export const code = { size: 7.9, leading: 1.45 } as const;
export const small = { size: 8, leading: 1.45 } as const;

/** Headings inside a page by their level. */
export const headings = [
  { size: 16.5, before: 22, after: 7 },
  { size: 13.2, before: 19, after: 6 },
  { size: 11, before: 15, after: 5 },
] as const;

/** Colour of the bar and tint of each style of hint. */
export const hints: Readonly<Record<string, { readonly bar: string; readonly tint: string }>> = {
  info: { bar: '#3b82f6', tint: '#eff5ff' },
  success: { bar: '#16a34a', tint: '#effaf2' },
  warning: { bar: '#d97706', tint: '#fff8eb' },
  danger: { bar: '#dc2626', tint: '#fef1f1' },
};

/** Space between blocks, and between the items of a list. */
export const gaps = { block: 9, item: 3.5, frame: 11 } as const;

const ink = (text: string, behind: string) => ({ text, behind });
const [blue, green, orange, red] = [
  ink('#1d4ed8', '#dbeafe'),
  ink('#15803d', '#dcfce7'),
  ink('#c2410c', '#ffedd5'),
  ink('#b91c1c', '#fee2e2'),
] as const;
/** Colours of marked text, and behind it, by the names that the API has for them. */
export const inks: Readonly<Record<string, { readonly text: string; readonly behind: string }>> = {
  blue,
  green,
  orange,
  red,
  yellow: ink('#a16207', '#fef9c3'),
  purple: ink('#7e22ce', '#f3e8ff'),
  $primary: blue,
  $info: blue,
  $success: green,
  $warning: orange,
  $danger: red,
};
