import type { RichNode } from '../contract/shapes.ts';
import { fragmentsOf, textOfValue } from '../richtext/nodes.ts';
import { safeAddress } from './addresses.ts';
import { attributes, classes, empty, markup, type Markup } from './markup.ts';
import type { Renderer } from './render-context.ts';
import { pixelsOf, widthClass } from './widths.ts';

/** Renders one or several images, side by side. */
export function renderImages(node: RichNode, renderer: Renderer): Markup {
  const { align, fullWidth, withFrame } = node.data ?? {};
  const side = align === 'left' || align === 'right' ? align : undefined;
  return markup`<div${classes('images', side && `images-${side}`, fullWidth === true && 'full-width', withFrame === true && 'images-framed')}>${(
    node.nodes ?? []
  ).map((image) => renderImage(image, renderer))}</div>`;
}

/** Renders an image with its caption; in dark mode, its dark form where it has one. */
export function renderImage(node: RichNode, renderer: Renderer): Markup {
  const data = node.data ?? {};
  const caption = fragmentsOf(node).find((each) => each['fragment'] === 'caption')?.nodes;
  const text = caption === undefined ? empty : renderer.blocks(caption);
  const shown = pictureOf(data, renderer);
  return markup`<figure${classes(widthClass(data['width']))}>${shown}${text.text === '' ? empty : markup`<figcaption>${text}</figcaption>`}</figure>`;
}

function pictureOf(data: Readonly<Record<string, unknown>>, renderer: Renderer): Markup {
  const alt = textOfValue(data['alt']);
  const address = (ref: unknown) => safeAddress(renderer.resolve(ref)?.href ?? 'none:');
  const src = address(data['ref']);
  if (src === undefined)
    return markup`<span class="broken-image">${alt || renderer.words.brokenImage}</span>`;
  const dark = data['refDark'] === undefined ? undefined : address(data['refDark']);
  const image = (source: string, className?: string) =>
    markup`<img${attributes({
      class: className,
      src: source,
      alt,
      width: pixelsOf(data['width']),
      height: pixelsOf(data['height']),
      loading: 'lazy',
      decoding: 'async',
    })}>`;
  return dark === undefined ? image(src) : markup`${image(src, 'only-light')}${image(dark, 'only-dark')}`;
}
