import type { RichNode } from '../contract/shapes.ts';
import { plainSpan, spansOf, type Look, type Span, type SpanSource } from './spans.ts';

export interface Column {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly align: 'left' | 'center' | 'right';
  readonly options: readonly { readonly value?: unknown; readonly label?: unknown }[];
}

/** The table that a block holds: its columns as the view shows them, its records in their order. */
export interface Grid {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly unknown[])[];
  readonly fragments: ReadonlyMap<string, readonly RichNode[]>;
  readonly cards: boolean;
  readonly header: boolean;
  /** Where each card leads, and the image on it: content references, where there are any. */
  readonly targets: readonly unknown[];
  readonly covers: readonly unknown[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads a table block; what is not as it should be is left out. */
export function gridOf(node: RichNode): Grid {
  const data = node.data ?? {};
  const view = fieldsOf(data['view']);
  const definition = fieldsOf(data['definition']);
  const named = Array.isArray(view['columns']) ? view['columns'].map(String) : Object.keys(definition);
  const columns = named
    .filter((id) => Object.hasOwn(definition, id))
    .map((id) => columnOf(id, fieldsOf(definition[id])));
  const records = Object.values(fieldsOf(data['records'])).map(fieldsOf);
  records.sort((one, other) => (String(one['orderIndex']) < String(other['orderIndex']) ? -1 : 1));
  const fragments = new Map(
    ((node['fragments'] as readonly RichNode[] | undefined) ?? []).map((fragment) => [
      String(fragment['fragment']),
      fragment.nodes ?? [],
    ]),
  );
  const values = records.map((record) => fieldsOf(record['values']));
  const special = (name: string) => values.map((value) => refOf(value, view[name]));
  return {
    columns,
    rows: values.map((value) => columns.map(({ id }) => value[id])),
    fragments,
    cards: view['type'] === 'cards',
    header: view['hideHeader'] !== true,
    targets: special('targetDefinition'),
    covers: special('coverDefinition'),
  };
}

/** The images on the cards that a block holds: content references. */
export function* coversOf({ data = {} }: RichNode): Generator {
  const view = fieldsOf(data['view']);
  if (view['type'] !== 'cards') return;
  for (const record of Object.values(fieldsOf(data['records'])))
    yield refOf(fieldsOf(fieldsOf(record)['values']), view['coverDefinition']);
}

/** What a cell says, in spans. */
export function cellSpans(
  value: unknown,
  column: Column,
  { fragments }: Grid,
  look: Look,
  source: SpanSource,
): Iterable<Span> {
  const { type } = column;
  const blocks = typeof value === 'string' ? fragments.get(value) : undefined;
  if (blocks !== undefined) return blockSpans(blocks, look, source);
  if (value === undefined || value === null || value === '') return [];
  if (type === 'checkbox') return [plainSpan(value === true ? '☑' : '☐', look)];
  if (type === 'rating') return [plainSpan('★'.repeat(Math.min(Math.max(Number(value) || 0, 0), 10)), look)];
  const list = Array.isArray(value) ? value : [value];
  return list.flatMap((item, index) => {
    const [separator] = index === 0 ? [[]] : [[plainSpan(', ', look)]];
    return [...separator, itemSpan(item, column, look, source)];
  });
}

/** Blocks in a cell: their text, one under the other. */
function* blockSpans(
  blocks: readonly RichNode[],
  look: Look,
  source: SpanSource,
  bullet = '',
): Generator<Span> {
  for (const [index, block] of blocks.entries()) {
    if (index > 0) yield plainSpan('\n', look);
    if (block.type?.startsWith('list-') === true && block.type !== 'list-item')
      yield* blockSpans(block.nodes ?? [], look, source, '• ');
    else if (block.type === 'images')
      for (const image of block.nodes ?? [])
        yield* spansOf([{ ...image, object: 'inline' as const, type: 'inline-image' }], look, source);
    else if ((block.nodes ?? []).some(({ object }) => object === 'block')) {
      if (block.type === 'list-item') yield plainSpan(bullet, look);
      yield* blockSpans(block.nodes!, look, source, bullet);
    } else
      yield* spansOf(
        block.nodes,
        block.type?.startsWith('heading') === true ? { ...look, bold: true } : look,
        source,
      );
  }
}

function itemSpan(item: unknown, column: Column, look: Look, source: SpanSource): Span {
  const { type, options } = column;
  if (type === 'files' && typeof item === 'string')
    return itemSpan({ kind: 'file', file: item }, column, look, source);
  if (typeof item !== 'object' || item === null) {
    const label = options.find(({ value }) => value === item)?.label;
    return plainSpan(String(label ?? item), look);
  }
  const ref = (item as Fields)['ref'] ?? item;
  return plainSpan(source.labelOf(ref), look, source.targetOf(ref));
}

function refOf(values: Fields, column: unknown): unknown {
  return typeof column === 'string' ? refIn(values[column]) : undefined;
}

/** The reference in a value: itself, in it, or the first of the files it lists. */
function refIn(value: unknown): unknown {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first === 'string') return { kind: 'file', file: first };
  return fieldsOf(first)['ref'] ?? (first === null ? undefined : first);
}

function columnOf(id: string, given: Fields): Column {
  const align = given['textAlignment'];
  return {
    id,
    title: String(given['title'] ?? ''),
    type: String(given['type'] ?? 'text'),
    align: align === 'center' || align === 'right' ? align : 'left',
    options: Array.isArray(given['options']) ? (given['options'] as Column['options']) : [],
  };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
