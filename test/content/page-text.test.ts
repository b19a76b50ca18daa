import { expect, it } from 'vitest';
import { firstHeading, markdownOf, readText, withFirstHeading } from '../../src/content/page-text.ts';

it.each([
  ['# Title', 'Title'],
  ['\n \n  # Title  \ntext', 'Title'],
  [`# ${'a'.repeat(255)}`, 'a'.repeat(255)],
  [`# ${'a'.repeat(256)}`, 'a'.repeat(255)],
  [`# ${'😀'.repeat(128)}`, '😀'.repeat(127)],
  ['# F.3. auth\\_delay', 'F.3. auth_delay'],
  ['# Use `a_b` and **c** &amp; [d](e.md)', 'Use a_b and c & d'],
  ['# Title {#id}', 'Title'],
  ['# Title { #id .class }', 'Title'],
  ['# Title #', 'Title'],
  ['# C#', 'C#'],
  ['# ![Logo](logo.png)', 'Logo'],
  ['import A from \'a\';\r\nimport B from "b";\r\n\r\n# Title\r\n', 'Title'],
  ['(a/b)=\n# Title', 'Title'],
  ['import text from b\n# Title', undefined],
  ['## Title', undefined],
  ['text\n# Title', undefined],
  ['# ', undefined],
  ['', undefined],
  [`${'\n'.repeat(9992)}# Title`, 'Title'],
  [`${'\n'.repeat(10_000)}# Title`, undefined],
])('returns the heading at the start of %j', (body, heading) => expect(firstHeading(body)).toBe(heading));

it('reads front matter only if the first line is a fence', async () => {
  expect(await readText('\uFEFF---\ntitle: A\n---\n# B')).toEqual({
    frontMatter: '\uFEFF---\ntitle: A\n---\n',
    body: '# B',
    metadata: { title: 'A' },
    heading: 'B',
  });
  expect(await readText('\n---\ntitle: A\n---\n')).toMatchObject({ frontMatter: '', metadata: {} });
});

it('accepts a text as Markdown, as a document or missing', async () => {
  const document = { object: 'document', data: {}, nodes: [] } as const;
  expect(await markdownOf({ markdown: 'a', document })).toBe('a');
  expect(await markdownOf({ document })).toBe('');
  expect(await markdownOf({})).toBe('');
});

it.each([
  ['own', '/pages/p', '/pages/p#a', '/files/f'],
  ['other', ...['p', 'p#a', '~/files/f'].map((path) => `https://app.gitbook.com/s/other/${path}`)],
])('writes references to pages and files of the space %s', async (space, ...addresses) => {
  const refs = [
    { kind: 'page', page: 'p', space },
    { kind: 'anchor', page: 'p', anchor: 'a', space },
    { kind: 'file', file: 'f', space },
  ];
  const inline = { object: 'inline', type: 'link', isVoid: false } as const;
  const nodes = refs.map((ref) => ({ ...inline, data: { ref }, nodes: [{ object: 'text', leaves: [] }] }));
  const document = {
    object: 'document',
    data: {},
    nodes: [{ object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes }],
  } as const;
  const written = await markdownOf({ document: document as never }, undefined, 'own');
  expect([...written.matchAll(/\((.*?)\)/g)].map(([, href]) => href)).toEqual(addresses);
});

it.each([
  ['auth_delay', '# auth_delay {#id}'],
  ['Use `a` and [b](c)', '# Use \\`a\\` and \\[b\\]\\(c\\) {#id}'],
])('escapes the heading %j so that the same heading is read', (title, line) => {
  const body = withFirstHeading('# Old {#id}\n\ntext', title);
  expect(body).toBe(`${line}\n\ntext`);
  expect(firstHeading(body)).toBe(title);
});
