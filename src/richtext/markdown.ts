import type { Nodes, Root } from 'mdast';
import { fromMarkdown, type Extension } from 'mdast-util-from-markdown';
import { gfmFromMarkdown, gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { checkMarkdown, maxDepth, tooDeep } from './guard.ts';
import { groupSections, type Parse } from './sections.ts';
import { separateTags } from './separate-tags.ts';
import { gfmSyntax } from './syntax-gfm.ts';
import { gitbookFromMarkdown, gitbookSyntax } from './syntax.ts';
import { gitbookToMarkdown } from './write-syntax.ts';

/** Parses Markdown with GitBook's blocks, tables, task lists and strikethrough; refuses what is nested too deep before it recurses. */
export function parseMarkdown(text: string): Root {
  checkMarkdown(text);
  const parse = parserFor(text);
  return { type: 'root', children: groupSections(parse(separateTags(text), { tags: true }), parse) };
}

/** Writes a tree as Markdown, always in the same way. */
export function writeMarkdown(root: Root): string {
  return toMarkdown(root, {
    extensions: [gfmToMarkdown(), gitbookToMarkdown()],
    bullet: '*',
    rule: '-',
    fences: true,
    listItemIndent: 'one',
    incrementListMarker: true,
  });
}

/** The parser of a text and of all its parts. */
function parserFor(whole: string): Parse {
  const syntax = gfmSyntax(whole);
  const mdastExtensions = [asWritten(gfmFromMarkdown()), gitbookFromMarkdown()];
  return (text, options) => {
    const root = fromMarkdown(text, { extensions: [syntax, gitbookSyntax(options)], mdastExtensions });
    checkTree(root);
    return root.children;
  };
}

/** Without the search for addresses in texts that are read already: it makes links of escaped ones too. */
function asWritten(extensions: readonly Extension[]): Extension[] {
  return extensions.map(({ transforms: _transforms, ...extension }) => extension);
}

function checkTree(root: Nodes): void {
  const open: { readonly node: Nodes; readonly depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.depth > 2 * maxDepth) throw tooDeep();
    if ('children' in next.node)
      for (const child of next.node.children) open.push({ node: child as Nodes, depth: next.depth + 1 });
  }
}
