import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { defined } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { decodeHtml, tokenizeHtml, type HtmlToken } from './html.ts';
import { markdownToDocument } from './markdown.ts';
import {
  block,
  fragmentsOf,
  headingBlock,
  leavesOf,
  paragraphOf,
  plainTextOf,
  textNode,
  voidBlock,
  voidInline,
} from './nodes.ts';
import { nameOf, type TablePiece } from './html-table-grid.ts';
import { readAnyTables } from './lenient-tables.ts';
import { alignments, dataOfImage } from './read-html-blocks.ts';
import { readHtmlContent } from './read-html-content.ts';
import { readableText } from './readable-text.ts';
import { refOf } from './references.ts';
import { sortMarks, type Leaf } from './marks.ts';

/**
 * Reads Markdown as a document to be shown, not to be written again. HTML and tags that `markdownToDocument` keeps unchanged
 * become what a reader would see.
 *
 * @throws Problem(too-large) or Problem(invalid-input) if the text is too long, too deep or too expensive
 */
export function markdownToRead(text: string): RichDocumentValue {
  const document = markdownToDocument(readableText(text));
  return { ...document, nodes: readableBlocks(document.nodes) };
}

/** Like `markdownToRead`, but a text that is too long, too deep or too expensive becomes one paragraph. */
export function markdownToShow(text: string): RichDocumentValue {
  try {
    return markdownToRead(text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { object: 'document', data: {}, nodes: [paragraphOf(text)] };
  }
}

function readableBlocks(nodes: readonly RichNode[]): RichNode[] {
  let end = 0;
  return nodes.flatMap((node, index): RichNode[] => {
    if (index < end) return [];
    const html = htmlOf(node);
    const split = html !== undefined && /^\s*<table[\s>]/i.test(html) ? splitTable(nodes, index) : undefined;
    if (split !== undefined) {
      end = split.end;
      return split.blocks.map(readable);
    }
    if (html !== undefined)
      return blocksOfHtml(html, node.data?.['align'])
        .map(readable)
        .filter((shownBlock) => !isBlank(shownBlock));
    const shown = readable(node);
    return node.type === 'paragraph' && isBlank(shown) && !isBlank(node) ? [] : [shown];
  });
}

function readable(node: RichNode): RichNode {
  if (node.object === 'text') return node;
  const isLine = (node.nodes ?? []).some(({ object }) => object === 'text' || object === 'inline');
  const blocksOf = ({ nodes = [] }: RichNode) =>
    readableBlocks(node.type === 'table' ? nodes.flatMap(splitHeadings) : nodes);
  const fragments = fragmentsOf(node).map((one) => ({ ...one, nodes: blocksOf(one) }));
  const isUncaptioned = node.type === 'image' && fragments.every(({ nodes }) => nodes.every(isBlank));
  const line = isLine ? readableLine(node.nodes ?? [], node.type === 'paragraph') : undefined;
  const isLogo = line !== undefined && node.data?.['align'] !== undefined && line.every(isLinkedImage);
  return {
    ...node,
    ...(node.nodes === undefined
      ? {}
      : { nodes: isLogo ? line.map(inItsSize) : (line ?? readableBlocks(node.nodes)) }),
    ...(fragments.length === 0 ? {} : { fragments: isUncaptioned ? [] : fragments }),
  };
}

/** Whether an inline is an image, a link around images, or blank. */
function isLinkedImage(node: RichNode): boolean {
  if (node.object === 'text') return leavesOf(node).every(({ text }) => text.trim() === '');
  return node.type === 'inline-image' || (node.type === 'link' && (node.nodes ?? []).every(isLinkedImage));
}

/** Shows images, such as a logo in the middle of a line, in their own size instead of the height of the line. */
function inItsSize(node: RichNode): RichNode {
  if (node.type === 'inline-image') return { ...node, data: { size: 'original', ...node.data } };
  return node.type === 'link' ? { ...node, nodes: (node.nodes ?? []).map(inItsSize) } : node;
}

/** Splits a paragraph of a cell at HTML headings with attributes. Headings without attributes are already blocks. */
function splitHeadings(node: RichNode): RichNode[] {
  if (node.type !== 'paragraph') return [node];
  const blocks: RichNode[] = [];
  let line: RichNode[] = [];
  let open: Extract<HtmlToken, { kind: 'open' }> | undefined;
  const endLine = (): void => {
    const paragraph = block('paragraph', line);
    if (!isBlank(paragraph)) blocks.push(paragraph);
    line = [];
  };
  for (const child of node.nodes ?? [])
    for (const piece of child.object === 'text' ? leavesOf(child).map((leaf) => textNode([leaf])) : [child]) {
      const [leaf] = piece.object === 'text' ? leavesOf(piece) : [];
      const [tag] = leaf?.html === true ? tokenizeHtml(leaf.text) : [];
      if (open === undefined && tag?.kind === 'open' && /^h[1-6]$/.test(tag.name)) {
        endLine();
        open = tag;
      } else if (open !== undefined && tag?.kind === 'close' && tag.name === open.name) {
        const { id, align = '' } = open.attributes;
        const data = defined({ id, align: alignments[align] });
        blocks.push(headingBlock(Number(open.name[1]), line, data));
        [line, open] = [[], undefined];
      } else line.push(piece);
    }
  if (open !== undefined) return [node];
  endLine();
  return blocks.length === 0 ? [node] : blocks;
}

/** Returns the HTML of a paragraph that contains nothing else. */
function htmlOf(node: RichNode): string | undefined {
  const [text, ...others] = node.type === 'paragraph' ? (node.nodes ?? []) : [];
  if (text?.object !== 'text' || others.length > 0) return undefined;
  const [leaf, ...more] = leavesOf(text);
  return leaf?.html === true && more.length === 0 ? leaf.text : undefined;
}

/** Maximum number of blocks in which the end of a table is searched. */
const maxTablePieces = 500;

/** Reads an HTML table that blank lines split into blocks; undefined if none starts here. */
function splitTable(
  nodes: readonly RichNode[],
  start: number,
): { readonly blocks: readonly RichNode[]; readonly end: number } | undefined {
  const pieces: TablePiece[] = [];
  let depth = 0;
  for (let at = start; at < nodes.length && at - start < maxTablePieces; at++) {
    const node = nodes[at] as RichNode;
    const html = htmlOf(node) ?? htmlOfCode(node);
    const own: TablePiece[] =
      html === undefined
        ? [{ kind: 'blocks', nodes: [node] }]
        : tokenizeHtml(html).filter(({ kind }) => kind !== 'comment');
    for (const piece of own) if (nameOf(piece) === 'table') depth += piece.kind === 'close' ? -1 : 1;
    pieces.push(...own);
    if (depth > 0) continue;
    const blocks = at === start ? undefined : readAnyTables(pieces);
    return blocks === undefined ? undefined : { blocks, end: at + 1 };
  }
  return undefined;
}

/** Returns the HTML of a part of a table that is indented like code. */
function htmlOfCode(node: RichNode): string | undefined {
  if (node.type !== 'code' || node.data?.['syntax'] !== undefined) return undefined;
  const text = (node.nodes ?? []).map(plainTextOf).join('\n');
  return /^\s*<\/?(?:t[rdh]|thead|tbody|tfoot|table)[\s>]/i.test(text) ? text : undefined;
}

/** Reads HTML as blocks. `paragraphAlign` is the alignment of the paragraph that contains it. */
function blocksOfHtml(html: string, paragraphAlign: unknown): RichNode[] {
  const tokens = tokenizeHtml(html.trim()).filter(({ kind }) => kind !== 'comment');
  const [side] = Object.entries(alignments).find(([, align]) => align === paragraphAlign) ?? [];
  const alone = side === undefined ? undefined : readLoneImages(tokens, side);
  if (alone !== undefined) return alone;
  const [first] = tokens;
  if (first?.kind !== 'open') return contentOf(tokens);
  if (first.name === 'pre') return [codeOf(tokens)];
  const inner = tokens.at(-1)?.kind === 'close' ? tokens.slice(1, -1) : tokens.slice(1);
  const { 'data-tag': tag, 'data-style': style = 'info' } = first.attributes;
  if (first.name === 'div' && tag === 'hint') return [block('hint', contentOf(inner), { style })];
  if (first.name === 'table') return readAnyTables(tokens) ?? contentOf(tokens);
  if (first.name !== 'div') return contentOf(tokens);
  const { align = '' } = first.attributes;
  return (
    readLoneImages(inner, first.attributes['align']) ?? contentOf(tokens).map(alignedBy(alignments[align]))
  );
}

/** Reads images with nothing between them, such as a logo in the middle of a line. */
function readLoneImages(tokens: readonly HtmlToken[], align: string | undefined): RichNode[] | undefined {
  const images: RichNode[] = [];
  for (const token of tokens) {
    if (token.kind === 'text' && /^\s*$/.test(token.raw)) continue;
    if (token.kind !== 'open' || token.name !== 'img' || 'data-size' in token.attributes) return undefined;
    const data = dataOfImage(token);
    if (data === undefined) return undefined;
    images.push(voidBlock('image', data, []));
  }
  return images.length === 0 ? undefined : [block('images', images, defined({ align }))];
}

/** Returns a function that aligns paragraphs without an alignment of their own. */
function alignedBy(align: string | undefined): (node: RichNode) => RichNode {
  return (node) =>
    align === undefined || node.type !== 'paragraph' ? node : { ...node, data: { align, ...node.data } };
}

function contentOf(tokens: readonly HtmlToken[]): RichNode[] {
  return readHtmlContent(tokens).filter((node) => !isBlank(node));
}

/** Reads HTML code, which GitBook writes if some lines are marked. */
function codeOf(tokens: readonly HtmlToken[]): RichNode {
  const open = tokens.filter((token) => token.kind === 'open').slice(0, 2);
  const given = open
    .map(({ attributes }) => /(?:^|\s)lang(?:uage)?-(\S+)/.exec(attributes['class'] ?? '')?.[1])
    .find((name) => name !== undefined);
  const title = open[0]?.attributes['data-title'];
  const text = decodeHtml(tokens.map((token) => (token.kind === 'text' ? token.raw : '')).join(''))
    .replace(/^\n/, '')
    .trimEnd();
  const lines = text.split('\n').map((line) => block('code-line', [textNode([{ text: line, marks: [] }])]));
  return block('code', lines, {
    ...(given === undefined ? {} : { syntax: given }),
    ...(title === undefined ? {} : { title }),
  });
}

/** The anchor of the search field on the pages of a site. */
const searchAnchor = '#~search';

/** Parses the opening tag of a button that asks or searches. Both open the search of the site. */
function searchButtonOf(tag: HtmlToken): Readonly<Record<string, unknown>> | undefined {
  if (tag.kind !== 'open' || tag.name !== 'button') return undefined;
  const { class: given = '', disabled, 'data-action': action = '' } = tag.attributes;
  if (disabled !== undefined || !/^(?:ask|search)$/.test(action)) return undefined;
  return {
    kind: /\bsecondary\b/.test(given) ? 'secondary' : 'primary',
    icon: 'magnifying-glass',
    ref: refOf(searchAnchor),
  };
}

/**
 * Reads a line without meaningless tags. The text in `<a href>` becomes a link, the text in a search button becomes the label of
 * a button, and headings become bold.
 */
function readableLine(nodes: readonly RichNode[], isParagraph: boolean): RichNode[] {
  let isHeading = false;
  const line = nodes.flatMap((node): RichNode[] => {
    if (node.object !== 'text') return [readable(node)];
    const found: RichNode[] = [];
    let leaves: Leaf[] = [];
    let link: string | undefined;
    let button: ReturnType<typeof searchButtonOf>;
    const flush = (): void => {
      if (leaves.length === 0) return;
      const text = textNode(leaves);
      found.push(
        button !== undefined
          ? voidInline('button', { ...button, label: plainTextOf(text).trim() })
          : link === undefined
            ? text
            : { object: 'inline', type: 'link', isVoid: false, data: { ref: refOf(link) }, nodes: [text] },
      );
      leaves = [];
    };
    for (const leaf of leavesOf(node)) {
      const marks = isHeading ? sortMarks([...leaf.marks, 'bold']) : leaf.marks;
      if (leaf.html !== true) leaves.push({ ...leaf, marks });
      for (const tag of leaf.html === true ? tokenizeHtml(leaf.text) : []) {
        const { href, id, name: named } = tag.kind === 'open' ? tag.attributes : {};
        const name = 'name' in tag ? tag.name : '';
        const anchor = id ?? (name === 'a' ? named : undefined);
        if (anchor !== undefined && anchor !== '') {
          flush();
          found.push(voidInline('anchor', { id: anchor }));
        }
        if (/^h[1-6]$/.test(name)) isHeading = tag.kind === 'open';
        if (tag.kind === 'text') leaves.push({ ...leaf, text: decodeHtml(tag.raw), html: undefined });
        const image = name === 'img' && tag.kind === 'open' ? dataOfImage(tag) : undefined;
        if (name !== 'a' && name !== 'button' && image === undefined) continue;
        flush();
        if (name === 'button') button = searchButtonOf(tag);
        else if (image === undefined) link = href;
        else {
          const { attributes: _, ...data } = image;
          found.push(voidInline('inline-image', data));
        }
      }
    }
    flush();
    return found;
  });
  const last = line.at(-1);
  if (!isParagraph || last?.object !== 'text') return line;
  const leaves = leavesOf(last).map((leaf, index, all) =>
    index === all.length - 1 ? { ...leaf, text: leaf.text.replace(breakAtEnd, '').trimEnd() } : leaf,
  );
  return [...line.slice(0, -1), textNode(leaves)];
}

/**
 * Matches the line break that GitBook writes at the end of a paragraph, where Markdown has none. At the end of a path, as in
 * `C:\`, it is a backslash.
 */
const breakAtEnd = /(?<=^|\s|[^\s.]\.|[!?)。！？：）])\\$/;

function isBlank(node: RichNode): boolean {
  return (
    node.type === 'paragraph' &&
    (node.nodes ?? []).every(
      (child) => child.object === 'text' && leavesOf(child).every(({ text }) => text.trim() === ''),
    )
  );
}
