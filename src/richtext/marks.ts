/** The marks of text in the order of Markdown, from the outermost to the innermost. */
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

/** The mark of each HTML tag. */
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

/** The color of a text and of its background. */
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
  /** The text is HTML, to be written unchanged. */
  readonly html?: boolean | undefined;
}

/** Sorts marks in their order and removes duplicates. */
export function sortMarks(marks: Iterable<Mark | undefined>): Mark[] {
  const given = new Set(marks);
  return markOrder.filter((mark) => given.has(mark));
}

/** Joins adjacent leaves with equal marks, and removes empty leaves. */
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

/** Parses the colors in a `style` attribute; undefined if it sets anything else. */
export function colorOf(style: string | undefined): Color | undefined {
  const color = { text: 'default', background: 'default' };
  for (const rule of (style ?? '').split(';').filter((text) => text.trim() !== '')) {
    const [, property, value] = /^\s*(color|background-color)\s*:\s*([\w$#-]+)\s*$/.exec(rule) ?? [];
    if (value === undefined) return undefined;
    color[property === 'color' ? 'text' : 'background'] = value;
  }
  return color.text === 'default' && color.background === 'default' ? undefined : color;
}

/** Writes a `style` attribute with these colors; '' if there are none. */
export function styleOf(color: Color | undefined): string {
  const rule = (property: string, value: string | undefined) =>
    value === undefined || value === 'default' || !/^[\w$#-]+$/.test(value) ? '' : `${property}:${value};`;
  return rule('color', color?.text) + rule('background-color', color?.background);
}
