import type { RichNode } from '../../../contract/shapes.ts';
import { fragmentsOf } from '../../../richtext/nodes.ts';
import { addressOf } from '../../../richtext/references.ts';
import type { Style } from '../style.ts';
import { displayWidth, pad } from '../width.ts';
import { field, imageSpans, inlineSpans, safe } from './inlines.ts';
import { lineWidth, prefixed, span, wrapSpans, type Line, type Span } from './lines.ts';
import { drawTable } from './table.ts';

/** Minimum width of deeply nested blocks. They are not indented further. */
const minWidth = 24;

const info = ['ℹ', 'blue'] as const;
const hints: Readonly<Record<string, readonly [icon: string, color: Style]>> = {
  info,
  success: ['✔', 'green'],
  warning: ['⚠', 'yellow'],
  danger: ['✖', 'red'],
};

/** Draws blocks with an empty line between them. */
export function drawBlocks(nodes: readonly RichNode[], width: number): Line[] {
  const lines: Line[] = [];
  for (const node of nodes) {
    const drawn = drawBlock(node, width);
    if (drawn.length > 0 && lines.length > 0) lines.push([]);
    for (const line of drawn) lines.push(line);
  }
  return lines;
}

/** Draws lines after a prefix, if there is room for it. */
function indent(
  width: number,
  first: Line,
  rest: Line,
  draw: (width: number) => readonly Line[],
): readonly Line[] {
  const left = width - Math.max(lineWidth(first), lineWidth(rest));
  return left < minWidth ? draw(width) : prefixed(draw(left), first, rest);
}

function drawBlock(node: RichNode, width: number): readonly Line[] {
  const { nodes = [] } = node;
  const drawInside = (first: Line, rest = first) =>
    indent(width, first, rest, (left) => drawBlocks(nodes, left));
  const drawTitled = (title: Line) => [...wrapSpans(title, width), ...drawInside([span('│ ', 'dim')])];
  switch (node.type) {
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
    case 'heading-4':
    case 'heading-5':
    case 'heading-6':
      return drawHeading(node, Number(node.type.at(-1)), width);
    case 'list-unordered':
    case 'list-ordered':
    case 'list-tasks':
      return drawList(node, width);
    case 'blockquote':
      return drawInside([span('▌ ', 'dim')]);
    case 'hint': {
      const [icon, color] = hints[field(node, 'style')] ?? info;
      return drawInside([span(`▌ ${icon} `, color)], [span('▌   ', color)]);
    }
    case 'code':
      return drawCode(node, width);
    case 'math': {
      const formula = [span(safe(field(node, 'formula')), 'italic', 'magenta')];
      return indent(width, [span('  ')], [span('  ')], (left) => wrapSpans(formula, left));
    }
    case 'divider':
      return [[span('─'.repeat(width), 'dim')]];
    case 'table':
      return drawTable(node, width);
    case 'tabs-item':
      return drawTitled([span('╭ ', 'dim'), span(safe(field(node, 'title') || 'Tab'), 'bold')]);
    case 'stepper':
      return drawStepper(nodes, width);
    case 'expandable': {
      const title = fragmentNodes(node, 'expandable-title').flatMap((block) =>
        inlineSpans(block.nodes ?? [], ['bold']),
      );
      const summary = title.length > 0 ? title : [span(safe(field(node, 'title')), 'bold')];
      const body = [...fragmentNodes(node, 'expandable-body'), ...nodes];
      const inner = indent(width, [span('  ')], [span('  ')], (left) => drawBlocks(body, left));
      return [...wrapSpans([span('▸ '), ...summary], width), ...inner];
    }
    case 'images':
      return nodes.flatMap((image) => drawBlock(image, width));
    case 'image':
      return [...wrapSpans(imageSpans(node, []), width), ...drawCaption(node, width)];
    case 'update':
      return drawTitled([span(safe(field(node, 'date')), 'bold')]);
    case 'if': {
      const condition = [span(safe(`if ${field(node, 'expression')}`), 'dim')];
      return [...wrapSpans(condition, width), ...drawBlocks(nodes, width)];
    }
    default:
      return drawOther(node, width);
  }
}

/** Draws a paragraph, a block of which only the inner blocks are visible, or a block that is only a reference. */
function drawOther(node: RichNode, width: number): readonly Line[] {
  const { nodes = [], type } = node;
  const inner = () =>
    nodes.some((child) => child.object !== 'block')
      ? wrapSpans(inlineSpans(nodes), width)
      : drawBlocks(nodes, width);
  if (type === undefined || type === 'paragraph' || (node.isVoid !== true && nodes.length > 0))
    return inner();
  const address = field(node, 'url') || addressOf(node.data?.['ref']);
  const name =
    ['label', 'title', 'name', 'integration'].map((key) => field(node, key)).find((text) => text !== '') ??
    `${field(node, 'method')} ${field(node, 'path')}`.trim();
  const label = type === 'content-ref' ? `→ ${name}`.trim() : `[${type}${name === '' ? '' : `: ${name}`}]`;
  const link = address === '' ? [] : [span(` ${safe(address)}`, 'dim')];
  return [...wrapSpans([span(safe(label)), ...link], width), ...drawCaption(node, width), ...inner()];
}

