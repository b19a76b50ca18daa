import { describe, expect, it } from 'vitest';
import { documentToMarkdown, markdownToDocument } from '../../src/richtext/markdown.ts';
import { plainTextOf } from '../../src/richtext/nodes.ts';
import { withoutKeys } from './arbitraries.ts';

/** The blocks of a text, without keys. */
const nodesOf = (markdown: string) =>
  (withoutKeys(markdownToDocument(markdown)) as { nodes: unknown[] }).nodes;
const again = (markdown: string) => documentToMarkdown(markdownToDocument(markdown));
const leaf = (text: string, ...marks: object[]) => ({
  object: 'leaf',
  text,
  marks: marks.map((mark) => ({ object: 'mark', ...mark })),
});
const text = (...leaves: object[]) => ({ object: 'text', leaves });
const block = (type: string, nodes: object[], data = {}) => ({
  object: 'block',
  type,
  isVoid: false,
  data,
  nodes,
});
const paragraph = (words: string) => block('paragraph', [text(leaf(words))]);
const empty = (type: string, data: object, fragments?: object[]) => ({
  object: 'block',
  type,
  isVoid: true,
  data,
  ...(fragments === undefined ? {} : { fragments }),
});
const code = (line: string, data: object) => block('code', [block('code-line', [text(leaf(line))])], data);
const url = (address: string) => ({ kind: 'url', url: address });

