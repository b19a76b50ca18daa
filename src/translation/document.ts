import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { leavesOf, plainText } from '../richtext/nodes.ts';
import { inlinesOfPieces, piecesOfInlines, type Kept } from './inlines.ts';
import { hasWords, type Piece, type Protect } from './pieces.ts';

/** Gives the pieces of a segment with other words, or as they are. */
export type Translate = (pieces: readonly Piece<Kept>[]) => readonly Piece<Kept>[];

/** Blocks in which nothing is said to people, but by the title that some have. */
const silent = new Set(['code', 'math', 'divider', 'reusable-content', 'integration']);
/** Fields of blocks and inlines that are words. */
const spoken: Readonly<Record<string, readonly string[]>> = {
  image: ['alt'],
  'inline-image': ['alt', 'caption'],
  drawing: ['alt'],
  'tabs-item': ['title'],
  'content-ref': ['label'],
  prompt: ['description'],
  code: ['title'],
};
/** A title of code that is the name of a file, a command or an address: one word with a sign in it. */
const nameOfCode = /^[^\s]*[./\\_@:=<>$][^\s]*$/;

/** A document with the words of each segment (a paragraph, a heading, a cell, a caption, a title) translated; all else stays. */
export function mapSegments(
  document: RichDocumentValue,
  protect: Protect,
  translate: Translate,
): RichDocumentValue {
  return { ...document, nodes: document.nodes.map(mapNode) };

  function mapNode(node: RichNode): RichNode {
    if (silent.has(node.type ?? ''))
      return node.data === undefined ? node : { ...node, data: mapData(node.type ?? '', node.data) };
    const fragments = node['fragments'] as readonly RichNode[] | undefined;
    const mapped: RichNode = {
      ...node,
      ...(node.data === undefined ? {} : { data: mapData(node.type ?? '', node.data) }),
      ...(node.nodes === undefined ? {} : { nodes: mapNodes(node.nodes) }),
      ...(fragments === undefined ? {} : { fragments: fragments.map(mapNode) }),
    };
    return node.type === 'table' ? mapTable(node, mapped) : mapped;
  }

  function mapNodes(nodes: readonly RichNode[]): readonly RichNode[] {
    if (!nodes.some((node) => node.object === 'text' || node.object === 'inline')) return nodes.map(mapNode);
    const pieces = piecesOfInlines(nodes.map(mapImages), protect);
    if (!hasWords(pieces)) return inlinesOfPieces(pieces);
    return inlinesOfPieces(translate(pieces));
  }

  /** Inline images with words of their own, in links too. */
  function mapImages(node: RichNode): RichNode {
    if (node.object !== 'inline') return node;
    if (node.nodes !== undefined) return { ...node, nodes: node.nodes.map(mapImages) };
    return node.data === undefined ? node : { ...node, data: mapData(node.type ?? '', node.data) };
  }

  function mapData(type: string, data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const fields = (Object.hasOwn(spoken, type) ? spoken[type]! : []).filter(
      (name) => typeof data[name] === 'string' && !(type === 'code' && nameOfCode.test(data[name].trim())),
    );
    return fields.length === 0
      ? data
      : { ...data, ...Object.fromEntries(fields.map((name) => [name, mapText(data[name] as string)])) };
  }

  function mapText(text: string): string {
    return plainText(mapNodes([{ object: 'text', text }])) || text;
  }

  /** The title of a column, which is that of its fragment where it has one. */
  function mapTable(before: RichNode, node: RichNode): RichNode {
    const definition = before.data?.['definition'];
    if (typeof definition !== 'object' || definition === null) return node;
    const fragments = (node['fragments'] as readonly RichNode[] | undefined) ?? [];
    const columns = Object.entries(definition as Record<string, { readonly title?: unknown }>).map(
      ([id, column]) => {
        if (typeof column?.title !== 'string') return [id, column];
        const head = fragments.find((each) => each['fragment'] === `title-${id}`)?.nodes;
        return [
          id,
          {
            ...column,
            title:
              head === undefined
                ? mapText(column.title)
                : plainText(head.flatMap((each) => each.nodes ?? [])).trim(),
          },
        ];
      },
    );
    return { ...node, data: { ...node.data, definition: Object.fromEntries(columns) } };
  }
}

/** What a document is apart from its words: equal for a text and its translation. */
export function skeletonOf(nodes: readonly RichNode[]): string {
  return JSON.stringify(nodes.map(bonesOf));
}

function bonesOf(node: RichNode): unknown {
  if (node.object === 'text') {
    const leaves = leavesOf(node).map(({ text, marks, color, html }) => [
      html === true || marks.includes('code') ? text : '',
      marks,
      marks.includes('color') ? color : null,
    ]);
    // A space between two marks may come or go.
    return leaves.filter(([text, marks]) => text !== '' || (marks as readonly string[]).length > 0);
  }
  const {
    key: _key,
    nodes,
    fragments,
    ...rest
  } = node as RichNode & { readonly fragments?: readonly RichNode[] };
  const inner = (each: readonly RichNode[] | undefined) =>
    each?.map(bonesOf).filter((bones) => !Array.isArray(bones) || bones.length > 0);
  return { ...rest, nodes: inner(nodes), fragments: inner(fragments) };
}
