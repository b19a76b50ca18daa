import type { RichNode } from '../contract/shapes.ts';
import { phrasingOf } from './elements.ts';
import type { HtmlToken } from './html.ts';
import { readHtmlContent, trimTokens } from './read-html-content.ts';
import { readInlines } from './read-inlines.ts';
import { refOf } from './references.ts';
import { tableOf, type Column, type View } from './table-data.ts';
import type { Attributes } from './tags.ts';

type Cell = { readonly value: unknown } | { readonly nodes: readonly RichNode[] };
interface HtmlCell {
  readonly name: string;
  readonly attributes: Attributes;
  readonly content: readonly HtmlToken[];
}

/** The table of HTML that is one table of plain rows; nothing where it says more than a table block can. */
export function readHtmlTable(tokens: readonly HtmlToken[]): RichNode | undefined {
  const [table] = tokens;
  const rows = rowsOf(tokens);
  if (table?.kind !== 'open' || rows === undefined) return undefined;
  const header = rows[0]?.cells.every((cell) => cell.name === 'th') === true ? rows[0] : undefined;
  const body = header === undefined ? rows : rows.slice(1);
  const width = header?.cells.length ?? body.reduce((most, row) => Math.max(most, row.cells.length), 0);
  if (
    width === 0 ||
    body.some((row) => row.cells.length > width || row.cells.some((cell) => cell.name !== 'td'))
  )
    return undefined;
  const heads = Array.from(
    { length: width },
    (_, index): HtmlCell => header?.cells[index] ?? { name: 'th', attributes: {}, content: [] },
  );
  const columns = heads.map((head, index) => columnOf(head, `column-${index + 1}`));
  const titles = heads.map(({ content }) => readInlines(phrasingOf(trimTokens(content)), new Map()));
  const records = body.map((row) => row.cells.map((cell, index) => cellOf(cell, columns[index]!)));
  if (records.flat().includes(undefined)) return undefined;
  const {
    'data-view': kind,
    'data-header-hidden': noHeader,
    'data-full-width': fullWidth,
    'data-card-size': cardSize,
    'data-column-title-hidden': noTitles,
    ...attributes
  } = table.attributes;
  const withMark = (name: string) => columns[heads.findIndex((head) => name in head.attributes)]?.id;
  const shown = columns
    .filter((_, index) => !('data-hidden' in heads[index]!.attributes))
    .map(({ id }) => id);
  const widths = heads.flatMap((head, index): [string, number][] => {
    const wide = head.attributes['width'];
    return isNumber(wide) ? [[columns[index]!.id, Number(wide)]] : [];
  });
  if (kind !== undefined && kind !== 'cards') return undefined;
  const view: View =
    kind === 'cards'
      ? {
          type: 'cards',
          cardSize: cardSize ?? 'medium',
          columns: shown,
          ...given('targetDefinition', withMark('data-card-target')),
          ...given('coverDefinition', withMark('data-card-cover')),
          ...given('coverDefinitionDark', withMark('data-card-cover-dark')),
          ...(noTitles === undefined ? {} : { hideColumnTitle: true }),
        }
      : {
          type: 'grid',
          columns: shown,
          ...(widths.length === 0 ? {} : { columnWidths: Object.fromEntries(widths) }),
          hideHeader: header === undefined || noHeader !== undefined,
        };
  const more = {
    ...(fullWidth === 'true' ? { fullWidth: true } : {}),
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
  };
  return tableOf(
    view,
    columns.map((column, index) => ({ column, nodes: titles[index]! })),
    records.map(
      (row) =>
        new Map(row.flatMap((cell, index) => (isEmpty(cell) ? [] : [[columns[index]!.id, cell!] as const]))),
    ),
    more,
  );
}

function given(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}

function isEmpty(cell: Cell | undefined): boolean {
  return cell !== undefined && 'value' in cell && cell.value === undefined;
}

function isNumber(text: string | undefined): text is string {
  return text !== undefined && /^-?\d{1,9}(?:\.\d{1,6})?$/.test(text) && String(Number(text)) === text;
}

