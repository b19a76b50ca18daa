import type { PhrasingContent } from 'mdast';
import type { RichNode } from '../contract/shapes.ts';
import { decodeHtml, readTag } from './html.ts';
import { colorOf } from './marks.ts';
import { voidInline } from './nodes.ts';
import { refOf } from './references.ts';
import type { Element } from './tree.ts';

/** The inline node that an element is by itself: a button, an icon or an expression; none where it is something else. */
export function inlineOfElement(element: Element): RichNode[] {
  const { name, attributes, children } = element;
  const classes = (attributes['class'] ?? '').split(/\s+/).filter((word) => word !== '');
  const has = (...names: string[]) => Object.keys(attributes).every((key) => names.includes(key));
  const text = textOf(children);
  if (text === undefined) return [];
  if (name === 'code' && classes.join() === 'expression' && has('class'))
    return [voidInline('expression', { expression: decodeHtml(text) })];
  if (name === 'i' && has('class', 'style')) return iconOf(classes, attributes['style'], text);
  const href = attributes['href'];
  if (
    name !== 'a' ||
    href === undefined ||
    classes[0] !== 'button' ||
    classes.length > 2 ||
    !has('href', 'class', 'data-icon')
  )
    return [];
  const kind = classes[1] ?? 'primary';
  const icon = attributes['data-icon'];
  if (kind !== 'primary' && kind !== 'secondary') return [];
  return [
    voidInline('button', { label: text, kind, ref: refOf(href), ...(icon === undefined ? {} : { icon }) }),
  ];
}

function iconOf(classes: readonly string[], style: string | undefined, text: string): RichNode[] {
  const icon = classes.length === 1 && classes[0]!.startsWith('fa-') ? classes[0]!.slice(3) : '';
  const color = colorOf(style);
  const isPlain = text.trim() === '' || text === `:${icon}:`;
  const isColored = style === undefined || color?.background === 'default';
  return icon === '' || !isPlain || !isColored
    ? []
    : [voidInline('icon', { icon, ...(color === undefined ? {} : { color: color.text }) })];
}

/** The text of content that is nothing but text. */
function textOf(content: readonly PhrasingContent[]): string | undefined {
  return content.every((node) => node.type === 'text')
    ? content.map((node) => (node as { value: string }).value.replace(/\r?\n|\r/g, ' ')).join('')
    : undefined;
}

/** What a tag is that stands alone: an image, or a new line. */
export function inlineOfTag(html: string): RichNode | 'break' | undefined {
  const tag = readTag(html);
  if (tag?.kind !== 'open') return undefined;
  const names = Object.keys(tag.attributes);
  if (tag.name === 'br' && names.length === 0) return 'break';
  const { src, alt, 'data-size': size } = tag.attributes;
  if (
    tag.name !== 'img' ||
    src === undefined ||
    !names.every((name) => name === 'src' || name === 'alt' || name === 'data-size')
  )
    return undefined;
  return voidInline('inline-image', {
    ref: refOf(src),
    ...(alt ? { alt } : {}),
    ...(size === undefined ? {} : { size }),
  });
}
