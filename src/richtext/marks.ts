/** Marks of text, from the outermost to the innermost as they are written in Markdown. */
export const markOrder = [
  'color',
  'strikethrough',
  'bold',
  'italic',
  'keyboard',
  'superscript',
  'subscript',
  'code',
] as const;
export type Mark = (typeof markOrder)[number];

/** The marks of HTML tags. */
export const tagMarks: Readonly<Record<string, Mark>> = {
  strong: 'bold',
  b: 'bold',
  em: 'italic',
  i: 'italic',
  del: 'strikethrough',
  s: 'strikethrough',
  kbd: 'keyboard',
  sup: 'superscript',
  sub: 'subscript',
  code: 'code',
};

/** The HTML tag of each mark. */
export const markTags: Readonly<Record<Mark, string>> = {
  color: 'mark',
  strikethrough: 'del',
  bold: 'strong',
  italic: 'em',
  keyboard: 'kbd',
  superscript: 'sup',
  subscript: 'sub',
  code: 'code',
};

/** The colors of a text and of what is behind it. */
export interface Color {
  readonly text: string;
  readonly background: string;
}

/** A run of text with the same marks. */
export interface Leaf {
  readonly text: string;
  readonly marks: readonly Mark[];
  /** For the mark "color". */
  readonly color?: Color | undefined;
  /** The text is HTML and stays unchanged. */
  readonly html?: boolean | undefined;
}

/** Sorts marks into their order and drops duplicates. */
export function sortMarks(marks: Iterable<Mark | undefined>): Mark[] {
  const given = new Set(marks);
  return markOrder.filter((mark) => given.has(mark));
}

/** Joins neighbors with equal marks, and drops empty leaves. */
export function joinLeaves(leaves: readonly Leaf[]): Leaf[] {
  const joined: Leaf[] = [];
  for (const leaf of leaves) {
    if (leaf.text === '') continue;
    const last = joined.at(-1);
    if (last !== undefined && styleKey(last) === styleKey(leaf))
      joined[joined.length - 1] = { ...last, text: last.text + leaf.text };
    else joined.push(leaf);
  }
  return joined;
}

function styleKey({ marks, color, html }: Leaf): string {
  const colors = marks.includes('color') ? `${color?.text}/${color?.background}` : '';
  return [marks.join(), colors, html === true].join(' ');
}

/** Reads the colors that a `style` sets; undefined where it sets anything else. */
export function colorOf(style: string | undefined): Color | undefined {
  const color = { text: 'default', background: 'default' };
  for (const rule of (style ?? '').split(';').filter((text) => text.trim() !== '')) {
    const [, property, value] = /^\s*(color|background-color)\s*:\s*([\w$#-]+)\s*$/.exec(rule) ?? [];
    if (value === undefined) return undefined;
    color[property === 'color' ? 'text' : 'background'] = value;
  }
  return color.text === 'default' && color.background === 'default' ? undefined : color;
}

/** Writes the `style` that sets these colors; '' where there is none to set. */
export function styleOf(color: Color | undefined): string {
  const rule = (property: string, value: string | undefined) =>
    value === undefined || value === 'default' || !/^[\w$#-]+$/.test(value) ? '' : `${property}:${value};`;
  return rule('color', color?.text) + rule('background-color', color?.background);
}
