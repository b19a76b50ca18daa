import { describe, expect, it } from 'vitest';
import type { RichNode } from '../../src/contract/shapes.ts';
import { Problem } from '../../src/errors/problem.ts';
import { markdownToRead } from '../../src/richtext/readable.ts';

const textOf = (node: RichNode): string =>
  node.object === 'text'
    ? (node['leaves'] as { text: string }[]).map(({ text }) => text).join('')
    : [...((node['fragments'] as RichNode[]) ?? []), ...(node.nodes ?? [])].map(textOf).join('');
const seen = (markdown: string) =>
  markdownToRead(markdown).nodes.map((node) => `${node.type} ${textOf(node)}`.trim());
const table = (cell: string) =>
  `<table><thead><tr><th>Name</th><th>What</th></tr></thead><tbody><tr><td>n</td><td>${cell}</td></tr></tbody></table>`;

describe('markdownToRead', () => {
  it('reads HTML code as a code block', () => {
    const [code] = markdownToRead(
      '<pre class="language-ts" data-title="a.ts"><code class="lang-ts"><strong>let a = 1 &#x3C; 2;\n</strong>\nend();\n</code></pre>',
    ).nodes;
    expect(code).toMatchObject({ type: 'code', data: { syntax: 'ts', title: 'a.ts' } });
    expect(code!.nodes!.map(textOf)).toEqual(['let a = 1 < 2;', '', 'end();']);
  });

  it('ignores a line break at the end of a paragraph', () => {
    expect(seen('One.\\\nTwo.\\\n\n\\\n\n中文。\\')).toEqual(['paragraph One.\nTwo.', 'paragraph 中文。']);
    for (const path of ['C:\\', 'In ..\\', 'C:\\a\\']) expect(seen(path)).toEqual([`paragraph ${path}`]);
  });

  it.each([
    [
      'details',
      '<p>one</p><details><summary><strong>more</strong></summary><ul><li>two</li></ul></details>',
      'onemoretwo',
    ],
    [
      'a hint',
      '<div data-gb-custom-block data-tag="hint" data-style="info" class="hint hint-info"><p>one</p></div>',
      'one',
    ],
    ['a mention', '<a data-mention href="b.md#x">#x</a>', ''],
    ['a heading', '<h4>one</h4>', 'one'],
  ])('reads a table with %s in a cell as a table', (_name, cell, text) => {
    expect(seen(table(cell))).toEqual([`table n${text}`]);
  });

  it('reads buttons that ask or search as links to the search of the site', () => {
    const button = (more: string) =>
      `<button type="button" class="button secondary" ${more}>Find it</button>`;
    const nodesOf = (markdown: string) => markdownToRead(markdown).nodes[0]?.nodes;
    for (const action of ['ask', 'search'])
      expect(nodesOf(`Or ${button(`data-action="${action}"`)}.`)).toMatchObject([
        { object: 'text' },
        { type: 'button', data: { label: 'Find it', kind: 'secondary', ref: { url: '#~search' } } },
        { object: 'text' },
      ]);
    for (const other of ['', 'data-action="ask" disabled', 'data-action="other"'])
      expect(nodesOf(button(other))).toMatchObject([{ object: 'text' }]);
  });

  it('reads tables of other tools as tables, and other HTML as text', () => {
    expect(seen('<table>\n<tr><th scope="row">Row</th><td colspan="2">one</td></tr>\n</table>')).toEqual([
      'table Rowone',
    ]);
    expect(seen('<h2 align="center">Title <!-- no --></h2>')).toEqual(['heading-2 Title']);
    expect(seen('<!-- nothing -->\n\ntext <span id="x">in</span> it<br>')).toEqual(['paragraph text in it']);
    expect(
      seen('<div data-gb-custom-block data-tag="hint" data-style="danger" class="hint"><p>Mind</p></div>'),
    ).toEqual(['hint Mind']);
    expect(
      markdownToRead(
        '<div align="center">\n  <img src="a.png" width="9" alt="A">\n  <img src="b.png">\n</div>',
      ).nodes,
    ).toMatchObject([
      {
        type: 'images',
        data: { align: 'center' },
        nodes: [{ type: 'image', data: { ref: { url: 'a.png' }, width: 9, alt: 'A' } }, { type: 'image' }],
      },
    ]);
    expect(markdownToRead('<p align="right"><img src="a.png" width="9"></p>').nodes).toMatchObject([
      { type: 'images', data: { align: 'right' }, nodes: [{ data: { width: 9 } }] },
    ]);
    const logo = { type: 'link', nodes: [{ type: 'inline-image', data: { size: 'original', width: 9 } }] };
    for (const [open, close] of [
      ['<p align="center">', '</p>'],
      ['<div align="center">\n', '\n</div>'],
    ]) {
      const html = `${open}<a href="https://x.test"><img src="a.png" width="9"></a>${close}`;
      const [line] = markdownToRead(html).nodes;
      expect(line).toMatchObject({ type: 'paragraph', data: { align: 'center' } });
      expect(line?.nodes?.filter(({ object }) => object !== 'text')).toMatchObject([logo]);
    }
    expect(JSON.stringify(markdownToRead('<a href="x.md"><img src="a.png"></a> and').nodes)).not.toContain(
      'original',
    );
    expect(markdownToRead('<p align="center"><img src="a.png"> and</p>').nodes).toMatchObject([
      { type: 'paragraph', data: { align: 'center' } },
    ]);
    expect(
      JSON.stringify(markdownToRead('See <a href="https://x.test" target="_blank">it</a>.').nodes),
    ).toContain('"type":"link"');
  });

  const cellsOf = (node: RichNode) =>
    ((node['fragments'] ?? []) as RichNode[]).map((cell) => `${String(cell['fragment'])} ${textOf(cell)}`);

  it('reads headers over several columns as a row of bold cells', () => {
    const [caption, table, after] = markdownToRead(
      '<table border="1"><caption>All <b>times</b></caption><thead class="x"><tr><th rowspan="2">Name</th><th colspan="2">Time</th></tr><tr><th>Mean</th><th>Most</th></tr></thead><tbody><tr><th>a</th><td>1</td><td>2</td></tr></tbody></table> Thereafter',
    ).nodes;
    expect([caption, after].map((node) => textOf(node as RichNode))).toEqual(['All times', 'Thereafter']);
    expect(table).toMatchObject({
      type: 'table',
      data: {
        view: { hideHeader: true },
        cellMerges: [
          { anchor: { record: 'record-1', column: 'column-1' }, rowSpan: 2, colSpan: 1 },
          { anchor: { record: 'record-1', column: 'column-2' }, rowSpan: 1, colSpan: 2 },
        ],
      },
    });
    expect(cellsOf(table as RichNode)).toEqual([
      'cell-1-1 Name',
      'cell-1-2 Time',
      'cell-2-2 Mean',
      'cell-2-3 Most',
      'cell-3-1 a',
      'cell-3-2 1',
      'cell-3-3 2',
    ]);
    expect(JSON.stringify(table)).toContain('"text":"Mean","marks":[{"object":"mark","type":"bold"}]');
  });

  it.each([
    ['rowspan="9"', [{ rowSpan: 2, colSpan: 1 }]],
    ['rowspan="0"', [{ rowSpan: 2, colSpan: 1 }]],
    ['colspan="x"', undefined],
    ['colspan="-2"', undefined],
    ['colspan="99999999"', undefined],
  ])('limits the span of a cell to the rows and columns of the table: %s', (span, merges) => {
    const rows = `<tr bgcolor="red"><td ${span}>a</td><td>b<tr><td>c</td></tr>`;
    const [table] = markdownToRead(`<table>${rows}</table>`).nodes;
    expect(table?.type).toBe('table');
    expect(cellsOf(table as RichNode).map((cell) => cell.slice(-1))).toEqual(['a', 'b', 'c']);
    const { cellMerges } = table?.data ?? {};
    if (merges === undefined) expect(cellMerges).toBeUndefined();
    else expect(cellMerges).toMatchObject(merges);
  });

  it('reads tables in cells with nested HTML, and tables that contain blank lines', () => {
    const inner = '<div><table width="9"><tr><th>x</th></tr><tr><td>y</td></tr></table></div>';
    const [table] = markdownToRead(
      `<table><tr class="a">\n\n<td>\n\nfirst *one*\n\n${inner}\n\n</td></tr>\n\n</table>\n\nEnd`,
    ).nodes;
    const [cell] = (table?.['fragments'] ?? []) as RichNode[];
    expect(cell?.nodes?.map(({ type }) => type)).toEqual(['paragraph', 'table']);
    expect(cell?.nodes?.map(textOf)).toEqual(['first one', 'y']);
    expect(seen(`<table><tr x>\n\n<td>\n\nno end *here*\n\n`)).toEqual(['paragraph no end here']);
  });

  it('reads the text of nested tables at any depth', () => {
    const nested = (count: number): string =>
      count === 0 ? 'deep' : `<table><tr><td>${nested(count - 1)}</td></tr></table>`;
    for (const count of [4, 9, 2000])
      expect(seen(nested(count)).map((text) => text.replace(/\s+/g, ' '))).toEqual(['table deep']);
  });

  it('reads diagrams of several lines as code, with any content', () => {
    expect(
      seen('a\n{% @mermaid/diagram content="graph TD\n  A["x"] --> B\n\n  B --> C" fullWidth="true" %}\nb'),
    ).toEqual(['paragraph a', 'code graph TD  A["x"] --> B  B --> C'.replace('B  B', 'B  B'), 'paragraph b']);
    expect(seen('{% @a/b content="x\n  a="b" c" d="e" f="g" %}')).toEqual(['code x  a="b" c']);
    expect(seen('```\n{% @mermaid/diagram content="\n```')).toEqual(['code {% @mermaid/diagram content="']);
    expect(seen('{% @mermaid/diagram content="never\nends')).toEqual([
      'paragraph {% @mermaid/diagram content="never ends',
    ]);
  });

  it('reads Swagger blocks as text', () => {
    const parts = [
      '{% swagger method="get" path="/pets" baseUrl="https://api.test" summary="List *pets*" %}',
      '{% swagger-description %}\nAll.\n{% endswagger-description %}',
      '{% swagger-parameter in="query" name="limit" type="Integer" required="true" %}\nHow many\n{% endswagger-parameter %}',
      '{% swagger-response status="200: OK" description="Fine" %}\n```json\n{}\n```\n{% endswagger-response %}\n{% endswagger %}',
    ];
    expect(seen(parts.join('\n\n')).map((line) => line.replace(/^\w+ /, ''))).toEqual([
      'GET https://api.test/pets',
      'List *pets*',
      'All.',
      'limit query, Integer, required',
      'How many',
      '200: OK Fine',
      '{}',
    ]);
  });

  it.each(['{% @a/b content="x\n', '{% swagger-parameter "\n', '<a href="x">', '<td><details>'])(
    'returns a document or throws a Problem for thousands of unclosed %j',
    (piece) => {
      let outcome: unknown;
      try {
        outcome = markdownToRead(piece.repeat(4000));
      } catch (error) {
        outcome = error;
      }
      expect(outcome instanceof Problem || Array.isArray((outcome as { nodes?: unknown }).nodes)).toBe(true);
    },
  );
});

it('reads a tag of at most 500 lines', () => {
  const tag = (lines: number) => `{% @mermaid/diagram content="a\n${'b\n'.repeat(lines - 2)}c" %}\n\nText`;
  expect(markdownToRead(tag(500)).nodes.map(({ type }) => type)).toEqual(['code', 'paragraph']);
  expect(markdownToRead(tag(501)).nodes.map(({ type }) => type)).not.toContain('code');
});
