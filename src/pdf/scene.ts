import type { RichNode } from '../contract/shapes.ts';
import type { Canvas } from './canvas.ts';
import { breakLines, eachLine, type Line } from './lines.ts';
import { spansOf, type Look, type Span, type SpanSource } from './spans.ts';
import { body } from './theme.ts';

/** What drawing a block needs: the sheet, what the page's links and images are, and how to draw blocks inside. */
export interface Scene {
  readonly canvas: Canvas;
  readonly source: SpanSource;
  readonly blocks: (nodes: readonly RichNode[] | undefined, style: BlockStyle) => Promise<void>;
  /** Makes a heading a place that links and bookmarks lead to. */
  readonly headed: (node: RichNode, level: number, y: number) => void;
}

/** How blocks look where they lie. */
export interface BlockStyle extends Look {
  /** Lists around this place. */
  readonly lists: number;
  /** Space between blocks. */
  readonly gap: number;
}

/** Inline nodes broken into lines of the width there is, one by one. */
export function linesOf(
  nodes: readonly RichNode[] | undefined,
  look: Look,
  { canvas, source }: Pick<Scene, 'canvas' | 'source'>,
): Iterable<Line> {
  return linesIn(spansOf(nodes, look, source), look.size, canvas);
}

/** Spans broken into lines of the width there is, one by one. */
export function linesIn(spans: Iterable<Span>, size: number, canvas: Canvas): Iterable<Line> {
  return eachLine(spans, canvas.fonts, {
    width: canvas.width,
    leading: body.leading,
    size,
    spend: (effort) => canvas.work.spend(effort),
  });
}

/** A short text broken into lines of the width there is. */
export function brokenLines(
  spans: readonly Span[],
  size: number,
  canvas: Canvas,
  leading: number = body.leading,
): Line[] {
  return breakLines(spans, canvas.fonts, {
    width: canvas.width,
    leading,
    size,
    spend: (effort) => canvas.work.spend(effort),
  });
}

/** A node's data field as text, empty where it is none. */
export function given(node: RichNode, field: string): string {
  const value = node.data?.[field];
  return typeof value === 'string' ? value : '';
}

/** The nodes of a fragment of a block, found by any of the names. */
export function fragmentOf(node: RichNode, name: string): readonly RichNode[] | undefined {
  const fragments = (node['fragments'] as readonly RichNode[] | undefined) ?? [];
  return fragments.find((fragment) => fragment['fragment'] === name || fragment.type === name)?.nodes;
}
