import { describe, expect, it } from 'vitest';
import type { RichNode } from '../../src/contract/shapes.ts';
import { documentToMarkdown, markdownToDocument } from '../../src/richtext/markdown.ts';
import { plainTextOf } from '../../src/richtext/nodes.ts';

/** Reads a text, and checks that what is written of it is read as the same document. */
function read(markdown: string): readonly RichNode[] {
  const document = markdownToDocument(markdown);
  expect(markdownToDocument(documentToMarkdown(document))).toEqual(document);
  return document.nodes;
}
const only = (markdown: string): RichNode => {
  const nodes = read(markdown);
  expect(nodes).toHaveLength(1);
  return nodes[0] as RichNode;
};
const cellsOf = (table: RichNode) =>
  ((table['fragments'] ?? []) as RichNode[]).map((cell) => (cell.nodes ?? []).map(({ type }) => type).join());

describe('content references', () => {
  it.each([
    ['plain.md', undefined],
    ['Read *this*', 'Read this'],
    ['[Title](plain.md)', 'Title'],
    ['[a](plain.md) and [b](plain.md)', 'a and b'],
    ['First\n\nSecond', 'First Second'],
  ])('may have any text inside: %j', (text, label) => {
    expect(only(`{% content-ref url="plain.md" %}\n${text}\n{% endcontent-ref %}`)).toMatchObject({
      type: 'content-ref',
      data: { ref: { kind: 'url', url: 'plain.md' }, ...(label === undefined ? {} : { label }) },
    });
  });
});

describe('tables of HTML', () => {
  it('keep how their columns and cells are aligned', () => {
    const table = only(
      '<table><thead><tr><th width="228.5" valign="top">Term</th><th align="center">Count</th></tr></thead><tbody><tr><td valign="top"><code>a</code></td><td align="center">1</td></tr><tr><td style="color:red">b</td><td>2</td></tr></tbody></table>',
    );
    expect(table).toMatchObject({
      type: 'table',
      data: {
        view: { columnWidths: { 'column-1': 228.5 } },
        definition: { 'column-1': { verticalAlignment: 'top' }, 'column-2': { textAlignment: 'center' } },
        records: { 'record-2': { attributes: { 'column-1': { style: 'color:red' } } } },
      },
    });
    expect(table.data?.['records']).not.toHaveProperty('record-1.attributes');
  });

  it('may have blank lines, indentation and blocks of Markdown in their cells', () => {
    const table = only(
      '<table>\n  <thead>\n    <tr><th>Form</th><th>Example</th></tr>\n  </thead>\n\n  <tbody>\n\n    <tr>\n\n      <td>Code</td>\n\n<td>\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\n</td>\n    </tr>\n\n    <tr><td>List</td><td>\n\n* one\n* two\n\n</td></tr>\n  </tbody>\n</table>\n',
    );
    expect(table.type).toBe('table');
    expect(cellsOf(table)).toEqual(['paragraph', 'code', 'paragraph', 'list-unordered']);
    expect(plainTextOf(table)).toContain('const a = 1;\n\nconst b = 2;');
  });

  it('may have cells that cover those beside or below them', () => {
    const html =
      '<table><thead><tr><th>A</th><th>B</th><th>C</th></tr></thead><tbody><tr><td rowspan="2">high</td><td colspan="2">wide</td></tr><tr><td>1</td><td>2</td></tr><tr><td>x</td><td>y</td><td>z</td></tr></tbody></table>';
    const table = only(html);
    expect(table).toMatchObject({
      type: 'table',
      data: {
        cellMerges: [
          { anchor: { record: 'record-1', column: 'column-1' }, rowSpan: 2, colSpan: 1 },
          { anchor: { record: 'record-1', column: 'column-2' }, rowSpan: 1, colSpan: 2 },
        ],
        records: {
          'record-2': { values: { 'column-2': 'cell-2-2', 'column-3': 'cell-2-3' } },
        },
      },
    });
    expect(table.data?.['records']).not.toHaveProperty('record-2.values.column-1');
    expect(documentToMarkdown({ object: 'document', data: {}, nodes: [table] })).toBe(`${html}\n`);
  });

  it.each([
    [
      'a header',
      '<thead><tr><th colspan="2">A</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody>',
    ],
    ['two ways', '<tbody><tr><td colspan="2" rowspan="2">A</td><td>1</td></tr><tr><td>2</td></tr></tbody>'],
    ['beyond the last row', '<tbody><tr><td rowspan="3">A</td><td>1</td></tr><tr><td>2</td></tr></tbody>'],
    ['overlaps', '<tbody><tr><td>1</td><td rowspan="2">A</td></tr><tr><td colspan="2">B</td></tr></tbody>'],
    [
      'more than the columns',
      '<thead><tr><th>A</th></tr></thead><tbody><tr><td colspan="2">B</td></tr></tbody>',
    ],
    ['no number', '<tbody><tr><td colspan="all">A</td></tr></tbody>'],
  ])(
    'stay as they are written where a cell covers others in a way that documents do not know: %s',
    (_, rows) => {
      const html = `<table>${rows}</table>`;
      const node = only(html);
      expect(node.type).toBe('paragraph');
      expect(documentToMarkdown({ object: 'document', data: {}, nodes: [node] })).toBe(`${html}\n`);
    },
  );

  it('leave out merges that the rows and columns of a document cannot have', () => {
    const table = only('<table><tbody><tr><td>1</td><td colspan="2">A</td></tr></tbody></table>');
    const merge = (record: string, column: string, rowSpan: unknown, colSpan: unknown) => ({
      anchor: { record, column },
      rowSpan,
      colSpan,
    });
    const cellMerges = [
      merge('record-9', 'column-1', 1, 2),
      merge('record-1', 'column-1', 1, 9),
      merge('record-1', 'column-1', 'x', 2),
      merge('record-1', 'column-1', 1, 2),
      merge('record-1', 'column-2', 1, 2),
    ];
    const written = documentToMarkdown({
      object: 'document',
      data: {},
      nodes: [{ ...table, data: { ...table.data, cellMerges } }],
    });
    expect(written).toContain('<tr><td colspan="2">1</td><td></td></tr>');
  });

  it('may have columns of options', () => {
    const table = only(
      '<table><thead><tr><th>Status<select multiple><option value="o1" label="In progress" color="blue"></option><option value="o2" label="Done"></option></select></th><th>Who</th></tr></thead><tbody><tr><td><span data-option="o1">In progress</span><span data-option="o2">Done</span></td><td>x</td></tr><tr><td></td><td>y</td></tr></tbody></table>',
    );
    expect(table.data).toMatchObject({
      definition: {
        'column-1': {
          type: 'select',
          title: 'Status',
          multiple: true,
          options: [
            { value: 'o1', label: 'In progress', color: 'blue' },
            { value: 'o2', label: 'Done' },
          ],
        },
      },
      records: { 'record-1': { values: { 'column-1': ['o1', 'o2'] } } },
    });
  });

  it('stay HTML where a table is in another', () => {
    const html = '<table><tr><td>\n\n<table><tr><td>x</td></tr></table>\n\n</td></tr></table>';
    expect(read(html)[0]?.type).toBe('paragraph');
  });
});

