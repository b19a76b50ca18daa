import type { RichNode } from '../contract/shapes.ts';
import { tokenizeHtml, type HtmlToken } from './html.ts';
import { lengthOf } from './html.ts';
import { block, fragment, voidBlock } from './nodes.ts';
import { readHtmlContent } from './read-html-content.ts';
import { readHtmlTable } from './read-html-tables.ts';
import { refOf } from './references.ts';

type Open = HtmlToken & { readonly kind: 'open' };

/** The block that HTML stands for: figures, an image, a table; nothing for all other HTML. */
export function readHtmlBlock(html: string): RichNode | undefined {
  if (!/^\s*<(?:figure|img|div|table)[\s>]/i.test(html)) return undefined;
  const tokens = tokenizeHtml(html.trim()).filter(
    (token, index, all) => !isBlank(token) || !isBetweenBlocks(all, index),
  );
  return /^\s*<table/i.test(html) ? readHtmlTable(tokens) : imagesOf(tokens);
}

function isBlank(token: HtmlToken): boolean {
  return token.kind === 'text' && !/[^ \t\r\n\f]/.test(token.raw);
}

/** Blanks next to a tag of these mean nothing. */
function isBetweenBlocks(tokens: readonly HtmlToken[], index: number): boolean {
  const isEdge = (token: HtmlToken | undefined) =>
    token === undefined ||
    ('name' in token &&
      /^(?:table|thead|tbody|tr|t[dh]|div|figure|picture|source|figcaption|p|ul|ol|li)$/.test(token.name));
  return isEdge(tokens[index - 1]) || isEdge(tokens[index + 1]);
}

/** Figures, in a `<div>` that says how they are shown or by themselves. */
function imagesOf(tokens: readonly HtmlToken[]): RichNode | undefined {
  const [first] = tokens;
  if (first?.kind === 'open' && first.name === 'img' && tokens.length === 1) return loneImage(first);
  let data: Record<string, unknown> | undefined = {};
  let inner = tokens;
  if (first?.kind === 'open' && first.name === 'div') {
    const last = tokens.at(-1);
    if (last?.kind !== 'close' || last.name !== 'div') return undefined;
    data = dataOfDiv(first);
    inner = tokens.slice(1, -1);
  }
  const images: RichNode[] = [];
  for (let from = 0; from < inner.length;) {
    let end = from + 1;
    for (
      let token = inner[end];
      token !== undefined && (token.kind !== 'close' || token.name !== 'figure');
      token = inner[end]
    )
      end++;
    const image = end === inner.length ? undefined : figureOf(inner.slice(from, end + 1));
    if (image === undefined) return undefined;
    images.push(image);
    from = end + 1;
  }
  return data === undefined || images.length === 0 ? undefined : block('images', images, data);
}

function dataOfDiv({ attributes }: Open): Record<string, unknown> | undefined {
  const data: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes)) {
    const flag = { 'data-full-width': 'fullWidth', 'data-with-frame': 'withFrame' }[name];
    if (name === 'align' && ['left', 'center', 'right'].includes(value)) data['align'] = value;
    else if (flag !== undefined && (value === 'true' || value === 'false')) data[flag] = value === 'true';
    else return undefined;
  }
  return data;
}

/** `<figure>`, perhaps `<picture>` with a dark image, `<img>`, and perhaps `<figcaption>`. */
function figureOf(tokens: readonly HtmlToken[]): RichNode | undefined {
  const [figure, ...rest] = tokens.slice(0, -1);
  if (figure?.kind !== 'open' || figure.name !== 'figure' || Object.keys(figure.attributes).length > 0)
    return undefined;
  const start = rest.findIndex((token) => token.kind === 'open' && token.name === 'figcaption');
  const picture = (start === -1 ? rest : rest.slice(0, start)).map((token) =>
    token.kind === 'open' || token.kind === 'close' ? token : undefined,
  );
  const names = picture
    .map((token) => (token === undefined ? '?' : token.kind === 'open' ? token.name : `/${token.name}`))
    .join(' ');
  const caption = start === -1 ? [] : rest.slice(start);
  const isCaption =
    caption.length === 0 ||
    (caption.at(-1)!.kind === 'close' &&
      (caption.at(-1) as { name?: string }).name === 'figcaption' &&
      caption[0]!.raw === '<figcaption>');
  if (!isCaption || (names !== 'img' && names !== 'picture source img /picture')) return undefined;
  const dark = names === 'img' ? undefined : (picture[1] as Open).attributes;
  const data = dataOfImage(picture.at(names === 'img' ? 0 : 2) as Open);
  const isDark =
    dark === undefined ||
    (Object.keys(dark).sort().join() === 'media,srcset' && dark['media'] === '(prefers-color-scheme: dark)');
  if (data === undefined || !isDark) return undefined;
  const fragments = caption.length === 0 ? [] : [fragment('caption', readHtmlContent(caption.slice(1, -1)))];
  return voidBlock(
    'image',
    { ...data, ...(dark === undefined ? {} : { refDark: refOf(dark['srcset']!) }) },
    fragments,
  );
}

function dataOfImage({
  attributes: { src, alt, width, height, ...more },
}: Open): Record<string, unknown> | undefined {
  if (src === undefined) return undefined;
  return {
    ref: refOf(src),
    ...(alt === undefined || alt === '' ? {} : { alt }),
    ...(width === undefined ? {} : { width: lengthOf(width) }),
    ...(height === undefined ? {} : { height: lengthOf(height) }),
    ...(Object.keys(more).length === 0 ? {} : { attributes: more }),
  };
}

/** An `<img>` by itself: an image, or a drawing. */
function loneImage(tag: Open): RichNode | undefined {
  const { class: classes, src, alt, ...more } = tag.attributes;
  if (classes === 'gitbook-drawing' && src !== undefined && Object.keys(more).length === 0)
    return voidBlock('drawing', { ref: refOf(src), ...(alt ? { alt } : {}) });
  const data = dataOfImage(tag);
  return data === undefined || 'data-size' in tag.attributes
    ? undefined
    : block('images', [voidBlock('image', data, [])]);
}
