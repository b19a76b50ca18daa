import type { RichNode } from '../contract/shapes.ts';
import { encodeText, openTag } from './html.ts';
import { markTags, styleOf, type Leaf } from './marks.ts';
import { leavesOf } from './nodes.ts';
import { addressOf } from './references.ts';

/** Writes inline nodes as HTML on one line. Whitespace at the ends becomes entities. */
export function htmlOfInlines(nodes: readonly RichNode[]): string {
  return nodes.map(htmlOfInline).join('').replace(/^ | $/g, '&#32;');
}

function htmlOfLeaf({ text, marks, color, html }: Leaf): string {
  const [open, close] = [[] as string[], [] as string[]];
  for (const mark of marks) {
    const style = mark === 'color' ? styleOf(color) : '';
    if (mark === 'color' && style === '') continue;
    open.push(openTag(markTags[mark], style === '' ? {} : { style }));
    close.unshift(`</${markTags[mark]}>`);
  }
  return open.join('') + (html === true ? text : encodeText(text)) + close.join('');
}

function htmlOfInline(node: RichNode): string {
  if (node.object === 'text') return leavesOf(node).map(htmlOfLeaf).join('');
  const { data = {} } = node;
  switch (node.type) {
    case 'link': {
      const href = addressOf(data['ref']);
      const note = href.startsWith('#user-content-fn-') ? { 'data-footnote-ref': '' } : {};
      return `${openTag('a', { ...note, href, title: textOfValue(data['title']) }, ['href'])}${(node.nodes ?? []).map(htmlOfInline).join('')}</a>`;
    }
    case 'mention':
      return `${openTag('a', { 'data-mention': '', href: addressOf(data['ref']) }, ['href'])}${encodeText(textOfValue(data['label']) ?? addressOf(data['ref']))}</a>`;
    case 'inline-math':
      return `$$${formulaOf(data['formula']).replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)}$$`;
    default:
      return htmlTagOf(node) ?? (node.nodes ?? []).map(htmlOfInline).join('');
  }
}

/** Writes an inline node that Markdown can express only as HTML; undefined for others. */
export function htmlTagOf({ type, data = {} }: RichNode): string | undefined {
  switch (type) {
    case 'button':
      return `${buttonTagOf({ data })}${encodeText(textOfValue(data['label']) ?? '')}</a>`;
    case 'icon': {
      const icon = textOfValue(data['icon']) ?? '';
      const style = styleOf({ text: textOfValue(data['color']) ?? 'default', background: 'default' });
      return `${openTag('i', { class: `fa-${icon}`, style: style === '' ? undefined : style })}${encodeText(`:${icon}:`)}</i>`;
    }
    case 'expression':
      return `<code class="expression">${encodeText((textOfValue(data['expression']) ?? '').replace(/(?<!\s)\s*\n\s*/g, ' '))}</code>`;
    case 'inline-image':
    case 'image':
      return imageTagOf({ data });
    default:
      return undefined;
  }
}

/** Returns the opening tag of a button. */
export function buttonTagOf({ data = {} }: Pick<RichNode, 'data'>): string {
  const kind = data['kind'] === 'secondary' ? 'secondary' : 'primary';
  const icon = textOfValue(data['icon']);
  return openTag('a', { href: addressOf(data['ref']), class: `button ${kind}`, 'data-icon': icon }, ['href']);
}

/** Returns the tag of an inline image. */
export function imageTagOf({ data = {} }: Pick<RichNode, 'data'>): string {
  const [alt = '', size] = [textOfValue(data['alt']), textOfValue(data['size'])];
  return openTag('img', { src: addressOf(data['ref']), alt, 'data-size': size }, ['src', 'alt']);
}

/** Writes a formula on one line, without `$$`, which would end it. */
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
