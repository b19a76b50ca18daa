import { expect, it } from 'vitest';
import { firstHeading, markdownOf, readText } from '../../src/content/page-text.ts';

it.each([
  ['# Title', 'Title'],
  ['\n \n  # Title  \ntext', 'Title'],
  [`# ${'a'.repeat(255)}`, 'a'.repeat(255)],
  [`# ${'a'.repeat(256)}`, 'a'.repeat(255)],
  [`# ${'😀'.repeat(128)}`, '😀'.repeat(127)],
  ['## Title', undefined],
  ['text\n# Title', undefined],
  ['# ', undefined],
  ['', undefined],
  [`${'\n'.repeat(9992)}# Title`, 'Title'],
  [`${'\n'.repeat(10_000)}# Title`, undefined],
])('the heading that %j begins with', (body, heading) => expect(firstHeading(body)).toBe(heading));

it('a text has front matter only behind a fence in its first line', async () => {
  expect(await readText('\uFEFF---\ntitle: A\n---\n# B')).toEqual({
    frontMatter: '\uFEFF---\ntitle: A\n---\n',
    body: '# B',
    metadata: { title: 'A' },
    heading: 'B',
  });
  expect(await readText('\n---\ntitle: A\n---\n')).toMatchObject({ frontMatter: '', metadata: {} });
});

it('a text is given as Markdown, as a document or not at all', async () => {
  const document = { object: 'document', data: {}, nodes: [] } as const;
  expect(await markdownOf({ markdown: 'a', document })).toBe('a');
  expect(await markdownOf({ document })).toBe('');
  expect(await markdownOf({})).toBe('');
});
