import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { block, textNode } from '../richtext/nodes.ts';

/** Paragraphs and lists of plain text as a rich document: what users wrote stays text, whatever signs are in it. */
export function documentOf(parts: readonly (string | readonly string[])[]): RichDocumentValue {
  const count = { next: 1 };
  const keyed = (node: RichNode): RichNode => {
    if (node.object !== 'block') return node;
    const key = `b${count.next++}`;
    return { ...node, key, nodes: node.nodes!.map(keyed) };
  };
  const paragraph = (text: string): RichNode => block('paragraph', [textNode([{ text, marks: [] }])]);
  const nodes = parts.map((part) =>
    typeof part === 'string'
      ? paragraph(part)
      : block(
          'list-unordered',
          part.map((item) => block('list-item', [paragraph(item)])),
        ),
  );
  return { object: 'document', data: { schemaVersion: 2 }, nodes: nodes.map(keyed) };
}
