import { emojiText } from '../contract/emoji.ts';
import type { PhrasingContent } from 'mdast';
import type { RichNode } from '../contract/shapes.ts';
import { openTag } from './html.ts';
import { joinLeaves, markOrder, markTags, styleOf, type Leaf, type Mark } from './marks.ts';
import { leavesOf, textOfValue } from './nodes.ts';
import { addressOf } from './references.ts';
import { buttonTagOf, formulaOf, htmlTagOf, imageTagOf } from './write-html.ts';

/**
 * Writes the inline nodes of a block as Markdown content. Unknown nodes are replaced by their text. Spaces at the edges of the
 * block that are bold, italic or deleted are left out.
 */
export function writeInlines(nodes: readonly RichNode[]): PhrasingContent[] {
  return writeNodes(nodes, undefined);
}

/** `outer` is the text beside the first and the last node. It is undefined at the edges of a block. */
function writeNodes(nodes: readonly RichNode[], outer: Leaf | undefined): PhrasingContent[] {
  const content: PhrasingContent[][] = [];
  let leaves: Leaf[][] = [];
  // Adjacent texts are written together, because a mark cannot end and start again between them.
  let before: RichNode | undefined;
  const flush = (after?: RichNode) => {
    const [first, last] = [edgeOf(before, -1, outer), edgeOf(after, 0, outer)];
    const own = withoutOuterSpaces(joinLeaves(leaves.flat()), first, last);
    content.push(writeLeaves(joinLeaves(own), 0));
    leaves = [];
    before = after;
  };
  for (const node of nodes) {
    if (node.object === 'text') {
      leaves.push(leavesOf(node));
      continue;
    }
    flush(node);
    content.push(writeInline(node));
  }
  flush();
  return content.flat();
}

function writeInline(node: RichNode): PhrasingContent[] {
  const { data = {} } = node;
  const address = addressOf(data['ref']);
  switch (node.type) {
    case 'link':
      return [
        {
          type: 'link',
          url: address,
          ...(typeof data['title'] === 'string' ? { title: data['title'] } : {}),
          children: writeNodes(node.nodes ?? [], plainLeaf),
        },
      ];
    case 'mention':
      return [
        {
          type: 'link',
          url: address,
          title: 'mention',
          children: [{ type: 'text', value: textOfValue(data['label']) || address }],
        },
      ];
    case 'inline-image':
    case 'image':
      return [typeof data['size'] === 'string' ? { type: 'html', value: imageTagOf(node) } : imageOf(node)];
    case 'inline-math':
      return [{ type: 'mathText', value: formulaOf(data['formula']) }];
    case 'emoji':
      return [{ type: 'text', value: emojiText(data['code']) }];
    case 'button':
      return [
        { type: 'html', value: buttonTagOf(node) },
        { type: 'text', value: textOfValue(data['label']) },
        { type: 'html', value: '</a>' },
      ];
    default: {
      const html = htmlTagOf(node);
      return html === undefined ? writeNodes(node.nodes ?? [], plainLeaf) : [{ type: 'html', value: html }];
    }
  }
}

/** Returns an image, inline or as a block. */
export function imageOf({ data = {} }: RichNode): PhrasingContent {
  const { alt, caption } = data;
  return {
    type: 'image',
    url: addressOf(data['ref']),
    ...(typeof alt === 'string' ? { alt } : {}),
    ...(typeof caption === 'string' ? { title: caption } : {}),
  };
}

/** Marks of Markdown that cannot start or end beside a space. */
const spacelessMarks: ReadonlySet<Mark> = new Set(['strikethrough', 'bold', 'italic']);

/** Moves spaces at the edges of bold, italic and deleted text out of it: `**Note:** text` instead of `**Note:&#x20;**text`. */
function withoutOuterSpaces(
  leaves: readonly Leaf[],
  first: Leaf | undefined,
  last: Leaf | undefined,
): Leaf[] {
  return leaves.flatMap((leaf, index) => {
    const { text, marks, html } = leaf;
    if (html === true || marks.includes('code') || !/^ | $/.test(text)) return [leaf];
    const edge = (space: string, beside: readonly (Leaf | undefined)[]): Leaf => {
      const kept = marks.filter(
        (mark) => !spacelessMarks.has(mark) || beside.every((other) => other?.marks.includes(mark)),
      );
      const isDropped = kept.length < marks.length && beside.includes(undefined);
      return { ...leaf, text: isDropped ? '' : space, marks: kept };
    };
    const [before, after] = [leaves[index - 1] ?? first, leaves[index + 1] ?? last];
    const rest = text.replace(/^ +/, '');
    const word = rest.trimEnd() === rest ? rest : rest.replace(/(?<! ) +$/, '');
    const parts =
      rest === ''
        ? [edge(text, [before, after])]
        : [
            edge(text.slice(0, text.length - rest.length), [before]),
            { ...leaf, text: word },
            edge(rest.slice(word.length), [after]),
          ];
    return parts.filter((part) => part.text !== '');
  });
}

