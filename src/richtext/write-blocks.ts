import type { BlockContent, ListItem } from 'mdast';
import type { RichNode } from '../contract/shapes.ts';
import { openTag } from './html.ts';
import { hasMarks, htmlOfCode } from './html-code.ts';
import { htmlOfInlines } from './write-html.ts';
import { headingDepth, leavesOf, plainText, plainTextOf, textNode, textOfValue } from './nodes.ts';
import { writeHtmlBlock } from './write-html-blocks.ts';
import { footnoteLabel, imageOf, oneLine, writeInlines } from './write-inlines.ts';
import { writeSection } from './write-sections.ts';
import { writeTable } from './write-tables.ts';

/** Writes blocks as Markdown content. A block that Markdown does not support is replaced by its content. */
export function writeBlocks(nodes: readonly RichNode[]): BlockContent[] {
  return nodes.flatMap(writeBlock);
}

function writeBlock(node: RichNode): BlockContent[] {
  const inner = node.nodes ?? [];
  switch (node.type) {
    case 'paragraph':
      return alignedOf(node, 'p') ?? paragraphOf(inner);
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return alignedOf(node, `h${headingDepth(node)}`) ?? [headingOf(node)];
    case 'blockquote':
      return [{ type: 'blockquote', children: writeBlocks(inner) }];
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
      return [
        {
          type: 'list',
          spread: false,
          ordered: node.type === 'list-ordered',
          ...startOf(node),
          children: inner.map((item) => itemOf(item, node.type === 'list-tasks')),
        },
      ];
    case 'code':
      if (hasMarks(node)) return writeSection(node, [{ type: 'html', value: htmlOfCode(node) }]);
      return writeSection(node, [
        {
          type: 'code',
          ...(typeof node.data?.['syntax'] === 'string' ? { lang: node.data['syntax'] } : {}),
          value: inner.map(plainTextOf).join('\n'),
        },
      ]);
    case 'divider':
      return [{ type: 'thematicBreak' }];
    case 'math':
      return [
        {
          type: 'mathBlock',
          value: textOfValue(node.data?.['formula'])
            .trim()
            .replace(/[^\r\n\u2028\u2029]+/g, (line) =>
              line.trim() === '$$' ? line.replace('$$', () => '$ $') : line,
            ),
        },
      ];
    case 'images':
    case 'image':
    case 'drawing':
    case 'expandable':
      return (
        writeHtmlBlock(node, writeBlocks) ??
        (node.type === 'images' ? inner : [node]).map((image) => ({
          type: 'paragraph',
          children: [imageOf(image)],
        }))
      );
    case 'table':
      return writeTable(node, writeBlocks);
    default:
      return writeSection(
        node,
        inner.some((child) => child.object !== 'block')
          ? [{ type: 'paragraph', children: writeInlines(inner) }]
          : writeBlocks(inner),
      );
  }
}

/** Writes a paragraph or heading that has its own alignment as HTML; undefined for others. */
function alignedOf(node: RichNode, tag: string): BlockContent[] | undefined {
  const { align, id } = node.data ?? {};
  const side = align === 'center' ? 'center' : align === 'end' ? 'right' : undefined;
  if (side === undefined || id !== undefined) return undefined;
  return [
    { type: 'html', value: `${openTag(tag, { align: side })}${htmlOfInlines(node.nodes ?? [])}</${tag}>` },
  ];
}

/** Writes a paragraph. A paragraph that contains only HTML becomes an HTML block. */
function paragraphOf(inner: readonly RichNode[]): BlockContent[] {
  const leaves = inner.every((child) => child.object === 'text') ? inner.flatMap(leavesOf) : [];
  const [only, ...more] = leaves;
  if (only?.html === true && only.marks.length === 0 && more.length === 0)
    return [{ type: 'html', value: only.text }];
  return noteOf(inner) ?? [{ type: 'paragraph', children: writeInlines(inner) }];
}

const noteStart = new RegExp(`^${footnoteLabel.source}: ?`, 'u');

/** Writes a paragraph that is the text of a footnote, `[^1]: text`; undefined for another. */
function noteOf([first, ...more]: readonly RichNode[]): BlockContent[] | undefined {
  const [leaf, ...leaves] = first?.object === 'text' ? leavesOf(first) : [];
  if (leaf === undefined || leaf.marks.length > 0 || leaf.html === true) return undefined;
  const [mark = '', label] = noteStart.exec(leaf.text) ?? [];
  if (label === undefined) return undefined;
  const text = textNode([{ ...leaf, text: leaf.text.slice(mark.length) }, ...leaves]);
  const children = writeInlines([text, ...more]);
  return [
    {
      type: 'footnoteDefinition',
      identifier: label,
      label,
      children: children.length === 0 ? [] : [{ type: 'paragraph', children }],
    },
  ];
}

/** Writes a heading, with GitBook's anchor for its id. */
function headingOf(node: RichNode): BlockContent {
  const { id, idInBraces } = node.data ?? {};
  const children = writeInlines(node.nodes ?? []).map(oneLine);
  const isId = typeof id === 'string' && /^[^\s"'<>&]+$/.test(id);
  const gap = plainText(node.nodes ?? []) === '' ? '' : ' ';
  const isInBraces = idInBraces === true && gap !== '' && isId && !/[{}]/.test(id);
  const anchors = isId ? [isInBraces ? `{#${id}}` : `<a href="#${id}" id="${id}"></a>`] : [];
  const anchor = anchors.map((value) => ({ type: 'html' as const, value: gap + value }));
  return {
    type: 'heading',
    depth: headingDepth(node),
    children: [...children, ...anchor],
  };
}

function startOf(node: RichNode): { start?: number } {
  const start = node.data?.['start'];
  return node.type === 'list-ordered' && typeof start === 'number' ? { start } : {};
}

function itemOf(item: RichNode, isTask: boolean): ListItem {
  return {
    type: 'listItem',
    spread: false,
    ...(isTask ? { checked: item.data?.['checked'] === true } : {}),
    children: writeBlocks(item.nodes ?? []),
  };
}