describe('GitBook blocks in Markdown', () => {
  it.each<[string, string, object[]]>([
    [
      'hint',
      '{% hint style="warning" %}\nMind **it**.\n\n* a\n{% endhint %}',
      [
        block(
          'hint',
          [
            block('paragraph', [text(leaf('Mind '), leaf('it', { type: 'bold' }), leaf('.'))]),
            block('list-unordered', [block('list-item', [paragraph('a')])]),
          ],
          {
            style: 'warning',
          },
        ),
      ],
    ],
    [
      'tabs',
      '{% tabs %}\n{% tab title="Input" %}\na\n{% endtab %}\n\n{% tab title="Output" %}\nb\n{% endtab %}\n{% endtabs %}',
      [
        block('tabs', [
          block('tabs-item', [paragraph('a')], { title: 'Input' }),
          block('tabs-item', [paragraph('b')], { title: 'Output' }),
        ]),
      ],
    ],
    [
      'stepper',
      '{% stepper %}\n{% step %}\n#### Create\n\ntext\n{% endstep %}\n{% endstepper %}',
      [
        block('stepper', [
          block('stepper-step', [
            block('heading-3', [text(leaf('Create'))], { depth: 4 }),
            paragraph('text'),
          ]),
        ]),
      ],
    ],
    [
      'code',
      '{% code title="a.ts" overflow="wrap" lineNumbers="true" %}\n```ts\nlet a\n```\n{% endcode %}',
      [code('let a', { syntax: 'ts', title: 'a.ts', overflow: 'wrap', lineNumbers: true })],
    ],
    [
      'embed',
      '{% embed url="https://a.test/v" %}\n\n{% embed url="https://a.test/w" %}\nA film\n{% endembed %}',
      [
        empty('embed', { url: 'https://a.test/v' }),
        empty('embed', { url: 'https://a.test/w' }, [
          { object: 'fragment', fragment: 'caption', nodes: [paragraph('A film')] },
        ]),
      ],
    ],
    ['file', '{% file src="a.pdf" %}', [empty('file', { ref: url('a.pdf') })]],
    [
      'content-ref',
      '{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}',
      [empty('content-ref', { ref: url('a.md') })],
    ],
    ['page-ref', '{% page-ref page="spark.md" %}', [empty('content-ref', { ref: url('spark.md') })]],
    [
      'include',
      '{% include "../.gitbook/includes/a.md" %}',
      [
        empty('reusable-content', {
          ref: { kind: 'reusable-content', reusableContent: '../.gitbook/includes/a.md' },
        }),
      ],
    ],
    [
      'columns',
      '{% columns %}\n{% column width="50%" %}\na\n{% endcolumn %}\n{% endcolumns %}',
      [block('columns', [block('column', [paragraph('a')], { width: { value: 50, unit: '%' } })])],
    ],
    [
      'updates',
      '{% updates format="full" %}\n{% update date="2026-01-05" %}\na\n{% endupdate %}\n{% endupdates %}',
      [block('updates', [block('update', [paragraph('a')], { date: '2026-01-05' })], { format: 'full' })],
    ],
    [
      'openapi',
      '{% openapi src="a.yaml" path="/pets" method="get" %}\n{% endopenapi %}',
      [empty('swagger', { ref: { ...url('a.yaml'), spec: 'a' }, path: '/pets', method: 'get' })],
    ],
    [
      'swagger',
      '{% swagger src="a.yaml" path="/pets" method="get" %}',
      [empty('swagger', { ref: { ...url('a.yaml'), spec: 'a' }, path: '/pets', method: 'get' })],
    ],
    [
      'openapi-operation',
      '{% openapi-operation spec="pets" path="/pets" method="get" %}\n{% endopenapi-operation %}',
      [empty('openapi-operation', { ref: { kind: 'openapi', spec: 'pets' }, path: '/pets', method: 'get' })],
    ],
    [
      'if',
      '{% if visitor.claims.plan === "pro" %}\na\n{% endif %}',
      [block('if', [paragraph('a')], { expression: 'visitor.claims.plan === "pro"' })],
    ],
    [
      'prompt',
      '{% prompt description="Ask" %}\na\n{% endprompt %}',
      [block('prompt', [paragraph('a')], { description: 'Ask' })],
    ],
    [
      'integration',
      '{% @mermaid/diagram content="graph TD" %}',
      [empty('integration', { integration: 'mermaid', block: 'diagram', props: { content: 'graph TD' } })],
    ],
    ['math', '$$\na_1\n- b\n$$', [empty('math', { formula: 'a_1\n- b' })]],
    [
      'expandable',
      '<details>\n\n<summary>More <em>of</em> it</summary>\n\n```py\na\n```\n\n</details>',
      [
        empty('expandable', {}, [
          {
            object: 'fragment',
            fragment: 'expandable-title',
            type: 'expandable-title',
            nodes: [block('paragraph', [text(leaf('More '), leaf('of', { type: 'italic' }), leaf(' it'))])],
          },
          {
            object: 'fragment',
            fragment: 'expandable-body',
            type: 'expandable-body',
            nodes: [code('a', { syntax: 'py' })],
          },
        ]),
      ],
    ],
    [
      'figure',
      '<div align="left"><figure><img src="a.png" alt="An &quot;A&quot;" width="375"><figcaption><p>See <kbd>A</kbd></p></figcaption></figure></div>',
      [
        block(
          'images',
          [
            empty('image', { ref: url('a.png'), alt: 'An "A"', width: 375 }, [
              {
                object: 'fragment',
                fragment: 'caption',
                nodes: [block('paragraph', [text(leaf('See '), leaf('A', { type: 'keyboard' }))])],
              },
            ]),
          ],
          { align: 'left' },
        ),
      ],
    ],
    [
      'drawing',
      '<img src="a.svg" alt="" class="gitbook-drawing">',
      [empty('drawing', { ref: url('a.svg') })],
    ],
    ['comment', '<!-- a\n\nb -->', [block('paragraph', [text({ ...leaf('<!-- a\n\nb -->'), html: true })])]],
  ])('are read and written: %s', (_name, markdown, expected) => {
    expect(nodesOf(markdown)).toEqual(expected);
    expect(nodesOf(again(markdown))).toEqual(expected);
  });

  it('are read and written: cards', () => {
    const markdown =
      '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody><tr><td><strong>Start</strong></td><td><a href="start.md">start.md</a></td><td><a href="a.png">a.png</a></td></tr></tbody></table>\n';
    expect(nodesOf(markdown)).toEqual([
      empty(
        'table',
        {
          view: {
            type: 'cards',
            cardSize: 'medium',
            columns: ['column-1'],
            targetDefinition: 'column-2',
            coverDefinition: 'column-3',
          },
          records: {
            'record-1': {
              orderIndex: '000000',
              values: { 'column-1': 'cell-1-1', 'column-2': url('start.md'), 'column-3': ['a.png'] },
            },
          },
          definition: {
            'column-1': { id: 'column-1', type: 'text', textAlignment: 'left', title: '' },
            'column-2': { id: 'column-2', type: 'content-ref', title: '' },
            'column-3': { id: 'column-3', type: 'files', title: '' },
          },
        },
        [
          {
            object: 'fragment',
            fragment: 'cell-1-1',
            nodes: [block('paragraph', [text(leaf('Start', { type: 'bold' }))])],
          },
        ],
      ),
    ]);
    expect(again(markdown)).toBe(markdown);
  });

  it('keep the depth and anchor of a heading', () => {
    expect(again('###### Six <a href="#six" id="six"></a>\n')).toBe(
      '###### Six <a href="#six" id="six"></a>\n',
    );
    for (const tag of [
      '<a href="#one" id="two"></a>',
      '<a href="#two" id="two" title="x"></a>',
      '<a href="#"></a>',
    ])
      expect(again(`## Two ${tag}\n`)).toBe(`## Two ${tag}\n`);
    expect(nodesOf('## Two <a href="#two" id="two"></a>')).toEqual([
      block('heading-2', [text(leaf('Two'))], { id: 'two' }),
    ]);
  });

  it('are read inside lists, and after HTML without a blank line', () => {
    const markdown = '1. a\n   {% hint style="info" %}\n   b\n   {% endhint %}\n2. c\n';
    expect(nodesOf(markdown)).toEqual([
      block(
        'list-ordered',
        [
          block('list-item', [paragraph('a'), block('hint', [paragraph('b')], { style: 'info' })]),
          block('list-item', [paragraph('c')]),
        ],
        { start: 1 },
      ),
    ]);
    const table = nodesOf('{% hint style="info" %}\n<table><tr><td>a</td></tr></table>\n{% endhint %}') as {
      type: string;
      nodes: { type: string }[];
    }[];
    expect(table.map((node) => [node.type, node.nodes.map((inner) => inner.type)])).toEqual([
      ['hint', ['table']],
    ]);
    expect(nodesOf('{% hint style="info" %} a {% endhint %}')).toEqual([
      block('hint', [paragraph('a')], { style: 'info' }),
    ]);
  });
});

