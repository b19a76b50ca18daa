import type { Definition, List, Paragraph, RootContent, Table } from 'mdast';
import type { RichNode } from '../contract/shapes.ts';
import { readInlines, textNode, type Definitions } from './read-inlines.ts';

/** The blocks of Markdown content, without keys. */
export function readBlocks(content: readonly RootContent[], definitions: Definitions): RichNode[] {
  return content.flatMap((node) => blockOf(node, definitions) ?? []);
}

/** Where reference links of the content lead, at whatever depth they are defined. */
export function definitionsOf(content: readonly RootContent[]): Definitions {
  const found = new Map<string, Definition>();
  const open: RootContent[] = [...content];
  for (const node of open) {
    if (node.type === 'definition' && !found.has(node.identifier)) found.set(node.identifier, node);
    if (node.type === 'blockquote' || node.type === 'list' || node.type === 'listItem') open.push(...node.children);
  }
  return found;
}

function blockOf(node: RootContent, definitions: Definitions): RichNode | undefined {
  switch (node.type) {
    case 'paragraph':
      return paragraphOf(node, definitions);
    case 'heading':
      return block(`heading-${Math.min(node.depth, 3)}`, readInlines(node.children, definitions));
    case 'blockquote':
      return block('blockquote', readBlocks(node.children, definitions));
    case 'list':
      return listOf(node, definitions);
    case 'code':
      return block(
        'code',
        node.value.split('\n').map((line) => block('code-line', [textNode([{ text: line, marks: [] }])])),
        node.lang ? { syntax: node.lang } : {},
      );
    case 'thematicBreak':
      return { object: 'block', type: 'divider', isVoid: true, data: {} };
    case 'table':
      return tableOf(node, definitions);
    case 'html':
      return block('paragraph', [textNode([{ text: node.value, marks: [] }])]);
    case 'footnoteDefinition':
      return block('paragraph', [
        textNode([{ text: `[^${node.identifier}]: `, marks: [] }]),
        ...node.children.flatMap((child) => (child.type === 'paragraph' ? readInlines(child.children, definitions) : [])),
      ]);
    default:
      return undefined;
  }
}

/** A paragraph; an image that stands alone is a block of its own. */
function paragraphOf(node: Paragraph, definitions: Definitions): RichNode {
  const inlines = readInlines(node.children, definitions);
  const [only] = inlines;
  if (inlines.length === 1 && only?.type === 'inline-image') return block('images', [{ object: 'block', type: 'image', isVoid: true, data: only.data!, fragments: [] }]);
  return block('paragraph', inlines);
}

function listOf(node: List, definitions: Definitions): RichNode {
  const isTasks = node.children.some((item) => typeof item.checked === 'boolean');
  const items = node.children.map((item) => {
    const inner = readBlocks(item.children, definitions);
    return block('list-item', inner.length === 0 ? [block('paragraph', readInlines([], definitions))] : inner, isTasks ? { checked: item.checked === true } : {});
  });
  if (isTasks) return block('list-tasks', items);
  return node.ordered === true ? block('list-ordered', items, { start: node.start ?? 1 }) : block('list-unordered', items);
}

/** A table: one column of text for each of the header, one record for each row, a fragment for each cell. */
function tableOf({ children: [header, ...rows], align }: Table, definitions: Definitions): RichNode {
  const columns = (header?.children ?? []).map((_cell, index) => `column-${index + 1}`);
  const fragments: RichNode[] = [];
  const definition = columns.map((id, index) => [
    id,
    { id, title: plainText(readInlines(header!.children[index]!.children, definitions)), type: 'text', textAlignment: align?.[index] ?? 'left' },
  ]);
  const records = rows.map((row, place) => {
    const values = columns.map((id, index) => {
      const fragment = `cell-${place + 1}-${index + 1}`;
      fragments.push({ object: 'fragment', fragment, nodes: [block('paragraph', readInlines(row.children[index]?.children ?? [], definitions))] });
      return [id, fragment];
    });
    // Letters sort as numbers do while they are equally long.
    return [`record-${place + 1}`, { orderIndex: String(place).padStart(6, '0'), values: Object.fromEntries(values) }];
  });
  const data = { view: { type: 'grid', columns, hideHeader: false }, records: Object.fromEntries(records), definition: Object.fromEntries(definition) };
  return { object: 'block', type: 'table', isVoid: true, data, fragments };
}

/** The text of inline nodes without marks. */
export function plainText(nodes: readonly RichNode[]): string {
  return nodes.map((node) => (node.object === 'text' ? textOf(node['leaves']) : plainText(node.nodes ?? []))).join('');
}

function textOf(leaves: unknown): string {
  return Array.isArray(leaves) ? leaves.map((leaf: { text?: unknown }) => String(leaf?.text ?? '')).join('') : '';
}

function block(type: string, nodes: readonly RichNode[], data: Record<string, unknown> = {}): RichNode {
  return { object: 'block', type, isVoid: false, data, nodes };
}
