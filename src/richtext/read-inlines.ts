import type { Definition, PhrasingContent } from 'mdast';
import type { RichNode } from '../contract/shapes.ts';
import { defined } from '../contract/values.ts';
import { decodeHtml, readTag, trimHtml, type HtmlToken } from './html.ts';
import { colorOf, joinLeaves, sortMarks, tagMarks, type Color, type Leaf, type Mark } from './marks.ts';
import { joinParagraphs } from './join-paragraphs.ts';
import { nest, type Nested } from './nest.ts';
import { plainText, textNode, voidInline } from './nodes.ts';
import { refOf } from './references.ts';
import type { Element } from './tree.ts';

export type Definitions = ReadonlyMap<string, Definition>;
type Piece = Leaf | { readonly inline: RichNode };
interface TextStyle {
  readonly marks: readonly Mark[];
  readonly color?: Color | undefined;
}

const nodeMarks = { strong: 'bold', emphasis: 'italic', delete: 'strikethrough' } as const;

/** Reads the inline nodes of a block: texts with marks, links and images. The result is never empty. */
export function readInlines(
  content: readonly PhrasingContent[],
  definitions: Definitions = new Map(),
): RichNode[] {
  return nodesOf(piecesOf(content, { marks: [] }, definitions));
}

/** Reads HTML as inline nodes without surrounding whitespace. The result is never empty. */
export function readHtmlInlines(tokens: readonly HtmlToken[]): RichNode[] {
  return readInlines(trimHtml(tokens).flatMap(phrasingOf));
}

/** Reads HTML as the inline nodes of a header, with each paragraph on its own line. The result is never empty. */
export function readHtmlHeader(tokens: readonly HtmlToken[]): RichNode[] {
  return readInlines(joinParagraphs(trimHtml(tokens).flatMap(phrasingOf)));
}

/** Converts an HTML token to inline content, with formulas between `$$`. */
function phrasingOf({ kind, raw }: HtmlToken): PhrasingContent[] {
  if (kind !== 'text') return [{ type: 'html', value: raw }];
  return raw.split(/(\$\$[^$]+(?:\$[^$]+)*\$\$)/).flatMap((text, index): PhrasingContent[] => {
    const formula = index % 2 === 1 ? text.slice(2, -2) : '';
    if (formula.trim() !== '')
      return [{ type: 'mathText', value: decodeHtml(formula).replace(/\s+/g, ' ').trim() }];
    return text === '' ? [] : [{ type: 'text', value: decodeHtml(text.replace(/[ \t\r\n\f]+/g, ' ')) }];
  });
}

function piecesOf(content: readonly PhrasingContent[], style: TextStyle, definitions: Definitions): Piece[] {
  return pairElements(content).flatMap((node): Piece[] => {
    switch (node.type) {
      case 'strong':
      case 'emphasis':
      case 'delete':
        return piecesOf(node.children, withMark(style, nodeMarks[node.type]), definitions);
      case 'inlineCode':
        return [leafOf(oneLine(node.value), withMark(style, 'code'))];
      case 'text':
        return [leafOf(oneLine(node.value), style)];
      case 'break':
        return [breakOf(style)];
      case 'html':
        return [htmlPiece(node.value, style)];
      case 'element':
        return elementPieces(node, style, definitions);
      case 'mathText':
        return [{ inline: voidInline('inline-math', { formula: node.value }) }];
      case 'expressionText':
        return [{ inline: expressionOf(oneLine(node.value)) }];
      case 'link':
        return [linkTo(node.url, node.title, piecesOf(node.children, style, definitions))];
      case 'image':
        return [imageAt(node.url, node.alt, node.title)];
      case 'linkReference': {
        const children = piecesOf(node.children, style, definitions);
        const target = definitions.get(node.identifier);
        return target === undefined ? children : [linkTo(target.url, target.title, children)];
      }
      case 'imageReference': {
        const target = definitions.get(node.identifier);
        return [
          target === undefined ? leafOf(node.alt ?? '', style) : imageAt(target.url, node.alt, target.title),
        ];
      }
      case 'footnoteReference':
        return [leafOf(`[^${node.identifier}]`, style)];
    }
  });
}

/** Moves the content between an opening HTML tag and its closing tag into an element. */
function pairElements(content: readonly PhrasingContent[]): readonly PhrasingContent[] {
  if (!content.some((node) => node.type === 'html')) return content;
  const parts = content.map((item) => {
    const tag = item.type === 'html' ? readTag(item.value) : undefined;
    if (tag?.kind === 'close') return { item, closes: tag.name };
    return tag?.kind === 'open' && !tag.isVoid ? { item, opens: tag.name } : { item };
  });
  return elementsOf(nest(parts));
}

function elementsOf(nested: readonly Nested<PhrasingContent>[]): PhrasingContent[] {
  return nested.map((part): PhrasingContent => {
    if ('item' in part) return part.item;
    const open = part.open.type === 'html' ? part.open.value : '';
    const close = part.close.type === 'html' ? part.close.value : '';
    const tag = readTag(open);
    const { name, attributes } = tag?.kind === 'open' ? tag : { name: '', attributes: {} };
    return { type: 'element', name, attributes, open, close, children: elementsOf(part.inner) };
  });
}

