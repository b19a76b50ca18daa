import type { PhrasingContent } from 'mdast';

/**
 * Inserts line breaks between HTML paragraphs in a line, such as the header of a column. Content that consists of anything else
 * does not change.
 */
export function joinParagraphs(content: readonly PhrasingContent[]): readonly PhrasingContent[] {
  const paragraphs: PhrasingContent[][] = [];
  let open: PhrasingContent[] | undefined;
  for (const node of content) {
    const tag = node.type === 'html' ? node.value : '';
    if (open === undefined) {
      if (tag === '<p>') open = [];
      else if (!isBlank(node)) return content;
    } else if (tag === '</p>') {
      paragraphs.push(open);
      open = undefined;
    } else if (tag === '<p>') return content;
    else open.push(node);
  }
  if (open !== undefined || paragraphs.length === 0) return content;
  return paragraphs
    .filter((nodes) => !nodes.every(isBlank))
    .flatMap((nodes, index) => (index === 0 ? nodes : [{ type: 'break' }, ...nodes]));
}

function isBlank(node: PhrasingContent): boolean {
  return node.type === 'text' && node.value.trim() === '';
}
