import type { Definition, Heading, List, Paragraph, PhrasingContent, RootContent } from 'mdast';
import type { RichNode } from '../contract/shapes.ts';
import { readFenceInfo } from './dialects.ts';
import { readTag } from './html.ts';
import {
  atLeastParagraph,
  block,
  fragment,
  headingBlock,
  leavesOf,
  paragraphOf,
  textNode,
  voidBlock,
} from './nodes.ts';
import { joinLeaves } from './marks.ts';
import { readHtmlBlock, readSplitTable } from './read-html-blocks.ts';
import { readInlines, type Definitions } from './read-inlines.ts';
import { readSection, readTagAlone } from './read-sections.ts';
import { readTable } from './read-tables.ts';
import { idInBraces } from './plain-text.ts';
import { splitTagLine } from './tags.ts';

/** Converts Markdown content to blocks without keys. */
export function readBlocks(content: readonly RootContent[], definitions: Definitions): RichNode[] {
  const blocks: RichNode[] = [];
  for (let at = 0; at < content.length; at++) {
    const node = content[at];
    if (node === undefined) continue;
    const end = endOfTable(content, at);
    const table = end === undefined ? undefined : splitTableOf(content.slice(at, end + 1), definitions);
    if (table === undefined || end === undefined) blocks.push(...blocksOf(node, definitions));
    else {
      blocks.push(table);
      at = end;
    }
  }
  return blocks;
}

/** Maximum number of pieces into which blank lines split an HTML table. */
const maxTablePieces = 500;

/** Returns the end of an HTML table that contains blank lines; undefined if none starts here. */
function endOfTable(content: readonly RootContent[], start: number): number | undefined {
  const first = content[start];
  if (first?.type !== 'html' || !/^\s*<table[\s>]/i.test(first.value)) return undefined;
  let depth = 0;
  for (let at = start; at < content.length && at - start < maxTablePieces; at++) {
    const html = htmlOf(content[at]) ?? '';
    for (const { 0: tag, index } of html.matchAll(/<\/?table(?=[\s>])/gi)) {
      depth += tag.startsWith('</') ? -1 : 1;
      if (depth === 0) return at > start && /^<\/table>\s*$/i.test(html.slice(index)) ? at : undefined;
    }
  }
  return undefined;
}

/** Returns the HTML of a node. Indented lines of a table are HTML too. */
function htmlOf(node: RootContent | undefined): string | undefined {
  if (node?.type === 'html') return node.value;
  const isIndented = node?.type === 'code' && node.lang == null && node.meta == null;
  return isIndented && /^\s*<\/?(?:t[rdh]|thead|tbody|table)[\s>]/i.test(node.value) ? node.value : undefined;
}

function splitTableOf(content: readonly RootContent[], definitions: Definitions): RichNode | undefined {
  return readSplitTable(content.map((node) => htmlOf(node) ?? blocksOf(node, definitions)));
}

/** Returns the targets of reference links in the content, from definitions at any depth. */
export function definitionsOf(content: readonly RootContent[]): Definitions {
  const definitions = new Map<string, Definition>();
  const open: RootContent[] = [...content];
  for (const node of open) {
    if (node.type === 'definition' && !definitions.has(node.identifier))
      definitions.set(node.identifier, node);
    if (
      node.type === 'blockquote' ||
      node.type === 'list' ||
      node.type === 'listItem' ||
      node.type === 'section'
    )
      for (const child of node.children) open.push(child);
  }
  return definitions;
}

