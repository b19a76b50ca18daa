import { expect, it } from 'vitest';
import { markdownToRead } from '../../src/richtext/readable.ts';
import { block, book, fragment, page, paragraph, rendered, text } from './support.ts';

const linesOf = async (nodes: Parameters<typeof page>[1]) =>
  (await rendered(book([page('a', nodes)]))).pages
    .join('\n')
    .split('\n')
    .map((line) => line.trim());

it('numbers footnotes, and draws them below the page', async () => {
  const { nodes } = markdownToRead(
    'One[^a] and two[^b].\n\nMore.\n\n[^a]: First note.\n\n[^b]: Second note.',
  );
  const lines = await linesOf([...nodes]);
  expect(lines.join(' ')).toMatch(/One 1 and two 2 \. More\. 1\. First note\. 2\. Second note\./);
  expect(lines.join(' ')).not.toContain('[^');
});

it('keeps a word with an annotation, and gives it a number', async () => {
  const note = fragment('annotation-body', [paragraph('What it means.')]);
  const word = { object: 'inline', type: 'annotation', nodes: [text('word')], fragments: [note] } as const;
  const lines = await linesOf([block('paragraph', [text('A '), word])]);
  expect(lines.join(' ')).toMatch(/A word 1 1\. What it means\./);
});