const plainLeaf: Leaf = { text: '', marks: [] };

/** Returns the first or the last text in a link; a text without marks if there is none. Without a node, returns `outer`. */
function edgeOf(node: RichNode | undefined, at: 0 | -1, outer: Leaf | undefined): Leaf | undefined {
  if (node === undefined) return outer;
  const inner = node.nodes?.at(at);
  return (inner?.object === 'text' ? leavesOf(inner).at(at) : undefined) ?? plainLeaf;
}

/** Applies each mark to the longest sequence of leaves that have it, the outermost mark first. */
function writeLeaves(leaves: readonly Leaf[], level: number): PhrasingContent[] {
  const mark = markOrder[level];
  if (mark === undefined)
    return leaves.flatMap((leaf, index) =>
      leaf.html === true ? [{ type: 'html', value: leaf.text }] : writeText(leaf.text, leaves, index),
    );
  const lookOf = (leaf: Leaf) =>
    !leaf.marks.includes(mark) ? '' : mark === 'color' ? styleOf(leaf.color) : mark;
  const content: PhrasingContent[][] = [];
  let run: Leaf[] = [];
  let look = '';
  const endRun = () => {
    if (run.length > 0)
      content.push(look === '' ? writeLeaves(run, level + 1) : writeMark(mark, look, run, level));
  };
  for (const leaf of leaves) {
    const own = lookOf(leaf);
    if (own === look) run.push(leaf);
    else {
      endRun();
      [run, look] = [[leaf], own];
    }
  }
  endRun();
  return content.flat();
}

function writeMark(mark: Mark, look: string, run: readonly Leaf[], level: number): PhrasingContent[] {
  if (mark === 'code') {
    const text = run.map((leaf) => leaf.text).join('');
    return [{ type: 'inlineCode', value: text.replaceAll('\n', ' ') }];
  }
  const children = writeLeaves(run, level + 1);
  if (mark === 'bold' || mark === 'italic')
    return [{ type: mark === 'bold' ? 'strong' : 'emphasis', children }];
  if (mark === 'strikethrough') return [{ type: 'delete', children }];
  return [
    { type: 'html', value: openTag(markTags[mark], mark === 'color' ? { style: look } : {}) },
    ...children,
    { type: 'html', value: `</${markTags[mark]}>` },
  ];
}

/** Writes a text. A line break is `\` at the end of a line between words, and `<br>` if that could mean something else. */
function writeText(text: string, leaves: readonly Leaf[], place: number): PhrasingContent[] {
  const lines = text.split('\n');
  return lines.flatMap((value, index): PhrasingContent[] => {
    const isBetweenWords =
      /\S/.test(lines[index - 1] ?? '') && /^[\p{L}\p{N}]/u.test(value) && leaves[place] !== undefined;
    const before: PhrasingContent[] =
      index === 0 ? [] : [isBetweenWords ? { type: 'break' } : { type: 'html', value: '<br>' }];
    return [...before, ...writeNotes(value)];
  });
}

/** The label of a footnote, as a reference to it is written. */
export const footnoteLabel = /\[\^([\p{L}\p{N}.:_-]{1,100})\]/u;

/** A text in one line; references to footnotes in it are not escaped. */
function writeNotes(text: string): PhrasingContent[] {
  return text.split(footnoteLabel).flatMap((value, index): PhrasingContent[] => {
    if (index % 2 === 1) return [{ type: 'footnoteReference', identifier: value, label: value }];
    return value === '' ? [] : [{ type: 'text', value }];
  });
}

/** Replaces line breaks by tags, because headings and rows are on one line. */
export function oneLine(node: PhrasingContent): PhrasingContent {
  if (node.type === 'break') return { type: 'html', value: '<br>' };
  return 'children' in node ? { ...node, children: node.children.map(oneLine) } : node;
}
