import type { PhrasingContent } from 'mdast';
import type { RichNode } from '../contract/shapes.ts';
import { inMarkOrder, joinLeaves, markOrder, markTags, type Leaf, type Mark } from './marks.ts';
import { addressOf } from './references.ts';

/** Inline nodes as Markdown content; what is unknown gives its text. */
export function writeInlines(nodes: readonly RichNode[]): PhrasingContent[] {
  const content: PhrasingContent[] = [];
  let leaves: Leaf[] = [];
  // Neighbouring texts are one run: a mark that ends and begins again between them cannot be written.
  const flush = () => {
    content.push(...writeLeaves(joinLeaves(leaves), 0));
    leaves = [];
  };
  for (const node of nodes) {
    if (node.object === 'text') {
      leaves.push(...leavesOf(node));
      continue;
    }
    flush();
    if (node.type === 'link') content.push({ type: 'link', url: addressOf(node.data?.['ref']), children: writeInlines(node.nodes ?? []) as never });
    else if (node.type === 'inline-image' || node.type === 'image') content.push(imageOf(node));
    else content.push(...writeInlines(node.nodes ?? []));
  }
  flush();
  return content;
}

/** An image, inline or as a block. */
export function imageOf({ data }: RichNode): PhrasingContent {
  const alt = data?.['alt'];
  return { type: 'image', url: addressOf(data?.['ref']), ...(typeof alt === 'string' ? { alt } : {}) };
}

/** Puts each mark round the longest run of leaves that have it, the outermost mark first. */
function writeLeaves(leaves: readonly Leaf[], level: number): PhrasingContent[] {
  const mark = markOrder[level];
  if (mark === undefined) return leaves.flatMap(({ text }) => writeText(text));
  const content: PhrasingContent[] = [];
  for (let start = 0; start < leaves.length;) {
    const marked = leaves[start]!.marks.includes(mark);
    let end = start + 1;
    while (end < leaves.length && leaves[end]!.marks.includes(mark) === marked) end++;
    const run = leaves.slice(start, end);
    content.push(...(marked ? writeMark(mark, run, level) : writeLeaves(run, level + 1)));
    start = end;
  }
  return content;
}

function writeMark(mark: Mark, run: readonly Leaf[], level: number): PhrasingContent[] {
  if (mark === 'code')
    return [
      {
        type: 'inlineCode',
        value: run
          .map((leaf) => leaf.text)
          .join('')
          .replaceAll('\n', ' '),
      },
    ];
  const children = writeLeaves(run, level + 1);
  const tag = markTags[mark];
  if (tag !== undefined) return [{ type: 'html', value: `<${tag}>` }, ...children, { type: 'html', value: `</${tag}>` }];
  return [{ type: mark === 'bold' ? 'strong' : mark === 'italic' ? 'emphasis' : 'delete', children }];
}

function writeText(text: string): PhrasingContent[] {
  return text
    .split('\n')
    .flatMap((value, index): PhrasingContent[] => [...(index === 0 ? [] : [{ type: 'break' as const }]), ...(value === '' ? [] : [{ type: 'text' as const, value }])]);
}

function leavesOf(node: RichNode): Leaf[] {
  const given = Array.isArray(node['leaves']) ? (node['leaves'] as { text?: unknown; marks?: unknown }[]) : [{ text: node['text'] }];
  return given.map(({ text, marks }: { text?: unknown; marks?: unknown }) => ({
    text: typeof text === 'string' ? text : '',
    marks: inMarkOrder(Array.isArray(marks) ? marks.map((mark: { type?: Mark }) => mark?.type as Mark) : []),
  }));
}