/** Reads inline content between two HTML tags. Unknown tags stay unchanged. */
function elementPieces(node: Element, style: TextStyle, definitions: Definitions): Piece[] {
  const inline = inlineOfElement(node);
  if (inline !== undefined) return [{ inline }];
  const { name, attributes, children } = node;
  const { href, title } = attributes;
  const names = Object.keys(attributes);
  const inner = (innerStyle: TextStyle) => piecesOf(children, innerStyle, definitions);
  const color = name === 'mark' && names.join() === 'style' ? colorOf(attributes['style']) : undefined;
  if (color !== undefined) return inner({ ...withMark(style, 'color'), color });
  const mark = Object.hasOwn(tagMarks, name) && names.length === 0 ? tagMarks[name] : undefined;
  if (mark !== undefined) return inner(withMark(style, mark));
  if (
    name === 'a' &&
    href !== undefined &&
    hasOnly(attributes, 'href', 'title', 'data-mention', noteAttribute)
  ) {
    const isMention = attributes['data-mention'] !== undefined;
    if (isMention || children.length > 0) return [linkTo(href, isMention ? 'mention' : title, inner(style))];
  }
  return [htmlPiece(node.open, style), ...inner(style), htmlPiece(node.close, style)];
}

/** Returns the inline node for an element: a button, an icon or an expression; undefined for others. */
function inlineOfElement({ name, attributes, children }: Element): RichNode | undefined {
  if (!children.every((node) => node.type === 'text')) return undefined;
  const text = children.map(({ value }) => oneLine(value)).join('');
  const { class: given = '', style, href, 'data-icon': icon } = attributes;
  const classes = given.split(/\s+/).filter((word) => word !== '');
  if (name === 'code' && classes.join() === 'expression' && hasOnly(attributes, 'class'))
    return expressionOf(text);
  if (name === 'i' && hasOnly(attributes, 'class', 'style')) return iconOf(classes, style, text);
  const [button, kind = 'primary', ...more] = classes;
  if (name !== 'a' || href === undefined || button !== 'button' || more.length > 0) return undefined;
  if ((kind !== 'primary' && kind !== 'secondary') || !hasOnly(attributes, 'href', 'class', 'data-icon'))
    return undefined;
  return voidInline('button', { label: text, kind, ref: refOf(href), ...defined({ icon }) });
}

/** The attribute of links to footnotes in HTML tables. */
const noteAttribute = 'data-footnote-ref';

function hasOnly(attributes: Readonly<Record<string, string>>, ...names: string[]): boolean {
  return Object.keys(attributes).every((name) => names.includes(name));
}

function expressionOf(text: string): RichNode {
  return voidInline('expression', { expression: decodeHtml(text) });
}

function iconOf(classes: readonly string[], style: string | undefined, text: string): RichNode | undefined {
  const [, icon] = classes.length === 1 ? (/^fa-([^]+)$/.exec(classes.join()) ?? []) : [];
  const color = colorOf(style);
  const isPlain = text.trim() === '' || text === `:${icon}:`;
  const isColored = style === undefined || color?.background === 'default';
  if (icon === undefined || !isPlain || !isColored) return undefined;
  return voidInline('icon', { icon, ...defined({ color: color?.text }) });
}

/** Reads a single tag or comment: an image, a line break, or HTML that stays unchanged. */
function htmlPiece(html: string, style: TextStyle): Piece {
  const tag = readTag(html);
  if (tag?.kind === 'open') {
    const { src, alt, 'data-size': size } = tag.attributes;
    if (tag.name === 'br' && Object.keys(tag.attributes).length === 0) return breakOf(style);
    if (tag.name === 'img' && src !== undefined && hasOnly(tag.attributes, 'src', 'alt', 'data-size'))
      return {
        inline: voidInline('inline-image', defined({ ref: refOf(src), alt: alt || undefined, size })),
      };
  }
  return style.marks.includes('code')
    ? leafOf(html.replaceAll('\n', ' '), style)
    : { ...leafOf(html, style), html: true };
}

function withMark(style: TextStyle, mark: Mark): TextStyle {
  return { ...style, marks: sortMarks([...style.marks, mark]) };
}

function leafOf(text: string, { marks, color }: TextStyle): Leaf {
  return { text, marks, ...(marks.includes('color') ? { color } : {}) };
}

/** Returns a line break; a space in inline code, which cannot have one. */
function breakOf(style: TextStyle): Leaf {
  return leafOf(style.marks.includes('code') ? ' ' : '\n', style);
}

function oneLine(text: string): string {
  return text.replace(/\r?\n|\r/g, ' ');
}

function linkTo(url: string, title: string | null | undefined, pieces: readonly Piece[]): Piece {
  const nodes = nodesOf(pieces);
  const ref = refOf(url);
  if (title === 'mention') {
    const label = plainText(nodes.filter((node) => node.object === 'text'));
    return { inline: voidInline('mention', { ref, ...(label === url || label === '' ? {} : { label }) }) };
  }
  const data = { ref, ...(title ? { title } : {}) };
  return { inline: { object: 'inline', type: 'link', isVoid: false, data, nodes } };
}

function imageAt(url: string, alt: string | null | undefined, caption: string | null | undefined): Piece {
  const data = { ref: refOf(url), ...(alt ? { alt } : {}), ...(caption ? { caption } : {}) };
  return { inline: voidInline('inline-image', data) };
}

/** Creates text nodes from consecutive leaves, with the inline nodes between them. */
function nodesOf(pieces: readonly Piece[]): RichNode[] {
  const nodes: RichNode[] = [];
  let leaves: Leaf[] = [];
  const flush = () => {
    const joined = joinLeaves(leaves);
    if (joined.length > 0) nodes.push(textNode(joined));
    leaves = [];
  };
  for (const piece of pieces) {
    if ('text' in piece) leaves.push(piece);
    else {
      flush();
      nodes.push(piece.inline);
    }
  }
  flush();
  return nodes.length === 0 ? [textNode([{ text: '', marks: [] }])] : nodes;
}
