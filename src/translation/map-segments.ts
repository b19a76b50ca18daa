import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { defined, isObject, recordOf } from '../contract/values.ts';
import { leavesOf, plainText } from '../richtext/nodes.ts';
import { inlinesOfPieces, piecesOfInlines, type KeptInline } from './inlines.ts';
import { hasWords, type Piece, type Protector } from './pieces.ts';

/** Translates the words of a segment. Returns the pieces unchanged if there is no translation. */
type TranslatePieces = (pieces: readonly Piece<KeptInline>[]) => readonly Piece<KeptInline>[];

/** Blocks whose content is not prose. Only their `textFields` are translated. */
const wordlessBlocks = new Set(['code', 'math', 'divider', 'reusable-content', 'integration']);
/** The fields of blocks and inline nodes that contain prose. */
const textFields: ReadonlyMap<string, readonly string[]> = new Map([
  ['image', ['alt']],
  ['inline-image', ['alt', 'caption']],
  ['drawing', ['alt']],
  ['tabs-item', ['title']],
  ['content-ref', ['label']],
  ['prompt', ['description']],
  ['code', ['title']],
]);
/** A title of code that is a file name, a command or an address: one word with a special character. */
const codeNamePattern = /^[^\s]*[./\\_@:=<>$][^\s]*$/;

/** Translates each segment of a document: a paragraph, a heading, a cell, a caption or a title. Keeps everything else. */
export function mapSegments(
  document: RichDocumentValue,
  protect: Protector,
  translate: TranslatePieces,
): RichDocumentValue {
  return { ...document, nodes: document.nodes.map(mapNode) };

  function mapNode(node: RichNode): RichNode {
    if (wordlessBlocks.has(node.type ?? '')) return mapData(node);
    const fragments = node['fragments'] as readonly RichNode[] | undefined;
    const mapped: RichNode = {
      ...mapData(node),
      ...defined({ nodes: node.nodes && mapNodes(node.nodes), fragments: fragments?.map(mapNode) }),
    };
    return node.type === 'table' ? mapTable(node, mapped) : mapped;
  }

  function mapNodes(nodes: readonly RichNode[]): readonly RichNode[] {
    if (!nodes.some((node) => node.object === 'text' || node.object === 'inline')) return nodes.map(mapNode);
    const pieces = piecesOfInlines(nodes.map(mapImages), protect);
    if (!hasWords(pieces)) return inlinesOfPieces(pieces);
    return inlinesOfPieces(translate(pieces));
  }

  /** Translates the words of inline images, including those in links. */
  function mapImages(node: RichNode): RichNode {
    if (node.object !== 'inline') return node;
    return node.nodes === undefined ? mapData(node) : { ...node, nodes: node.nodes.map(mapImages) };
  }

  function mapData(node: RichNode): RichNode {
    const { type = '', data } = node;
    if (data === undefined) return node;
    const translated: Record<string, unknown> = { ...data };
    for (const name of textFields.get(type) ?? []) {
      const text = data[name];
      if (typeof text === 'string' && !(type === 'code' && codeNamePattern.test(text.trim())))
        translated[name] = mapText(text);
    }
    return { ...node, data: translated };
  }

  function mapText(text: string): string {
    return plainText(mapNodes([{ object: 'text', text }])) || text;
  }

  /** Translates the titles of the columns. A title with a fragment gets the words of the fragment. */
  function mapTable(before: RichNode, node: RichNode): RichNode {
    const definition = before.data?.['definition'];
    if (!isObject(definition)) return node;
    const fragments = (node['fragments'] as readonly RichNode[] | undefined) ?? [];
    const columns: Record<string, unknown> = { ...definition };
    for (const [id, column] of Object.entries(columns)) {
      const { title } = recordOf(column);
      if (typeof title !== 'string') continue;
      const head = fragments.find((each) => each['fragment'] === `title-${id}`)?.nodes;
      const text = head && plainText(head.flatMap((each) => each.nodes ?? [])).trim();
      columns[id] = { ...(column as object), title: text ?? mapText(title) };
    }
    return { ...node, data: { ...node.data, definition: columns } };
  }
}

/** Returns the structure of a document without its words. It is equal for a text and its translation. */
export function skeletonOf(nodes: readonly RichNode[]): string {
  return JSON.stringify(nodes.map(structureOf));
}

function structureOf(node: RichNode): unknown {
  if (node.object === 'text') {
    const leaves = leavesOf(node).map(({ text, marks, color, html }) => [
      html === true || marks.includes('code') ? text : '',
      marks,
      marks.includes('color') ? color : null,
    ]);
    // A translation may add or remove a space between two marks.
    return leaves.filter(([text, marks]) => text !== '' || (marks as readonly string[]).length > 0);
  }
  const { key: _key, nodes, fragments, ...rest } = node as RichNode & { fragments?: readonly RichNode[] };
  const inner = (each: readonly RichNode[] | undefined) =>
    each?.map(structureOf).filter((bones) => !Array.isArray(bones) || bones.length > 0);
  return { ...rest, nodes: inner(nodes), fragments: inner(fragments) };
}
