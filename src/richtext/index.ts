import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { checkDocument } from './document-guard.ts';
import { parseMarkdown, writeMarkdown } from './markdown.ts';
import { definitionsOf, readBlocks } from './read-blocks.ts';
import { writeBlocks } from './write-blocks.ts';

export { plainTextOf } from './nodes.ts';

/** Markdown as a rich document; the same text always gives the same document, keys included. */
export function markdownToDocument(text: string): RichDocumentValue {
  const { children } = parseMarkdown(text);
  return {
    object: 'document',
    data: { schemaVersion: 2 },
    nodes: withKeys(readBlocks(children, definitionsOf(children)), { next: 1 }),
  };
}

/** A rich document as Markdown. */
export function documentToMarkdown(document: RichDocumentValue): string {
  checkDocument(document.nodes);
  return writeMarkdown({ type: 'root', children: writeBlocks(document.nodes) });
}

/** Numbers the blocks in reading order, so that a comment can point at one. */
function withKeys(nodes: readonly RichNode[], count: { next: number }): RichNode[] {
  return nodes.map((node) => {
    if (node.object === 'text') return node;
    const key = `b${count.next++}`;
    const fragments = node['fragments'] as readonly RichNode[] | undefined;
    return {
      ...node,
      key,
      ...(node.nodes === undefined ? {} : { nodes: withKeys(node.nodes, count) }),
      ...(fragments === undefined ? {} : { fragments: withKeys(fragments, count) }),
    };
  });
}
