import type { RichNode } from '../../../contract/shapes.ts';
import { drawBlocks, setIn } from './blocks.ts';
import { displayWidth, pad } from '../width.ts';
import { span, type Line } from './lines.ts';

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

function drawItem(nodes: readonly RichNode[], width: number): Line[] {
  return isSimple(nodes) ? nodes.flatMap((node) => drawBlocks([node], width)) : drawBlocks(nodes, width);
}

/** At most one paragraph, and lists under it. */
function isSimple(nodes: readonly RichNode[]): boolean {
  return nodes.every(
    (node, index) => (index === 0 && node.type === 'paragraph') || node.type?.startsWith('list-') === true,
  );
}

function markerOf(list: RichNode, item: RichNode, index: number): string {
  if (list.type === 'list-tasks' || typeof item.data?.['checked'] === 'boolean')
    return item.data?.['checked'] === true ? '☑' : '☐';
  if (list.type !== 'list-ordered') return '•';
  const start = list.data?.['start'];
  return `${(typeof start === 'number' ? start : 1) + index}.`;
}
