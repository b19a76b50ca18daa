/** Marks of text, from the outermost to the innermost as they are written in Markdown. */
export const markOrder = ['strikethrough', 'bold', 'italic', 'keyboard', 'superscript', 'subscript', 'code'] as const;
export type Mark = (typeof markOrder)[number];

/** Marks that Markdown writes as HTML, by their tag. */
export const tagMarks: Readonly<Record<string, Mark>> = { kbd: 'keyboard', sup: 'superscript', sub: 'subscript' };
export const markTags: Readonly<Partial<Record<Mark, string>>> = { keyboard: 'kbd', superscript: 'sup', subscript: 'sub' };

/** A run of text with the same marks. */
export interface Leaf {
  readonly text: string;
  readonly marks: readonly Mark[];
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
    if (last !== undefined && last.marks.join() === leaf.marks.join()) joined[joined.length - 1] = { text: last.text + leaf.text, marks: leaf.marks };
    else joined.push(leaf);
  }
  return joined;
}
