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

/** Marks that HTML has a tag for; the first of each is the one that Markdown writes, where it has nothing shorter. */
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

/** The tag that HTML has for a mark. */
export const markTags: Readonly<Partial<Record<Mark, string>>> = Object.fromEntries(
  Object.entries(tagMarks)
    .reverse()
    .map(([tag, mark]) => [mark, tag]),
);

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
  /** The text is HTML that stays as it is written. */
  readonly html?: boolean | undefined;
}

/** Gives marks in their order, each once. */
export function sortMarks(marks: Iterable<Mark | undefined>): Mark[] {
  const given = new Set(marks);
  return markOrder.filter((mark) => given.has(mark));
}

/** Joins neighbors that look alike, and leaves out empty ones. */
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

/** The colors that a `style` sets, where it sets nothing else. */
export function colorOf(style: string | undefined): Color | undefined {
  const color = { text: 'default', background: 'default' };
  for (const rule of (style ?? '').split(';').filter((text) => text.trim() !== '')) {
    const [, property, value] = /^\s*(color|background-color)\s*:\s*([\w$#-]+)\s*$/.exec(rule) ?? [];
    if (value === undefined) return undefined;
    color[property === 'color' ? 'text' : 'background'] = value;
  }
  return color.text === 'default' && color.background === 'default' ? undefined : color;
}

/** The `style` that sets these colors; '' where it sets none. */
export function styleOf(color: Color | undefined): string {
  const rule = (property: string, value: string | undefined) =>
    value === undefined || value === 'default' || !/^[\w$#-]+$/.test(value) ? '' : `${property}:${value};`;
  return rule('color', color?.text) + rule('background-color', color?.background);
}
