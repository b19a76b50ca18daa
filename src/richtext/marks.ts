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

/** The colours of a text and of what is behind it. */
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

export function inMarkOrder(marks: Iterable<Mark>): Mark[] {
  const given = new Set(marks);
  return markOrder.filter((mark) => given.has(mark));
}

/** Leaves with neighbours of equal marks made one, and without empty ones. */
export function joinLeaves(leaves: readonly Leaf[]): Leaf[] {
  const joined: Leaf[] = [];
  for (const leaf of leaves) {
    if (leaf.text === '') continue;
    const last = joined.at(-1);
    if (last !== undefined && looksOf(last) === looksOf(leaf))
      joined[joined.length - 1] = { ...last, text: last.text + leaf.text };
    else joined.push(leaf);
  }
  return joined;
}

function looksOf({ marks, color, html }: Leaf): string {
  return [
    marks.join(),
    marks.includes('color') ? `${color?.text}/${color?.background}` : '',
    html === true,
  ].join(' ');
}

/** The colours that a `style` sets, where it sets nothing else. */
export function colorOf(style: string | undefined): Color | undefined {
  const color = { text: 'default', background: 'default' };
  for (const rule of (style ?? '').split(';').filter((text) => text.trim() !== '')) {
    const [, property, value] = /^\s*(color|background-color)\s*:\s*([\w$#-]+)\s*$/.exec(rule) ?? [];
    if (property === undefined) return undefined;
    color[property === 'color' ? 'text' : 'background'] = value!;
  }
  return color.text === 'default' && color.background === 'default' ? undefined : color;
}

/** The `style` that sets these colours. */
export function styleOf(color: Color | undefined): string {
  const rules = [
    ['color', color?.text],
    ['background-color', color?.background],
  ].filter(([, value]) => value !== undefined && value !== 'default' && /^[\w$#-]+$/.test(value));
  return rules.map(([property, value]) => `${property}:${value};`).join('');
}
