import type { RichNode } from '../../../contract/shapes.ts';
import type { Style } from '../style.ts';
import { field, imageSpans, inlineSpans, safe } from './inlines.ts';
import { addressOf } from '../../../richtext/references.ts';
import { lineWidth, prefixed, span, wrapSpans, type Line, type Span } from './lines.ts';
import { drawTable } from './table.ts';
import { displayWidth, pad } from '../width.ts';

/** Narrower than this nothing is set in any further, however deep it lies. */
const narrowest = 24;

const hints: Readonly<Record<string, readonly [icon: string, color: Style]>> = {
  info: ['ℹ', 'blue'],
  success: ['✔', 'green'],
  warning: ['⚠', 'yellow'],
  danger: ['✖', 'red'],
};

/** Blocks as lines, with an empty line between two of them. */
export function drawBlocks(nodes: readonly RichNode[], width: number): Line[] {
  const lines: Line[] = [];
  for (const node of nodes) {
    const drawn = drawBlock(node, width);
    if (drawn.length > 0 && lines.length > 0) lines.push([]);
    for (const line of drawn) lines.push(line);
  }
  return lines;
}

/** What `draw` gives, behind a prefix and so much narrower; without it where there is no room. */
export function setIn(
  width: number,
  first: Line,
  rest: Line,
  draw: (width: number) => readonly Line[],
): Line[] {
  const left = width - Math.max(lineWidth(first), lineWidth(rest));
  return left < narrowest ? [...draw(width)] : prefixed(draw(left), first, rest);
}

function drawBlock(node: RichNode, width: number): readonly Line[] {
  const nodes = node.nodes ?? [];
  switch (node.type) {
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
    case 'heading-4':
    case 'heading-5':
    case 'heading-6':
      return drawHeading(node, width);
    case 'list-unordered':
    case 'list-ordered':
    case 'list-tasks':
      return drawList(node, width);
    case 'blockquote': {
      const bar = [span('▌ ', 'dim')];
      return setIn(width, bar, bar, (left) => drawBlocks(nodes, left));
    }
    case 'hint': {
      const [icon, color] = hints[field(node, 'style')] ?? hints['info']!;
      return setIn(width, [span(`▌ ${icon} `, color)], [span('▌   ', color)], (left) =>
        drawBlocks(nodes, left),
      );
    }
    case 'code':
      return drawCode(node, width);
    case 'math':
      return setIn(width, [span('  ')], [span('  ')], (left) =>
        wrapSpans([span(safe(field(node, 'formula')), 'italic', 'magenta')], left),
      );
    case 'divider':
      return [[span('─'.repeat(width), 'dim')]];
    case 'table':
      return drawTable(node, width);
    case 'tabs-item':
      return drawTitled(
        [span('╭ ', 'dim'), span(safe(field(node, 'title') || 'Tab'), 'bold')],
        [span('│ ', 'dim')],
        nodes,
        width,
      );
    case 'stepper':
      return drawStepper(node, width);
    case 'expandable':
      return drawExpandable(node, width);
    case 'images':
      return nodes.flatMap((image) => drawBlock(image, width));
    case 'image':
      return [...wrapSpans(imageSpans(node, []), width), ...drawCaption(node, width)];
    case 'update':
      return drawTitled([span(safe(field(node, 'date')), 'bold')], [span('│ ', 'dim')], nodes, width);
    case 'if':
      return [
        ...wrapSpans([span(safe(`if ${field(node, 'expression')}`), 'dim')], width),
        ...drawBlocks(nodes, width),
      ];
    default:
      return drawOther(node, width);
  }
}

/** A paragraph, a block whose inner blocks are all there is to see, or one that only points somewhere. */
function drawOther(node: RichNode, width: number): readonly Line[] {
  const nodes = node.nodes ?? [];
  const fragments = fragmentsOf(node).filter((fragment) => fragment['fragment'] !== 'caption');
  const inner = () =>
    nodes.some((child) => child.object !== 'block')
      ? wrapSpans(inlineSpans(nodes), width)
      : drawBlocks([...nodes, ...fragments.flatMap((fragment) => fragment.nodes ?? [])], width);
  if (node.type === undefined || node.type === 'paragraph' || (node.isVoid !== true && nodes.length > 0))
    return inner();
  const address = field(node, 'url') || addressOf(node.data?.['ref']);
  const path = `${field(node, 'method')} ${field(node, 'path')}`.trim();
  const name =
    field(node, 'label') || field(node, 'title') || field(node, 'name') || field(node, 'integration') || path;
  const label =
    node.type === 'content-ref' ? `→ ${name}`.trim() : `[${node.type}${name === '' ? '' : `: ${name}`}]`;
  const isShell = address === '' && name === '' && fragments.length > 0;
  const head = isShell
    ? []
    : wrapSpans([span(safe(label)), ...(address === '' ? [] : [span(` ${safe(address)}`, 'dim')])], width);
  return [...head, ...drawCaption(node, width), ...inner()];
}

