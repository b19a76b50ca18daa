import { plainTextDocument } from '../../analysis/plain-text-document.ts';
import type { RichDocumentValue, RichNode } from '../../contract/shapes.ts';

/** Writes the paragraphs of an issue's details as text with an empty line between them. */
export function detailsToText({ nodes }: RichDocumentValue): string {
  return nodes.map(textOf).join('\n\n');
}

/** Converts the text of `detailsToText` back to a document. */
export function textToDetails(text: string): RichDocumentValue {
  return plainTextDocument(text.split('\n\n'));
}

function textOf(node: RichNode): string {
  const leaves = (node['leaves'] as readonly { text: string }[] | undefined) ?? [];
  return leaves.map(({ text }) => text).join('') + (node.nodes ?? []).map(textOf).join('');
}
