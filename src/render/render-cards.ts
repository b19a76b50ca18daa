import { plainText, plainTextOf } from '../richtext/nodes.ts';
import type { Column, TableParts } from '../richtext/table-data.ts';
import { safeAddress } from './addresses.ts';
import { attributes, classes, empty, markup, type Markup } from './markup.ts';
import { renderCell, renderPicture } from './render-cell.ts';
import type { Renderer } from './render-context.ts';
import { fileRefOf, refOf } from '../richtext/references.ts';

/** Renders the rows of a table as cards with their pictures and links. */
export function renderCards(table: TableParts, renderer: Renderer): Markup {
  const { view, fullWidth, rows } = table;
  const size = view.cardSize === 'large' ? 'large' : 'medium';
  const special = new Set([view.targetDefinition, view.coverDefinition, view.coverDefinitionDark]);
  const shown = table.columns.filter(({ id }) => view.columns.includes(id) && !special.has(id));
  return markup`<ul${classes('cards', `cards-${size}`, fullWidth && 'full-width')}>${rows.map((row) => renderCard(table, shown, row, renderer))}</ul>`;
}

function renderCard(
  table: TableParts,
  shown: readonly Column[],
  row: Readonly<Record<string, unknown>>,
  renderer: Renderer,
): Markup {
  const { view } = table;
  const valueOf = (id: string | undefined) => (id === undefined ? undefined : row[id]);
  const lines = shown.flatMap((column) => {
    const value = row[column.id];
    if (value === undefined || value === null) return [];
    const content = markup`${renderCell(table, column, value, renderer)}`;
    if (content.text === '') return [];
    const title = plainText(table.head(column)).trim();
    const head =
      title === '' || view.hideColumnTitle === true || column.type === 'text'
        ? empty
        : markup`<span class="card-label">${title}</span>`;
    return [markup`<div class="card-line">${head}${content}</div>`];
  });
  const cover = coverOf(valueOf(view.coverDefinition), valueOf(view.coverDefinitionDark), renderer);
  return markup`<li class="card">${linkOf(table, shown, row, renderer)}${cover}<div class="card-body">${lines}</div></li>`;
}

/** Returns a link that covers the whole card. Links in its text are above it. */
function linkOf(
  table: TableParts,
  shown: readonly Column[],
  row: Readonly<Record<string, unknown>>,
  renderer: Renderer,
): Markup {
  const { targetDefinition } = table.view;
  const value = targetDefinition === undefined ? undefined : row[targetDefinition];
  if (value === undefined || value === null) return empty;
  const target = renderer.resolve(typeof value === 'string' ? refOf(value) : value);
  const href = target === undefined ? undefined : safeAddress(target.href);
  if (target === undefined || href === undefined) return empty;
  const text = shown
    .filter(({ type }) => type === 'text')
    .map(({ id }) => (row[id] === undefined ? '' : table.cell(row[id]).map(plainTextOf).join(' ').trim()))
    .find((each) => each !== '');
  const label = text || target.title || target.href;
  return markup`<a${attributes({ class: 'card-link', href, 'aria-label': label.slice(0, 200), ...(target.kind === 'external' && { rel: 'noopener', target: renderer.externalTarget }) })}></a>`;
}

function coverOf(value: unknown, dark: unknown, renderer: Renderer): Markup {
  const picture = (given: unknown, className: string) => renderPicture(given, renderer, className);
  const refIn = (given: unknown) => fileRefOf(Array.isArray(given) ? given[0] : given);
  if (value === undefined || value === null) return empty;
  const hasDark = dark !== undefined && dark !== null;
  const light = picture(refIn(value), hasDark ? 'card-cover only-light' : 'card-cover');
  return hasDark ? markup`${light}${picture(refIn(dark), 'card-cover only-dark')}` : light;
}