/** A line below the two highest levels, a mark in front of the others: they can be told apart where there is no color. */
function drawHeading(node: RichNode, width: number): Line[] {
  const given = node.data?.['depth'];
  const level = typeof given === 'number' ? given : Number(node.type!.at(-1));
  if (level > 2) {
    const mark = [span(level === 3 ? '■ ' : level === 4 ? '▪ ' : '▫ ', 'dim')];
    return setIn(width, mark, [span('  ')], (left) =>
      wrapSpans(inlineSpans(node.nodes ?? [], ['bold']), left),
    );
  }
  const lines = wrapSpans(inlineSpans(node.nodes ?? [], ['bold', 'cyan']), width);
  return [...lines, [span((level === 1 ? '═' : '─').repeat(Math.max(1, ...lines.map(lineWidth))), 'dim')]];
}

const patchColors: Readonly<Record<string, Style>> = { '+': 'green', '-': 'red' };

function drawCode(node: RichNode, width: number): Line[] {
  const bar = [span('  │ ', 'dim')];
  const isPatch = field(node, 'syntax') === 'diff';
  const paint = (spans: Span[]): Span[] => {
    const color = isPatch ? patchColors[spans[0]?.text[0] ?? ''] : undefined;
    return color === undefined
      ? spans
      : spans.map(({ text, styles }) => ({ text, styles: [...styles, color] }));
  };
  const title = field(node, 'title');
  const lines = setIn(width, bar, bar, (left) =>
    (node.nodes ?? []).flatMap((line) => wrapSpans(paint(inlineSpans(line.nodes ?? [])), left)),
  );
  return title === '' ? lines : [[span('  '), span(safe(title), 'bold', 'dim')], ...lines];
}

function drawTitled(title: Line, bar: Line, nodes: readonly RichNode[], width: number): Line[] {
  return [...wrapSpans(title, width), ...setIn(width, bar, bar, (left) => drawBlocks(nodes, left))];
}

function drawExpandable(node: RichNode, width: number): Line[] {
  const part = (name: string) =>
    fragmentsOf(node).find((fragment) => fragment['fragment'] === name)?.nodes ?? [];
  const title = part('expandable-title').flatMap((block) => inlineSpans(block.nodes ?? [], ['bold']));
  const summary = title.length > 0 ? title : [span(safe(field(node, 'title')), 'bold')];
  return drawTitled(
    [span('▸ '), ...summary],
    [span('  ')],
    [...part('expandable-body'), ...(node.nodes ?? [])],
    width,
  );
}

function drawCaption(node: RichNode, width: number): Line[] {
  const caption = fragmentsOf(node).filter((fragment) => fragment['fragment'] === 'caption');
  return caption.flatMap((fragment) =>
    (fragment.nodes ?? []).flatMap((block) =>
      wrapSpans(inlineSpans(block.nodes ?? [], ['dim', 'italic']), width),
    ),
  );
}

function fragmentsOf(node: RichNode): readonly RichNode[] {
  return Array.isArray(node['fragments']) ? (node['fragments'] as RichNode[]) : [];
}

/** A list; its items stand close together when each of them is short. */
export function drawList(node: RichNode, width: number): Line[] {
  const items = node.nodes ?? [];
  const isTight = items.every((item) => isSimple(item.nodes ?? []));
  const markers = items.map((item, index) => markerOf(node, item, index));
  const widest = markers.reduce((most, marker) => Math.max(most, displayWidth(marker)), 0);
  const lines: Line[] = [];
  items.forEach((item, index) => {
    const drawn = setIn(
      width,
      [span(`${pad(markers[index]!, widest, true)} `, 'cyan')],
      [span(' '.repeat(widest + 1))],
      (left) => drawItem(item.nodes ?? [], left),
    );
    if (!isTight && index > 0) lines.push([]);
    // The marker of an item that holds nothing is there all the same.
    for (const line of drawn.length === 0 ? [[span(markers[index]!, 'cyan')]] : drawn) lines.push(line);
  });
  return lines;
}

/** Steps with their numbers and a line from one to the next. */
export function drawStepper(node: RichNode, width: number): Line[] {
  const steps = node.nodes ?? [];
  return steps.flatMap((step, index) => {
    const number = String(index + 1);
    const isLast = index === steps.length - 1;
    const bar = [span(pad(isLast ? ' ' : '│', number.length + 2), 'dim')];
    const title =
      typeof step.data?.['title'] === 'string'
        ? [
            {
              object: 'block',
              type: 'heading-3',
              nodes: [{ object: 'text', text: step.data['title'] }],
            } as RichNode,
          ]
        : [];
    const drawn = setIn(width, [span(`${number}. `, 'bold', 'cyan')], bar, (left) =>
      drawBlocks([...title, ...(step.nodes ?? [])], left),
    );
    return isLast ? drawn : [...drawn, bar];
  });
}

export function drawItem(nodes: readonly RichNode[], width: number): Line[] {
  return isSimple(nodes) ? nodes.flatMap((node) => drawBlocks([node], width)) : drawBlocks(nodes, width);
}

/** At most one paragraph, and lists under it. */
export function isSimple(nodes: readonly RichNode[]): boolean {
  return nodes.every(
    (node, index) => (index === 0 && node.type === 'paragraph') || node.type?.startsWith('list-') === true,
  );
}

export function markerOf(list: RichNode, item: RichNode, index: number): string {
  if (list.type === 'list-tasks' || typeof item.data?.['checked'] === 'boolean')
    return item.data?.['checked'] === true ? '☑' : '☐';
  if (list.type !== 'list-ordered') return '•';
  const start = list.data?.['start'];
  return `${(typeof start === 'number' ? start : 1) + index}.`;
}