/** Rows with their cells: the only thing that may stand in the table. */
function rowsOf(tokens: readonly HtmlToken[]): { readonly cells: HtmlCell[] }[] | undefined {
  const rows: { readonly cells: HtmlCell[] }[] = [];
  let cell: (HtmlCell & { readonly content: HtmlToken[] }) | undefined;
  const last = tokens.length - 1;
  for (const [index, token] of tokens.entries()) {
    const name = 'name' in token ? token.name : '';
    const isClosing = token.kind === 'close';
    if (name === 'table' ? index !== (isClosing ? last : 0) : index === 0 || index === last) return undefined;
    if (name === 'td' || name === 'th') {
      if ((cell !== undefined) !== isClosing || (isClosing && cell?.name !== name) || rows.length === 0)
        return undefined;
      if (token.kind === 'open')
        rows.at(-1)!.cells.push((cell = { name, attributes: token.attributes, content: [] }));
      else cell = undefined;
    } else if (cell !== undefined && !['table', 'thead', 'tbody', 'tr'].includes(name))
      cell.content.push(token);
    else if (name === 'tr' && token.kind === 'open' && Object.keys(token.attributes).length === 0)
      rows.push({ cells: [] });
    else if (
      cell !== undefined ||
      !['table', 'thead', 'tbody', 'tr'].includes(name) ||
      (token.kind === 'open' && name !== 'table' && Object.keys(token.attributes).length > 0)
    )
      return undefined;
  }
  return rows.filter((row) => row.cells.length > 0);
}

function columnOf(head: HtmlCell, id: string): Omit<Column, 'title'> {
  const {
    width,
    'data-type': type = 'text',
    'data-max': max,
    align,
    'data-hidden': _hidden,
    'data-card-target': _target,
    'data-card-cover': _cover,
    'data-card-cover-dark': _dark,
    ...more
  } = head.attributes;
  const isKnown =
    ['number', 'checkbox', 'content-ref', 'files', 'image'].includes(type) ||
    (type === 'rating' && isNumber(max));
  const isSide = align === undefined || align === 'center' || align === 'right' || align === 'left';
  const attributes = {
    ...more,
    ...(isKnown || type === 'text' ? {} : { 'data-type': type }),
    ...(max === undefined || type === 'rating' ? {} : { 'data-max': max }),
    ...(width === undefined || isNumber(width) ? {} : { width }),
    ...(isSide ? {} : { align }),
  };
  return {
    id,
    type: isKnown ? type : 'text',
    ...(isKnown ? {} : { textAlignment: isSide ? (align ?? 'left') : 'left' }),
    ...(isKnown && type === 'rating' ? { max: Number(max) } : {}),
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
  };
}

/** What a cell holds, by the type of its column; nothing where it holds something else. */
function cellOf({ attributes, content }: HtmlCell, { type }: Omit<Column, 'title'>): Cell | undefined {
  const { 'data-object-fit': objectFit, ...more } = attributes;
  if (Object.keys(more).length > 0 || (objectFit !== undefined && type !== 'image')) return undefined;
  if (type === 'text') return { nodes: readHtmlContent(content) };
  const text = content
    .map((token) => (token.kind === 'text' ? token.raw : ''))
    .join('')
    .trim();
  const targets = content.flatMap((token) =>
    token.kind === 'open' && token.name === 'a' && token.attributes['href'] !== undefined
      ? [token.attributes['href']]
      : [],
  );
  if (content.length === 0) return { value: undefined };
  switch (type) {
    case 'checkbox':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : undefined;
    case 'number':
    case 'rating':
      return isNumber(text) ? { value: Number(text) } : undefined;
    case 'files':
      return targets.length === 0 ? undefined : { value: targets };
    case 'content-ref':
      return targets.length === 1 ? { value: refOf(targets[0]!) } : undefined;
    default: {
      const [image] = content;
      const isImage = image?.kind === 'open' && image.name === 'img' && content.length === 1;
      const target = targets.length === 1 ? targets[0] : isImage ? image.attributes['src'] : undefined;
      if (target === undefined) return undefined;
      const details = {
        ...(objectFit === undefined ? {} : { objectFit }),
        ...(isImage && image.attributes['alt'] ? { alt: image.attributes['alt'] } : {}),
      };
      return {
        value: Object.keys(details).length === 0 ? refOf(target) : { ref: refOf(target), ...details },
      };
    }
  }
}
