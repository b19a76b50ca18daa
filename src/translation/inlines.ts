import type { RichNode } from '../contract/shapes.ts';
import { joinLeaves, type Leaf } from '../richtext/marks.ts';
import { leavesOf, plainText, textNode } from '../richtext/nodes.ts';
import { hasWords, type Piece, type Protector } from './pieces.ts';

/** Inline content that a translation keeps: a node, a text with its marks, or a link, a label or marks around words. */
export type KeptInline =
  | { readonly node: RichNode }
  | { readonly leaf: Leaf }
  | { readonly look: Omit<Leaf, 'text'> }
  | { readonly link: RichNode }
  | { readonly label: RichNode };

/** Splits inline nodes into pieces. Words are translated; code, HTML, images, formulas and link targets are kept. */
export function piecesOfInlines(nodes: readonly RichNode[], protect: Protector): Piece<KeptInline>[] {
  return nodes.flatMap((node): Piece<KeptInline>[] => {
    if (node.object === 'text') return leavesOf(node).flatMap((leaf) => piecesOfLeaf(leaf, protect));
    if (node.nodes !== undefined) {
      const inner = piecesOfInlines(node.nodes, protect);
      return [hasWords(inner) ? { around: { link: node }, inner } : { keep: { node } }];
    }
    const label = node.data?.['label'];
    if (typeof label === 'string' && label !== '')
      return [{ around: { label: node }, inner: piecesOfLeaf({ text: label, marks: [] }, protect) }];
    return [{ keep: { node } }];
  });
}

function piecesOfLeaf(leaf: Leaf, protect: Protector): Piece<KeptInline>[] {
  const { text, ...look } = leaf;
  if (text === '') return [];
  if (leaf.html === true || leaf.marks.includes('code')) return [{ keep: { leaf } }];
  const pieces = protect(text).map((piece): Piece<KeptInline> =>
    'text' in piece ? piece : { keep: { leaf: { ...look, text: piece.keep } } },
  );
  const isWordless = pieces.every((piece) => 'keep' in piece);
  return look.marks.length === 0 || isWordless ? pieces : [{ around: { look }, inner: pieces }];
}

/** Builds inline nodes from pieces. */
export function inlinesOfPieces(pieces: readonly Piece<KeptInline>[]): RichNode[] {
  const nodes: RichNode[] = [];
  let leaves: Leaf[] = [];
  const flush = (): void => {
    const joined = joinLeaves(leaves);
    if (joined.length > 0) nodes.push(textNode(joined));
    leaves = [];
  };
  const walk = (each: readonly Piece<KeptInline>[], look: Omit<Leaf, 'text'>): void => {
    for (const piece of each) {
      if ('text' in piece) leaves.push({ ...look, text: piece.text });
      else if ('inner' in piece) {
        if ('look' in piece.around) walk(piece.inner, piece.around.look);
        else {
          flush();
          nodes.push(nodeAround(piece.around, piece.inner));
        }
      } else if ('leaf' in piece.keep) leaves.push(piece.keep.leaf);
      else if ('node' in piece.keep) {
        flush();
        nodes.push(piece.keep.node);
      }
    }
  };
  walk(pieces, { marks: [] });
  flush();
  return nodes.length === 0 ? [textNode([{ text: '', marks: [] }])] : nodes;
}

function nodeAround(around: KeptInline, inner: readonly Piece<KeptInline>[]): RichNode {
  const nodes = inlinesOfPieces(inner);
  if ('link' in around) return { ...around.link, nodes };
  const { label: node } = around as { label: RichNode };
  return { ...node, data: { ...node.data, label: plainText(nodes) } };
}
