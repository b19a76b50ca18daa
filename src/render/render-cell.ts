import { markerOf } from './icons.ts';
import { isRecord } from '../contract/values.ts';
import { textOfValue } from '../richtext/nodes.ts';
import { fileRefOf } from '../richtext/references.ts';
import type { Column, TableParts } from '../richtext/table-data.ts';
import { safeAddress } from './addresses.ts';
import { attributes, classes, empty, markup, join, type Content, type Markup } from './markup.ts';
import type { Renderer } from './render-context.ts';
import { renderLink } from './render-inlines.ts';

/** Renders the value of a cell by the type of its column. */
export function renderCell(table: TableParts, column: Column, value: unknown, renderer: Renderer): Content {
  if (value === undefined || value === null) return empty;
  switch (column.type) {
    case 'checkbox':
      return markup`<input type="checkbox" disabled${attributes({ checked: value === true, 'aria-label': value === true ? renderer.words.yes : renderer.words.no })}>`;
    case 'rating':
      return renderRating(Number(value), column.max ?? 5, renderer);
    case 'number':
      return textOfValue(value);
    case 'content-ref':
      return renderReference(value, renderer);
    case 'files':
      return join(listOf(value).map((file) => markup`<div>${renderReference(file, renderer)}</div>`));
    case 'image':
      return renderPicture(value, renderer);
    case 'select':
    case 'users':
      return join(listOf(value).map((one) => markup`<span class="tag">${labelOf(column, one)}</span>`));
    default:
      return renderText(table, value, renderer);
  }
}

/** Renders the text of a cell. A single paragraph needs no element. */
function renderText(table: TableParts, value: unknown, renderer: Renderer): Markup {
  const nodes = table.cell(value);
  const [only] = nodes;
  return nodes.length === 1 && only?.type === 'paragraph'
    ? renderer.inlines(only.nodes)
    : renderer.blocks(nodes);
}

/** Renders an image in a cell or on a card. Without an image, returns empty markup. */
export function renderPicture(value: unknown, renderer: Renderer, className?: string): Markup {
  const [ref, details] = isRecord(value) && 'ref' in value ? [value['ref'], value] : [value, {}];
  const target = renderer.resolve(ref);
  const src = target === undefined ? undefined : safeAddress(target.href);
  if (src === undefined) return empty;
  const fit = textOfValue(details['objectFit']);
  return markup`<img${classes(className, /^(?:contain|cover|fill)$/.test(fit) && `fit-${fit}`)}${attributes({ src, alt: textOfValue(details['alt']), loading: 'lazy', decoding: 'async' })}>`;
}

function renderReference(value: unknown, renderer: Renderer): Markup {
  const ref = fileRefOf(value);
  const target = renderer.resolve(ref);
  const address = typeof value === 'string' && /\W/.test(value) ? value : undefined;
  const title = target?.title || target?.href || (address ?? renderer.words.brokenLink);
  return renderLink(renderer, ref, [target === undefined ? empty : markerOf(target, renderer.icons), title]);
}

function renderRating(value: number, most: number, { words }: Renderer): Markup {
  const top = Math.min(20, Math.max(1, Math.round(most)));
  const full = Math.min(top, Math.max(0, Math.round(value)));
  return markup`<span class="rating" role="img" aria-label="${words.rating(full, top)}">${'★'.repeat(full)}${'☆'.repeat(top - full)}</span>`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function labelOf({ options }: Column, value: unknown): string {
  const option = options?.find((each) => each.value === value);
  return textOfValue(option?.label) || textOfValue(value);
}
