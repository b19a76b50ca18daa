import type { Nodes, Root } from 'mdast';
import { fromMarkdown, type Extension } from 'mdast-util-from-markdown';
import { gfmFromMarkdown, gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown, type Handle, type Options } from 'mdast-util-to-markdown';
import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { bareUrlsFromMarkdown } from './bare-urls.ts';
import { checkDocument } from './document-cost.ts';
import { checkMarkdown, maxDepth, tooDeep } from './guard.ts';
import { convertDialects } from './dialects.ts';
import { definitionsOf, readBlocks } from './read-blocks.ts';
import { groupSections, type Parse } from './sections.ts';
import { separateTags } from './separate-tags.ts';
import { gfmSyntax, gitbookFromMarkdown, gitbookSyntax } from './syntax.ts';
import { tagStart } from './tags.ts';
import type { MathBlock, MathText, Wrapped } from './tree.ts';
import { writeBlocks } from './write-blocks.ts';

/**
 * Reads Markdown with GitBook's blocks, tables, task lists and strikethrough as a rich document. The same text always gives the
 * same document, including the keys.
 *
 * @throws Problem(too-large) or Problem(invalid-input) if the text is too long, too deep or too expensive
 */
export function markdownToDocument(given: string): RichDocumentValue {
  checkMarkdown(given);
  const text = convertDialects(given);
  if (text !== given) checkMarkdown(text);
  const parse = parserFor(text);
  const children = groupSections(parse(separateTags(text), { tags: true }), parse);
  return {
    object: 'document',
    data: { schemaVersion: 2 },
    nodes: withKeys(readBlocks(children, definitionsOf(children)), { next: 1 }),
  };
}

/**
 * Writes a rich document as Markdown. The same document always gives the same text.
 *
 * @throws Problem(too-large) or Problem(invalid-input) if the document is too deep or too expensive, or not a document
 */
export function documentToMarkdown(document: RichDocumentValue): string {
  checkDocument(document.nodes);
  const root: Root = { type: 'root', children: writeBlocks(document.nodes) };
  return toMarkdown(root, {
    extensions: [gfmToMarkdown(), gitbookToMarkdown],
    bullet: '*',
    rule: '-',
    fences: true,
    listItemIndent: 'one',
    incrementListMarker: true,
  });
}

/** Numbers the blocks in reading order, so that comments can refer to them. */
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

/** Returns the parser for a text and all its parts. */
function parserFor(whole: string): Parse {
  const syntax = gfmSyntax(whole);
  const mdastExtensions = [asWritten(gfmFromMarkdown()), gitbookFromMarkdown(), bareUrlsFromMarkdown];
  return (text, options) => {
    const root = fromMarkdown(text, { extensions: [syntax, gitbookSyntax(options)], mdastExtensions });
    checkTree(root);
    return root.children;
  };
}

/** Removes the detection of bare URLs in texts that are already parsed, because it would also turn escaped URLs into links. */
function asWritten(extensions: readonly Extension[]): Extension[] {
  return extensions.map(({ transforms: _transforms, ...extension }) => extension);
}

function checkTree(root: Nodes): void {
  const open: { readonly node: Nodes; readonly depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.depth > 2 * maxDepth) throw tooDeep();
    if ('children' in next.node)
      for (const child of next.node.children) open.push({ node: child, depth: next.depth + 1 });
  }
}

const wrapped: Handle = (node: Wrapped, _parent, state, info) => {
  const gap = node.isHtml ? '\n\n' : '\n';
  const content = state.containerFlow({ type: 'root', children: node.children }, info);
  return node.open + (content === '' ? '' : gap + content) + (node.close === '' ? '' : gap + node.close);
};

const mathText: Handle & { peek?: () => string } = (node: MathText) => `$$${node.value}$$`;
mathText.peek = () => '$';

const mathBlock: Handle = (node: MathBlock) => `$$\n${node.value}\n$$`;

/** How to write GitBook's blocks and formulas, and what to escape so that a text does not look like them. */
const gitbookToMarkdown: Options = {
  handlers: { wrapped, mathText, mathBlock },
  join: [
    // A quote directly after a paragraph cannot start with a list that starts at 0.
    ({ type: left }, { type: right }) =>
      right === 'blockquote' || [left, right].some((type) => /^(?:wrapped|html|mathBlock)$/.test(type))
        ? 1
        : undefined,
  ],
  unsafe: [
    { atBreak: true, character: '{', after: tagStart },
    { atBreak: true, character: '{', after: '(?:\\{[<%] */ *|%-? *end)highlight' },
    { atBreak: true, character: ':', after: '(?:::|[ \\t])' },
    { atBreak: true, character: '/', after: '//' },
    { atBreak: true, character: '!', after: '!!' },
    { atBreak: true, character: '?', after: '\\?\\?' },
    { atBreak: true, character: '=', after: '== "' },
    { character: '$', after: '(?=\\$)', inConstruct: 'phrasing' },
  ],
};
