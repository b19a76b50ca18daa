import { expect, it } from 'vitest';
import { convertDefinitions } from '../../src/richtext/definitions.ts';
import { documentToMarkdown, markdownToDocument } from '../../src/richtext/markdown.ts';

it.each([
  ['Term\n: One\n: Two\n', '**Term**\n\n* One\n* Two'],
  [
    '`a`\n\n:   One\n    more\n\n    Two\n\nB\n: C',
    '**`a`**\n\n\n* One\n    more\n\n    Two\n\n**B**\n\n* C',
  ],
  ['**A**\n: b', '**A**\n\n* b'],
  ['* x\n\n  Term\n  : One', '* x\n\n  **Term**\n\n  * One'],
])('definitions become a term and list items: %j', (given, expected) =>
  expect(convertDefinitions(given)).toBe(expected),
);

it.each([
  'Two\nlines\n: x',
  '# Title\n: x',
  '* a\n: x',
  '```\na\n: x\n```',
  'A\n\n\n: x',
  '\n: x',
  '| a |\n: x',
  'A\n\n    : x',
  'A\n:x',
  'A line break\\\n: x',
  '---\n: x',
  '[ref]: https://example.com\n: x',
  '[^1]: A note\n: x',
])('other lines do not change: %j', (text) => expect(convertDefinitions(text)).toBe(text));

it('keeps paragraphs of documents that look like definitions', () => {
  const written = (text: string) => documentToMarkdown(markdownToDocument(text));
  expect(written('Term\n\n\n: Not a definition\n')).toBe('Term\n\n\\: Not a definition\n');
  expect(written('Term\n\n\\: Not a definition\n')).toBe('Term\n\n\\: Not a definition\n');
});

it('takes linear time', () => {
  const text = 'A\n: b\n\n'.repeat(100_000);
  expect(convertDefinitions(text).length).toBeGreaterThan(text.length);
});
