import type { RichNode } from '../contract/shapes.ts';
import { costs } from './budget.ts';
import { wrapText, type DrawContext } from './draw-context.ts';
import { textOf } from '../richtext/nodes.ts';
import { dataText, spansOf, type Span } from './spans.ts';
import { code, colors, gaps, small } from './theme.ts';
import { wrapLines } from './wrap-lines.ts';

/** Draws a code block. A long line is wrapped with a hanging indent. */
export async function drawCode(node: RichNode, { canvas, references }: DrawContext): Promise<void> {
  const { fonts, budget } = canvas;
  const { size, leading } = code;
  const { nodes = [] } = node;
  const title = dataText(node, 'title');
  canvas.ensureHeight(Math.min(nodes.length, 3) * size * leading + 30);
  canvas.openFrame({ tint: colors.tint, border: colors.line, left: 10, right: 8, vertical: 8 });
  if (title !== '') {
    const style = { size: small.size, bold: true, color: colors.muted };
    await canvas.flowLines(wrapText(title, style, canvas));
    canvas.addGap(4);
  }
  const indentWidth = fonts.width('  ', 'mono', size);
  for (const line of nodes) {
    budget.spend(costs.line);
    await budget.pause();
    const text = textOf(line.nodes);
    const spans = toMonospaced(spansOf(line.nodes, { size }, references));
    const spaces = text.length - text.replace(/^[ \t]+/, '').length;
    const hang = Math.min(spaces * (indentWidth / 2) + indentWidth, canvas.width / 3);
    // A line that does not fit is wrapped to the narrower width of continuation lines.
    const fits = text.length <= 400 && fonts.width(text, 'mono', size) <= canvas.width;
    const width = fits ? Infinity : canvas.width - hang;
    let left = canvas.left;
    for (const part of wrapLines(spans, fonts, { width, leading, size, isCode: true, spend: budget.spend })) {
      canvas.drawLine(part, left, canvas.reserve(part.height));
      left = canvas.left + hang;
      await budget.pause();
    }
  }
  canvas.closeFrame();
  canvas.addGap(gaps.block + 2);
}

function* toMonospaced(spans: Iterable<Span>): Generator<Span> {
  for (const span of spans) {
    const face = span.face.toLowerCase().includes('bold') ? 'monoBold' : 'mono';
    yield { ...span, background: undefined, face, size: code.size };
  }
}
