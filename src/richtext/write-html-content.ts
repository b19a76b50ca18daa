import type { RichNode } from '../contract/shapes.ts';
import { isObject, recordOf } from '../contract/values.ts';
import { encodeText, openTag } from './html.ts';
import { htmlLineOfCode } from './html-code.ts';
import { headingDepth, plainText, textOfValue } from './nodes.ts';
import { addressOf } from './references.ts';
import type { CellMerge } from './cell-merges.ts';
import { partsOfTable, type Column, type TableParts } from './table-data.ts';
import { htmlOfInlines } from './write-html.ts';

/** Writes blocks as HTML on one line: a single paragraph as its text, other blocks as paragraphs and lists. */
export function htmlOfBlocks(blocks: readonly RichNode[]): string {
  const [only, ...more] = blocks;
  return only?.type === 'paragraph' && more.length === 0
    ? htmlOfInlines(only.nodes ?? [])
    : blocks.map(htmlOfBlock).join('');
}

function htmlOfBlock(node: RichNode): string {
  const inner = node.nodes ?? [];
  if (node.type === 'list-unordered' || node.type === 'list-ordered' || node.type === 'list-tasks') {
    const tag = node.type === 'list-ordered' ? 'ol' : 'ul';
    return `<${tag}>${inner.map((item) => `<li>${htmlOfItem(item.nodes ?? [])}</li>`).join('')}</${tag}>`;
  }
  if (node.type === 'code') return htmlLineOfCode(node);
  if (node.type === 'table') return htmlTable(partsOfTable(node));
  if (node.type?.startsWith('heading-') === true) {
    const tag = `h${headingDepth(node)}`;
    return `<${tag}>${htmlOfInlines(inner)}</${tag}>`;
  }
  const isText = inner.every((child) => child.object === 'text' || child.object === 'inline');
  return isText ? `<p>${htmlOfInlines(inner)}</p>` : htmlOfBlocks(inner);
}

/** Writes an item. If only lists follow its first paragraph, the paragraph gets no tag. */
function htmlOfItem(blocks: readonly RichNode[]): string {
  const [first, ...more] = blocks;
  const isLine =
    first?.type === 'paragraph' &&
    plainText(first.nodes ?? []) !== '' &&
    more.every((block) => block.type?.startsWith('list-') === true);
  return isLine ? htmlOfInlines(first.nodes ?? []) + more.map(htmlOfBlock).join('') : htmlOfBlocks(blocks);
}

/** Writes a table as HTML on one line. Content that HTML cannot express is simplified. */
function htmlTable(table: TableParts): string {
  return piecesOfTable(table)
    .map((piece) => (typeof piece === 'string' ? piece : htmlOfBlocks(piece)))
    .join('');
}

/** Writes a table as pieces of HTML, with the blocks of cells that only Markdown can express between them. */
export function piecesOfTable(table: TableParts): (string | readonly RichNode[])[] {
  if (table.columns.length === 0) return [];
  const { view, columns, rows, merges, cellAttributes, fullWidth, attributes } = table;
  const isCards = view.type === 'cards';
  const open = openTag('table', {
    'data-view': isCards ? 'cards' : undefined,
    'data-card-size':
      isCards && view.cardSize !== undefined && view.cardSize !== 'medium' ? view.cardSize : undefined,
    'data-column-title-hidden': isCards && view.hideColumnTitle === true ? '' : undefined,
    'data-header-hidden': !isCards && view.hideHeader === true ? '' : undefined,
    'data-full-width': fullWidth ? 'true' : undefined,
    ...attributes,
  });
  const head = columns
    .map((column) => `${headOf(column, table)}${htmlOfInlines(table.head(column))}${selectOf(column)}</th>`)
    .join('');
  const pieces: (string | readonly RichNode[])[] = [`${open}<thead><tr>${head}</tr></thead><tbody>`];
  const add = (piece: string | readonly RichNode[]) => {
    const last = pieces.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') pieces[pieces.length - 1] = last + piece;
    else pieces.push(piece);
  };
  for (const [index, row] of rows.entries()) {
    add('<tr>');
    for (const [place, column] of columns.entries()) {
      if (merges.isCovered(index, place)) continue;
      const own = {
        ...spansOf(merges.at(index, place)),
        ...(recordOf(cellAttributes[index]?.[column.id]) as Record<string, string>),
      };
      const blocks = column.type === 'text' && table.cell(row[column.id]);
      const isMarkdown = blocks !== false && !blocks.every(isHtmlBlock);
      const cell = isMarkdown ? '<td>' : cellOf(row[column.id], column, table);
      add(Object.keys(own).length === 0 ? cell : openTag('td', own).slice(0, -1) + cell.slice('<td'.length));
      if (!isMarkdown) continue;
      add(blocks);
      add('</td>');
    }
    add('</tr>');
  }
  add('</tbody></table>');
  return pieces;
}

