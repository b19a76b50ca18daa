import type { RichNode } from '../contract/shapes.ts';
import { lengthOf, tokenizeHtml, type HtmlToken, type OpenTag } from './html.ts';
import { block, fragment, headingBlock, voidBlock } from './nodes.ts';
import { readHtmlCode } from './html-code.ts';
import { readHtmlContent } from './read-html-content.ts';
import type { TablePiece } from './html-table-grid.ts';
import { readHtmlTable } from './read-html-tables.ts';
import { readHtmlInlines } from './read-inlines.ts';
import { refOf } from './references.ts';

/**
 * Reads an HTML table with Markdown blocks between its lines, as pieces of HTML and blocks; undefined if a table block cannot
 * express it.
 */
export function readSplitTable(pieces: readonly (string | readonly RichNode[])[]): RichNode | undefined {
  const all = pieces.flatMap((piece): TablePiece[] =>
    typeof piece === 'string' ? tokenizeHtml(piece.trim()) : [{ kind: 'blocks', nodes: piece }],
  );
  const tokens = all.map((piece) => (piece.kind === 'blocks' ? undefined : piece));
  return readHtmlTable(
    all.filter(
      (piece, index) => piece.kind === 'blocks' || !isBlank(piece) || !isBetweenBlocks(tokens, index),
    ),
  );
}

/** Reads HTML as a block of figures, an image or a table; undefined for other HTML. */
export function readHtmlBlock(html: string): RichNode | undefined {
  if (/^\s*<pre[\s>]/i.test(html)) return readHtmlCode(tokenizeHtml(html.trim()));
  if (/^\s*<(?:p|h[1-6])\s/i.test(html)) return alignedOf(tokenizeHtml(html.trim()));
  if (!/^\s*<(?:figure|img|div|table)[\s>]/i.test(html)) return undefined;
  const tokens = tokenizeHtml(html.trim()).filter(
    (token, index, all) => !isBlank(token) || !isBetweenBlocks(all, index),
  );
  return /^\s*<table/i.test(html) ? readHtmlTable(tokens) : readFigures(tokens);
}

/** The alignments of blocks by their HTML names. */
export const alignments: Readonly<Record<string, string>> = { left: 'start', center: 'center', right: 'end' };

/** Reads a paragraph or heading with an alignment. */
function alignedOf(tokens: readonly HtmlToken[]): RichNode | undefined {
  const [first, ...inner] = tokens;
  const last = inner.pop();
  if (first?.kind !== 'open' || last?.kind !== 'close' || last.name !== first.name) return undefined;
  const { align: side = '', ...more } = first.attributes;
  const align = alignments[side];
  const isBlock = (token: HtmlToken) =>
    'name' in token && /^(?:p|h[1-6]|div|ul|ol|li|table|pre|figure|picture|blockquote)$/.test(token.name);
  if (align === undefined || Object.keys(more).length > 0 || inner.some(isBlock)) return undefined;
  const nodes = readHtmlInlines(inner);
  if (first.name === 'p') return block('paragraph', nodes, { align });
  return headingBlock(Number(first.name.slice(1)), nodes, { align });
}

function isBlank(token: HtmlToken): boolean {
  return token.kind === 'text' && !/[^ \t\r\n\f]/.test(token.raw);
}

/** Whether a token is next to a block tag, where whitespace has no meaning. */
function isBetweenBlocks(tokens: readonly (HtmlToken | undefined)[], index: number): boolean {
  const isEdge = (token: HtmlToken | undefined) =>
    token === undefined ||
    ('name' in token &&
      /^(?:table|thead|tbody|tr|t[dh]|div|figure|picture|source|figcaption|p|ul|ol|li)$/.test(token.name));
  return isEdge(tokens[index - 1]) || isEdge(tokens[index + 1]);
}

