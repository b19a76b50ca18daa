import { describe, expect, it } from 'vitest';
import type { RichNode } from '../../src/contract/shapes.ts';
import { documentToMarkdown, markdownToDocument } from '../../src/richtext/markdown.ts';
import { plainTextOf } from '../../src/richtext/nodes.ts';

/** Reads a text, and checks that the written document is read as the same document. */
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
  ])('can contain any text: %j', (text, label) => {
    expect(only(`{% content-ref url="plain.md" %}\n${text}\n{% endcontent-ref %}`)).toMatchObject({
      type: 'content-ref',
      data: { ref: { kind: 'url', url: 'plain.md' }, ...(label === undefined ? {} : { label }) },
    });
  });
});

describe('HTML tables', () => {
  it('keep the alignment of columns and cells', () => {
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

  it('can have blank lines, indentation and Markdown blocks in cells', () => {
    const table = only(
      '<table>\n  <thead>\n    <tr><th>Form</th><th>Example</th></tr>\n  </thead>\n\n  <tbody>\n\n    <tr>\n\n      <td>Code</td>\n\n<td>\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\n</td>\n    </tr>\n\n    <tr><td>List</td><td>\n\n* one\n* two\n\n</td></tr>\n  </tbody>\n</table>\n',
    );
    expect(table.type).toBe('table');
    expect(cellsOf(table)).toEqual(['paragraph', 'code', 'paragraph', 'list-unordered']);
    expect(plainTextOf(table)).toContain('const a = 1;\n\nconst b = 2;');
  });

  it('can have cells that span rows or columns', () => {
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
    ['more than 50 rows', `<tbody><tr><td rowspan="51">A</td></tr>${'<tr></tr>'.repeat(50)}</tbody>`],
    ['beyond the last row', '<tbody><tr><td rowspan="3">A</td><td>1</td></tr><tr><td>2</td></tr></tbody>'],
    ['overlaps', '<tbody><tr><td>1</td><td rowspan="2">A</td></tr><tr><td colspan="2">B</td></tr></tbody>'],
    [
      'more columns than the table has',
      '<thead><tr><th>A</th></tr></thead><tbody><tr><td colspan="2">B</td></tr></tbody>',
    ],
    ['a span that is not a number', '<tbody><tr><td colspan="all">A</td></tr></tbody>'],
  ])('stay HTML if a document cannot represent a span: %s', (_, rows) => {
    const html = `<table>${rows}</table>`;
    const node = only(html);
    expect(node.type).toBe('paragraph');
    expect(documentToMarkdown({ object: 'document', data: {}, nodes: [node] })).toBe(`${html}\n`);
  });

  it('are written without merges that do not fit the rows and columns', () => {
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

  it('can have select columns with options', () => {
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

  it('can have cells that span rows and columns, and rows that are covered completely', () => {
    const html =
      '<table><thead><tr><th>A</th><th>B</th><th>C</th></tr></thead><tbody><tr><td colspan="2" rowspan="2">wide and high</td><td>1</td></tr><tr><td>2</td></tr><tr><td colspan="3" rowspan="2">all</td></tr><tr></tr></tbody></table>'.replace(
        'colspan="2" rowspan="2"',
        'rowspan="2" colspan="2"',
      );
    const table = only(html.replace('colspan="3" rowspan="2"', 'rowspan="2" colspan="3"'));
    expect(table.data).toMatchObject({
      cellMerges: [
        { anchor: { record: 'record-1', column: 'column-1' }, rowSpan: 2, colSpan: 2 },
        { anchor: { record: 'record-3', column: 'column-1' }, rowSpan: 2, colSpan: 3 },
      ],
      records: { 'record-4': { values: {} } },
    });
    expect(documentToMarkdown({ object: 'document', data: {}, nodes: [table] })).toContain(
      '<tr><td rowspan="2" colspan="3">all</td></tr><tr></tr></tbody>',
    );
  });

  it.each([
    [
      'on one line',
      '<table><tr><td>Before<table><tr><td>x</td><td>y</td></tr></table>after</td></tr></table>',
    ],
    [
      'between blank lines',
      '<table><tr><td>\n\nBefore\n\n<table>\n<tr><td>x</td>\n\n<td>y</td></tr>\n</table>\n\nafter\n\n</td></tr></table>',
    ],
    [
      'of Markdown',
      '<table><tr><td>\n\nBefore\n\n| a | b |\n| - | - |\n| x | y |\n\nafter\n\n</td></tr></table>',
    ],
  ])('can have nested tables in cells, %s', (_, html) => {
    const table = only(html);
    expect(cellsOf(table)).toEqual(['paragraph,table,paragraph']);
    const [cell] = table['fragments'] as RichNode[];
    expect(cell?.nodes?.map(plainTextOf).join('|')).toMatch(/^Before\|x\s+y\s*\|after$/);
  });

  it('can be nested four levels deep, and stay HTML if nested deeper', () => {
    const nested = (count: number): string =>
      count === 0 ? 'x' : `<table><tr><td>${nested(count - 1)}</td></tr></table>`;
    expect(only(nested(4)).type).toBe('table');
    expect(plainTextOf(only(nested(4)))).toContain('x');
    expect(only(nested(5)).type).toBe('paragraph');
    expect(only(nested(3000)).type).toBe('paragraph');
  });

  it.each([
    ['a tag is around the table', '<tr><td><div><table><tr><td>x</td></tr></table></div></td></tr>'],
    ['the table is in a header', '<tr><th><table><tr><td>x</td></tr></table></th></tr><tr><td>1</td></tr>'],
    ['the cells are not plain', '<tr><td><table><tr><td colspan="x">x</td></tr></table></td></tr>'],
    [
      'the column has another type',
      '<thead><tr><th data-type="files">F</th></tr></thead><tr><td><table><tr><td><a href="x">x</a></td></tr></table></td></tr>',
    ],
  ])('stay HTML if they contain a table and %s', (_, rows) => {
    const html = `<table>${rows}</table>`;
    const node = only(html);
    expect(node.type).toBe('paragraph');
    expect(documentToMarkdown({ object: 'document', data: {}, nodes: [node] })).toBe(`${html}\n`);
  });

  it('can have headings and mentions in the cells of cards', () => {
    const cell = (content: string) =>
      `<table data-view="cards"><thead><tr><th>A</th></tr></thead><tbody><tr><td>${content}</td></tr></tbody></table>`;
    const markdown = `${cell('<h4>In the <strong>editor</strong></h4><p><a data-mention href="guide/start.md">start.md</a></p>')}\n`;
    const table = only(markdown);
    expect(table['fragments']).toMatchObject([
      {
        nodes: [
          { type: 'heading-3', data: { depth: 4 } },
          {
            type: 'paragraph',
            nodes: [{ type: 'mention', data: { ref: { kind: 'url', url: 'guide/start.md' } } }],
          },
        ],
      },
    ]);
    expect(documentToMarkdown({ object: 'document', data: {}, nodes: [table] })).toBe(markdown);
  });

  it.each([
    '{% hint style="info" %}\nHi\n{% endhint %}',
    '![a](b.png)',
    '> quote',
    'a\n\n---',
    '* [ ] task\n* [x] done',
    '3. three\n4. four',
    '$$\na\n$$',
    '{% embed url="https://x.y" %}',
    '{% tabs %}\n{% tab title="A" %}\nx\n{% endtab %}\n{% endtabs %}',
    '<details>\n\n<summary>S</summary>\n\nbody\n\n</details>',
    '{% include "x.md" %}',
    '<table data-view="cards"><thead><tr><th>T</th></tr></thead><tbody><tr><td>\n\n> Deep\n\n</td></tr></tbody></table>',
  ])('keep blocks in cells that can only be written as Markdown: %j', (content) => {
    const open = '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>';
    const markdown = `${open}\n\n${content}\n\n</td></tr></tbody></table>\n`;
    const table = only(markdown);
    expect(table.type).toBe('table');
    expect(documentToMarkdown({ object: 'document', data: {}, nodes: [table] })).toBe(markdown);
  });

  it('can cover at most 10,000 cells', () => {
    const row = `<tr>${'<td rowspan="50" colspan="50">x</td>'.repeat(5)}</tr>${'<tr></tr>'.repeat(49)}`;
    expect(only(`<table>${row}</table>`).type).toBe('paragraph');
  });
});

describe('headers of tables', () => {
  const titlesOf = ({ data }: RichNode) =>
    Object.values((data as { definition: Record<string, { title: string }> }).definition).map(
      ({ title }) => title,
    );

  it.each([
    ['paragraphs', '<p>Function</p><p>Description</p>', 'Function\nDescription'],
    ['one paragraph', '<p>Function</p>', 'Function'],
    ['paragraphs with blanks and code', '<p>Use <code>a</code></p> <p></p> <p>b</p>', 'Use a\nb'],
    ['an incomplete paragraph', '<p>Open', '<p>Open'],
    ['text next to a paragraph', 'a<p>b</p>', 'a<p>b</p>'],
  ])('can contain %s', (_, header, title) => {
    expect(titlesOf(only(`| ${header} | B |\n| --- | --- |\n| x | y |\n`))).toEqual([title, 'B']);
    const html = `<table><thead><tr><th>${header}</th><th>B</th></tr></thead><tbody><tr><td>x</td><td>y</td></tr></tbody></table>`;
    if (header.includes('</p>')) expect(titlesOf(only(html))).toEqual([title, 'B']);
  });
});

describe('HTML code blocks', () => {
  it('are read as code with marks', () => {
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

describe('aligned HTML blocks', () => {
  it.each([
    ['<h2 align="center">Where <em>to</em> begin</h2>', { type: 'heading-2', data: { align: 'center' } }],
    ['<h4 align="right">Deep</h4>', { type: 'heading-3', data: { depth: 4, align: 'end' } }],
    [
      '<p align="center">\n  <a href="https://example.com">x</a>\n</p>',
      { type: 'paragraph', data: { align: 'center' } },
    ],
  ])('are read as headings and paragraphs: %j', (html, block) => {
    expect(only(html)).toMatchObject(block);
  });
});

describe('headings with an anchor in braces', () => {
  it.each(['# Two words {#own}\n', '## *A* {#a-b}\n', 'Text\n\n### `c` d {#x.y_z}\n'])(
    'keep the anchor: %j',
    (markdown) => {
      const heading = read(markdown).find(({ type }) => type?.startsWith('heading-') === true);
      expect(heading?.data?.['id']).toMatch(/^(own|a-b|x\.y_z)$/);
      expect(plainTextOf(heading ?? { object: 'block' })).not.toContain('{#');
      expect(documentToMarkdown(markdownToDocument(markdown))).toBe(markdown);
    },
  );

  it.each(['# {#own}\n', '# A `{#code}`\n', '# A {#b c}\n', '# A{#b}\n'])(
    'have no anchor if the braces are part of the text: %j',
    (markdown) => {
      expect(read(markdown)[0]?.data).not.toHaveProperty('id');
    },
  );
});

describe('references to specifications and tags', () => {
  it.each([
    ['openapi:pet-shop', { kind: 'openapi', spec: 'pet-shop' }],
    ['tag:beta', { kind: 'tag', tag: 'beta' }],
  ])('are URLs in Markdown: %s', (address, ref) => {
    const paragraph = only(`[it](${address})\n`);
    expect(paragraph.nodes?.find(({ type }) => type === 'link')?.data).toEqual({ ref });
    expect(documentToMarkdown({ object: 'document', data: {}, nodes: [paragraph] })).toBe(
      `[it](${address})\n`,
    );
  });
});

/** The texts of a paragraph: bold ones between `[` and `]`, and links as `<url>` or `<url|text>`. */
const inlineText = (node: RichNode): string =>
  (node.nodes ?? [])
    .map((inline) => {
      if (inline.object === 'text')
        return ((inline['leaves'] ?? []) as { text: string; marks: unknown[] }[])
          .map(({ text, marks }) => (marks.length > 0 ? `[${text}]` : text))
          .join('');
      const url = (inline.data?.['ref'] as { url?: string } | undefined)?.url;
      const text = plainTextOf(inline);
      return url === text ? `<${url}>` : `<${url}|${text}>`;
    })
    .join('');

describe('bold text without spaces around it, as in Chinese, Japanese and Korean', () => {
  it.each([
    ['**示例：**输出文本', '[示例：]输出文本'],
    ['使用**“调试”**功能', '使用[“调试”]功能'],
    ['重点**（强调）**内容', '重点[（强调）]内容'],
    ['**Windows 11（64-bit）**を使う', '[Windows 11（64-bit）]を使う'],
    ['**전역 상태(Global State)**는 집합', '[전역 상태(Global State)]는 집합'],
    ['*斜体。*文字', '[斜体。]文字'],
    ['星号 ** 之间 ** 的空格', '星号 ** 之间 ** 的空格'],
    ['a**b.**c', 'a**b.**c'],
  ])('is read where it is valid: %s', (markdown, text) => expect(inlineText(only(markdown))).toBe(text));
});

describe('URLs without brackets, as GitBook writes them', () => {
  it.each([
    ['See https://a.test/&#x20;', 'See <https://a.test/> '],
    ['See https://a.test.&#x20;', 'See <https://a.test>. '],
    ['(www.a.test/x)&#x20;', '(<http://www.a.test/x|www.a.test/x>) '],
    ['**See https://a.test/b\\_c\\&d**&#x20;', '[See ]<https://a.test/b_c&d> '],
    ['https://a.test/XOR\\_cipher', '<https://a.test/XOR_cipher>'],
    ['https://a.test/?a=1&#x26;b=2', '<https://a.test/?a=1&b=2>'],
    ['https://a.exampl&#x65;**/inspect**.', 'https://a.example[/inspect].'],
    ['[https://a.test/b&#x20;](https://c.test)', '<https://c.test|https://a.test/b >'],
    ['请打开 http://localhost:9000。然后', '请打开 <http://localhost:9000>。然后'],
    ['（见https://a.test/x），另外', '（见<https://a.test/x>），另外'],
    ['https://zh.a.test/wiki/中文 是', '<https://zh.a.test/wiki/中文> 是'],
    ['https://a.test/x*y', '<https://a.test/x*y>'],
    ['<https://a.test/x\\_y>', '<https://a.test/x\\_y>'],
  ])('end before text that is not part of them: %s', (markdown, text) =>
    expect(inlineText(only(markdown))).toBe(text),
  );
});

describe('an end tag that a formatter moved into a list', () => {
  it.each([
    ['{% hint style="info" %}\n* one\n* two\n  {% endhint %}\n\n## After', 'hint,heading-2'],
    ['{% hint style="info" %}\n\n1. one\n\n   {% endhint %}\n\nAfter', 'hint,paragraph'],
    [
      '{% tabs %}\n{% tab title="A" %}\n1. one\n   {% endtab %}\n\n{% tab title="B" %}\ntwo\n{% endtab %}\n{% endtabs %}',
      'tabs',
    ],
    ['* one\n\n  {% hint style="info" %}\n  * two\n    {% endhint %}\n* three', 'list-unordered'],
    ['* one\n\n  {% hint style="info" %}\n  two\n  {% endhint %}\n\nAfter', 'list-unordered,paragraph'],
  ])('closes its block: %j', (markdown, types) => {
    const nodes = read(markdown);
    expect(nodes.map(({ type }) => type).join()).toBe(types);
    expect(JSON.stringify(nodes)).not.toContain('{%');
  });
});
