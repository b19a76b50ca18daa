import type { Definition, PhrasingContent } from 'mdast';
import type { RichNode } from '../contract/shapes.ts';
import { pairElements } from './elements.ts';
import { colorOf, inMarkOrder, joinLeaves, tagMarks, type Color, type Leaf, type Mark } from './marks.ts';
import { textNode, voidInline } from './nodes.ts';
import { inlineOfElement, inlineOfTag } from './read-elements.ts';
import { refOf } from './references.ts';

export type Definitions = ReadonlyMap<string, Definition>;
type Piece = Leaf | { readonly inline: RichNode };
interface Look {
  readonly marks: readonly Mark[];
  readonly color?: Color | undefined;
}

/** The inline nodes of a block: texts with marks, links and images; never none. */
export function readInlines(content: readonly PhrasingContent[], definitions: Definitions): RichNode[] {
  return nodesOf(piecesOf(content, { marks: [] }, definitions));
}

function piecesOf(content: readonly PhrasingContent[], look: Look, definitions: Definitions): Piece[] {
  return pairElements(content).flatMap((node): Piece[] => {
    const inner = (children: readonly PhrasingContent[], mark: Mark) =>
      piecesOf(children, { ...look, marks: inMarkOrder([...look.marks, mark]) }, definitions);
    switch (node.type) {
      case 'strong':
        return inner(node.children, 'bold');
      case 'emphasis':
        return inner(node.children, 'italic');
      case 'delete':
        return inner(node.children, 'strikethrough');
      case 'inlineCode':
        return [
          leafOf(node.value.replace(/\r?\n|\r/g, ' '), {
            ...look,
            marks: inMarkOrder([...look.marks, 'code']),
          }),
        ];
      case 'text':
        return [leafOf(node.value.replace(/\r?\n|\r/g, ' '), look)];
      case 'break':
        return [breakOf(look)];
      case 'html':
        return htmlOf(node.value, look);
      case 'element':
        return elementOf(node, look, definitions);
      case 'mathText':
        return [{ inline: voidInline('inline-math', { formula: node.value }) }];
      case 'expressionText':
        return inlineOfElement({
          type: 'element',
          name: 'code',
          attributes: { class: 'expression' },
          open: '',
          close: '',
          children: [{ type: 'text', value: node.value }],
        }).map((inline) => ({ inline }));
      case 'link':
        return [{ inline: linkTo(node.url, node.title, piecesOf(node.children, look, definitions)) }];
      case 'image':
        return [{ inline: imageAt(node.url, node.alt, node.title) }];
      case 'linkReference': {
        const children = piecesOf(node.children, look, definitions);
        const target = definitions.get(node.identifier);
        return target === undefined ? children : [{ inline: linkTo(target.url, target.title, children) }];
      }
      case 'imageReference': {
        const target = definitions.get(node.identifier);
        return target === undefined
          ? [leafOf(node.alt ?? '', look)]
          : [{ inline: imageAt(target.url, node.alt, target.title) }];
      }
      case 'footnoteReference':
        return [leafOf(`[^${node.identifier}]`, look)];
    }
  });
}

/** Inline content between two HTML tags; tags that mean nothing here stay as they are. */
function elementOf(
  node: Extract<PhrasingContent, { type: 'element' }>,
  look: Look,
  definitions: Definitions,
): Piece[] {
  const inlines = inlineOfElement(node);
  if (inlines.length > 0) return inlines.map((inline) => ({ inline }));
  const { name, attributes, children } = node;
  const names = Object.keys(attributes);
  const color = name === 'mark' && names.join() === 'style' ? colorOf(attributes['style']) : undefined;
  if (color !== undefined)
    return piecesOf(children, { marks: inMarkOrder([...look.marks, 'color']), color }, definitions);
  const mark = Object.hasOwn(tagMarks, name) && names.length === 0 ? tagMarks[name] : undefined;
  if (mark !== undefined)
    return piecesOf(children, { ...look, marks: inMarkOrder([...look.marks, mark]) }, definitions);
  const href = attributes['href'];
  if (
    name === 'a' &&
    href !== undefined &&
    children.length > 0 &&
    names.every((key) => key === 'href' || key === 'title')
  )
    return [{ inline: linkTo(href, attributes['title'], piecesOf(children, look, definitions)) }];
  return [...htmlOf(node.open, look), ...piecesOf(children, look, definitions), ...htmlOf(node.close, look)];
}

/** One HTML tag or comment. */
function htmlOf(html: string, look: Look): Piece[] {
  const inline = inlineOfTag(html);
  if (inline === 'break') return [breakOf(look)];
  if (inline !== undefined) return [{ inline }];
  return [
    look.marks.includes('code')
      ? leafOf(html.replaceAll('\n', ' '), look)
      : { ...leafOf(html, look), html: true },
  ];
}

function leafOf(text: string, { marks, color }: Look): Leaf {
  return { text, marks, ...(marks.includes('color') ? { color } : {}) };
}

/** Code has no lines in a paragraph. */
function breakOf(look: Look): Leaf {
  return leafOf(look.marks.includes('code') ? ' ' : '\n', look);
}

function linkTo(url: string, title: string | null | undefined, pieces: readonly Piece[]): RichNode {
  const nodes = nodesOf(pieces);
  const ref = refOf(url);
  if (title === 'mention') {
    const label = nodes
      .map((node) =>
        node.object === 'text' ? (node['leaves'] as Leaf[]).map((leaf) => leaf.text).join('') : '',
      )
      .join('');
    return voidInline('mention', { ref, ...(label === url || label === '' ? {} : { label }) });
  }
  return { object: 'inline', type: 'link', isVoid: false, data: { ref, ...(title ? { title } : {}) }, nodes };
}

function imageAt(url: string, alt: string | null | undefined, caption: string | null | undefined): RichNode {
  return voidInline('inline-image', {
    ref: refOf(url),
    ...(alt ? { alt } : {}),
    ...(caption ? { caption } : {}),
  });
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
