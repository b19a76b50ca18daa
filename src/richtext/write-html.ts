import type { RichNode } from '../contract/shapes.ts';
import { encodeText, openTag } from './html.ts';
import { markTags, styleOf, type Leaf } from './marks.ts';
import { leavesOf, plainText } from './nodes.ts';
import { addressOf } from './references.ts';

/** Blocks as HTML on one line: one paragraph is its text, other blocks are paragraphs and lists. */
export function htmlOfBlocks(blocks: readonly RichNode[]): string {
  if (blocks.length === 1 && blocks[0]!.type === 'paragraph') return htmlOfInlines(blocks[0]!.nodes ?? []);
  return blocks.map(htmlOfBlock).join('');
}

function htmlOfBlock(node: RichNode): string {
  const inner = node.nodes ?? [];
  if (node.type === 'list-unordered' || node.type === 'list-ordered' || node.type === 'list-tasks') {
    const tag = node.type === 'list-ordered' ? 'ol' : 'ul';
    return `<${tag}>${inner.map((item) => `<li>${htmlOfItem(item.nodes ?? [])}</li>`).join('')}</${tag}>`;
  }
  const isText = inner.every((child) => child.object === 'text' || child.object === 'inline');
  return isText ? `<p>${htmlOfInlines(inner)}</p>` : htmlOfBlocks(inner);
}

/** An item begins with its text where only lists follow. */
function htmlOfItem(blocks: readonly RichNode[]): string {
  const [first, ...more] = blocks;
  const isLine =
    first?.type === 'paragraph' &&
    plainText(first.nodes ?? []) !== '' &&
    more.every((block) => block.type?.startsWith('list-') === true);
  return isLine ? htmlOfInlines(first.nodes ?? []) + more.map(htmlOfBlock).join('') : htmlOfBlocks(blocks);
}

/** Inline nodes as HTML on one line; blanks at its ends are kept. */
export function htmlOfInlines(nodes: readonly RichNode[]): string {
  return nodes.map(htmlOfInline).join('').replace(/^ | $/g, '&#32;');
}

function htmlOfLeaf({ text, marks, color, html }: Leaf): string {
  const [open, close] = [[] as string[], [] as string[]];
  for (const mark of marks) {
    const style = mark === 'color' ? styleOf(color) : '';
    const tag = mark === 'color' ? 'mark' : markTags[mark]!;
    if (mark === 'color' && style === '') continue;
    open.push(openTag(tag, style === '' ? {} : { style }));
    close.unshift(`</${tag}>`);
  }
  return open.join('') + (html === true ? text : encodeText(text)) + close.join('');
}

function htmlOfInline(node: RichNode): string {
  if (node.object === 'text') return leavesOf(node).map(htmlOfLeaf).join('');
  const { data = {} } = node;
  switch (node.type) {
    case 'link':
      return `${openTag('a', { href: addressOf(data['ref']), title: textOfValue(data['title']) }, ['href'])}${(node.nodes ?? []).map(htmlOfInline).join('')}</a>`;
    case 'mention':
      return `${openTag('a', { href: addressOf(data['ref']), title: 'mention' }, ['href'])}${encodeText(textOfValue(data['label']) ?? addressOf(data['ref']))}</a>`;
    case 'inline-math':
      return `$$${formulaOf(data['formula']).replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)}$$`;
    default:
      return htmlTagOf(node) ?? (node.nodes ?? []).map(htmlOfInline).join('');
  }
}

/** The inline nodes that are written as HTML in Markdown too. */
export function htmlTagOf({ type, data = {} }: RichNode): string | undefined {
  switch (type) {
    case 'button':
      return `${openTag('a', { href: addressOf(data['ref']), class: `button ${data['kind'] === 'secondary' ? 'secondary' : 'primary'}`, 'data-icon': textOfValue(data['icon']) }, ['href'])}${encodeText(textOfValue(data['label']) ?? '')}</a>`;
    case 'icon': {
      const icon = textOfValue(data['icon']) ?? '';
      const style = styleOf({ text: textOfValue(data['color']) ?? 'default', background: 'default' });
      return `${openTag('i', { class: `fa-${icon}`, style: style === '' ? undefined : style })}${encodeText(`:${icon}:`)}</i>`;
    }
    case 'expression':
      return `<code class="expression">${encodeText((textOfValue(data['expression']) ?? '').replace(/(?<!\s)\s*\n\s*/g, ' '))}</code>`;
    case 'inline-image':
    case 'image':
      return openTag(
        'img',
        {
          src: addressOf(data['ref']),
          alt: textOfValue(data['alt']) ?? '',
          'data-size': textOfValue(data['size']),
        },
        ['src', 'alt'],
      );
    default:
      return undefined;
  }
}

/** A formula on one line, without what would end it. */
export function formulaOf(formula: unknown): string {
  const line = (textOfValue(formula) ?? '')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/\$(?=\$)/g, '$ ');
  return `${line.startsWith('$') ? ' ' : ''}${line}${line.endsWith('$') ? ' ' : ''}`;
}

function textOfValue(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
