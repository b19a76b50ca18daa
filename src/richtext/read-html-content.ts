import type { PhrasingContent } from 'mdast';
import type { RichNode } from '../contract/shapes.ts';
import { readTag, trimHtml, type HtmlToken } from './html.ts';
import { readHtmlCode } from './html-code.ts';
import { nest, type Nested } from './nest.ts';
import { atLeastParagraph, block, headingBlock } from './nodes.ts';
import { readHtmlInlines, readInlines, type Definitions } from './read-inlines.ts';

type BlockTag = Extract<HtmlToken, { readonly name: string }>;

/** How to read the pieces of a cell, which may be HTML or Markdown. */
interface PieceReader<T> {
  readonly tagOf: (piece: T) => HtmlToken | undefined;
  /** Reads consecutive pieces as inline nodes without whitespace at the ends; undefined if they are blank. */
  readonly inlines: (pieces: readonly T[]) => RichNode[] | undefined;
}

/** Reads the content of a cell or a caption in HTML: paragraphs, lists and code, or only text. The result is never empty. */
export function readHtmlContent(tokens: readonly HtmlToken[]): RichNode[] {
  const blocks: RichNode[] = [];
  let from = 0;
  for (let at = 0; at < tokens.length; at++) {
    if (!isPre(tokens[at], 'open')) continue;
    let end = at + 1;
    while (end < tokens.length && !isPre(tokens[end], 'close')) end++;
    const code = readHtmlCode(tokens.slice(at, end + 1));
    if (code === undefined) break;
    if (trimHtml(tokens.slice(from, at)).length > 0) blocks.push(...readText(tokens.slice(from, at)));
    blocks.push(code);
    from = end + 1;
    at = end;
  }
  const rest = tokens.slice(from);
  return blocks.length > 0 && trimHtml(rest).length === 0 ? blocks : [...blocks, ...readText(rest)];
}

function isPre(token: HtmlToken | undefined, kind: 'open' | 'close'): boolean {
  return token?.kind === kind && 'name' in token && token.name === 'pre';
}

function readText(tokens: readonly HtmlToken[]): RichNode[] {
  return readContent(tokens, {
    tagOf: (token) => token,
    inlines: (pieces) => (trimHtml(pieces).length === 0 ? undefined : readHtmlInlines(pieces)),
  });
}

/** Reads the content of a cell in Markdown, which may contain paragraphs and lists in HTML. The result is never empty. */
export function readCell(content: readonly PhrasingContent[], definitions: Definitions): RichNode[] {
  const tagOf = (node: PhrasingContent) => (node.type === 'html' ? readTag(node.value) : undefined);
  if (!content.some((node) => blockTag(tagOf(node)) !== undefined))
    return [block('paragraph', readInlines(content, definitions))];
  return readContent(content, {
    tagOf,
    inlines: (pieces) =>
      pieces.every((node) => node.type === 'text' && node.value.trim() === '')
        ? undefined
        : readInlines(trimPhrasing(pieces), definitions),
  });
}

function readContent<T>(pieces: readonly T[], reader: PieceReader<T>): RichNode[] {
  const parts = pieces.map((item) => {
    const tag = blockTag(reader.tagOf(item));
    return tag === undefined ? { item } : { item, [tag.kind === 'open' ? 'opens' : 'closes']: tag.name };
  });
  return [...atLeastParagraph(blocksOf(nest(parts), reader))];
}

function blockTag(token: HtmlToken | undefined): BlockTag | undefined {
  if (token === undefined || !('name' in token) || !/^(?:p|ul|ol|li|h[1-6])$/.test(token.name))
    return undefined;
  return token.kind === 'close' || Object.keys(token.attributes).length === 0 ? token : undefined;
}

function blocksOf<T>(nested: readonly Nested<T>[], reader: PieceReader<T>): RichNode[] {
  const blocks: RichNode[] = [];
  let line: T[] = [];
  const flush = () => {
    const inlines = reader.inlines(line);
    if (inlines !== undefined) blocks.push(block('paragraph', inlines));
    line = [];
  };
  for (const part of nested) {
    const read = 'item' in part ? undefined : blockOf(part.open, part.inner, reader);
    if (read === undefined) for (const piece of flat([part])) line.push(piece);
    else {
      flush();
      blocks.push(read);
    }
  }
  flush();
  return blocks;
}

function blockOf<T>(open: T, inner: readonly Nested<T>[], reader: PieceReader<T>): RichNode | undefined {
  const name = blockTag(reader.tagOf(open))?.name;
  if (name === 'p' || name?.startsWith('h') === true) {
    if (!inner.every((part) => 'item' in part)) return undefined;
    const nodes = reader.inlines(flat(inner)) ?? readInlines([]);
    return name === 'p' ? block('paragraph', nodes) : headingBlock(Number(name[1]), nodes);
  }
  const items = inner.filter((part) => !('item' in part) || reader.inlines([part.item]) !== undefined);
  const isList =
    items.length > 0 &&
    items.every((part) => 'open' in part && blockTag(reader.tagOf(part.open))?.name === 'li');
  if (name === 'li' || !isList) return undefined;
  const nodes = items.map((item) =>
    block('list-item', atLeastParagraph('open' in item ? blocksOf(item.inner, reader) : [])),
  );
  return name === 'ul' ? block('list-unordered', nodes) : block('list-ordered', nodes, { start: 1 });
}

function flat<T>(nested: readonly Nested<T>[]): T[] {
  return nested.flatMap((part) =>
    'item' in part ? [part.item] : [part.open, ...flat(part.inner), part.close],
  );
}

function trimPhrasing(content: readonly PhrasingContent[]): PhrasingContent[] {
  return content.map((node, index) => {
    if (node.type !== 'text') return node;
    const value = index === 0 ? node.value.trimStart() : node.value;
    return { ...node, value: index === content.length - 1 ? value.trimEnd() : value };
  });
}
