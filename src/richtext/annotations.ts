import type { RichNode } from '../contract/shapes.ts';
import { fragment, leavesOf, textNode, textOf } from './nodes.ts';
import type { Leaf } from './marks.ts';

/** Maximum number of notes on a page. A note with several references counts once per reference. */
const maxNotes = 200;
const reference = /\[\^([^\]\s]{1,100})\]/;
const definition = /^\[\^([^\]\s]{1,100})\]: ?/;

/** The address of a note in a link, as GitBook writes it. */
const noteAddress = /\buser-content-fn-([^"\s]{1,100})"/;

/**
 * Converts footnotes of Markdown to annotations: in `[a word](#user-content-fn-1)[^1]`, and in the link alone, which HTML tables
 * have, the word opens the note. For a reference alone, its name does. Notes without a reference do not change, but empty ones are
 * left out. References without a note do not change.
 */
export function withAnnotations(nodes: readonly RichNode[]): readonly RichNode[] {
  const notes = new Map<string, RichNode>();
  for (const node of nodes) {
    const found = definitionOf(node);
    if (found !== undefined && !notes.has(found.name)) notes.set(found.name, found.note);
  }
  if (notes.size === 0) return nodes;
  const used = new Set<string>();
  let count = 0;
  const open = (name: string, content: readonly RichNode[]): RichNode | undefined => {
    const note = notes.get(name);
    if (note === undefined || ++count > maxNotes) return undefined;
    used.add(name);
    return {
      object: 'inline',
      type: 'annotation',
      nodes: [...content],
      fragments: [fragment('annotation-body', [note])],
    };
  };
  const changed = nodes.map((node) => (definitionOf(node) === undefined ? annotate(node, open) : node));
  return changed.filter((node) => {
    const { name, note } = definitionOf(node) ?? {};
    return name === undefined || (!used.has(name) && !isEmpty(note?.nodes));
  });
}

type OpenNote = (name: string, content: readonly RichNode[]) => RichNode | undefined;

/** Returns the name and the text of a note; undefined for other nodes. The parser keeps notes as paragraphs. */
function definitionOf(node: RichNode): { readonly name: string; readonly note: RichNode } | undefined {
  const [first, ...rest] = node.type === 'paragraph' ? (node.nodes ?? []) : [];
  if (first?.object !== 'text') return undefined;
  const [leaf, ...leaves] = leavesOf(first);
  const [mark = '', name] = definition.exec(leaf?.text ?? '') ?? [];
  if (leaf === undefined || name === undefined) return undefined;
  const text = textNode([{ ...leaf, text: leaf.text.slice(mark.length) }, ...leaves]);
  return { name, note: { ...node, nodes: [text, ...rest] } };
}

function annotate(node: RichNode, open: OpenNote): RichNode {
  const { nodes } = node;
  const fragments = Array.isArray(node['fragments']) ? (node['fragments'] as RichNode[]) : undefined;
  return {
    ...node,
    ...(nodes === undefined || node.type === 'code' ? {} : { nodes: annotateAll(nodes, open) }),
    ...(fragments === undefined ? {} : { fragments: fragments.map((each) => annotate(each, open)) }),
  };
}

function annotateAll(nodes: readonly RichNode[], open: OpenNote): RichNode[] {
  const made: RichNode[] = [];
  for (const [index, node] of nodes.entries()) {
    const name = noteOf(node);
    const isAlone = name !== undefined && !textOf([nodes[index + 1] ?? node]).startsWith('[^');
    if (node.object === 'text') made.push(...annotateText(node, made, open));
    else made.push((isAlone ? open(name, node.nodes ?? []) : undefined) ?? annotate(node, open));
  }
  return made;
}

/** Returns the name of the note that a link leads to. */
function noteOf(node: RichNode | undefined): string | undefined {
  return node?.type === 'link' ? noteAddress.exec(JSON.stringify(node.data ?? {}))?.[1] : undefined;
}

function isEmpty(nodes: readonly RichNode[] = []): boolean {
  return nodes.every(({ object }) => object === 'text') && textOf(nodes).trim() === '';
}

/** Replaces the references in a text. A reference directly after a link belongs to the text of the link. */
function annotateText(node: RichNode, before: RichNode[], open: OpenNote): RichNode[] {
  const made: RichNode[] = [];
  let leaves: Leaf[] = [];
  const flush = (): void => {
    if (leaves.length > 0) made.push(textNode(leaves));
    leaves = [];
  };
  for (const [index, leaf] of leavesOf(node).entries()) {
    let rest = leaf.marks.includes('code') ? '' : leaf.text;
    let kept = leaf.marks.includes('code') ? leaf.text : '';
    for (let found = reference.exec(rest); found !== null; found = reference.exec(rest)) {
      const [mark, name = ''] = found;
      const link =
        index === 0 && found.index === 0 && kept === '' && made.length === 0 ? before.at(-1) : undefined;
      const isOwn = noteOf(link) !== undefined;
      const note = open(
        name,
        isOwn ? (link?.nodes ?? []) : [textNode([{ text: name, marks: ['superscript'] }])],
      );
      kept += rest.slice(0, note === undefined ? found.index + mark.length : found.index);
      rest = rest.slice(found.index + mark.length);
      if (note === undefined) continue;
      if (isOwn) before.pop();
      if (kept !== '') leaves.push({ ...leaf, text: kept });
      kept = '';
      flush();
      made.push(note);
    }
    if (kept + rest !== '') leaves.push({ ...leaf, text: kept + rest });
  }
  flush();
  return made;
}
