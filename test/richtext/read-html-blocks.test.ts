import { expect, it } from 'vitest';
import type { RichNode } from '../../src/contract/shapes.ts';
import { markdownToRead } from '../../src/richtext/readable.ts';

/** All nodes of a document. */
const nodesIn = (nodes: readonly RichNode[]): RichNode[] =>
  nodes.flatMap((node) => [node, ...nodesIn(node.nodes ?? [])]);
const imageOf = (source: string) =>
  nodesIn(
    markdownToRead(
      `<figure><picture><source srcset="y.png"${source}><img src="x.png" alt=""></picture></figure>\n`,
    ).nodes,
  ).find(({ type }) => type === 'image');

it('reads a source as the dark form of an image only if its sole condition is the dark color scheme', () => {
  expect(imageOf(' media="(prefers-color-scheme: dark)"')?.data).toHaveProperty('refDark');
  for (const source of [
    '',
    ' media="(min-width: 600px)"',
    ' media="(prefers-color-scheme: dark)" type="image/png"',
  ])
    expect(imageOf(source)?.data ?? {}, source).not.toHaveProperty('refDark');
});