/** Reads figures, alone or in a `<div>` with their layout. */
function readFigures(tokens: readonly HtmlToken[]): RichNode | undefined {
  const [first] = tokens;
  if (first?.kind === 'open' && first.name === 'img' && tokens.length === 1) return loneImage(first);
  let data: Record<string, unknown> | undefined = {};
  let inner = tokens;
  if (first?.kind === 'open' && first.name === 'div') {
    const last = tokens.at(-1);
    if (last?.kind !== 'close' || last.name !== 'div') return undefined;
    data = dataOfDiv(first);
    inner = tokens.slice(1, -1);
  }
  const images: RichNode[] = [];
  for (let from = 0; from < inner.length;) {
    let end = from + 1;
    for (
      let token = inner[end];
      token !== undefined && (token.kind !== 'close' || token.name !== 'figure');
      token = inner[end]
    )
      end++;
    const image = end === inner.length ? undefined : figureOf(inner.slice(from, end + 1));
    if (image === undefined) return undefined;
    images.push(image);
    from = end + 1;
  }
  return data === undefined || images.length === 0 ? undefined : block('images', images, data);
}

function dataOfDiv({ attributes }: OpenTag): Record<string, unknown> | undefined {
  const data: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes)) {
    const flag = { 'data-full-width': 'fullWidth', 'data-with-frame': 'withFrame' }[name];
    if (name === 'align' && ['left', 'center', 'right'].includes(value)) data['align'] = value;
    else if (flag !== undefined && (value === 'true' || value === 'false')) data[flag] = value === 'true';
    else return undefined;
  }
  return data;
}

/** Reads a `<figure>` with `<img>`, or `<picture>` with a dark image and `<img>`, and an optional `<figcaption>`. */
function figureOf(tokens: readonly HtmlToken[]): RichNode | undefined {
  const [figure, ...rest] = tokens.slice(0, -1);
  if (figure?.kind !== 'open' || figure.name !== 'figure' || Object.keys(figure.attributes).length > 0)
    return undefined;
  const start = rest.findIndex((token) => token.kind === 'open' && token.name === 'figcaption');
  const data = dataOfPicture(start === -1 ? rest : rest.slice(0, start));
  if (data === undefined) return undefined;
  if (start === -1) return voidBlock('image', data, []);
  const [open, ...caption] = rest.slice(start);
  const close = caption.pop();
  if (open?.raw !== '<figcaption>' || close?.kind !== 'close' || close.name !== 'figcaption')
    return undefined;
  return voidBlock('image', data, [fragment('caption', readHtmlContent(caption))]);
}

/** Reads `<img>`, or `<picture>` whose `<source>` is for dark mode. */
function dataOfPicture(tokens: readonly HtmlToken[]): Record<string, unknown> | undefined {
  const [first, source, image, end] = tokens;
  if (first?.kind !== 'open') return undefined;
  if (first.name === 'img' && tokens.length === 1) return dataOfImage(first);
  const isPicture =
    first.name === 'picture' && end?.kind === 'close' && end.name === 'picture' && tokens.length === 4;
  if (!isPicture || source?.kind !== 'open' || source.name !== 'source') return undefined;
  if (image?.kind !== 'open' || image.name !== 'img') return undefined;
  const { media, srcset, ...more } = source.attributes;
  const data = dataOfImage(image);
  const isDark = media === '(prefers-color-scheme: dark)' && Object.keys(more).length === 0;
  return data === undefined || srcset === undefined || !isDark
    ? undefined
    : { ...data, refDark: refOf(srcset) };
}

/** Returns the data of the block for an `<img>`; undefined without a source. */
export function dataOfImage({
  attributes: { src, alt, width, height, ...more },
}: OpenTag): Record<string, unknown> | undefined {
  if (src === undefined) return undefined;
  return {
    ref: refOf(src),
    ...(alt === undefined || alt === '' ? {} : { alt }),
    ...(width === undefined ? {} : { width: lengthOf(width) }),
    ...(height === undefined ? {} : { height: lengthOf(height) }),
    ...(Object.keys(more).length === 0 ? {} : { attributes: more }),
  };
}

/** Reads a single `<img>`: an image or a drawing. */
function loneImage(tag: OpenTag): RichNode | undefined {
  const { class: classes, src, alt, ...more } = tag.attributes;
  if (classes === 'gitbook-drawing' && src !== undefined && Object.keys(more).length === 0)
    return voidBlock('drawing', { ref: refOf(src), ...(alt ? { alt } : {}) });
  const data = dataOfImage(tag);
  return data === undefined || 'data-size' in tag.attributes
    ? undefined
    : block('images', [voidBlock('image', data, [])]);
}
