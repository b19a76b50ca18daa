import type { RichNode } from '../contract/shapes.ts';
import { withAnnotations } from '../richtext/annotations.ts';
import { atLeastParagraph, block, fragmentsOf, textNode, voidBlock } from '../richtext/nodes.ts';

/** Replaces each note of a page by a number, and adds a list of the notes at the end. */
export function withNotes(nodes: readonly RichNode[]): readonly RichNode[] {
  const notes: RichNode[] = [];
  const numbered = (given: readonly RichNode[]): RichNode[] =>
    given.flatMap((node): readonly RichNode[] => {
      const { nodes: inner, type } = node;
      const fragments = fragmentsOf(node);
      if (type !== 'annotation')
        return [
          {
            ...node,
            ...(inner !== undefined && { nodes: numbered(inner) }),
            ...(fragments.length > 0 && { fragments: numbered(fragments) }),
          },
        ];
      notes.push(block('list-item', atLeastParagraph(fragments.flatMap((each) => each.nodes ?? []))));
      const number = textNode([{ text: String(notes.length), marks: ['superscript'] }]);
      // The name of a footnote is replaced; a word with a note is kept.
      const isName = JSON.stringify(inner ?? []).includes('"superscript"');
      return isName ? [number] : [...(inner ?? []), number];
    });
  const content = numbered(withAnnotations(nodes));
  return notes.length === 0 ? nodes : [...content, voidBlock('divider', {}), block('list-ordered', notes)];
}
