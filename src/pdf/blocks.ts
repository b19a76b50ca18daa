import type { RichNode } from '../contract/shapes.ts';
import { drawCode } from './code.ts';
import { drawExpandable, drawHint, drawQuote, drawStepper, drawTabs } from './frames.ts';
import { drawImages, heightOfImage } from './images.ts';
import { drawList } from './lists.ts';
import { given, linesIn, linesOf, type BlockStyle, type Scene } from './scene.ts';
import { plainSpan } from './spans.ts';
import { drawTable } from './table.ts';
import { body, colours, gaps, headings } from './theme.ts';
import { costs } from './work.ts';

/** How blocks look that lie in no other. */
export const topStyle: BlockStyle = { size: body.size, lists: 0, gap: gaps.block };

/** Draws one block; blocks it does not know show what is inside them. */
export async function drawBlock(
  node: RichNode,
  style: BlockStyle,
  scene: Scene,
  following: readonly RichNode[] = [],
): Promise<void> {
  const { canvas } = scene;
  canvas.work.spend(costs.block);
  await canvas.work.pace();
  canvas.space(style.gap);
  switch (node.type) {
    case 'paragraph':
    case 'expandable-title':
    case 'annotation-body':
      await canvas.flow(linesOf(node.nodes, style, scene), alignOf(node));
      break;
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      await drawHeading(node, Number(node.type.at(-1)), scene, following);
      break;
    case 'list-unordered':
    case 'list-ordered':
    case 'list-tasks':
      await drawList(node, style, scene);
      break;
    case 'code':
      await drawCode(node, scene);
      break;
    case 'math':
      await drawCode({ ...node, data: {}, nodes: given(node, 'formula').split('\n').map(codeLine) }, scene);
      break;
    case 'blockquote':
      await drawQuote(node, style, scene);
      break;
    case 'hint':
      await drawHint(node, style, scene);
      break;
    case 'tabs':
      await drawTabs(node, style, scene);
      break;
    case 'stepper':
      await drawStepper(node, style, scene);
      break;
    case 'expandable':
      await drawExpandable(node, style, scene);
      break;
    case 'images':
      await drawImages(node, scene);
      break;
    case 'image':
      await drawImages({ ...node, type: 'images', data: {}, nodes: [node] }, scene);
      break;
    case 'table':
      await drawTable(node, style, scene);
      break;
    case 'divider':
      canvas.space(gaps.block + 4);
      canvas.rule(canvas.left, canvas.take(1), canvas.width, colours.line, 0.8);
      canvas.space(gaps.block + 4);
      break;
    default:
      await drawOther(node, style, scene);
  }
}

/** A heading stays with what follows it. */
async function drawHeading(
  node: RichNode,
  level: number,
  scene: Scene,
  following: readonly RichNode[],
): Promise<void> {
  const { canvas } = scene;
  const { size, before, after } = headings[level - 1]!;
  const lines = await canvas.work.all(
    linesOf(node.nodes, { size, bold: true, colour: colours.strong }, scene),
  );
  canvas.space(before);
  canvas.need(lines.reduce((sum, { height }) => sum + height, 0) + after + leastOf(following, scene));
  const top = canvas.take(0);
  scene.headed(node, level, top);
  await canvas.flow(lines, alignOf(node));
  canvas.space(after);
  canvas.keep();
}

/** The height that the first of blocks needs before the next sheet may go on with it. */
function leastOf([node, ...following]: readonly RichNode[], scene: Scene): number {
  if (node?.type?.startsWith('heading-') === true && following.length > 0)
    return 44 + leastOf(following.slice(0, 3), scene);
  if (node?.type === 'images') return heightOfImage(node.nodes?.[0], scene);
  return node?.type === 'code' || node?.type === 'table' ? 76 : 3 * body.size * body.leading;
}

/** Embeds, files and references are lines that link; everything else shows its insides. */
async function drawOther(node: RichNode, style: BlockStyle, scene: Scene): Promise<void> {
  const { canvas, source } = scene;
  const ref =
    node.data?.['ref'] ?? (given(node, 'url') === '' ? undefined : { kind: 'url', url: given(node, 'url') });
  const isLine = ref !== undefined && (node.nodes ?? []).length === 0;
  if (isLine) {
    const target = source.targetOf(ref);
    const title = given(node, 'title') || source.labelOf(ref);
    const label = { file: 'File', drawing: 'Drawing', embed: 'Embedded' }[node.type ?? ''];
    const spans = [
      ...(label === undefined
        ? [plainSpan('→  ', { ...style, colour: colours.faint })]
        : [plainSpan(`${label}  `, { ...style, colour: colours.muted })]),
      plainSpan(title, style, target),
    ];
    canvas.open({ border: colours.line, pad: { left: 11, right: 11, top: 6, bottom: 6 } });
    await canvas.flow(linesIn(spans, style.size, canvas));
    canvas.close();
    const caption = ((node['fragments'] as readonly RichNode[] | undefined) ?? []).flatMap(
      ({ nodes }) => nodes ?? [],
    );
    if (caption.length > 0)
      await scene.blocks(caption, { ...style, size: style.size * 0.88, colour: colours.muted });
    return;
  }
  const inside = [
    ...((node['fragments'] as readonly RichNode[] | undefined) ?? []).flatMap(({ nodes }) => nodes ?? []),
    ...(node.nodes ?? []),
  ];
  if (inside.length > 0 && inside.every(({ object }) => object === 'text' || object === 'inline'))
    await canvas.flow(linesOf(inside, style, scene));
  else await scene.blocks(inside, style);
}

function codeLine(text: string): RichNode {
  return {
    object: 'block',
    type: 'code-line',
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
  };
}

function alignOf(node: RichNode): 'left' | 'center' | 'right' {
  const align = given(node, 'align');
  return align === 'center' ? 'center' : align === 'right' || align === 'end' ? 'right' : 'left';
}
