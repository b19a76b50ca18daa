import type { PhrasingContent, Root, RootContent } from 'mdast';

const definition = /^\[\^([a-z0-9-]{1,60})\]: (?=\S|$)/;
const reference = /(?<![!\\])\[\^([a-z0-9-]{1,60})\](?![:([])/;

/**
 * Makes footnotes of texts such as `[^1]` and of paragraphs that begin with `[^1]: `, as documents hold footnotes. A text without
 * a definition at the top level stays a text, whose bracket is escaped.
 */
export function withFootnotes(root: Root): Root {
  const labels = new Set(root.children.flatMap((node) => labelOf(node) ?? []));
  return labels.size === 0
    ? root
    : { ...root, children: root.children.map((node) => defineNote(annotate(node, labels))) };
}

function labelOf(node: RootContent): string | undefined {
  const first = node.type === 'paragraph' ? node.children[0] : undefined;
  return first?.type === 'text' ? definition.exec(first.value)?.[1] : undefined;
}

function defineNote(node: RootContent): RootContent {
  const label = labelOf(node);
  if (label === undefined || node.type !== 'paragraph') return node;
  const [first, ...rest] = node.children;
  const text = first?.type === 'text' ? first.value.replace(definition, '') : '';
  const children: PhrasingContent[] = [
    ...(text === '' ? [] : [{ type: 'text' as const, value: text }]),
    ...rest,
  ];
  if (children.length === 0) return node;
  return {
    type: 'footnoteDefinition',
    identifier: label,
    label,
    children: [{ type: 'paragraph', children }],
  };
}

/** Replaces the references in the texts of a node, except in links. */
function annotate<N extends RootContent>(node: N, labels: ReadonlySet<string>): N {
  if (!('children' in node) || node.type === 'link') return node;
  const children = (node.children as RootContent[]).flatMap((child): RootContent[] =>
    child.type === 'text' ? referencesIn(child.value, labels) : [annotate(child, labels)],
  );
  return { ...node, children };
}

function referencesIn(text: string, labels: ReadonlySet<string>): PhrasingContent[] {
  const parts: PhrasingContent[] = [];
  let from = 0;
  for (const { 0: mark, 1: label = '', index } of text.matchAll(new RegExp(reference, 'g'))) {
    if (!labels.has(label)) continue;
    if (index > from) parts.push({ type: 'text', value: text.slice(from, index) });
    parts.push({ type: 'footnoteReference', identifier: label, label });
    from = index + mark.length;
  }
  if (from < text.length) parts.push({ type: 'text', value: text.slice(from) });
  return parts;
}
