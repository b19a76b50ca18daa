import { expect, it } from 'vitest';
import { documentToMarkdown, markdownToDocument } from '../../src/richtext/markdown.ts';

/** The value of a cell in a column of the given type, or undefined if the table is not read as a table block. */
function valueOf(type: string, cell: string): unknown {
  const { nodes } = markdownToDocument(
    `<table data-view="cards"><thead><tr><th>A</th><th data-type="${type}" ${type === 'rating' ? 'data-max="5"' : ''}>B</th></tr></thead><tbody><tr><td>a</td><td>${cell}</td></tr></tbody></table>\n`,
  );
  const { type: block, data = {} } = nodes[0] as { type: string; data?: Record<string, unknown> };
  if (block !== 'table') return undefined;
  const [record] = Object.values(data['records'] as Record<string, { values: Record<string, unknown> }>);
  return Object.values(record?.values ?? {})[1];
}

it.each<[string, string, unknown]>([
  ['checkbox', 'true', true],
  ['checkbox', ' false ', false],
  ['checkbox', 'yes', undefined],
  ['number', '-1.5', -1.5],
  ['number', 'one', undefined],
  ['rating', '3', 3],
  ['files', '<a href="a.pdf">a</a><a href="b.pdf">b</a>', ['a.pdf', 'b.pdf']],
  ['files', 'a.pdf', undefined],
  ['content-ref', '<a href="https://a.test">a</a>', { kind: 'url', url: 'https://a.test' }],
  ['content-ref', '<a href="a.md">a</a><a href="b.md">b</a>', undefined],
])('reads a cell of the type %s: %s', (type, cell, value) => {
  expect(valueOf(type, cell)).toEqual(value);
});

it('reads and writes mentions in HTML as GitBook writes them', () => {
  const cell = '<td><a data-mention href="b/a.md">a.md</a></td>';
  const document = markdownToDocument(
    `<table data-view="cards"><thead><tr><th>A</th></tr></thead><tbody><tr>${cell}</tr></tbody></table>\n`,
  );
  expect(JSON.stringify(document)).toContain(
    '"type":"mention","isVoid":true,"data":{"ref":{"kind":"url","url":"b/a.md"}',
  );
  expect(documentToMarkdown(document)).toContain(cell);
});
