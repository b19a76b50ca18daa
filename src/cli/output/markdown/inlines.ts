import { emojiText } from '../../../contract/emoji.ts';
import type { RichNode } from '../../../contract/shapes.ts';
import { addressOf } from '../../../richtext/references.ts';
import { escapeControls } from '../escape-controls.ts';
import type { Style } from '../style.ts';
import { span, type Span } from './lines.ts';

const looks: Readonly<Record<string, readonly Style[]>> = {
  bold: ['bold'],
  italic: ['italic'],
  strikethrough: ['strike'],
  code: ['cyan'],
  keyboard: ['inverse'],
};

/** Converts inline nodes to spans of safe text. Each has the styles of its parents. */
export function inlineSpans(nodes: readonly RichNode[], outer: readonly Style[] = []): Span[] {
  return nodes.flatMap((node) => (node.object === 'text' ? textSpans(node, outer) : inlineSpan(node, outer)));
}

/** Returns untrusted text with escaped control characters. Line breaks are kept, and tabs become spaces. */
export function safe(text: string): string {
  return text.split('\n').map((line) => escapeControls(line.replaceAll('\t', '    '))).join('\n'); // prettier-ignore
}

/** Returns a field of a node, if it is text. */
export function field({ data }: RichNode, name: string): string {
  const value = data?.[name];
  return typeof value === 'string' ? value : '';
}

/** Returns the spans for an image. */
export function imageSpans(node: RichNode, outer: readonly Style[]): Span[] {
  const alt = field(node, 'alt');
  return [
    span(safe(`[image${alt === '' ? '' : `: ${alt}`}]`), ...outer),
    span(` ${safe(addressOf(node.data?.['ref']))}`, ...outer, 'dim'),
  ];
}

function inlineSpan(node: RichNode, outer: readonly Style[]): Span[] {
  const inner = () => inlineSpans(node.nodes ?? [], outer);
  switch (node.type) {
    case 'link':
      return linkSpans(node, outer);
    case 'image':
    case 'inline-image':
      return imageSpans(node, outer);
    case 'emoji':
      return [span(safe(emojiText(field(node, 'code'))), ...outer)];
    case 'icon':
      return [span(safe(`:${field(node, 'icon')}:`), ...outer, 'dim')];
    case 'expression':
      return [span(safe(`{{ ${field(node, 'expression')} }}`), ...outer, 'magenta')];
    case 'math':
    case 'inline-math':
      return [span(safe(field(node, 'formula')), ...outer, 'italic', 'magenta')];
    case 'button':
      return [
        span(safe(`[ ${field(node, 'label')} ]`), ...outer, 'bold'),
        ...behind(addressOf(node.data?.['ref']), outer),
      ];
    case 'mention':
      return [span(safe(`@${addressOf(node.data?.['ref'])}`), ...outer, 'cyan')];
    default:
      return inner();
  }
}

/** Returns the text of a link, followed by its URL unless the text is the URL. */
function linkSpans(node: RichNode, outer: readonly Style[]): Span[] {
  const spans = inlineSpans(node.nodes ?? [], [...outer, 'underline']);
  const address = addressOf(node.data?.['ref']);
  const text = spans.map((each) => each.text).join('');
  return text === safe(address) || text === safe(address.replace(/^mailto:/, ''))
    ? spans
    : [...spans, ...behind(address, outer)];
}

function behind(address: string, outer: readonly Style[]): Span[] {
  return address === ''
    ? []
    : [span(` (${safe(address)})`, ...outer.filter((style) => style !== 'underline'), 'dim')];
}

interface Leaf {
  readonly text?: unknown;
  readonly marks?: readonly { readonly type?: string }[];
  /** The text is HTML, to be shown unchanged. */
  readonly html?: boolean;
}

function textSpans(node: RichNode, outer: readonly Style[]): Span[] {
  const leaves = Array.isArray(node['leaves']) ? (node['leaves'] as Leaf[]) : [{ text: node['text'] }];
  return leaves.map(({ text, marks, html }: Leaf) => {
    const own = Array.isArray(marks)
      ? (marks as NonNullable<Leaf['marks']>).flatMap(({ type }) => looks[type ?? ''] ?? [])
      : [];
    return span(
      safe(typeof text === 'string' ? text : ''),
      ...outer,
      ...own,
      ...(html === true ? (['dim'] as const) : []),
    );
  });
}
