import type { BlockContent, ListItem, RootContent, Table, TableRow } from 'mdast';
import type { RichNode } from '../contract/shapes.ts';
import { plainText } from './read-blocks.ts';
import { imageOf, writeInlines } from './write-inlines.ts';

/** Blocks as Markdown content; a block that Markdown has no form for gives what it holds. */
export function writeBlocks(nodes: readonly RichNode[]): BlockContent[] {
  return nodes.flatMap((node): BlockContent[] => {
    const inner = node.nodes ?? [];
    switch (node.type) {
      case 'paragraph':
        return [{ type: 'paragraph', children: writeInlines(inner) }];
      case 'heading-1':
      case 'heading-2':
      case 'heading-3':
        return [{ type: 'heading', depth: Number(node.type.at(-1)) as 1 | 2 | 3, children: writeInlines(inner) }];
      case 'blockquote':
        return [{ type: 'blockquote', children: writeBlocks(inner) }];
      case 'list-ordered':
      case 'list-unordered':
      case 'list-tasks':
        return [{ type: 'list', spread: false, ordered: node.type === 'list-ordered', ...startOf(node), children: inner.map((item) => itemOf(item, node.type === 'list-tasks')) }];
      case 'code':
        return [
          { type: 'code', ...(typeof node.data?.['syntax'] === 'string' ? { lang: node.data['syntax'] } : {}), value: inner.map((line) => plainText(line.nodes ?? [])).join('\n') },
        ];
      case 'divider':
        return [{ type: 'thematicBreak' }];
      case 'images':
        return inner.map((image) => ({ type: 'paragraph', children: [imageOf(image)] }));
      case 'image':
        return [{ type: 'paragraph', children: [imageOf(node)] }];
      case 'table':
        return tableOf(node);
      default:
        return inner.some((child) => child.object !== 'block') ? [{ type: 'paragraph', children: writeInlines(inner) }] : writeBlocks(inner);
    }
  });
}

function startOf(node: RichNode): { start?: number } {
  const start = node.data?.['start'];
  return node.type === 'list-ordered' && typeof start === 'number' ? { start } : {};
}

function itemOf(item: RichNode, isTask: boolean): ListItem {
  return { type: 'listItem', spread: false, ...(isTask ? { checked: item.data?.['checked'] === true } : {}), children: writeBlocks(item.nodes ?? []) };
}

interface TableData {
  readonly view?: { readonly columns?: readonly string[] };
  readonly records?: Record<string, { orderIndex?: string; values?: Record<string, unknown> }>;
  readonly definition?: Record<string, { title?: string; textAlignment?: string }>;
}

function tableOf(node: RichNode): RootContent[] & Table[] {
  const { view, records = {}, definition = {} } = (node.data ?? {}) as TableData;
  const columns = view?.columns ?? Object.keys(definition);
  const fragments = new Map((Array.isArray(node['fragments']) ? (node['fragments'] as RichNode[]) : []).map((fragment) => [fragment['fragment'], fragment.nodes ?? []]));
  const rowOf = (cells: RichNode[][]): TableRow => ({ type: 'tableRow', children: cells.map((cell) => ({ type: 'tableCell', children: writeInlines(cell) })) });
  const header = columns.map((id): RichNode[] => [{ object: 'text', text: String(definition[id]?.title ?? '') }]);
  const ordered = Object.values(records).sort((one, other) => (String(one.orderIndex) < String(other.orderIndex) ? -1 : 1));
  const rows = ordered.map(({ values = {} }) => columns.map((id) => cellOf(values[id], fragments)));
  const align = columns.map((id) => definition[id]?.textAlignment).map((side) => (side === 'center' || side === 'right' ? side : null));
  return [{ type: 'table', align, children: [header, ...rows].map(rowOf) }];
}

/** What a cell shows: the paragraphs of its fragment, else its value as text. */
function cellOf(value: unknown, fragments: ReadonlyMap<unknown, readonly RichNode[]>): RichNode[] {
  const fragment = fragments.get(value);
  if (fragment !== undefined) return fragment.flatMap((block) => [...(block.nodes ?? [])]);
  return [{ object: 'text', text: value === undefined || value === null || typeof value === 'object' ? '' : String(value) }];
}
