import { expect, it } from 'vitest';
import type { RichNode } from '../../src/contract/shapes.ts';
import { block, book, page, rendered, text } from './support.ts';

/** The rectangles that are drawn on a page with the given nodes, as left, top, width and height. */
async function rectangles(...nodes: RichNode[]): Promise<number[][]> {
  const { raw } = await rendered(book([page('a', nodes)]));
  return [...raw.matchAll(/^([\d.-]+) ([\d.-]+) ([\d.-]+) ([\d.-]+) re$/gm)].map(([, ...numbers]) =>
    numbers.map(Number),
  );
}
const marked = (...marks: string[]) => block('paragraph', [text('some words', ...marks)]);

it('draws a background behind inline code', async () => {
  const plain = await rectangles(marked());
  const code = await rectangles(marked('code'));
  expect(code).toHaveLength(plain.length + 1);
  const [, , width = 0, height = 0] =
    code.find((one) => !plain.some((other) => other.join() === one.join())) ?? [];
  expect(width).toBeGreaterThan(height);
  expect(height).toBeGreaterThan(8);
});

it('draws a line through struck text', async () => {
  const drawn = async (...marks: string[]) => (await rendered(book([page('a', [marked(...marks)])]))).raw;
  const rules = (raw: string) => raw.match(/^[\d.-]+ [\d.-]+ l$/gm)?.length ?? 0;
  expect(rules(await drawn('strikethrough'))).toBe(rules(await drawn()) + 1);
});
