import { emojiText } from '../contract/emoji.ts';
import type { RichNode } from '../contract/shapes.ts';
import { textOfLength } from '../richtext/html.ts';
import type { LinkTarget } from './book.ts';
import type { Picture } from './engine.ts';
import type { Face } from './font-files.ts';
import { decodePercent } from '../contract/values.ts';
import { colors, markColors } from './theme.ts';

/** Text of one style, or an inline picture. */
export interface Span {
  readonly text: string;
  readonly face: Face;
  readonly size: number;
  readonly color: string;
  readonly target: LinkTarget | undefined;
  readonly background?: string | undefined;
  readonly isStruck?: boolean;
  /** The height above the baseline as a share of the size; negative for subscripts. */
  readonly rise?: number;
  readonly picture?: Picture;
  /** The picture has its own size, or this width, instead of the height of the line. */
  readonly original?: { readonly width: unknown };
}

export interface TextStyle {
  readonly size: number;
  readonly color?: string | undefined;
  readonly bold?: boolean;
  readonly italic?: boolean;
}

/** Resolves the content references of a page. */
export interface References {
  readonly pictureOf: (ref: unknown) => Picture | undefined;
  readonly targetOf: (ref: unknown) => LinkTarget | undefined;
  /** Returns the text for a link without text. */
  readonly labelOf: (ref: unknown) => string;
}

/** Converts inline nodes to spans of text and pictures in a style. `target` is the link around them. */
export function* spansOf(
  nodes: readonly RichNode[] | undefined,
  style: TextStyle,
  references: References,
  target?: LinkTarget,
): Generator<Span> {
  for (const node of nodes ?? []) {
    if (node.object === 'text') for (const leaf of leavesOf(node)) yield leafSpan(leaf, style, target);
    else yield* inlineSpans(node, style, references, target);
  }
}

/** Creates a span of one style; a link has the accent color. */
export function plainSpan(text: string, style: TextStyle, target?: LinkTarget): Span {
  const color = target === undefined ? (style.color ?? colors.text) : colors.accent;
  return { text, face: faceOf(style), size: style.size, color, target };
}

/** Returns a field of a node's data if it is text, otherwise "". */
export function dataText(node: RichNode, field: string): string {
  const value = node.data?.[field];
  return typeof value === 'string' ? value : '';
}

/** Parses a length in pixels or percent, such as 300, "300px" or "50%", and returns it in points. */
export function parseLength(value: unknown, whole: number): number | undefined {
  const [, digits, unit] = /^(\d{1,5}(?:\.\d+)?)(%|px)?$/.exec(textOfLength(value) ?? '') ?? [];
  if (digits === undefined || Number(digits) === 0) return undefined;
  return unit === '%' ? (Number(digits) / 100) * whole : Number(digits) * 0.75;
}

/** Returns the file name at the end of an address, for an image without alternative text. */
export function fileNameOf(address: string): string {
  const path = address.slice(0, 2000).replace(/[?#][^]*$/, '');
  const name = path.slice(path.lastIndexOf('/') + 1) || path;
  return decodePercent(name) ?? name;
}

function inlineSpans(
  node: RichNode,
  style: TextStyle,
  references: References,
  target: LinkTarget | undefined,
): Iterable<Span> {
  const { pictureOf, targetOf, labelOf } = references;
  const data = node.data ?? {};
  const { ref } = data;
  switch (node.type) {
    case 'link':
      return spansOf(node.nodes, style, references, targetOf(ref) ?? target);
    case 'inline-image': {
      const picture = pictureOf(ref);
      const alt = dataText(node, 'alt');
      const original = data['size'] === 'original' ? { original: { width: data['width'] } } : {};
      if (picture !== undefined) return [{ ...plainSpan(alt, style, target), picture, ...original }];
      const label = alt || fileNameOf(labelOf(ref));
      return label === '' ? [] : [plainSpan(`[${label}]`, style, target)];
    }
    case 'inline-math':
      return [monoSpan(data['formula'], style, 0.9)];
    case 'emoji':
      return [plainSpan(emojiText(data['code']), style, target)];
    case 'expression':
      return [{ ...monoSpan(data['expression'], style, 0.88), background: colors.code }];
    case 'button': {
      const { url } = data;
      const to = targetOf(ref ?? (typeof url === 'string' ? { kind: 'url', url } : undefined)) ?? target;
      return [plainSpan(String(data['label'] ?? ''), style, to)];
    }
    case 'mention':
      return [plainSpan(labelOf(ref), style, targetOf(ref) ?? target)];
    case 'icon':
      return [];
    default:
      return spansOf(node.nodes, style, references, target);
  }
}

function monoSpan(text: unknown, style: TextStyle, scale: number): Span {
  return { ...plainSpan(String(text ?? ''), style), face: 'mono', size: style.size * scale };
}

interface Leaf {
  readonly text: string;
  readonly marks: ReadonlySet<string>;
  readonly color: string | undefined;
  readonly background: string | undefined;
}

function* leavesOf(node: RichNode): Generator<Leaf> {
  const leaves = Array.isArray(node['leaves'])
    ? (node['leaves'] as { text?: unknown; marks?: unknown; html?: unknown }[])
    : [];
  for (const { text, marks, html } of leaves) {
    const given = (Array.isArray(marks) ? marks : []) as {
      type?: unknown;
      data?: { text?: unknown; background?: unknown };
    }[];
    const color = given.find(({ type }) => type === 'color')?.data;
    yield {
      // For HTML without a meaning in a document, only the text between its tags is shown.
      text: html === true ? String(text).replace(/<[^<>]*>/g, '') : String(text ?? ''),
      marks: new Set(given.map(({ type }) => String(type))),
      color: markColors[String(color?.text)]?.text,
      background: markColors[String(color?.background)]?.background,
    };
  }
}

function leafSpan(leaf: Leaf, style: TextStyle, target: LinkTarget | undefined): Span {
  const { marks } = leaf;
  const bold = style.bold === true || marks.has('bold');
  const italic = style.italic === true || marks.has('italic');
  const isCode = marks.has('code') || marks.has('keyboard');
  const isSuper = marks.has('superscript');
  const isSmall = isSuper || marks.has('subscript');
  return {
    ...plainSpan(leaf.text, { ...style, color: leaf.color ?? style.color, bold, italic }, target),
    ...(isCode ? { face: bold ? 'monoBold' : 'mono' } : {}),
    size: style.size * (isCode ? 0.88 : 1) * (isSmall ? 0.72 : 1),
    background: leaf.background ?? (isCode ? colors.code : undefined),
    isStruck: marks.has('strikethrough'),
    rise: isSuper ? 0.36 : isSmall ? -0.16 : 0,
  };
}

function faceOf({ bold, italic }: TextStyle): Face {
  if (bold === true) return italic === true ? 'boldItalic' : 'bold';
  return italic === true ? 'italic' : 'regular';
}