describe('GitBook inlines in Markdown', () => {
  const inline = (type: string, data: object) => ({ object: 'inline', type, isVoid: true, data });
  it.each<[string, string, object]>([
    ['button', '<a href="a.md" class="button secondary" data-icon="bolt">Go *on*</a>', text()],
    [
      'a button',
      '<a href="a.md" class="button secondary" data-icon="bolt">Go on</a>',
      inline('button', { label: 'Go on', kind: 'secondary', ref: url('a.md'), icon: 'bolt' }),
    ],
    ['an icon', '<i class="fa-bolt">:bolt:</i>', inline('icon', { icon: 'bolt' })],
    [
      'an expression',
      '<code class="expression">a*b*c &#x3C; 3</code>',
      inline('expression', { expression: 'a*b*c < 3' }),
    ],
    ['a formula', '$$a_1 * b_2$$', inline('inline-math', { formula: 'a_1 * b_2' })],
    ['a mention', '[a.md](a.md "mention")', inline('mention', { ref: url('a.md') })],
    [
      'an inline image',
      '<img src="a.png" alt="A" data-size="line">',
      inline('inline-image', { ref: url('a.png'), alt: 'A', size: 'line' }),
    ],
    [
      'a link with a title',
      '[a](b.md "c")',
      {
        object: 'inline',
        type: 'link',
        isVoid: false,
        data: { ref: url('b.md'), title: 'c' },
        nodes: [text(leaf('a'))],
      },
    ],
    [
      'a colour',
      '<mark style="color:blue;">b</mark>',
      text(leaf('b', { type: 'color', data: { text: 'blue', background: 'default' } })),
    ],
  ])('are read and written: %s', (name, markdown, expected) => {
    const [given] = nodesOf(`a ${markdown} z`) as { nodes: { leaves?: object[] }[] }[];
    if (name === 'button') expect(JSON.stringify(given)).toContain('"html":true');
    else if ('leaves' in expected)
      expect(given!.nodes).toEqual([text(leaf('a '), ...(expected.leaves as object[]), leaf(' z'))]);
    else expect(given!.nodes).toEqual([text(leaf('a ')), expected, text(leaf(' z'))]);
    expect(again(`a ${markdown} z\n`)).toBe(`a ${markdown.replace('&#x3C;', '&lt;')} z\n`);
  });

  it.each([
    ['a formula', '$$a\nb$$', inline('inline-math', { formula: 'a b' })],
    ['a formula with a dollar', '$$a $\n b$$', inline('inline-math', { formula: 'a $ b' })],
    ['an expression', '<code class="expression">a\nb</code>', inline('expression', { expression: 'a b' })],
  ])('are read over several lines, up to the end of the paragraph: %s', (_name, markdown, expected) => {
    expect(nodesOf(`z ${markdown}`)).toEqual([block('paragraph', [text(leaf('z ')), expected])]);
    expect(nodesOf(`> z ${markdown.replaceAll('\n', '\n> ')}\n\ny`)).toEqual([
      block('blockquote', [block('paragraph', [text(leaf('z ')), expected])]),
      paragraph('y'),
    ]);
  });

  it('keep line breaks and unknown HTML', () => {
    expect(nodesOf('a<br>b')).toEqual([paragraph('a\nb')]);
    expect(again('a <u onclick="x()">b</u> <script>c</script>\n')).toBe(
      'a <u onclick="x()">b</u> <script>c</script>\n',
    );
    expect(again('a \\<b>\n')).toBe('a \\<b>\n');
  });

  it('are converted to plain text', () => {
    expect(plainTextOf(markdownToDocument('**a** [b](c)').nodes[0]!)).toBe('a b');
    expect(
      plainTextOf(markdownToDocument('{% hint style="info" %}\na\n\n* b\n* c\n{% endhint %}').nodes[0]!),
    ).toBe('a\nb\nc');
  });
});

describe('Markdown that is not a block', () => {
  it.each([
    ['an unknown tag', '{% highlight ruby %}\n\n{% include_relative a.md %}\n'],
    ['an unclosed tag', '{% hint style="info" %}\n\na\n'],
    ['a closing tag', 'a\n\n{% endhint %}\n'],
    ['tabs with content that is not a tab', '{% tabs %}\n\na\n\n{% endtabs %}\n'],
    ['invalid attributes', '{% code title="a %}\n\n```\nb\n```\n\n{% endcode %}\n'],
    ['a tag in code', '```\n{% hint style="info" %}\n{% endhint %}\n```\n'],
    ['dollars without a closing dollar', '$$\n\na\n'],
    ['an unclosed <details>', '<details>\n\na\n'],
  ])('is kept as text: %s', (_name, markdown) => {
    expect(
      documentToMarkdown(markdownToDocument(markdown)).replaceAll('\\{%', '{%').replaceAll('\\$', '$'),
    ).toBe(markdown);
    expect(nodesOf(again(markdown))).toEqual(nodesOf(markdown));
  });
});