/** Draws a heading: underlined at the two highest levels, otherwise with a mark, so that levels differ without color. */
function drawHeading({ nodes = [], data }: RichNode, typeLevel: number, width: number): readonly Line[] {
  const level = typeof data?.['depth'] === 'number' ? data['depth'] : typeLevel;
  if (level > 2) {
    const mark = [span(level === 3 ? '■ ' : level === 4 ? '▪ ' : '▫ ', 'dim')];
    return indent(width, mark, [span('  ')], (left) => wrapSpans(inlineSpans(nodes, ['bold']), left));
  }
  const lines = wrapSpans(inlineSpans(nodes, ['bold', 'cyan']), width);
  const underline = (level === 1 ? '═' : '─').repeat(Math.max(1, ...lines.map(lineWidth)));
  return [...lines, [span(underline, 'dim')]];
}

const patchColors: Readonly<Record<string, Style>> = { '+': 'green', '-': 'red' };

function drawCode(node: RichNode, width: number): readonly Line[] {
  const bar = [span('  │ ', 'dim')];
  const isPatch = field(node, 'syntax') === 'diff';
  const colorize = (spans: Span[]): Span[] => {
    const color = isPatch ? patchColors[spans[0]?.text.charAt(0) ?? ''] : undefined;
    return color === undefined
      ? spans
      : spans.map(({ text, styles }) => ({ text, styles: [...styles, color] }));
  };
  const lines = (node.nodes ?? []).map((line) => colorize(inlineSpans(line.nodes ?? [])));
  const body = indent(width, bar, bar, (left) => lines.flatMap((line) => wrapSpans(line, left)));
  const title = field(node, 'title');
  return title === '' ? body : [[span('  '), span(safe(title), 'bold', 'dim')], ...body];
}

function drawCaption(node: RichNode, width: number): Line[] {
  return fragmentsOf(node)
    .filter((fragment) => fragment['fragment'] === 'caption')
    .flatMap((fragment) => fragment.nodes ?? [])
    .flatMap((block) => wrapSpans(inlineSpans(block.nodes ?? [], ['dim', 'italic']), width));
}

function fragmentNodes(node: RichNode, name: string): readonly RichNode[] {
  return fragmentsOf(node).find((fragment) => fragment['fragment'] === name)?.nodes ?? [];
}

/** Draws a list. Simple items are not separated by empty lines. */
function drawList(list: RichNode, width: number): Line[] {
  const items = (list.nodes ?? []).map((item, index) => ({
    nodes: item.nodes ?? [],
    marker: markerOf(list, item, index),
  }));
  const isTight = items.every(({ nodes }) => isSimple(nodes));
  const markerWidth = items.reduce((max, { marker }) => Math.max(max, displayWidth(marker)), 0);
  return items.flatMap(({ nodes, marker }, index) => {
    const first = [span(`${pad(marker, markerWidth, true)} `, 'cyan')];
    const drawn = indent(width, first, [span(' '.repeat(markerWidth + 1))], (left) =>
      isSimple(nodes) ? nodes.flatMap((node) => drawBlock(node, left)) : drawBlocks(nodes, left),
    );
    const gap = !isTight && index > 0 ? [[]] : [];
    return [...gap, ...(drawn.length === 0 ? [[span(marker, 'cyan')]] : drawn)];
  });
}

/** Whether an item has at most one paragraph, followed only by lists. */
function isSimple(nodes: readonly RichNode[]): boolean {
  return nodes.every(
    ({ type }, index) => (index === 0 && type === 'paragraph') || type?.startsWith('list-') === true,
  );
}

function markerOf({ type, data }: RichNode, item: RichNode, index: number): string {
  const checked = item.data?.['checked'];
  if (type === 'list-tasks' || typeof checked === 'boolean') return checked === true ? '☑' : '☐';
  if (type !== 'list-ordered') return '•';
  return `${(typeof data?.['start'] === 'number' ? data['start'] : 1) + index}.`;
}

function drawStepper(steps: readonly RichNode[], width: number): Line[] {
  return steps.flatMap(({ data, nodes = [] }, index) => {
    const number = `${index + 1}. `;
    const isLast = index === steps.length - 1;
    const bar = [span(pad(isLast ? ' ' : '│', number.length), 'dim')];
    const title = typeof data?.['title'] === 'string' ? [headingOf(data['title'])] : [];
    const drawn = indent(width, [span(number, 'bold', 'cyan')], bar, (left) =>
      drawBlocks([...title, ...nodes], left),
    );
    return isLast ? drawn : [...drawn, bar];
  });
}

function headingOf(text: string): RichNode {
  return { object: 'block', type: 'heading-3', nodes: [{ object: 'text', text }] };
}