/** Whether HTML on one line can express a block, so that it is read back as the same block. */
function isHtmlBlock(node: RichNode): boolean {
  const inner = node.nodes ?? [];
  switch (node.type) {
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
    case 'paragraph':
      return node.data?.['align'] === undefined && node.data?.['id'] === undefined;
    case 'code':
      return true;
    case 'list-ordered':
    case 'list-unordered':
      return (
        [undefined, 1].includes(node.data?.['start'] as number | undefined) &&
        inner.every((item) =>
          (item.nodes ?? []).every((block) => block.type !== 'code' && isHtmlBlock(block)),
        )
      );
    case 'table': {
      const { columns, rows, cell } = partsOfTable(node);
      const texts = columns.filter(({ type }) => type === 'text');
      return rows.every((row) => texts.every(({ id }) => cell(row[id]).every(isHtmlBlock)));
    }
    default:
      return node.object !== 'block';
  }
}

function spansOf(merge: CellMerge | undefined): Record<string, string> {
  if (merge === undefined) return {};
  const { rowSpan, colSpan } = merge;
  return {
    ...(rowSpan > 1 ? { rowspan: String(rowSpan) } : {}),
    ...(colSpan > 1 ? { colspan: String(colSpan) } : {}),
  };
}

/** Writes the options of a column. */
function selectOf({ type, multiple, options = [] }: Column): string {
  if (type !== 'select') return '';
  const written = options.map(({ value, label, color }) => {
    const text = (given: unknown) => (typeof given === 'string' ? given : undefined);
    return `${openTag('option', { value: text(value), label: text(label), color: text(color) }, ['value', 'label'])}</option>`;
  });
  return `${openTag('select', { multiple: multiple === true ? '' : undefined })}${written.join('')}</select>`;
}

function headOf(
  { id, type, textAlignment, verticalAlignment, max, attributes }: Column,
  { view }: TableParts,
): string {
  return openTag('th', {
    width: view.columnWidths?.[id],
    'data-hidden': view.columns.includes(id) ? undefined : '',
    'data-card-target': view.targetDefinition === id ? '' : undefined,
    'data-card-cover': view.coverDefinition === id ? '' : undefined,
    'data-card-cover-dark': view.coverDefinitionDark === id ? '' : undefined,
    'data-type': type === 'text' || type === 'select' ? undefined : type,
    'data-max': typeof max === 'number' ? max : undefined,
    align: textAlignment === 'center' || textAlignment === 'right' ? textAlignment : undefined,
    valign: verticalAlignment,
    ...attributes,
  });
}

function cellOf(value: unknown, { type, options = [] }: Column, { cell }: TableParts): string {
  if (type === 'text') return `<td>${value === undefined ? '' : htmlOfBlocks(cell(value))}</td>`;
  const link = (address: string) => `${openTag('a', { href: address }, ['href'])}${encodeText(address)}</a>`;
  const given = isObject(value) ? value : {};
  if (type === 'select' && Array.isArray(value))
    return `<td>${value.map((each) => `${openTag('span', { 'data-option': textOfValue(each) })}${encodeText(textOfValue(options.find((option) => option.value === each)?.label))}</span>`).join('')}</td>`;
  if (Array.isArray(value))
    return `<td>${value.map((each) => (typeof each === 'string' ? link(/^fil_\w+$/.test(each) ? `/files/${each}` : each) : encodeText(textOfValue(each)))).join('')}</td>`;
  if ('ref' in given) {
    const { ref, alt, objectFit } = given;
    const content =
      typeof alt === 'string'
        ? openTag('img', { src: addressOf(ref), alt }, ['src', 'alt'])
        : link(addressOf(ref));
    return `${openTag('td', { 'data-object-fit': typeof objectFit === 'string' ? objectFit : undefined })}${content}</td>`;
  }
  if ('kind' in given) return `<td>${link(addressOf(given))}</td>`;
  return `<td>${encodeText(textOfValue(value))}</td>`;
}
