import type { RichNode } from '../contract/shapes.ts';
import { isObject, isRecord, recordOf } from '../contract/values.ts';
import { readMerges, type MergedCells } from '../richtext/cell-merges.ts';
import { fragmentsOf } from '../richtext/nodes.ts';
import { fileRefOf } from '../richtext/references.ts';
import { textRows } from '../richtext/table-rows.ts';
import { plainSpan, spansOf, type References, type Span, type TextStyle } from './spans.ts';

export interface Column {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly align: 'left' | 'center' | 'right';
  readonly options: readonly { readonly value?: unknown; readonly label?: unknown }[];
}

/** The table of a block, with the columns of its view and its records in order. */
export interface TableData {
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  readonly fragments: ReadonlyMap<string, readonly RichNode[]>;
  readonly isCards: boolean;
  readonly hasHeader: boolean;
  /** The merged cells, by row and shown column. */
  readonly merges: MergedCells;
}

export interface TableRow {
  readonly values: Readonly<Record<string, unknown>>;
  /** The content references of a card: its target, and its image. */
  readonly target: unknown;
  readonly cover: unknown;
}

/** Reads a table block. Leaves out invalid parts. */
export function readTableData(node: RichNode): TableData {
  const view = recordAt(node.data, 'view');
  const definition = recordAt(node.data, 'definition');
  const ids = Array.isArray(view['columns']) ? view['columns'].map(String) : Object.keys(definition);
  const entries = Object.entries(recordAt(node.data, 'records'));
  entries.sort(([, one], [, other]) => (orderOf(one) < orderOf(other) ? -1 : 1));
  const records = entries.map(([, record]) => record);
  const shown = ids.filter((id) => Object.hasOwn(definition, id));
  const fragments = fragmentsOf(node).map(({ fragment, nodes = [] }) => [String(fragment), nodes] as const);
  return {
    columns: shown.map((id) => readColumn(id, recordAt(definition, id))),
    rows: records.map((record) => readRow(record, view)),
    fragments: new Map(fragments),
    isCards: view['type'] === 'cards',
    hasHeader: view['hideHeader'] !== true,
    merges: readMerges(
      node.data?.['cellMerges'],
      entries.map(([id]) => id),
      shown,
    ),
  };
}

/** Lists the content references of the images on cards. */
export function* coversOf({ data }: RichNode): Generator {
  const view = recordAt(data, 'view');
  if (view['type'] !== 'cards') return;
  for (const record of Object.values(recordAt(data, 'records'))) {
    const { cover } = readRow(record, view);
    if (cover !== undefined) yield cover;
  }
}

/** Converts the value of a cell to spans. */
export function cellSpans(
  value: unknown,
  column: Column,
  { fragments }: TableData,
  style: TextStyle,
  references: References,
): Iterable<Span> {
  const blocks = typeof value === 'string' ? fragments.get(value) : undefined;
  if (blocks !== undefined) return blockSpans(blocks, style, references);
  if (value === undefined || value === null || value === '') return [];
  if (column.type === 'checkbox') return [plainSpan(value === true ? '☑' : '☐', style)];
  if (column.type === 'rating')
    return [plainSpan('★'.repeat(Math.min(Math.max(Number(value) || 0, 0), 10)), style)];
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item, index) => {
    const span = itemSpan(item, column, style, references);
    return index === 0 ? [span] : [plainSpan(', ', style), span];
  });
}

function* blockSpans(
  blocks: readonly RichNode[],
  style: TextStyle,
  references: References,
  bullet = '',
): Generator<Span> {
  for (const [index, block] of blocks.entries()) {
    const { type = '', nodes = [] } = block;
    if (index > 0) yield plainSpan('\n', style);
    if (type === 'table') yield* rowSpans(block, style, references);
    else if (type.startsWith('list-') && type !== 'list-item')
      yield* blockSpans(nodes, style, references, '• ');
    else if (type === 'images')
      for (const image of nodes)
        yield* spansOf([{ ...image, object: 'inline', type: 'inline-image' }], style, references);
    else if (nodes.some(({ object }) => object === 'block')) {
      if (type === 'list-item') yield plainSpan(bullet, style);
      yield* blockSpans(nodes, style, references, bullet);
    } else yield* spansOf(nodes, type.startsWith('heading') ? { ...style, bold: true } : style, references);
  }
}

/** Converts the rows of a table in a cell to spans, each row to one line. */
function* rowSpans(table: RichNode, style: TextStyle, references: References): Generator<Span> {
  for (const [index, { cells, isHeader }] of textRows(table).entries()) {
    if (index > 0) yield plainSpan('\n', style);
    for (const [place, cell] of cells.entries()) {
      if (place > 0) yield plainSpan(' | ', style);
      yield* blockSpans(cell, isHeader ? { ...style, bold: true } : style, references);
    }
  }
}

function itemSpan(item: unknown, column: Column, style: TextStyle, references: References): Span {
  if (column.type === 'files' && typeof item === 'string')
    return itemSpan(fileRefOf(item), column, style, references);
  if (!isObject(item)) {
    const label = column.options.find(({ value }) => value === item)?.label;
    return plainSpan(String(label ?? item), style);
  }
  const { ref = item } = item as { ref?: unknown };
  return plainSpan(references.labelOf(ref), style, references.targetOf(ref));
}

function readRow(record: unknown, view: Readonly<Record<string, unknown>>): TableRow {
  const values = recordAt(record, 'values');
  const refAt = (column: unknown): unknown =>
    typeof column === 'string' ? findReference(values[column]) : undefined;
  return { values, target: refAt(view['targetDefinition']), cover: refAt(view['coverDefinition']) };
}

/** Returns the content reference in a value: the value itself, its `ref`, or the first of several files. */
function findReference(value: unknown): unknown {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first === 'string') return fileRefOf(first);
  if (isRecord(first) && first['ref'] !== undefined && first['ref'] !== null) return first['ref'];
  return first === null ? undefined : first;
}

function readColumn(id: string, given: Readonly<Record<string, unknown>>): Column {
  const { title, type, textAlignment: align, options } = given;
  return {
    id,
    title: String(title ?? ''),
    type: String(type ?? 'text'),
    align: align === 'center' || align === 'right' ? align : 'left',
    options: Array.isArray(options) ? (options as Column['options']) : [],
  };
}

function orderOf(record: unknown): string {
  return String(recordOf(record)['orderIndex']);
}

function recordAt(holder: unknown, key: string): Readonly<Record<string, unknown>> {
  return recordOf(recordOf(holder)[key]);
}
