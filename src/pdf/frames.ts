import type { RichNode } from '../contract/shapes.ts';
import type { FrameStyle } from './canvas.ts';
import { brokenLines, fragmentOf, given, linesIn, linesOf, type BlockStyle, type Scene } from './scene.ts';
import { plainSpan } from './spans.ts';
import { colours, gaps, hints } from './theme.ts';
import { costs } from './work.ts';

/** Draws a quotation: muted, with a bar at its left. */
export function drawQuote(node: RichNode, style: BlockStyle, scene: Scene): Promise<void> {
  const frame = { bar: colours.line, pad: { left: 14, right: 0, top: 1, bottom: 1 } };
  return framed(frame, scene, () => scene.blocks(node.nodes, { ...style, colour: colours.muted }));
}

/** Draws a hint: a bar and a tint in the colour of its style. */
export function drawHint(node: RichNode, style: BlockStyle, scene: Scene): Promise<void> {
  const { bar, tint } = hints[given(node, 'style')] ?? hints['info']!;
  return framed({ bar, tint, pad: { left: 14, right: 12, top: 9, bottom: 9 } }, scene, () =>
    scene.blocks(node.nodes, { ...style, gap: Math.min(style.gap, 6) }),
  );
}

/** Draws tabs one after the other, each under its title. */
export async function drawTabs(node: RichNode, style: BlockStyle, scene: Scene): Promise<void> {
  for (const item of node.nodes ?? []) {
    scene.canvas.work.spend(costs.block);
    await framed(
      { border: colours.line, pad: { left: 12, right: 12, top: 9, bottom: 9 } },
      scene,
      async () => {
        await label(given(item, 'title') || 'Tab', style, scene);
        await scene.blocks(item.nodes, style);
      },
    );
  }
}

/** Draws steps with their numbers in discs at the left. */
export async function drawStepper(node: RichNode, style: BlockStyle, scene: Scene): Promise<void> {
  const { canvas } = scene;
  const { left } = canvas;
  const { doc, fonts } = canvas;
  for (const [index, step] of (node.nodes ?? []).entries()) {
    canvas.work.spend(costs.block);
    await canvas.work.pace();
    canvas.space(style.gap + 3);
    canvas.need(50);
    if (canvas.mayIndent) canvas.left = left + 28;
    const number = String(index + 1);
    const x = left + 9 - fonts.width(number, 'bold', 8.5) / 2;
    canvas.pending = (baseline) => {
      doc.circle(left + 9, baseline - 3.4, 9).fill(colours.accent);
      canvas.write(number, x, baseline - 0.3, { face: 'bold', size: 8.5, colour: '#ffffff' });
    };
    await scene.blocks(step.nodes, style);
    if (canvas.pending !== undefined) canvas.lines(brokenLines([], style.size, canvas));
    canvas.left = left;
  }
}

/** Draws what can be opened as opened, under its title. */
export function drawExpandable(node: RichNode, style: BlockStyle, scene: Scene): Promise<void> {
  return framed(
    { border: colours.line, pad: { left: 12, right: 12, top: 9, bottom: 9 } },
    scene,
    async () => {
      const title = fragmentOf(node, 'expandable-title') ?? [];
      const inlines = title.flatMap((part) => (part.object === 'block' ? (part.nodes ?? []) : [part]));
      await scene.canvas.flow(linesOf(inlines, { ...style, bold: true, colour: colours.strong }, scene));
      scene.canvas.space(4);
      scene.canvas.keep();
      await scene.blocks(fragmentOf(node, 'expandable-body') ?? node.nodes, style);
    },
  );
}

async function label(text: string, style: BlockStyle, { canvas }: Scene): Promise<void> {
  await canvas.flow(
    linesIn(
      [plainSpan(text, { size: style.size * 0.92, bold: true, colour: colours.accent })],
      style.size,
      canvas,
    ),
  );
  canvas.space(4);
  canvas.keep();
}

async function framed(frame: FrameStyle, { canvas }: Scene, draw: () => Promise<void>): Promise<void> {
  canvas.open(frame);
  await draw();
  canvas.close();
  canvas.space(gaps.frame);
}
