import type { PhrasingContent } from 'mdast';
import type { RichNode } from '../contract/shapes.ts';
import { phrasingOf } from './elements.ts';
import { readTag, type HtmlToken } from './html.ts';
import { nest, type Nested } from './nest.ts';
import { atLeastParagraph, block } from './nodes.ts';
import { readInlines, type Definitions } from './read-inlines.ts';

const blockNames = new Set(['p', 'ul', 'ol', 'li']);

/** How pieces of a cell are read, be they HTML or Markdown. */
interface Reading<T> {
  readonly tagOf: (piece: T) => HtmlToken | undefined;
  /** A run of pieces as inline nodes, without blanks at its ends; nothing where it is blank. */
  readonly inlines: (pieces: readonly T[]) => RichNode[] | undefined;
}

/** The content of a cell or a caption in HTML: paragraphs and lists, or text alone; never nothing. */
export function readHtmlContent(tokens: readonly HtmlToken[]): RichNode[] {
  const inlines = (pieces: readonly HtmlToken[]) =>
    trimTokens(pieces).length === 0 ? undefined : readInlines(phrasingOf(trimTokens(pieces)), new Map());
  return contentOf(tokens, { tagOf: (token) => token, inlines });
}

/** The content of a cell in Markdown, which may have paragraphs and lists in HTML; never nothing. */
export function readCell(content: readonly PhrasingContent[], definitions: Definitions): RichNode[] {
  const tagOf = (node: PhrasingContent) => (node.type === 'html' ? readTag(node.value) : undefined);
  if (!content.some((node) => blockTag(tagOf(node)) !== undefined))
    return [block('paragraph', readInlines(content, definitions))];
  const inlines = (pieces: readonly PhrasingContent[]) =>
    pieces.every((node) => node.type === 'text' && node.value.trim() === '')
      ? undefined
      : readInlines(trimPhrasing(pieces), definitions);
  return contentOf(content, { tagOf, inlines });
}

function contentOf<T>(pieces: readonly T[], reading: Reading<T>): RichNode[] {
  const parts = pieces.map((item) => {
    const tag = blockTag(reading.tagOf(item));
    return {
      item,
      ...(tag?.kind === 'open' ? { opens: tag.name } : {}),
      ...(tag?.kind === 'close' ? { closes: tag.name } : {}),
    };
  });
  return [...atLeastParagraph(blocksOf(nest(parts), reading))];
}

function blockTag(
  token: HtmlToken | undefined,
): (HtmlToken & { readonly kind: 'open' | 'close' }) | undefined {
  if (token?.kind !== 'open' && token?.kind !== 'close') return undefined;
  return blockNames.has(token.name) && (token.kind === 'close' || Object.keys(token.attributes).length === 0)
    ? token
    : undefined;
}

function blocksOf<T>(nested: readonly Nested<T>[], reading: Reading<T>): RichNode[] {
  const blocks: RichNode[] = [];
  let line: T[] = [];
  const flush = () => {
    const inlines = reading.inlines(line);
    if (inlines !== undefined) blocks.push(block('paragraph', inlines));
    line = [];
  };
  for (const part of nested) {
    const read = 'item' in part ? undefined : blockOf(part.open, part.inner, reading);
    if (read === undefined) for (const piece of flat([part])) line.push(piece);
    else {
      flush();
      blocks.push(read);
    }
  }
  flush();
  return blocks;
}

function blockOf<T>(open: T, inner: readonly Nested<T>[], reading: Reading<T>): RichNode | undefined {
  const name = blockTag(reading.tagOf(open))?.name;
  if (name === 'p')
    return inner.every((part) => 'item' in part)
      ? block('paragraph', reading.inlines(flat(inner)) ?? readInlines([], new Map()))
      : undefined;
  const items = inner.filter((part) => !('item' in part) || reading.inlines([part.item]) !== undefined);
  const isList =
    items.length > 0 &&
    items.every((part) => 'open' in part && blockTag(reading.tagOf(part.open))?.name === 'li');
  if (name === 'li' || !isList) return undefined;
  const nodes = items.map((item) =>
    block('list-item', atLeastParagraph('open' in item ? blocksOf(item.inner, reading) : [])),
  );
  return name === 'ul' ? block('list-unordered', nodes) : block('list-ordered', nodes, { start: 1 });
}

function flat<T>(nested: readonly Nested<T>[]): T[] {
  return nested.flatMap((part) =>
    'item' in part ? [part.item] : [part.open, ...flat(part.inner), part.close],
  );
}

/** Tokens without blanks at either end. */
export function trimTokens(tokens: readonly HtmlToken[]): HtmlToken[] {
  return tokens.flatMap((token, index): HtmlToken[] => {
    if (token.kind !== 'text') return [token];
    let { raw } = token;
    if (index === 0) raw = raw.replace(/^[ \t\r\n\f]+/, '');
    if (index === tokens.length - 1) raw = raw.replace(/(?<![ \t\r\n\f])[ \t\r\n\f]+$/, '');
    return raw === '' ? [] : [{ kind: 'text', raw }];
  });
}

function trimPhrasing(content: readonly PhrasingContent[]): PhrasingContent[] {
  return content.map((node, index) => {
    if (node.type !== 'text') return node;
    const value = index === 0 ? node.value.trimStart() : node.value;
    return { ...node, value: index === content.length - 1 ? value.trimEnd() : value };
  });
}
