import type { RichNode } from '../contract/shapes.ts';
import { nodesOfFragments, updateTags } from '../richtext/nodes.ts';
import { costs } from './budget.ts';
import type { Align } from './canvas.ts';
import { drawCode } from './draw-code.ts';
import { wrapNodes, wrapSpans, type BlockStyle, type DrawContext } from './draw-context.ts';
import { drawExpandable, drawHint, drawQuote, drawStepper, drawTabs } from './draw-frames.ts';
import { drawImages, requiredHeight } from './draw-images.ts';
import { drawList } from './draw-list.ts';
import { drawTable } from './draw-table.ts';
import { dataText, plainSpan } from './spans.ts';
import { body, colors, gaps, headings } from './theme.ts';

/** The style of top-level blocks. */
export const topStyle: BlockStyle = { size: body.size, listDepth: 0, gap: gaps.block };

/** Draws one block. For an unknown block, draws its content. */
export async function drawBlock(
  node: RichNode,
  style: BlockStyle,
  context: DrawContext,
  following: readonly RichNode[],
): Promise<void> {
  const { canvas } = context;
  canvas.budget.spend(costs.block);
  await canvas.budget.pause();
  canvas.addGap(style.gap);
  switch (node.type) {
    case 'paragraph':
    case 'expandable-title':
    case 'annotation-body':
      return canvas.flowLines(wrapNodes(node.nodes, style, context), alignOf(node));
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return drawHeading(node, Number(node.type.at(-1)), context, following);
    case 'list-unordered':
    case 'list-ordered':
    case 'list-tasks':
      return drawList(node, style, context);
    case 'code':
      return drawCode(node, context);
    case 'math':
      return drawCode({ ...node, data: {}, nodes: mathLines(dataText(node, 'formula')) }, context);
    case 'blockquote':
      return drawQuote(node, style, context);
    case 'hint':
      return drawHint(node, style, context);
    case 'tabs':
      return drawTabs(node, style, context);
    case 'stepper':
      return drawStepper(node, style, context);
    case 'expandable':
      return drawExpandable(node, style, context);
    case 'images':
      return drawImages(node, context);
    case 'image':
      return drawImages({ ...node, type: 'images', data: {}, nodes: [node] }, context);
    case 'table':
      return drawTable(node, style, context);
    case 'divider':
      canvas.addGap(gaps.block + 4);
      canvas.drawRule(canvas.left, canvas.reserve(1), canvas.width, { weight: 0.8 });
      canvas.addGap(gaps.block + 4);
      return;
    case 'update':
      return drawUpdate(node, style, context);
    default:
      return drawOther(node, style, context);
  }
}

async function drawHeading(
  node: RichNode,
  level: number,
  context: DrawContext,
  following: readonly RichNode[],
): Promise<void> {
  const { canvas } = context;
  const { size, before, after } = headings[level - 1] ?? headings[2];
  const style = { size, bold: true, color: colors.strong };
  const lines = await canvas.budget.collect(wrapNodes(node.nodes, style, context));
  const height = lines.reduce((sum, line) => sum + line.height, 0);
  canvas.addGap(before);
  canvas.ensureHeight(height + after + minHeight(following, context));
  context.addHeading(node, level, canvas.reserve(0));
  await canvas.flowLines(lines, alignOf(node));
  canvas.addGap(after);
  canvas.fixGap();
}

/** Returns the height that the first of these blocks needs before it may continue on the next sheet. */
function minHeight([node, ...following]: readonly RichNode[], context: DrawContext): number {
  const type = node?.type;
  if (type?.startsWith('heading-') === true && following.length > 0)
    return 44 + minHeight(following.slice(0, 3), context);
  if (type === 'images') return requiredHeight(node?.nodes?.[0], context);
  return type === 'code' || type === 'table' ? 76 : 3 * body.size * body.leading;
}

/** Draws the changes of a day below the day and the tags. */
async function drawUpdate(node: RichNode, style: BlockStyle, context: DrawContext): Promise<void> {
  const { canvas, words, tags: known } = context;
  const day = dataText(node, 'date');
  const tags = updateTags(node).map((slug) => known?.get(slug)?.label ?? slug);
  const head = [day === '' ? '' : words.date(day), ...tags].filter((part) => part !== '').join(' · ');
  if (head !== '') {
    const span = plainSpan(head, { size: style.size * 0.92, bold: true, color: colors.muted });
    canvas.ensureHeight(minHeight(node.nodes ?? [], context) + style.size);
    await canvas.flowLines(wrapSpans([span], style.size, canvas));
    canvas.addGap(4);
    canvas.fixGap();
  }
  await context.drawBlocks(node.nodes, style);
}

async function drawOther(node: RichNode, style: BlockStyle, context: DrawContext): Promise<void> {
  const { nodes = [] } = node;
  const url = dataText(node, 'url');
  const ref = node.data?.['ref'] ?? (url === '' ? undefined : { kind: 'url', url });
  const fragments = nodesOfFragments(node);
  if (ref !== undefined && nodes.length === 0) {
    await drawReference(node, ref, style, context);
    const caption = { ...style, size: style.size * 0.88, color: colors.muted };
    if (fragments.length > 0) await context.drawBlocks(fragments, caption);
    return;
  }
  const content = [...fragments, ...nodes];
  const isInline = content.every(({ object }) => object === 'text' || object === 'inline');
  if (content.length > 0 && isInline) await context.canvas.flowLines(wrapNodes(content, style, context));
  else await context.drawBlocks(content, style);
}

/** Draws an embed, a file or another reference as a line with a link. */
async function drawReference(
  node: RichNode,
  ref: unknown,
  style: BlockStyle,
  { canvas, references, words }: DrawContext,
): Promise<void> {
  const label = { file: words.file, drawing: words.drawing, embed: words.embedded }[node.type ?? ''];
  const spans = [
    label === undefined
      ? plainSpan('→  ', { ...style, color: colors.faint })
      : plainSpan(`${label}  `, { ...style, color: colors.muted }),
    plainSpan(dataText(node, 'title') || references.labelOf(ref), style, references.targetOf(ref)),
  ];
  canvas.openFrame({ border: colors.line, left: 11, right: 11, vertical: 6 });
  await canvas.flowLines(wrapSpans(spans, style.size, canvas));
  canvas.closeFrame();
}

function mathLines(formula: string): RichNode[] {
  return formula.split('\n').map((text) => ({
    object: 'block',
    type: 'code-line',
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
  }));
}

function alignOf(node: RichNode): Align {
  const align = dataText(node, 'align');
  if (align === 'center') return 'center';
  return align === 'right' || align === 'end' ? 'right' : 'left';
}
