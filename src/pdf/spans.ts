import type { RichNode } from '../contract/shapes.ts';
import { addressOf } from '../richtext/references.ts';
import type { BookPage, Target } from './book.ts';
import type { Face } from './font-files.ts';
import type { Picture } from './pictures.ts';
import { colours, inks } from './theme.ts';

/** Text of one look, or a picture in a line of text. */
export interface Span {
  readonly text: string;
  readonly face: Face;
  readonly size: number;
  readonly colour: string;
  readonly target?: Target;
  /** Colour behind the text. */
  readonly chip?: string;
  readonly strike?: boolean;
  /** Above the line in parts of the size: superscript, or below it: subscript. */
  readonly rise?: number;
  readonly picture?: Picture;
}

/** The look that text has where nothing else is said. */
export interface Look {
  readonly size: number;
  readonly colour?: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
}

export interface SpanSource {
  readonly page: BookPage;
  readonly pictureOf: (address: string) => Picture | undefined;
  readonly targetOf: (ref: unknown) => Target | undefined;
  /** What a link without words of its own says. */
  readonly labelOf: (ref: unknown) => string;
}

/** The inline nodes of a block as spans. */
export function* spansOf(
  nodes: readonly RichNode[] | undefined,
  look: Look,
  source: SpanSource,
  target?: Target,
): Generator<Span> {
  for (const node of nodes ?? []) yield* inlineSpans(node, look, source, target);
}

/** A text of one look. */
export function plainSpan(text: string, look: Look, target?: Target): Span {
  return {
    text,
    face: faceOf(look),
    size: look.size,
    colour: target === undefined ? (look.colour ?? colours.text) : colours.accent,
    ...(target === undefined ? {} : { target }),
  };
}

/** The text of inline nodes without their marks. */
export function textOf(nodes: readonly RichNode[] | undefined): string {
  return (nodes ?? [])
    .map((node) =>
      node.object === 'text'
        ? [...leavesOf(node)].map(({ text }) => text).join('')
        : node.type === 'inline-math'
          ? String(node.data?.['formula'] ?? '')
          : textOf(node.nodes),
    )
    .join('');
}

function* leafSpans(node: RichNode, look: Look, target: Target | undefined): Generator<Span> {
  for (const leaf of leavesOf(node)) yield leafSpan(leaf, look, target);
}

function inlineSpans(
  node: RichNode,
  look: Look,
  source: SpanSource,
  target: Target | undefined,
): Iterable<Span> {
  if (node.object === 'text') return leafSpans(node, look, target);
  const data = node.data ?? {};
  const inner = (to: Target | undefined) => spansOf(node.nodes, look, source, to);
  const plain = (text: string, to: Target | undefined = target) => [plainSpan(text, look, to)];
  switch (node.type) {
    case 'link':
      return inner(source.targetOf(data['ref']) ?? target);
    case 'inline-image': {
      const picture = source.pictureOf(addressOf(data['ref']));
      const alt = typeof data['alt'] === 'string' ? data['alt'] : '';
      if (picture !== undefined) return [{ ...plain(alt)[0]!, picture }];
      const said = alt || nameOf(source.labelOf(data['ref']));
      return said === '' ? [] : plain(`[${said}]`);
    }
    case 'inline-math':
      return [{ ...plainSpan(String(data['formula'] ?? ''), look), face: 'mono', size: look.size * 0.9 }];
    case 'emoji':
      return plain(emojiOf(String(data['code'] ?? '')));
    case 'expression':
      return [
        {
          ...plainSpan(String(data['expression'] ?? ''), look),
          face: 'mono',
          size: look.size * 0.88,
          chip: colours.chip,
        },
      ];
    case 'button': {
      const to = source.targetOf(
        data['ref'] ?? (typeof data['url'] === 'string' ? { kind: 'url', url: data['url'] } : undefined),
      );
      return plain(String(data['label'] ?? ''), to);
    }
    case 'mention':
      return plain(source.labelOf(data['ref']), source.targetOf(data['ref']));
    case 'icon':
      return [];
    default:
      return inner(target);
  }
}

interface Leaf {
  readonly text: string;
  readonly marks: ReadonlySet<string>;
  readonly colour: string | undefined;
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
    const colour = given.find(({ type }) => type === 'color')?.data;
    yield {
      // HTML that means nothing to a document: what is between its tags is read, the tags are not.
      text: html === true ? String(text).replace(/<[^<>]*>/g, '') : String(text ?? ''),
      marks: new Set(given.map(({ type }) => String(type))),
      colour: inks[String(colour?.text)]?.text,
      background: inks[String(colour?.background)]?.behind,
    };
  }
}

/** The name of a file at the end of its address, for an image that has no words of its own. */
export function nameOf(address: string): string {
  const path = address.slice(0, 2000).replace(/[?#][^]*$/, '');
  const name = path.slice(path.lastIndexOf('/') + 1) || path;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function leafSpan({ text, marks, colour, background }: Leaf, look: Look, target: Target | undefined): Span {
  const isCode = marks.has('code') || marks.has('keyboard');
  const bold = look.bold === true || marks.has('bold');
  const small = marks.has('superscript') || marks.has('subscript');
  const face = isCode
    ? bold
      ? 'monoBold'
      : 'mono'
    : faceOf({ bold, italic: look.italic === true || marks.has('italic') });
  const chip = background ?? (isCode ? colours.chip : undefined);
  return {
    ...plainSpan(text, { ...look, ...(colour === undefined ? {} : { colour }) }, target),
    face,
    size: look.size * (isCode ? 0.88 : 1) * (small ? 0.72 : 1),
    ...(chip === undefined ? {} : { chip }),
    ...(marks.has('strikethrough') ? { strike: true } : {}),
    ...(small ? { rise: marks.has('superscript') ? 0.36 : -0.16 } : {}),
  };
}

function faceOf({ bold, italic }: Pick<Look, 'bold' | 'italic'>): Face {
  if (bold === true) return italic === true ? 'boldItalic' : 'bold';
  return italic === true ? 'italic' : 'regular';
}

/** Emoji are given by their code points in hexadecimal. */
function emojiOf(code: string): string {
  const points = code.split('-').map((part) => Number.parseInt(part, 16));
  return points.every((point) => point > 0 && point <= 0x10ffff)
    ? String.fromCodePoint(...points)
    : `:${code}:`;
}
