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

describe('Markdown to be looked at', () => {
  it('has code of HTML as code', () => {
    const [code] = markdownToRead(
      '<pre class="language-ts" data-title="a.ts"><code class="lang-ts"><strong>let a = 1 &#x3C; 2;\n</strong>\nend();\n</code></pre>',
    ).nodes;
    expect(code).toMatchObject({ type: 'code', data: { syntax: 'ts', title: 'a.ts' } });
    expect(code!.nodes!.map(textOf)).toEqual(['let a = 1 < 2;', '', 'end();']);
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
    ['a mention', '<a data-mention href="b.md#x">#x</a>', '#x'],
    ['a heading', '<h4>one</h4>', 'one'],
  ])('has a table with %s in a cell as a table', (_name, cell, text) => {
    expect(seen(table(cell))).toEqual([`table n${text}`]);
  });

  it('has tables of other hands as tables, and the rest of HTML as its text', () => {
    expect(seen('<table>\n<tr><th scope="row">Row</th><td colspan="2">one</td></tr>\n</table>')).toEqual([
      'table Rowone',
    ]);
    expect(seen('<h2 align="center">Title <!-- no --></h2>')).toEqual(['heading-2 Title']);
    expect(seen('<!-- nothing -->\n\ntext <span id="x">in</span> it<br>')).toEqual(['paragraph text in it']);
    expect(
      seen('<div data-gb-custom-block data-tag="hint" data-style="danger" class="hint"><p>Mind</p></div>'),
    ).toEqual(['hint Mind']);
    expect(
      JSON.stringify(markdownToRead('<p align="center"><img src="a.png" width="9"></p>').nodes),
    ).toContain('"url":"a.png"');
    expect(
      JSON.stringify(markdownToRead('See <a href="https://x.test" target="_blank">it</a>.').nodes),
    ).toContain('"type":"link"');
  });

  it('has diagrams over lines as code, whatever stands in them', () => {
    expect(
      seen('a\n{% @mermaid/diagram content="graph TD\n  A["x"] --> B\n\n  B --> C" fullWidth="true" %}\nb'),
    ).toEqual(['paragraph a', 'code graph TD  A["x"] --> B  B --> C'.replace('B  B', 'B  B'), 'paragraph b']);
    expect(seen('{% @a/b content="x\n  a="b" c" d="e" f="g" %}')).toEqual(['code x  a="b" c']);
    expect(seen('```\n{% @mermaid/diagram content="\n```')).toEqual(['code {% @mermaid/diagram content="']);
    expect(seen('{% @mermaid/diagram content="never\nends')).toEqual([
      'paragraph {% @mermaid/diagram content="never ends',
    ]);
  });

  it('has descriptions of an interface as text', () => {
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
    'is a document or a Problem where thousands of %j are left open',
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

it('has a tag of at most 500 lines', () => {
  const tag = (lines: number) => `{% @mermaid/diagram content="a\n${'b\n'.repeat(lines - 2)}c" %}\n\nText`;
  expect(markdownToRead(tag(500)).nodes.map(({ type }) => type)).toEqual(['code', 'paragraph']);
  expect(markdownToRead(tag(501)).nodes.map(({ type }) => type)).not.toContain('code');
});
