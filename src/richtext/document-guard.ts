import { areRichNodes } from '../contract/rich-nodes.ts';
import type { RichNode } from '../contract/shapes.ts';
import { Problem } from '../errors/problem.ts';
import { documentCost } from './document-cost.ts';
import { maxCost, maxDepth, tooDeep } from './guard.ts';
import { fragmentsOf } from './nodes.ts';

/** Refuses a document that is nested too deep, holds something else than nodes or is too dear to write, before it is written. */
export function checkDocument(nodes: readonly RichNode[]): void {
  if (!areRichNodes(nodes))
    throw new Problem('invalid-input', 'The document holds something that is not a node of a document.');
  checkDepth(nodes);
  if (documentCost(nodes) <= maxCost) return;
  throw new Problem(
    'too-large',
    'It would take too long to write the document as Markdown: it has too many blocks, cells of tables or words with marks.',
    {
      hint: 'Split it into several pages.',
    },
  );
}

/** Looks at the depth, without recursion. */
function checkDepth(nodes: readonly RichNode[]): void {
  const open = nodes.map((node) => ({ node, depth: 1 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (depth > 2 * maxDepth) throw tooDeep();
    for (const child of [...(node.nodes ?? []), ...fragmentsOf(node)])
      open.push({ node: child, depth: depth + 1 });
  }
}
