import type { RichNode } from '../contract/shapes.ts';
import { costs } from './budget.ts';
import type { Canvas } from './canvas.ts';
import type { BlockStyle, DrawContext } from './draw-context.ts';
import { colors, gaps } from './theme.ts';

const bullets = '•◦▪';
/** Deeper lists are not indented further. */
const maxDepth = 12;

/** Draws a list, each item with its bullet, number or check box. */
export async function drawList(node: RichNode, style: BlockStyle, context: DrawContext): Promise<void> {
  const { canvas } = context;
  const { left, fonts, budget } = canvas;
  const { size, listDepth } = style;
  const items = node.nodes ?? [];
  const start = typeof node.data?.['start'] === 'number' ? node.data['start'] : 1;
  const isOrdered = node.type === 'list-ordered';
  const widest = isOrdered ? fonts.width(`${start + items.length - 1}.`, 'regular', size) : 0;
  const gap = listDepth > 0 ? gaps.item : gaps.item + 0.5;
  if (listDepth > 0) canvas.addGap(gap);
  for (const [index, item] of items.entries()) {
    budget.spend(costs.line);
    await budget.pause();
    if (index > 0) canvas.addGap(gap);
    if (listDepth < maxDepth && canvas.canIndent) canvas.left = left + Math.max(16, widest + 7);
    canvas.marker = createMarker(item, isOrdered ? `${start + index}.` : undefined, style, canvas);
    const isAlone = index === 0 && item.nodes?.length === 1;
    await context.drawBlocks(item.nodes, { ...style, listDepth: listDepth + 1, gap: isAlone ? 0 : gap });
    if (canvas.marker !== undefined)
      canvas.drawLines([{ pieces: [], width: 0, height: size * 1.5, baseline: size * 1.1 }]);
    canvas.left = left;
  }
  canvas.addGap(style.gap);
}

function createMarker(
  item: RichNode,
  number: string | undefined,
  { size, listDepth }: BlockStyle,
  canvas: Canvas,
): (baseline: number) => void {
  const { doc, fonts, left } = canvas;
  const checked = item.data?.['checked'];
  if (typeof checked !== 'boolean') {
    const text = number ?? bullets.charAt(listDepth % bullets.length);
    const x = left - (number === undefined ? 11.5 : fonts.width(text, 'regular', size) + 6);
    return (baseline) => canvas.drawText(text, x, baseline, { face: 'regular', size, color: colors.muted });
  }
  return (baseline) => {
    const [x, y, side] = [left - 15, baseline - size * 0.84, size * 0.92];
    doc.roundedRect(x, y, side, side, 1.6).lineWidth(0.8);
    if (!checked) return void doc.stroke(colors.faint);
    doc.fillAndStroke(colors.accent, colors.accent);
    doc
      .moveTo(x + side * 0.22, y + side * 0.52)
      .lineTo(x + side * 0.43, y + side * 0.73)
      .lineTo(x + side * 0.8, y + side * 0.28)
      .lineWidth(1.1)
      .stroke('#ffffff');
  };
}