function blocksOf(node: RootContent, definitions: Definitions): RichNode[] {
  switch (node.type) {
    case 'paragraph':
      return [readParagraph(node, definitions)];
    case 'heading':
      return [headingOf(node, definitions)];
    case 'blockquote':
      return [block('blockquote', readBlocks(node.children, definitions))];
    case 'list':
      return [listOf(node, definitions)];
    case 'code':
      return [
        block(
          'code',
          node.value.split('\n').map((line) => block('code-line', [textNode([{ text: line, marks: [] }])])),
          readFenceInfo(`${node.lang ?? ''} ${node.meta ?? ''}`),
        ),
      ];
    case 'thematicBreak':
      return [voidBlock('divider', {})];
    case 'table':
      return [readTable(node, definitions)];
    case 'mathBlock':
      return [voidBlock('math', { formula: node.value.trim() })];
    case 'html':
      return [readHtmlBlock(node.value) ?? paragraphOf(node.value, true)];
    case 'tagLine':
      return [readTagAlone(splitTagLine(node.value)[0]) ?? paragraphOf(node.value)];
    case 'summary':
      return [paragraphOf(node.raw, true)];
    case 'section': {
      const isHtml = node.name === 'details';
      const children = readBlocks(node.children, definitions);
      const read = readSection(node, children);
      return read === undefined
        ? [paragraphOf(node.open, isHtml), ...children, paragraphOf(node.close, isHtml)]
        : [read];
    }
    case 'footnoteDefinition': {
      const label = { text: `[^${node.identifier}]: `, marks: [] };
      const [first, ...more] = node.children;
      if (first?.type !== 'paragraph')
        return [block('paragraph', [textNode([label])]), ...readBlocks(node.children, definitions)];
      const [start, ...inlines] = readInlines(first.children, definitions);
      const nodes =
        start?.object === 'text'
          ? [textNode(joinLeaves([label, ...leavesOf(start)])), ...inlines]
          : [textNode([label]), ...(start === undefined ? [] : [start]), ...inlines];
      return [block('paragraph', nodes), ...readBlocks(more, definitions)];
    }
    default:
      return [];
  }
}

/** Converts a paragraph. An image or a formula alone in a paragraph becomes a block. */
function readParagraph(node: Paragraph, definitions: Definitions): RichNode {
  const inlines = readInlines(node.children, definitions);
  const [only] = inlines;
  if (inlines.length === 1 && only?.type === 'inline-image' && only.data?.['size'] === undefined) {
    const { caption, ...data } = only.data ?? {};
    const fragments = typeof caption === 'string' ? [fragment('caption', [paragraphOf(caption)])] : [];
    return block('images', [voidBlock('image', data, fragments)]);
  }
  if (inlines.length === 1 && only?.type === 'inline-math') return voidBlock('math', only.data ?? {});
  return block('paragraph', inlines);
}

/**
 * Converts a heading. Headings below the third level keep their depth. An anchor that GitBook writes after a heading becomes its
 * id.
 */
function headingOf({ depth, children }: Heading, definitions: Definitions): RichNode {
  const id = anchorOf(children);
  const braces = id === undefined ? bracesOf(children) : undefined;
  const title =
    id !== undefined
      ? trimEnd(children.slice(0, -2))
      : braces === undefined
        ? children
        : trimEnd([...children.slice(0, -1), { type: 'text', value: braces.before }]);
  return headingBlock(depth, readInlines(title, definitions), {
    ...(id === undefined ? {} : { id }),
    ...(braces === undefined ? {} : { id: braces.id, idInBraces: true }),
  });
}

/** Returns the id in `{#id}` at the end of a heading, and the text before it. */
function bracesOf(
  children: readonly PhrasingContent[],
): { readonly id: string; readonly before: string } | undefined {
  const last = children.at(-1);
  const found = last?.type === 'text' ? idInBraces.exec(last.value) : null;
  const [before, id] = [found?.input.slice(0, found.index) ?? '', found?.[1]];
  if (before !== '' && !/\s$/.test(before)) return undefined;
  const isWhole = before !== '' || children.length > 1;
  return id === undefined || !isWhole ? undefined : { id, before };
}

/** Returns the id in `<a href="#id" id="id"></a>` at the end of a heading. */
function anchorOf(children: readonly PhrasingContent[]): string | undefined {
  const [open, close] = children.slice(-2);
  const tag =
    open?.type === 'html' && close?.type === 'html' && close.value === '</a>'
      ? readTag(open.value)
      : undefined;
  if (tag?.kind !== 'open' || tag.name !== 'a') return undefined;
  const { href, id, ...more } = tag.attributes;
  return id !== undefined && id !== '' && href === `#${id}` && Object.keys(more).length === 0
    ? id
    : undefined;
}

function trimEnd(children: readonly PhrasingContent[]): readonly PhrasingContent[] {
  const last = children.at(-1);
  return last?.type === 'text'
    ? [...children.slice(0, -1), { ...last, value: last.value.trimEnd() }]
    : children;
}

function listOf(node: List, definitions: Definitions): RichNode {
  const isTasks = node.children.some((item) => typeof item.checked === 'boolean');
  const items = node.children.map((item) =>
    block(
      'list-item',
      atLeastParagraph(readBlocks(item.children, definitions)),
      isTasks ? { checked: item.checked === true } : {},
    ),
  );
  if (isTasks) return block('list-tasks', items);
  return node.ordered === true
    ? block('list-ordered', items, { start: node.start ?? 1 })
    : block('list-unordered', items);
}
