import type { RichNode } from '../contract/shapes.ts';
import { textOfLength } from '../richtext/html.ts';
import { addressOf } from '../richtext/references.ts';
import type { Picture } from './pictures.ts';
import { brokenLines, fragmentOf, given, linesOf, type Scene } from './scene.ts';
import { nameOf, plainSpan } from './spans.ts';
import { body, colours, gaps, small } from './theme.ts';
import { costs } from './work.ts';

/** Draws images one under the other, each with its caption. */
export async function drawImages(node: RichNode, scene: Scene): Promise<void> {
  for (const image of node.nodes ?? []) await drawImage(image, given(node, 'align'), scene);
}

/** The height of an image with its caption, as it would be drawn on a new sheet with a heading over it. */
export function heightOfImage(image: RichNode | undefined, { canvas, source }: Scene): number {
  const picture = image === undefined ? undefined : source.pictureOf(addressOf(image.data?.['ref']));
  if (image === undefined || picture === undefined) return 44;
  // A tall one may be made a little smaller for its sheet, so less is asked for.
  return sizeOf(image, picture, canvas.width, canvas.tallest - 90, canvas.tallest).height * 0.8 + 40;
}

async function drawImage(image: RichNode, align: string, scene: Scene): Promise<void> {
  const { canvas, source } = scene;
  canvas.work.spend(costs.image);
  await canvas.work.pace();
  const address = addressOf(image.data?.['ref']);
  const picture = source.pictureOf(address);
  const caption = (fragmentOf(image, 'caption') ?? []).flatMap((part) =>
    part.object === 'block' ? (part.nodes ?? []) : [part],
  );
  const lines =
    caption.length === 0
      ? []
      : await canvas.work.all(linesOf(caption, { size: small.size, colour: colours.muted }, scene));
  const below = lines.reduce((sum, { height }) => sum + height, 0);
  canvas.space(gaps.block + 1);
  if (picture === undefined)
    drawMissing(given(image, 'alt') || nameOf(source.labelOf(image.data?.['ref'])), scene);
  else {
    const { width, height } = sizeOf(
      image,
      picture,
      canvas.width,
      canvas.tallest - below - 8,
      canvas.room - below - 8,
    );
    canvas.need(height + below + 6);
    const top = canvas.take(height);
    canvas.pending?.(top + body.size, top);
    canvas.pending = undefined;
    const left = { left: 0, right: 1 }[align] ?? 0.5;
    picture.draw(canvas.doc, canvas.left + (canvas.width - width) * left, top, width, height);
  }
  if (lines.length > 0) {
    canvas.space(4);
    await canvas.flow(lines, 'center');
  }
  canvas.space(gaps.block + 3);
}

/** As large as it is, or as its author wants it, and no larger than the sheet; a little smaller to stay on this one. */
function sizeOf(
  { data }: RichNode,
  picture: Picture,
  width: number,
  tallest: number,
  room: number,
): { width: number; height: number } {
  const ratio = picture.height / picture.width;
  let wanted = Math.min(lengthOf(data?.['width'], width) ?? picture.width, width);
  wanted = Math.min(wanted, tallest / ratio);
  if (wanted * ratio > room && room > wanted * ratio * 0.72) wanted = room / ratio;
  return { width: Math.max(wanted, 1), height: Math.max(wanted * ratio, 1) };
}

/** Pixels, or a part of the width: 300, "300", "50%". */
function lengthOf(value: unknown, whole: number): number | undefined {
  const [, digits, percent] = /^(\d{1,5}(?:\.\d+)?)(%|px)?$/.exec(textOfLength(value) ?? '') ?? [];
  if (digits === undefined || Number(digits) === 0) return undefined;
  return percent === '%' ? (Number(digits) / 100) * whole : Number(digits) * 0.75;
}

function drawMissing(text: string, { canvas }: Scene): void {
  canvas.open({
    border: colours.line,
    tint: colours.tint,
    pad: { left: 12, right: 12, top: 10, bottom: 10 },
  });
  const look = { size: small.size, colour: colours.muted };
  canvas.lines(
    brokenLines(
      [plainSpan('Image  ', { ...look, bold: true }), plainSpan(text.slice(0, 500), look)],
      small.size,
      canvas,
    ),
    'center',
  );
  canvas.close();
}
