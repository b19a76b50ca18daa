import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown, gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { gfm } from 'micromark-extension-gfm';
import { checkMarkdown, maxDepth, tooDeep } from './guard.ts';

/** Parses Markdown with tables, task lists and strikethrough; refuses what is nested too deep before it recurses. */
export function parseMarkdown(text: string): Root {
  checkMarkdown(text);
  const root = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  checkTree(root);
  return root;
}

/** Writes a tree as Markdown, always in the same way. */
export function writeMarkdown(root: Root): string {
  return toMarkdown(root, { extensions: [gfmToMarkdown()], bullet: '*', rule: '-', fences: true, listItemIndent: 'one', incrementListMarker: true });
}

function checkTree(root: Nodes): void {
  const open: { readonly node: Nodes; readonly depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.depth > 2 * maxDepth) throw tooDeep();
    if ('children' in next.node) for (const child of next.node.children) open.push({ node: child, depth: next.depth + 1 });
  }
}
