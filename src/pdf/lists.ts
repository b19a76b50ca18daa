import type { RichNode } from '../contract/shapes.ts';
import type { BlockStyle, Scene } from './scene.ts';
import { colours, gaps } from './theme.ts';
import { costs } from './work.ts';

const bullets = ['•', '◦', '▪'] as const;
/** Deeper lists are not set in further: there is a last column. */
const deepest = 12;

/** Draws a list: each item behind its bullet, number or box. */
export async function drawList(node: RichNode, style: BlockStyle, scene: Scene): Promise<void> {
  const { canvas } = scene;
  const { left } = canvas;
  const items = node.nodes ?? [];
  const start = typeof node.data?.['start'] === 'number' ? node.data['start'] : 1;
  const ordered = node.type === 'list-ordered';
  const widest = ordered ? canvas.fonts.width(`${start + items.length - 1}.`, 'regular', style.size) : 0;
  const indent = Math.max(16, widest + 7);
  const gap = style.lists > 0 ? gaps.item : gaps.item + 0.5;
  if (style.lists > 0) canvas.space(gap);
  for (const [index, item] of items.entries()) {
    canvas.work.spend(costs.line);
    await canvas.work.pace();
    if (index > 0) canvas.space(gap);
    if (style.lists < deepest && canvas.mayIndent) canvas.left = left + indent;
    canvas.pending = markerOf(item, ordered ? `${start + index}.` : undefined, style, scene, canvas.left);
    await scene.blocks(item.nodes, {
      ...style,
      lists: style.lists + 1,
      gap: index === 0 && item.nodes?.length === 1 ? 0 : gap,
    });
    if (canvas.pending !== undefined) {
      canvas.lines([emptyLine(style)]);
      canvas.pending = undefined;
    }
    canvas.left = left;
  }
  canvas.space(style.gap);
}

function markerOf(
  item: RichNode,
  number: string | undefined,
  { size, lists }: BlockStyle,
  { canvas }: Scene,
  left: number,
) {
  const { doc, fonts } = canvas;
  const checked = item.data?.['checked'];
  const text = number ?? bullets[lists % bullets.length]!;
  const x = left - (number === undefined ? 11.5 : fonts.width(text, 'regular', size) + 6);
  return (baseline: number): void => {
    if (typeof checked === 'boolean') {
      const [at, y, side] = [left - 15, baseline - size * 0.84, size * 0.92];
      doc.roundedRect(at, y, side, side, 1.6).lineWidth(0.8);
      if (!checked) return void doc.stroke(colours.faint);
      doc.fillAndStroke(colours.accent, colours.accent);
      doc
        .moveTo(at + side * 0.22, y + side * 0.52)
        .lineTo(at + side * 0.43, y + side * 0.73)
        .lineTo(at + side * 0.8, y + side * 0.28)
        .lineWidth(1.1)
        .stroke('#ffffff');
      return;
    }
    canvas.write(text, x, baseline, { face: 'regular', size, colour: colours.muted });
  };
}

function emptyLine({ size }: BlockStyle) {
  return { pieces: [], width: 0, height: size * 1.5, baseline: size * 1.1 };
}
