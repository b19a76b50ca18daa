import { plainTextDocument } from '../../analysis/plain-text-document.ts';
import type { RichDocumentValue, RichNode } from '../../contract/shapes.ts';

/** The paragraphs of details that the analysis wrote, as text with an empty line between them. */
export function textOfDetails({ nodes }: RichDocumentValue): string {
  return nodes.map(wordsOf).join('\n\n');
}

/** The other way round. */
export function detailsOfText(text: string): RichDocumentValue {
  return plainTextDocument(text.split('\n\n'));
}

function wordsOf(node: RichNode): string {
  const leaves = (node['leaves'] as readonly { readonly text: string }[] | undefined) ?? [];
  return leaves.map(({ text }) => text).join('') + (node.nodes ?? []).map(wordsOf).join('');
}
