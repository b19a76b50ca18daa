import type { BlockContent } from 'mdast';
import { recordOf } from '../contract/values.ts';
import type { RichNode } from '../contract/shapes.ts';
import { openTag, textOfLength } from './html.ts';
import { fragmentsOf } from './nodes.ts';
import { addressOf } from './references.ts';
import { htmlOfBlocks } from './write-html-content.ts';

/** Writes a block for which GitBook uses HTML; undefined if Markdown can express it. */
export function writeHtmlBlock(
  node: RichNode,
  writeBlocks: (nodes: readonly RichNode[]) => BlockContent[],
): BlockContent[] | undefined {
  const { data = {} } = node;
  if (node.type === 'expandable') return [expandableOf(node, writeBlocks)];
  if (node.type === 'drawing') {
    const alt = typeof data['alt'] === 'string' ? data['alt'] : '';
    return [
      {
        type: 'html',
        value: openTag('img', { src: addressOf(data['ref']), alt, class: 'gitbook-drawing' }, ['src', 'alt']),
      },
    ];
  }
  const images = node.type === 'images' ? (node.nodes ?? []) : [node];
  const div = {
    align: typeof data['align'] === 'string' ? data['align'] : undefined,
    'data-full-width': typeof data['fullWidth'] === 'boolean' ? String(data['fullWidth']) : undefined,
    'data-with-frame': typeof data['withFrame'] === 'boolean' ? String(data['withFrame']) : undefined,
  };
  const hasDiv =
    node.type === 'images' && (images.length > 1 || Object.values(div).some((value) => value !== undefined));
  if (!hasDiv && images.every(isPlain)) return undefined;
  const figures = images.map(figureOf).join('');
  return [{ type: 'html', value: hasDiv ? `${openTag('div', div)}${figures}</div>` : figures }];
}

/** Whether `![alt](address)` can express the image. */
function isPlain(image: RichNode): boolean {
  return (
    fragmentsOf(image).length === 0 &&
    Object.keys(image.data ?? {}).every((name) => name === 'ref' || name === 'alt')
  );
}

function figureOf(image: RichNode): string {
  const { ref, refDark, alt, width, height, attributes } = image.data ?? {};
  const tag = openTag(
    'img',
    {
      src: addressOf(ref),
      alt: typeof alt === 'string' ? alt : '',
      width: textOfLength(width),
      height: textOfLength(height),
      ...(recordOf(attributes) as Record<string, string>),
    },
    ['src', 'alt'],
  );
  const source = openTag('source', { srcset: addressOf(refDark), media: '(prefers-color-scheme: dark)' });
  const picture = refDark === undefined ? tag : `<picture>${source}${tag}</picture>`;
  const [caption] = fragmentsOf(image);
  return `<figure>${picture}${caption === undefined ? '' : `<figcaption>${htmlOfBlocks(caption.nodes ?? [])}</figcaption>`}</figure>`;
}

function expandableOf(
  node: RichNode,
  writeBlocks: (nodes: readonly RichNode[]) => BlockContent[],
): BlockContent {
  const nodesOf = (name: string) =>
    fragmentsOf(node).find((each) => each['type'] === name || each['fragment'] === name)?.nodes ?? [];
  const tag = openTag('details', recordOf(node.data?.['attributes']) as Record<string, string>);
  const open = `${tag}\n\n<summary>${htmlOfBlocks(nodesOf('expandable-title'))}</summary>`;
  return {
    type: 'wrapped',
    open,
    close: '</details>',
    isHtml: true,
    children: writeBlocks(nodesOf('expandable-body')),
  };
}
