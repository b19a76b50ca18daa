import type { RichNode } from '../contract/shapes.ts';
import { defined } from '../contract/values.ts';
import { sortMarks, type Color, type Leaf, type Mark } from './marks.ts';

/** Creates a block with child nodes. */
export function block(
  type: string,
  nodes: readonly RichNode[],
  data: Readonly<Record<string, unknown>> = {},
): RichNode {
  return { object: 'block', type, isVoid: false, data, nodes };
}

/** Creates a heading of a depth from 1 to 6. Deeper headings have the third type, and their depth in their data. */
export function headingBlock(
  depth: number,
  nodes: readonly RichNode[],
  data: Readonly<Record<string, unknown>> = {},
): RichNode {
  return block(`heading-${Math.min(depth, 3)}`, nodes, { ...(depth > 3 ? { depth } : {}), ...data });
}

/** Returns the depth of a heading in Markdown, from 1 to 6. */
export function headingDepth({ type, data }: RichNode): 1 | 2 | 3 | 4 | 5 | 6 {
  const depth = data?.['depth'];
  if (depth === 4 || depth === 5 || depth === 6) return depth;
  return type === 'heading-1' ? 1 : type === 'heading-2' ? 2 : 3;
}

/** Creates a block without child nodes. Its content is in its data and fragments. */
export function voidBlock(
  type: string,
  data: Readonly<Record<string, unknown>>,
  fragments?: readonly RichNode[],
): RichNode {
  return { object: 'block', type, isVoid: true, data, ...defined({ fragments }) };
}

/** Creates an inline node without child nodes. Its content is in its data. */
export function voidInline(type: string, data: Readonly<Record<string, unknown>>): RichNode {
  return { object: 'inline', type, isVoid: true, data };
}

/** Creates a fragment: blocks that belong to another block, such as a caption, a title or a cell. */
export function fragment(name: string, nodes: readonly RichNode[], type?: string): RichNode {
  return { object: 'fragment', fragment: name, ...defined({ type }), nodes };
}

/** Returns the fragments of a block. */
export function fragmentsOf(node: RichNode): readonly RichNode[] {
  return Array.isArray(node['fragments']) ? (node['fragments'] as RichNode[]) : [];
}

/** Returns the nodes in all fragments of a block. */
export function nodesOfFragments(node: RichNode): RichNode[] {
  return fragmentsOf(node).flatMap(({ nodes = [] }) => nodes);
}

/** Creates a text node from leaves. */
export function textNode(leaves: readonly Leaf[]): RichNode {
  return {
    object: 'text',
    leaves: leaves.map(({ text, marks, color, html }) => ({
      object: 'leaf',
      text,
      marks: marks.map((type) => ({
        object: 'mark',
        type,
        ...(type === 'color' ? { data: color ?? { text: 'default', background: 'default' } } : {}),
      })),
      ...(html === true ? { html } : {}),
    })),
  };
}

/** Creates a paragraph of plain text, or of HTML that is written unchanged. */
export function paragraphOf(text: string, html?: boolean): RichNode {
  return block('paragraph', [textNode([{ text, marks: [], html }])]);
}

/** Returns the blocks, or an empty paragraph if there are none. */
export function atLeastParagraph(nodes: readonly RichNode[]): readonly RichNode[] {
  return nodes.length === 0 ? [paragraphOf('')] : nodes;
}

/** Converts a value of a document's data to text; '' if it is neither a string, a number nor a boolean. */
export function textOfValue(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** Returns the slugs of the tags of an update. */
export function updateTags({ data }: RichNode): string[] {
  return textOfValue(data?.['tags'])
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** Returns the text of a node without marks. Each block, cell and caption is on its own line. */
export function plainTextOf(node: RichNode): string {
  const { data = {}, object, nodes, leaves, text } = node;
  if (object === 'text')
    return Array.isArray(leaves)
      ? leaves.map((leaf: { text?: unknown }) => textOfValue(leaf?.text)).join('')
      : textOfValue(text);
  if (object === 'inline' && nodes === undefined) {
    const label = data['label'] ?? data['formula'] ?? data['expression'];
    return typeof label === 'string' ? label : '';
  }
  if (node.type === 'math') return textOfValue(data['formula']);
  const inner = [...(nodes ?? []), ...(object === 'inline' ? [] : fragmentsOf(node))];
  return inner.map(plainTextOf).join(inner.every(isInline) ? '' : '\n');
}

/** Whether a node is inline and not a block. */
export function isInline({ object }: RichNode): boolean {
  return object === 'text' || object === 'inline';
}

/** Returns the text of several nodes without marks. */
export function plainText(nodes: readonly RichNode[]): string {
  return nodes.map(plainTextOf).join('');
}

/** Returns the leaves of a text node with their known marks, sorted. */
export function leavesOf(node: RichNode): Leaf[] {
  const leaves = Array.isArray(node['leaves'])
    ? (node['leaves'] as (Record<string, unknown> | null)[])
    : [{ text: node['text'] }];
  return leaves.map((leaf) => {
    const given: unknown = leaf?.['marks'];
    const marks = Array.isArray(given) ? (given as ({ type?: Mark; data?: Color } | null)[]) : [];
    return {
      text: typeof leaf?.['text'] === 'string' ? leaf['text'] : '',
      marks: sortMarks(marks.map((mark) => mark?.type)),
      color: marks.find((mark) => mark?.type === 'color')?.data,
      html: leaf?.['html'] === true,
    };
  });
}

/** Returns the text of inline nodes without marks. */
export function textOf(nodes: readonly RichNode[] = []): string {
  return nodes
    .map((node) => {
      if (node.object === 'text') return [...leavesOf(node)].map(({ text }) => text).join('');
      return node.type === 'inline-math' ? String(node.data?.['formula'] ?? '') : textOf(node.nodes);
    })
    .join('');
}

/** Removes a first heading that repeats the title of the page. */
export function withoutTitle(nodes: readonly RichNode[], title: string): readonly RichNode[] {
  const [first, ...rest] = nodes;
  if (first?.type !== 'heading-1') return nodes;
  return textOf(first.nodes).trim().toLowerCase() === title.trim().toLowerCase() ? rest : nodes;
}
