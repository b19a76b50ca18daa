import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { block, textNode } from '../richtext/nodes.ts';

/** Returns a rich document of plain text: a string becomes a paragraph, an array a list. Nothing is read as Markdown. */
export function plainTextDocument(parts: readonly (string | readonly string[])[]): RichDocumentValue {
  let blocks = 0;
  const withKey = (node: RichNode): RichNode => {
    if (node.object !== 'block') return node;
    const key = `b${++blocks}`;
    return { ...node, key, nodes: (node.nodes ?? []).map(withKey) };
  };
  const paragraph = (text: string): RichNode => block('paragraph', [textNode([{ text, marks: [] }])]);
  const item = (text: string): RichNode => block('list-item', [paragraph(text)]);
  const nodes = parts.map((part) =>
    typeof part === 'string' ? paragraph(part) : block('list-unordered', part.map(item)),
  );
  return { object: 'document', data: { schemaVersion: 2 }, nodes: nodes.map(withKey) };
}
