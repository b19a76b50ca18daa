import { markerOf } from './icons.ts';
import type { RichNode } from '../contract/shapes.ts';
import { decodeHtml, tokenizeHtml } from '../richtext/html.ts';
import { type Leaf, markTags } from '../richtext/marks.ts';
import { leavesOf, nodesOfFragments, textOfValue } from '../richtext/nodes.ts';
import { safeAddress } from './addresses.ts';
import { colorClasses } from './colors.ts';
import { emojiOf } from '../contract/emoji.ts';
import { showEmojis } from './emoji-names.ts';
import { attributes, classes, empty, markup, join, Markup, type Content } from './markup.ts';
import type { Renderer, Target } from './render-context.ts';
import { pixelsOf, widthClass } from './widths.ts';

/** Renders inline nodes. */
export function renderInlines(nodes: readonly RichNode[], renderer: Renderer): Markup {
  return join(
    nodes.map((node) => (node.object === 'text' ? renderText(node) : renderInline(node, renderer))),
  );
}

function renderText(node: RichNode): Markup {
  return join(leavesOf(node).map(renderLeaf));
}

/** Renders a text with its marks, the outermost first. */
function renderLeaf({ text, marks, color, html: isHtml }: Leaf): Markup {
  const shown = isHtml === true ? visibleText(text) : marks.includes('code') ? text : showEmojis(text);
  const lines = shown.split('\n');
  let content =
    lines.length === 1
      ? join(lines)
      : join(lines.flatMap((line, index) => (index === 0 ? [line] : [lineBreak, line])));
  for (const mark of marks.toReversed())
    content =
      mark === 'color'
        ? markup`<span${classes(...colorClasses(color))}>${content}</span>`
        : markup`<${new Markup(markTags[mark])}>${content}</${new Markup(markTags[mark])}>`;
  return content;
}

const lineBreak = new Markup('<br>');

/** Returns the visible part of unsupported HTML: the text between its tags. */
function visibleText(source: string): string {
  return tokenizeHtml(source)
    .map((token) => (token.kind === 'text' ? decodeHtml(token.raw) : ''))
    .join('');
}

function renderInline(node: RichNode, renderer: Renderer): Markup {
  const data = node.data ?? {};
  const word = (name: string) => textOfValue(data[name]);
  switch (node.type) {
    case 'link':
      return renderLink(renderer, data['ref'], renderer.inlines(node.nodes), word('title'));
    case 'anchor': {
      const id = renderer.anchors.own(word('id'));
      return id === undefined ? empty : markup`<span id="${id}"></span>`;
    }
    case 'mention':
      return renderMention(renderer, data['ref'], word('label'));
    case 'button':
      return renderButton(renderer, data);
    case 'inline-image':
      return renderInlineImage(renderer, data);
    case 'inline-math':
      return renderer.formula(word('formula'), false) ?? markup`<code>${word('formula')}</code>`;
    case 'expression': {
      const value = renderer.evaluate(word('expression'));
      return join([typeof value === 'object' ? '' : textOfValue(value)]);
    }
    case 'emoji':
      return join([emojiOf(word('code'))]);
    case 'icon':
      return markup`<span${classes('icon-inline', ...colorClasses({ text: word('color') || 'default', background: 'default' }))}>${renderer.icons.draw(word('icon'))}</span>`;
    case 'annotation':
      return renderAnnotation(node, renderer);
    default:
      return renderer.inlines(node.nodes);
  }
}

/** Renders a link. A broken reference remains readable, and is marked as broken. */
export function renderLink(renderer: Renderer, ref: unknown, content: Content, title = ''): Markup {
  const { words, externalTarget } = renderer;
  const target = renderer.resolve(ref);
  const href = target === undefined ? undefined : safeAddress(target.href);
  if (target === undefined || href === undefined)
    return markup`<span class="broken-link" title="${words.brokenLink}"${addressOf(renderer, ref)}>${content}</span>`;
  const rel = relOf(target, externalTarget);
  const isBare = target.kind === 'external' && bare(join([content]).text) === bare(markup`${href}`.text);
  // In print, addresses of links are shown, unless the text already is the address.
  const name = { class: isBare ? `${rel.class ?? ''} bare` : rel.class };
  return markup`<a${attributes({ href, title: title || undefined, ...rel, ...name })}>${content}</a>`;
}

