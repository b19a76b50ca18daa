import type { Definition, PhrasingContent } from 'mdast';
import type { RichNode } from '../contract/shapes.ts';
import { inMarkOrder, joinLeaves, tagMarks, type Leaf, type Mark } from './marks.ts';
import { refOf } from './references.ts';

export type Definitions = ReadonlyMap<string, Definition>;
type Piece = Leaf | { readonly inline: RichNode };

/** The inline nodes of a block: texts with marks, links and images; never none. */
export function readInlines(content: readonly PhrasingContent[], definitions: Definitions): RichNode[] {
  return nodesOf(piecesOf(content, [], definitions));
}

function piecesOf(content: readonly PhrasingContent[], outer: readonly Mark[], definitions: Definitions): Piece[] {
  const marks = new Set(outer);
  const pieces: Piece[] = [];
  const inner = (children: readonly PhrasingContent[], mark: Mark) => pieces.push(...piecesOf(children, [...marks, mark], definitions));
  const text = (value: string, more: readonly Mark[] = []) => pieces.push({ text: value, marks: inMarkOrder([...marks, ...more]) });
  for (const node of content) {
    switch (node.type) {
      case 'strong':
        inner(node.children, 'bold');
        break;
      case 'emphasis':
        inner(node.children, 'italic');
        break;
      case 'delete':
        inner(node.children, 'strikethrough');
        break;
      case 'inlineCode':
        text(node.value, ['code']);
        break;
      case 'text':
        text(node.value.replace(/\r?\n|\r/g, ' '));
        break;
      case 'break':
        text('\n');
        break;
      case 'html': {
        const [, closing, tag] = /^<(\/?)(kbd|sup|sub)>$/.exec(node.value) ?? [];
        if (tag === undefined) text(node.value);
        else if (closing === '') marks.add(tagMarks[tag]!);
        else marks.delete(tagMarks[tag]!);
        break;
      }
      case 'link':
        pieces.push({ inline: linkTo(node.url, piecesOf(node.children, [...marks], definitions)) });
        break;
      case 'image':
        pieces.push({ inline: imageAt(node.url, node.alt) });
        break;
      case 'linkReference': {
        const children = piecesOf(node.children, [...marks], definitions);
        const target = definitions.get(node.identifier)?.url;
        pieces.push(...(target === undefined ? children : [{ inline: linkTo(target, children) }]));
        break;
      }
      case 'imageReference': {
        const target = definitions.get(node.identifier)?.url;
        if (target === undefined) text(node.alt ?? '');
        else pieces.push({ inline: imageAt(target, node.alt) });
        break;
      }
      case 'footnoteReference':
        text(`[^${node.identifier}]`);
        break;
    }
  }
  return pieces;
}

function linkTo(url: string, pieces: readonly Piece[]): RichNode {
  return { object: 'inline', type: 'link', isVoid: false, data: { ref: refOf(url) }, nodes: nodesOf(pieces) };
}

function imageAt(url: string, alt: string | null | undefined): RichNode {
  return { object: 'inline', type: 'inline-image', isVoid: true, data: { ref: refOf(url), ...(alt ? { alt } : {}) } };
}

/** Text nodes out of runs of leaves, and the inlines between them. */
function nodesOf(pieces: readonly Piece[]): RichNode[] {
  const nodes: RichNode[] = [];
  let leaves: Leaf[] = [];
  const flush = () => {
    const joined = joinLeaves(leaves);
    if (joined.length > 0) nodes.push(textNode(joined));
    leaves = [];
  };
  for (const piece of pieces) {
    if ('text' in piece) leaves.push(piece);
    else {
      flush();
      nodes.push(piece.inline);
    }
  }
  flush();
  return nodes.length === 0 ? [textNode([{ text: '', marks: [] }])] : nodes;
}

/** A text node of these leaves. */
export function textNode(leaves: readonly Leaf[]): RichNode {
  return { object: 'text', leaves: leaves.map(({ text, marks }) => ({ object: 'leaf', text, marks: marks.map((type) => ({ object: 'mark', type })) })) };
}
