import type { RichNode } from '../contract/shapes.ts';
import { recordOf } from '../contract/values.ts';
import { readMerges, type MergedCells } from './cell-merges.ts';
import { block, fragment, fragmentsOf, leavesOf, plainText, textOfValue } from './nodes.ts';

/** A column: its title, its appearance, and the type of its values. */
export interface Column {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly textAlignment?: string;
  readonly verticalAlignment?: string;
  /** Whether a cell may contain several options. */
  readonly multiple?: boolean;
  readonly max?: number;
  /** The possible values with their labels. */
  readonly options?: readonly {
    readonly value?: unknown;
    readonly label?: unknown;
    readonly color?: unknown;
  }[];
  /** The HTML attributes of its header that have no other field here. */
  readonly attributes?: Readonly<Record<string, string>>;
}

export interface View {
  readonly type: 'grid' | 'cards';
  readonly columns: readonly string[];
  readonly columnWidths?: Readonly<Record<string, number>>;
  readonly hideHeader?: boolean;
  readonly cardSize?: string;
  readonly targetDefinition?: string;
  readonly coverDefinition?: string;
  readonly coverDefinitionDark?: string;
  readonly hideColumnTitle?: boolean;
}

/** The parts of a table; its rows are in order. */
export interface TableParts {
  readonly view: View;
  readonly columns: readonly Column[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The merged cells, by row index and by index among the shown columns. */
  readonly merges: MergedCells;
  /** The HTML attributes of the cells of each row, by column. */
  readonly cellAttributes: readonly Readonly<Record<string, unknown>>[];
  readonly fullWidth: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  /** Returns the content of a text cell. */
  readonly cell: (value: unknown) => readonly RichNode[];
  /** Returns the inline nodes of a column's header. */
  readonly head: (column: Column) => readonly RichNode[];
}

/** A cell of a row: a value, or nodes that become a fragment. */
export type Cell = ({ readonly value: unknown } | { readonly nodes: readonly RichNode[] }) & {
  /** The HTML attributes of the cell that have no other field here. */
  readonly attributes?: Readonly<Record<string, string>> | undefined;
};

/** A column with the inline nodes of its header. A header with marks or links also gets a fragment. */
export interface Head {
  readonly column: Omit<Column, 'title'>;
  readonly nodes: readonly RichNode[];
}

/** Creates a table block. Cells with nodes become fragments. */
export function tableOf(
  view: View,
  heads: readonly Head[],
  rows: readonly ReadonlyMap<string, Cell>[],
  more: Record<string, unknown> = {},
): RichNode {
  const columns = heads.map(({ column, nodes }): Column => ({ ...column, title: plainText(nodes).trim() }));
  const fragments = heads.flatMap(({ column, nodes }) =>
    isPlain(nodes) ? [] : [fragment(titleName(column.id), [block('paragraph', nodes)])],
  );
  const records = rows.map((row, place) => {
    const values = columns.flatMap(({ id }, index): [string, unknown][] => {
      const cell = row.get(id);
      if (cell === undefined) return [];
      if ('value' in cell) return [[id, cell.value]];
      const name = `cell-${place + 1}-${index + 1}`;
      fragments.push(fragment(name, cell.nodes));
      return [[id, name]];
    });
    const attributes = [...row].flatMap(([id, cell]) =>
      cell.attributes === undefined ? [] : [[id, cell.attributes] as const],
    );
    // Strings of equal length sort like their numbers.
    return [
      recordName(place),
      {
        orderIndex: String(place).padStart(6, '0'),
        values: Object.fromEntries(values),
        ...(attributes.length === 0 ? {} : { attributes: Object.fromEntries(attributes) }),
      },
    ];
  });
  const definition = Object.fromEntries(columns.map((column) => [column.id, column]));
  return {
    object: 'block',
    type: 'table',
    isVoid: true,
    data: { view, records: Object.fromEntries(records), definition, ...more },
    fragments,
  };
}

/** Returns the name of a row by its index. */
export function recordName(place: number): string {
  return `record-${place + 1}`;
}

/** Splits a table block into its parts. A part that is missing or has a wrong type counts as empty. */
export function partsOfTable(node: RichNode): TableParts {
  const data = recordOf(node.data);
  const definition = recordOf(data['definition']);
  const given = recordOf(data['view']);
  const columns = Object.entries(definition).map(([id, stated]): Column => {
    const { options, ...column } = recordOf(stated);
    return {
      type: 'text',
      ...column,
      id,
      title: textOfValue(column['title']),
      ...(Array.isArray(options) ? { options: options.map(recordOf) } : {}),
    };
  });
  const shown = Array.isArray(given['columns'])
    ? given['columns'].filter((id): id is string => typeof id === 'string' && Object.hasOwn(definition, id))
    : Object.keys(definition);
  const view = { ...given, type: given['type'] === 'cards' ? 'cards' : 'grid', columns: shown } as View;
  const fragments = new Map(fragmentsOf(node).map((each) => [each['fragment'], each.nodes ?? []]));
  const records = Object.entries(recordOf(data['records']))
    .map(([id, record]) => ({
      id,
      order: textOfValue(recordOf(record)['orderIndex']),
      values: recordOf(recordOf(record)['values']),
      attributes: recordOf(recordOf(record)['attributes']),
    }))
    .sort((one, other) => (one.order === other.order ? 0 : one.order < other.order ? -1 : 1));
  const rows = records.map(({ values }) => values);
  const cell = (value: unknown): readonly RichNode[] => {
    const nodes = fragments.get(value);
    if (nodes !== undefined) return nodes;
    return [{ object: 'block', type: 'paragraph', nodes: [{ object: 'text', text: textOfValue(value) }] }];
  };
  const head = ({ id, title }: Column) =>
    fragments.get(titleName(id))?.flatMap((each) => each.nodes ?? []) ?? [
      { object: 'text', text: title } as const,
    ];
  const byId = new Map(columns.map((column) => [column.id, column]));
  const isShown = new Set(shown);
  // The shown columns in their order, followed by the hidden ones.
  const ordered = [
    ...shown.flatMap((id) => byId.get(id) ?? []),
    ...columns.filter(({ id }) => !isShown.has(id)),
  ];
  return {
    view,
    columns: ordered,
    rows,
    merges: readMerges(
      data['cellMerges'],
      records.map(({ id }) => id),
      shown,
    ),
    cellAttributes: records.map(({ attributes }) => attributes),
    fullWidth: data['fullWidth'] === true,
    attributes: recordOf(data['attributes']) as Record<string, string>,
    cell,
    head,
  };
}

/** Returns the name of the fragment with the header of a column. */
export function titleName(id: string): string {
  return `title-${id}`;
}

/** Whether a title contains only text, without marks or HTML. */
function isPlain(nodes: readonly RichNode[]): boolean {
  return nodes.every(
    (node) =>
      node.object === 'text' && leavesOf(node).every((leaf) => leaf.marks.length === 0 && leaf.html !== true),
  );
}
