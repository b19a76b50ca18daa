import type { Definition, Heading, List, Paragraph, PhrasingContent, RootContent } from 'mdast';
import type { RichNode } from '../contract/shapes.ts';
import { readTag } from './html.ts';
import { atLeastParagraph, block, fragment, paragraphOf, textNode, voidBlock } from './nodes.ts';
import { readHtmlBlock } from './read-html-blocks.ts';
import { readInlines, type Definitions } from './read-inlines.ts';
import { readSection, readTagAlone } from './read-sections.ts';
import { readTable } from './read-tables.ts';
import { splitTagLine } from './tags.ts';

/** The blocks of Markdown content, without keys. */
export function readBlocks(content: readonly RootContent[], definitions: Definitions): RichNode[] {
  return content.flatMap((node) => blocksOf(node, definitions));
}

/** Where reference links of the content lead, at whatever depth they are defined. */
export function definitionsOf(content: readonly RootContent[]): Definitions {
  const definitions = new Map<string, Definition>();
  const open: RootContent[] = [...content];
  for (const node of open) {
    if (node.type === 'definition' && !definitions.has(node.identifier))
      definitions.set(node.identifier, node);
    if (
      node.type === 'blockquote' ||
      node.type === 'list' ||
      node.type === 'listItem' ||
      node.type === 'section'
    )
      for (const child of node.children) open.push(child);
  }
  return definitions;
}

function blocksOf(node: RootContent, definitions: Definitions): RichNode[] {
  switch (node.type) {
    case 'paragraph':
      return [readParagraph(node, definitions)];
    case 'heading':
      return [headingOf(node, definitions)];
    case 'blockquote':
      return [block('blockquote', readBlocks(node.children, definitions))];
    case 'list':
      return [listOf(node, definitions)];
    case 'code':
      return [
        block(
          'code',
          node.value.split('\n').map((line) => block('code-line', [textNode([{ text: line, marks: [] }])])),
          node.lang ? { syntax: node.lang } : {},
        ),
      ];
    case 'thematicBreak':
      return [voidBlock('divider', {})];
    case 'table':
      return [readTable(node, definitions)];
    case 'mathBlock':
      return [voidBlock('math', { formula: node.value.trim() })];
    case 'html':
      return [readHtmlBlock(node.value) ?? paragraphOf(node.value, true)];
    case 'tagLine':
      return [readTagAlone(splitTagLine(node.value)[0]) ?? paragraphOf(node.value)];
    case 'summary':
      return [paragraphOf(node.raw, true)];
    case 'section': {
      const isHtml = node.name === 'details';
      const children = readBlocks(node.children, definitions);
      const read = readSection(node, children);
      return read === undefined
        ? [paragraphOf(node.open, isHtml), ...children, paragraphOf(node.close, isHtml)]
        : [read];
    }
    case 'footnoteDefinition': {
      const label = textNode([{ text: `[^${node.identifier}]: `, marks: [] }]);
      const [first, ...more] = node.children;
      if (first?.type !== 'paragraph')
        return [block('paragraph', [label]), ...readBlocks(node.children, definitions)];
      return [
        block('paragraph', [label, ...readInlines(first.children, definitions)]),
        ...readBlocks(more, definitions),
      ];
    }
    default:
      return [];
  }
}

/** A paragraph; an image or a formula that stands alone is a block of its own. */
function readParagraph(node: Paragraph, definitions: Definitions): RichNode {
  const inlines = readInlines(node.children, definitions);
  const [only] = inlines;
  if (inlines.length === 1 && only?.type === 'inline-image' && only.data?.['size'] === undefined) {
    const { caption, ...data } = only.data ?? {};
    const fragments = typeof caption === 'string' ? [fragment('caption', [paragraphOf(caption)])] : [];
    return block('images', [voidBlock('image', data, fragments)]);
  }
  if (inlines.length === 1 && only?.type === 'inline-math') return voidBlock('math', only.data ?? {});
  return block('paragraph', inlines);
}

/** A heading; those below the third keep their depth, and the anchor GitBook writes behind a heading is its id. */
function headingOf({ depth, children }: Heading, definitions: Definitions): RichNode {
  const id = anchorOf(children);
  const inlines = readInlines(id === undefined ? children : trimEnd(children.slice(0, -2)), definitions);
  return block(`heading-${Math.min(depth, 3)}`, inlines, {
    ...(depth > 3 ? { depth } : {}),
    ...(id === undefined ? {} : { id }),
  });
}

/** The id in `<a href="#id" id="id"></a>` at the end of a heading. */
function anchorOf(children: readonly PhrasingContent[]): string | undefined {
  const [open, close] = children.slice(-2);
  const tag =
    open?.type === 'html' && close?.type === 'html' && close.value === '</a>'
      ? readTag(open.value)
      : undefined;
  if (tag?.kind !== 'open' || tag.name !== 'a') return undefined;
  const { href, id, ...more } = tag.attributes;
  return id !== undefined && id !== '' && href === `#${id}` && Object.keys(more).length === 0
    ? id
    : undefined;
}

function trimEnd(children: readonly PhrasingContent[]): readonly PhrasingContent[] {
  const last = children.at(-1);
  return last?.type === 'text'
    ? [...children.slice(0, -1), { ...last, value: last.value.trimEnd() }]
    : children;
}

function listOf(node: List, definitions: Definitions): RichNode {
  const isTasks = node.children.some((item) => typeof item.checked === 'boolean');
  const items = node.children.map((item) =>
    block(
      'list-item',
      atLeastParagraph(readBlocks(item.children, definitions)),
      isTasks ? { checked: item.checked === true } : {},
    ),
  );
  if (isTasks) return block('list-tasks', items);
  return node.ordered === true
    ? block('list-ordered', items, { start: node.start ?? 1 })
    : block('list-unordered', items);
}
