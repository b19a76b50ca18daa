import type { RichNode } from '../contract/shapes.ts';
import { fragmentsOf } from '../richtext/nodes.ts';
import type { Book, BookWords } from './book.ts';
import type { Canvas } from './canvas.ts';
import { plainSpan, spansOf, type References, type Span, type TextStyle } from './spans.ts';
import { body } from './theme.ts';
import { wrapLines, type Line } from './wrap-lines.ts';

export interface DrawContext {
  readonly canvas: Canvas;
  readonly references: References;
  readonly words: BookWords;
  readonly tags: Book['tags'];
  readonly drawBlocks: (nodes: readonly RichNode[] | undefined, style: BlockStyle) => Promise<void>;
  /** Registers a heading as a target of links and bookmarks. */
  readonly addHeading: (node: RichNode, level: number, y: number) => void;
}

export interface BlockStyle extends TextStyle {
  /** The nesting depth of lists around the block. */
  readonly listDepth: number;
  readonly gap: number;
}

/** Wraps inline nodes into lines that fit the current frame. */
export function wrapNodes(
  nodes: readonly RichNode[] | undefined,
  style: TextStyle,
  { canvas, references }: DrawContext,
): Iterable<Line> {
  return wrapSpans(spansOf(nodes, style, references), style.size, canvas);
}

/** Wraps spans to the width of the canvas. */
export function wrapSpans(
  spans: Iterable<Span>,
  size: number,
  { width, fonts, budget }: Canvas,
  leading: number = body.leading,
): Iterable<Line> {
  return wrapLines(spans, fonts, { width, leading, size, spend: budget.spend });
}

/** Wraps a text of one style to the width of the canvas. */
export function wrapText(text: string, style: TextStyle, canvas: Canvas, leading?: number): Iterable<Line> {
  return wrapSpans([plainSpan(text, style)], style.size, canvas, leading);
}

/** Returns the nodes of a fragment of a block, by the name or type of the fragment. */
export function fragmentNodes(node: RichNode, name: string): readonly RichNode[] | undefined {
  return fragmentsOf(node).find(({ fragment, type }) => fragment === name || type === name)?.nodes;
}

/** Replaces blocks by their child nodes. */
export function unwrapBlocks(nodes: readonly RichNode[] = []): readonly RichNode[] {
  return nodes.flatMap((node) => (node.object === 'block' ? (node.nodes ?? []) : [node]));
}
