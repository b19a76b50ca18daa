import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';

/** Changes the texts of a document, and keeps everything else. */
export function mapDocumentTexts<Document extends RichDocumentValue>(
  document: Document,
  change: (text: string) => string,
): Document {
  return { ...document, nodes: document.nodes.map((node) => mapNode(node, change)) };
}

function mapNode(node: RichNode, change: (text: string) => string): RichNode {
  const leaves = node['leaves'] as readonly { text: string }[] | undefined;
  return {
    ...node,
    ...(leaves && { leaves: leaves.map((leaf) => ({ ...leaf, text: change(leaf.text) })) }),
    ...(node.nodes && { nodes: node.nodes.map((inner) => mapNode(inner, change)) }),
  };
}
