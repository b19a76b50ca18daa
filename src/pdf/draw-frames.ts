import type { RichNode } from '../contract/shapes.ts';
import { costs } from './budget.ts';
import type { FrameStyle } from './canvas.ts';
import {
  fragmentNodes,
  unwrapBlocks,
  wrapNodes,
  wrapSpans,
  type BlockStyle,
  type DrawContext,
} from './draw-context.ts';
import { dataText, plainSpan } from './spans.ts';
import { colors, gaps, hintColors } from './theme.ts';

const box: FrameStyle = { border: colors.line, left: 12, right: 12, vertical: 9 };

/** Draws a quotation in muted text with a bar at the left. */
export function drawQuote(node: RichNode, style: BlockStyle, context: DrawContext): Promise<void> {
  const frame = { bar: colors.line, left: 14, right: 0, vertical: 1 };
  return drawFramed(frame, context, () => context.drawBlocks(node.nodes, { ...style, color: colors.muted }));
}

/** Draws a hint with the bar and tint of its style. */
export function drawHint(node: RichNode, style: BlockStyle, context: DrawContext): Promise<void> {
  const frame = { ...hintColors(dataText(node, 'style')), left: 14, right: 12, vertical: 9 };
  return drawFramed(frame, context, () =>
    context.drawBlocks(node.nodes, { ...style, gap: Math.min(style.gap, 6) }),
  );
}

/** Draws tabs one below the other, each with its title. */
export async function drawTabs(node: RichNode, style: BlockStyle, context: DrawContext): Promise<void> {
  const { canvas } = context;
  for (const item of node.nodes ?? []) {
    canvas.budget.spend(costs.block);
    await drawFramed(box, context, async () => {
      const title = { size: style.size * 0.92, bold: true, color: colors.accent };
      const span = plainSpan(dataText(item, 'title') || context.words.tab, title);
      await canvas.flowLines(wrapSpans([span], style.size, canvas));
      canvas.addGap(4);
      canvas.fixGap();
      await context.drawBlocks(item.nodes, style);
    });
  }
}

/** Draws steps with their numbers in discs at the left. */
export async function drawStepper(node: RichNode, style: BlockStyle, context: DrawContext): Promise<void> {
  const { canvas } = context;
  const { left, doc, fonts, budget } = canvas;
  for (const [index, step] of (node.nodes ?? []).entries()) {
    budget.spend(costs.block);
    await budget.pause();
    canvas.addGap(style.gap + 3);
    canvas.ensureHeight(50);
    if (canvas.canIndent) canvas.left = left + 28;
    const number = String(index + 1);
    const x = left + 9 - fonts.width(number, 'bold', 8.5) / 2;
    canvas.marker = (baseline) => {
      doc.circle(left + 9, baseline - 3.4, 9).fill(colors.accent);
      canvas.drawText(number, x, baseline - 0.3, { face: 'bold', size: 8.5, color: '#ffffff' });
    };
    await context.drawBlocks(step.nodes, style);
    if (canvas.marker !== undefined) canvas.drawLines(wrapSpans([], style.size, canvas));
    canvas.left = left;
  }
}

/** Draws an expandable block as expanded, below its title. */
export function drawExpandable(node: RichNode, style: BlockStyle, context: DrawContext): Promise<void> {
  const { canvas } = context;
  return drawFramed(box, context, async () => {
    const title = unwrapBlocks(fragmentNodes(node, 'expandable-title'));
    await canvas.flowLines(wrapNodes(title, { ...style, bold: true, color: colors.strong }, context));
    canvas.addGap(4);
    canvas.fixGap();
    await context.drawBlocks(fragmentNodes(node, 'expandable-body') ?? node.nodes, style);
  });
}

async function drawFramed(
  frame: FrameStyle,
  { canvas }: DrawContext,
  draw: () => Promise<void>,
): Promise<void> {
  canvas.openFrame(frame);
  await draw();
  canvas.closeFrame();
  canvas.addGap(gaps.frame);
}
