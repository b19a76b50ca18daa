import type { RichNode } from '../contract/shapes.ts';
import { fragmentsOf, textOfValue } from '../richtext/nodes.ts';
import { safeAddress } from './addresses.ts';
import { attributes, classes, empty, markup, type Markup } from './markup.ts';
import type { Renderer } from './render-context.ts';
import { addressOf } from './render-inlines.ts';
import { pixelsOf, widthClass } from './widths.ts';

/** Renders one image, or several side by side. */
export function renderImages(node: RichNode, renderer: Renderer): Markup {
  const { align, fullWidth, withFrame } = node.data ?? {};
  const side = align === 'left' || align === 'right' ? align : undefined;
  return markup`<div${classes('images', side && `images-${side}`, fullWidth === true && 'full-width', withFrame === true && 'images-framed')}>${(
    node.nodes ?? []
  ).map((image) => renderImage(image, renderer))}</div>`;
}

/** Renders an image with its caption. In dark mode, shows its dark variant, if any. */
export function renderImage(node: RichNode, renderer: Renderer): Markup {
  const data = node.data ?? {};
  const caption = fragmentsOf(node).find((each) => each['fragment'] === 'caption')?.nodes;
  const text = caption === undefined ? empty : renderer.blocks(caption);
  const shown = pictureOf(data, renderer);
  return markup`<figure${classes(widthClass(data['width']))}>${shown}${text.text === '' ? empty : markup`<figcaption>${text}</figcaption>`}</figure>`;
}

function pictureOf(data: Readonly<Record<string, unknown>>, renderer: Renderer): Markup {
  const alt = textOfValue(data['alt']);
  const hasDark = data['refDark'] !== undefined;
  // The first image is often visible immediately, so it is not loaded lazily. An image for the other theme must not be loaded at
  // all.
  const isFirst = renderer.uniqueId('image') === 'image-1' && !hasDark;
  const image = (ref: unknown, className?: string): Markup | undefined => {
    const { href = 'none:', dimensions } = renderer.resolve(ref) ?? {};
    const src = safeAddress(href);
    if (src === undefined) return undefined;
    const width = pixelsOf(data['width']) ?? dimensions?.width;
    const given = pixelsOf(data['height']);
    // With both dimensions, browsers reserve the space of an image while it loads.
    const height =
      given ?? (dimensions && width && Math.round((width * dimensions.height) / dimensions.width));
    const loading = isFirst ? undefined : 'lazy';
    return markup`<img${attributes({ class: className, src, alt, width, height, loading, decoding: 'async' })}>`;
  };
  const dark = hasDark ? image(data['refDark'], 'only-dark') : undefined;
  const light = image(data['ref'], dark && 'only-light');
  if (light === undefined)
    return markup`<span class="broken-image"${addressOf(renderer, data['ref'])}>${alt || renderer.words.brokenImage}</span>`;
  return markup`${light}${dark}`;
}
