import { markup, type Content } from '../../src/render/markup.ts';
import type { Renderer } from '../../src/render/render-context.ts';
import type { RichNode } from '../../src/contract/shapes.ts';
import { plainTextOf } from '../../src/richtext/nodes.ts';
import { renderContext } from '../support/render-context.ts';

/** A renderer for tests of parts of documents: blocks are written as their texts, and Markdown without changes. */
export function createRenderer(more: Parameters<typeof renderContext>[0] = {}): Renderer {
  const texts = (nodes: readonly RichNode[] = []): Content => nodes.map(plainTextOf).join('');
  return {
    ...renderContext(more),
    blocks: (nodes?: readonly RichNode[]) => markup`${texts(nodes)}`,
    inlines: (nodes?: readonly RichNode[]) => markup`${texts(nodes)}`,
    markdown: (text: string) => markup`<p>${text}</p>`,
  } as unknown as Renderer;
}
