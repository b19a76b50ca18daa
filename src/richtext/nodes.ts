import type { RichNode } from '../contract/shapes.ts';
import { inMarkOrder, type Color, type Leaf, type Mark } from './marks.ts';

/** A block with nodes in it. */
export function block(
  type: string,
  nodes: readonly RichNode[],
  data: Readonly<Record<string, unknown>> = {},
): RichNode {
  return { object: 'block', type, isVoid: false, data, nodes };
}

/** A block with nothing in it but what its data and fragments say. */
export function voidBlock(
  type: string,
  data: Readonly<Record<string, unknown>>,
  fragments?: readonly RichNode[],
): RichNode {
  return { object: 'block', type, isVoid: true, data, ...(fragments === undefined ? {} : { fragments }) };
}

/** An inline node with nothing in it but what its data says. */
export function voidInline(type: string, data: Readonly<Record<string, unknown>>): RichNode {
  return { object: 'inline', type, isVoid: true, data };
}

/** Blocks that belong to another block: a caption, a title, a cell. */
export function fragment(name: string, nodes: readonly RichNode[], type?: string): RichNode {
  return { object: 'fragment', fragment: name, ...(type === undefined ? {} : { type }), nodes };
}

/** The fragments of a block. */
export function fragmentsOf(node: RichNode): readonly RichNode[] {
  return Array.isArray(node['fragments']) ? (node['fragments'] as RichNode[]) : [];
}

/** A text node of these leaves. */
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

/** A paragraph of plain text, or of HTML that stays as it is written. */
export function paragraphOf(text: string, html?: boolean): RichNode {
  return block('paragraph', [textNode([{ text, marks: [], html }])]);
}

/** Blocks, or an empty paragraph where there are none. */
export function atLeastParagraph(nodes: readonly RichNode[]): readonly RichNode[] {
  return nodes.length === 0 ? [paragraphOf('')] : nodes;
}

/** A value of a document's data as text: whoever writes documents may put anything there, also objects that cannot be made text. */
export function wordOf(value: unknown): string {
  return typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';
}

/** The text of a node without marks; each block, cell and caption on a line of its own. */
export function plainTextOf(node: RichNode): string {
  if (node.object === 'text')
    return Array.isArray(node['leaves'])
      ? node['leaves'].map((leaf: { text?: unknown }) => wordOf(leaf?.text)).join('')
      : wordOf(node['text']);
  if (node.object === 'inline' && node.nodes === undefined) return inlineText(node);
  if (node.type === 'math') return wordOf(node.data?.['formula']);
  const inner = [...(node.nodes ?? []), ...(node.object === 'inline' ? [] : fragmentsOf(node))];
  const isLine = inner.every((child) => child.object === 'text' || child.object === 'inline');
  return inner.map(plainTextOf).join(isLine ? '' : '\n');
}

/** The text of several nodes without marks. */
export function plainText(nodes: readonly RichNode[]): string {
  return nodes.map(plainTextOf).join('');
}

function inlineText({ data = {} }: RichNode): string {
  const text = data['label'] ?? data['formula'] ?? data['expression'];
  return typeof text === 'string' ? text : '';
}

/** The leaves of a text node, with marks we know in their order. */
export function leavesOf(node: RichNode): Leaf[] {
  const given = Array.isArray(node['leaves'])
    ? (node['leaves'] as Record<string, unknown>[])
    : [{ text: node['text'] }];
  return given.map((leaf) => {
    const marks = Array.isArray(leaf?.['marks'])
      ? (leaf['marks'] as ({ type?: Mark; data?: Color } | null)[])
      : [];
    const color = marks.find((mark) => mark?.type === 'color')?.data;
    return {
      text: typeof leaf?.['text'] === 'string' ? leaf['text'] : '',
      marks: inMarkOrder(marks.map((mark) => mark?.type as Mark)),
      color,
      html: leaf?.['html'] === true,
    };
  });
}
