import { markerOf } from './icons.ts';
import type { RichNode } from '../contract/shapes.ts';
import { decodePercent, isObject } from '../contract/values.ts';
import { fragmentsOf, textOfValue } from '../richtext/nodes.ts';
import { safeAddress } from './addresses.ts';
import { embedOf, frameSandbox } from './embeds.ts';
import { attributes, empty, markup, type Markup } from './markup.ts';
import type { Renderer } from './render-context.ts';
import { addressOf, relOf } from './render-inlines.ts';
import { parseUrl } from '../contract/parse-url.ts';

/** Renders a reference to a page or another resource as a card with its title. */
export function renderContentRef(node: RichNode, renderer: Renderer): Markup {
  const target = renderer.resolve(node.data?.['ref']);
  const label = textOfValue(node.data?.['label']);
  const href = target === undefined ? undefined : safeAddress(target.href);
  if (target === undefined || href === undefined)
    return markup`<p class="content-ref broken-link" title="${renderer.words.brokenLink}"${addressOf(renderer, node.data?.['ref'])}>${label || renderer.words.brokenLink}</p>`;
  const { description, title } = target;
  return markup`<a${attributes({ ...relOf(target, renderer.externalTarget), class: 'content-ref', href })}>${markerOf(target, renderer.icons)}<span class="content-ref-text"><span class="content-ref-title">${
    title || label || target.href
  }</span>${description === undefined || description === '' ? empty : markup`<span class="content-ref-description">${description}</span>`}</span></a>`;
}

/** Renders a file as a card with a download link. */
export function renderFile(node: RichNode, renderer: Renderer): Markup {
  const target = renderer.resolve(node.data?.['ref']);
  const href = target === undefined ? undefined : safeAddress(target.href);
  const caption = captionOf(node, renderer);
  if (target === undefined || href === undefined)
    return markup`<p class="content-ref broken-link"${addressOf(renderer, node.data?.['ref'])}>${renderer.words.brokenLink}</p>`;
  const size =
    target.size === undefined
      ? empty
      : markup`<span class="content-ref-description">${renderer.words.size(target.size)}</span>`;
  return markup`<figure class="file"><a class="content-ref" href="${href}" download>${renderer.icons.draw('file-arrow-down')}<span class="content-ref-text"><span class="content-ref-title">${target.title || nameOf(href)}</span>${size}</span></a>${caption}</figure>`;
}

/** Renders a block of an integration that is not drawn: a link to its address, if any. */
export function renderUndrawn(node: RichNode, renderer: Renderer): Markup {
  const { integration, block, props } = node.data ?? {};
  const given = isObject(props) && 'url' in props ? props.url : undefined;
  const url = typeof given === 'string' ? safeAddress(given) : undefined;
  const title = `${textOfValue(integration)}/${textOfValue(block)}`;
  if (url === undefined || !/^https?:/i.test(url)) return markup`<p class="ck-undrawn">${title}</p>`;
  return markup`<p><a class="content-ref external" href="${url}" rel="noopener">${renderer.icons.draw('arrow-up-right-from-square')}<span class="content-ref-text"><span class="content-ref-title">${url}</span><span class="content-ref-description">${title}</span></span></a></p>`;
}

/**
 * Renders embedded content of another site. For known sites, it is a frame that is loaded only if the reader requests it; before
 * that, nothing is sent to that site. For other sites, it is a card with a link.
 */
export function renderEmbed(node: RichNode, renderer: Renderer): Markup {
  const url = safeAddress(textOfValue(node.data?.['url']));
  const parsed = url !== undefined && /^https?:/i.test(url) ? parseUrl(url) : undefined;
  if (url === undefined || parsed === undefined) return empty;
  const caption = captionOf(node, renderer);
  const known = embedOf(url);
  const { host, pathname } = parsed;
  const title = textOfValue(node.data?.['title']) || known?.name || host;
  const link = markup`<a class="content-ref external" href="${url}" rel="noopener">${renderer.icons.draw(known === undefined || known.shape === 'document' ? 'arrow-up-right-from-square' : 'circle-play')}<span class="content-ref-text"><span class="content-ref-title">${title}</span><span class="content-ref-description">${host}${pathname === '/' ? '' : pathname}</span></span></a>`;
  return known === undefined
    ? markup`<figure class="embed">${link}${caption}</figure>`
    : markup`<figure class="embed embed-${known.shape}" data-frame="${known.frame}" data-title="${title}" data-sandbox="${frameSandbox}">${link}${caption}</figure>`;
}

function captionOf(node: RichNode, renderer: Renderer): Markup {
  const nodes = fragmentsOf(node).find((each) => each['fragment'] === 'caption')?.nodes;
  const text = nodes === undefined ? empty : renderer.blocks(nodes);
  return text.text === '' ? empty : markup`<figcaption>${text}</figcaption>`;
}

/** Returns the file name at the end of an address. */
function nameOf(href: string): string {
  const path = href.replace(/[?#].*$/s, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  return decodePercent(name) ?? name;
}