/** Returns the attribute with the address of a broken link or image, if the renderer has addresses. */
export function addressOf(renderer: Renderer, ref: unknown): Markup {
  return attributes({ 'data-address': renderer.addressOf?.(ref) });
}

/** Returns an address without its scheme and trailing slash, as people write it. */
function bare(address: string): string {
  return address.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/** Returns the attributes of an external link: the other site gets no referrer. */
export function relOf(
  { kind }: Target,
  target: '_blank' | undefined,
): { readonly class?: string; readonly rel?: string; readonly target?: string | undefined } {
  return kind === 'external' ? { class: 'external', rel: 'noopener', target } : {};
}

/**
 * Renders a mention with the title of its target. Its label comes from Git synchronization and is usually the name of the file.
 * It is shown only if the target is external and its title is unknown.
 */
function renderMention(renderer: Renderer, ref: unknown, label: string): Markup {
  const target = renderer.resolve(ref);
  const own = target?.kind === 'external' ? undefined : target?.title;
  const title = own || label || target?.title || target?.href || renderer.words.brokenLink;
  return renderLink(renderer, ref, [target === undefined ? empty : markerOf(target, renderer.icons), title]);
}

function renderButton(renderer: Renderer, data: Readonly<Record<string, unknown>>): Markup {
  const { ref = { kind: 'url', url: data['url'] } } = data;
  const target = renderer.resolve(ref);
  const href = target === undefined ? undefined : safeAddress(target.href);
  const kind = data['kind'] === 'secondary' ? 'secondary' : 'primary';
  const icon = textOfValue(data['icon']);
  const content = [icon === '' ? empty : renderer.icons.draw(icon), textOfValue(data['label'])];
  return target === undefined || href === undefined
    ? markup`<span class="button button-${kind} broken-link" title="${renderer.words.brokenLink}"${addressOf(renderer, ref)}>${content}</span>`
    : markup`<a${attributes({ class: `button button-${kind}`, href, ...(target.kind === 'external' && { rel: 'noopener', target: renderer.externalTarget }) })}>${content}</a>`;
}

function renderInlineImage(renderer: Renderer, data: Readonly<Record<string, unknown>>): Markup {
  const alt = textOfValue(data['alt']);
  const target = renderer.resolve(data['ref']);
  const src = target === undefined ? undefined : safeAddress(target.href);
  if (src === undefined)
    return alt === '' && renderer.addressOf === undefined
      ? empty
      : markup`<span class="broken-link"${addressOf(renderer, data['ref'])}>${alt || renderer.words.brokenImage}</span>`;
  const isOriginal = data['size'] === 'original';
  const { width, height } = isOriginal ? data : {};
  return markup`<img${classes('inline-image', `inline-image-${isOriginal ? 'original' : 'line'}`, widthClass(width))}${attributes({ src, alt, width: pixelsOf(width), height: pixelsOf(height), loading: 'lazy', decoding: 'async' })}>`;
}

/** Renders a text with a note that opens on it. The note itself comes after the block, because it contains blocks. */
function renderAnnotation(node: RichNode, renderer: Renderer): Markup {
  // No heading has an anchor that starts with this sign.
  const id = `~${renderer.uniqueId('note')}`;
  const body = nodesOfFragments(node);
  renderer.addBehind(
    markup`<div class="note" id="${id}" popover role="note" aria-label="${renderer.words.annotation}">${renderer.blocks(body)}</div>`,
  );
  return markup`<button type="button" class="annotation" popovertarget="${id}">${renderer.inlines(node.nodes)}</button>`;
}
