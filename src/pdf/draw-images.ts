import type { RichNode } from '../contract/shapes.ts';
import { costs } from './budget.ts';
import { fragmentNodes, unwrapBlocks, wrapNodes, wrapSpans, type DrawContext } from './draw-context.ts';
import type { Picture } from './engine.ts';
import { dataText, fileNameOf, parseLength, plainSpan } from './spans.ts';
import { body, colors, gaps, small } from './theme.ts';

/** Draws images one below the other, each with its caption. */
export async function drawImages(node: RichNode, context: DrawContext): Promise<void> {
  for (const image of node.nodes ?? []) await drawImage(image, dataText(node, 'align'), context);
}

/** Returns the height that an image with its caption needs below a heading. */
export function requiredHeight(image: RichNode | undefined, { canvas, references }: DrawContext): number {
  const picture = image && references.pictureOf(image.data?.['ref']);
  if (image === undefined || picture === undefined) return 44;
  const { sheetHeight } = canvas;
  const { height } = fitSize(image, picture, canvas.width, { max: sheetHeight - 90, left: sheetHeight });
  // Less than its height, because a tall image may be made a little smaller for its sheet.
  return height * 0.8 + 40;
}

async function drawImage(image: RichNode, align: string, context: DrawContext): Promise<void> {
  const { canvas, references } = context;
  canvas.budget.spend(costs.image);
  await canvas.budget.pause();
  const ref = image.data?.['ref'];
  const picture = references.pictureOf(ref);
  const caption = unwrapBlocks(fragmentNodes(image, 'caption'));
  const style = { size: small.size, color: colors.muted };
  const lines = caption.length === 0 ? [] : await canvas.budget.collect(wrapNodes(caption, style, context));
  const captionHeight = lines.reduce((sum, { height }) => sum + height, 0);
  canvas.addGap(gaps.block + 1);
  if (picture === undefined)
    drawPlaceholder(dataText(image, 'alt') || fileNameOf(references.labelOf(ref)), context);
  else {
    const { width, height } = fitSize(image, picture, canvas.width, {
      max: canvas.sheetHeight - captionHeight - 8,
      left: canvas.heightLeft - captionHeight - 8,
    });
    canvas.ensureHeight(height + captionHeight + 6);
    const top = canvas.reserve(height);
    canvas.marker?.(top + body.size, top);
    canvas.marker = undefined;
    const shift = { left: 0, right: 1 }[align] ?? 0.5;
    picture.draw(canvas.doc, canvas.left + (canvas.width - width) * shift, top, width, height);
  }
  if (lines.length > 0) {
    canvas.addGap(4);
    await canvas.flowLines(lines, 'center');
  }
  canvas.addGap(gaps.block + 3);
}

/** Fits an image to the sheet; it may become a little smaller to stay on the current one. */
function fitSize(
  { data }: RichNode,
  picture: Picture,
  maxWidth: number,
  heights: { max: number; left: number },
): { width: number; height: number } {
  const ratio = picture.height / picture.width;
  let width = Math.min(parseLength(data?.['width'], maxWidth) ?? picture.width, maxWidth);
  width = Math.min(width, heights.max / ratio);
  const height = width * ratio;
  if (height > heights.left && heights.left > height * 0.72) width = heights.left / ratio;
  return { width: Math.max(width, 1), height: Math.max(width * ratio, 1) };
}

/** Draws a frame with the name of an image that cannot be drawn. */
function drawPlaceholder(name: string, { canvas, words }: DrawContext): void {
  const style = { size: small.size, color: colors.muted };
  const spans = [
    plainSpan(`${words.image}  `, { ...style, bold: true }),
    plainSpan(name.slice(0, 500), style),
  ];
  canvas.openFrame({ border: colors.line, tint: colors.tint, left: 12, right: 12, vertical: 10 });
  canvas.drawLines(wrapSpans(spans, small.size, canvas), 'center');
  canvas.closeFrame();
}
