import { expect, it } from 'vitest';
import { book, page, paragraph, rendered } from './support.ts';

it('draws the title and the description of a page above its text', async () => {
  const { pages } = await rendered(book([page('a', [paragraph('Text')], { description: ' About it ' })]));
  const lines = pages.join('\n').split('\n');
  const title = lines.lastIndexOf('Page a');
  expect(lines.slice(title, title + 3)).toEqual(['Page a', 'About it', 'Text']);
});