describe('code of HTML', () => {
  it('is code with marks', () => {
    const code = only(
      '<pre class="language-yaml" data-title="a.yaml" data-line-numbers><code class="lang-yaml"><strong>scopes:\n</strong>    - a &#x3C; b\n\n    - c\n</code></pre>',
    );
    expect(code).toMatchObject({
      type: 'code',
      data: { syntax: 'yaml', title: 'a.yaml', lineNumbers: true },
    });
    expect((code.nodes ?? []).map(plainTextOf)).toEqual(['scopes:', '    - a < b', '', '    - c']);
    expect(JSON.stringify(code.nodes?.[0])).toContain('"marks":[{"object":"mark","type":"bold"}]');
    expect(documentToMarkdown(markdownToDocument('<pre><code>a\n</code></pre>'))).toBe('```\na\n```\n');
  });
});

describe('aligned blocks', () => {
  it.each([
    ['<h2 align="center">Where <em>to</em> begin</h2>', { type: 'heading-2', data: { align: 'center' } }],
    ['<h4 align="right">Deep</h4>', { type: 'heading-3', data: { depth: 4, align: 'end' } }],
    [
      '<p align="center">\n  <a href="https://example.com">x</a>\n</p>',
      { type: 'paragraph', data: { align: 'center' } },
    ],
  ])('are headings and paragraphs: %j', (html, block) => {
    expect(only(html)).toMatchObject(block);
  });
});

describe('headings with an anchor in braces', () => {
  it.each(['# Two words {#own}\n', '## *A* {#a-b}\n', 'Text\n\n### `c` d {#x.y_z}\n'])(
    'keep it: %j',
    (markdown) => {
      const heading = read(markdown).find(({ type }) => type?.startsWith('heading-') === true);
      expect(heading?.data?.['id']).toMatch(/^(own|a-b|x\.y_z)$/);
      expect(plainTextOf(heading ?? { object: 'block' })).not.toContain('{#');
      expect(documentToMarkdown(markdownToDocument(markdown))).toBe(markdown);
    },
  );

  it.each(['# {#own}\n', '# A `{#code}`\n', '# A {#b c}\n', '# A{#b}\n'])(
    'have none where it is text: %j',
    (markdown) => {
      expect(read(markdown)[0]?.data).not.toHaveProperty('id');
    },
  );
});

describe('references to specifications and tags', () => {
  it.each([
    ['openapi:pet-shop', { kind: 'openapi', spec: 'pet-shop' }],
    ['tag:beta', { kind: 'tag', tag: 'beta' }],
  ])('are addresses in Markdown: %s', (address, ref) => {
    const paragraph = only(`[it](${address})\n`);
    expect(paragraph.nodes?.find(({ type }) => type === 'link')?.data).toEqual({ ref });
    expect(documentToMarkdown({ object: 'document', data: {}, nodes: [paragraph] })).toBe(
      `[it](${address})\n`,
    );
  });
});
