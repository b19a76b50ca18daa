import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RichDocumentValue, RichNode } from '../../src/contract/shapes.ts';
import { Problem } from '../../src/errors/problem.ts';
import { documentToMarkdown, markdownToDocument } from '../../src/richtext/markdown.ts';
import { sortMarks, markOrder, type Mark } from '../../src/richtext/marks.ts';

const types = (markdown: string) => markdownToDocument(markdown).nodes.map((node) => node.type);
const again = (document: RichDocumentValue) => markdownToDocument(documentToMarkdown(document));

describe('markdownToDocument', () => {
  it('reads every type of block', () => {
    const markdown =
      '# One\n\n## Two\n\n##### Five\n\ntext\n\n* a\n\n1. b\n\n- [x] c\n\n```ts\nlet a\n```\n\n> q\n\n---\n\n| A |\n| - |\n| 1 |\n\n![alt](a.png)\n';
    expect(types(markdown)).toEqual([
      'heading-1',
      'heading-2',
      'heading-3',
      'paragraph',
      'list-unordered',
      'list-ordered',
      'list-tasks',
      'code',
      'blockquote',
      'divider',
      'table',
      'images',
    ]);
  });

  it('sorts marks, and reads the targets of links', () => {
    const [paragraph] = markdownToDocument(
      'a **b *c*** <kbd>K</kbd> [page](/pages/pag_1) ![](/files/fil_1)',
    ).nodes;
    expect(
      paragraph?.nodes?.map((node) => [node.object, node.type ?? node['leaves'], node.data?.['ref']]),
    ).toMatchObject([
      [
        'text',
        [
          { text: 'a ', marks: [] },
          { text: 'b ', marks: [{ type: 'bold' }] },
          { text: 'c', marks: [{ type: 'bold' }, { type: 'italic' }] },
          { text: ' ' },
          { text: 'K', marks: [{ type: 'keyboard' }] },
          { text: ' ' },
        ],
        undefined,
      ],
      ['inline', 'link', { kind: 'page', page: 'pag_1' }],
      ['text', [{ text: ' ' }], undefined],
      ['inline', 'inline-image', { kind: 'file', file: 'fil_1' }],
    ]);
  });

  it('assigns the same block keys each time', () => {
    const markdown = 'a\n\n* b\n  * c\n';
    expect(markdownToDocument(markdown)).toEqual(markdownToDocument(markdown));
    const keys = JSON.stringify(markdownToDocument(markdown)).match(/"key":"\w+"/g)!;
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('resolves reference links, and keeps the text of unknown tags', () => {
    expect(JSON.stringify(markdownToDocument('[a][x]\n\n[x]: https://a.test\n').nodes)).toContain(
      'https://a.test',
    );
    expect(documentToMarkdown(markdownToDocument('{% unknown style="info" %}\nhi\n{% endunknown %}'))).toBe(
      '{% unknown style="info" %} hi {% endunknown %}\n',
    );
  });

  it.each([
    ['quotes', '> '.repeat(10_000) + 'a'],
    ['lists on one line', '- '.repeat(10_000) + 'a'],
    [
      'lists line by line',
      Array.from({ length: 10_000 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n'),
    ],
    ['ordered lists', '1. '.repeat(10_000) + 'a'],
    ['marks that are expensive to parse', '*a '.repeat(10_000) + ' a*'.repeat(10_000)],
    ['marks', '*a '.repeat(300) + ' a*'.repeat(300)],
    ['links', '['.repeat(10_000) + 'a' + '](b)'.repeat(10_000)],
    ['an endless text', 'a '.repeat(600_000)],
  ])('throws a Problem for Markdown that is too deep or too expensive: %s', (_name, markdown) => {
    expect(() => markdownToDocument(markdown)).toThrow(Problem);
  });
});

describe('documentToMarkdown', () => {
  it('throws a Problem for invalid documents', () => {
    const deep = { nodes: [] as unknown[] };
    let at = deep;
    for (let depth = 0; depth < 10_000; depth++)
      at.nodes.push((at = { object: 'block', type: 'blockquote', nodes: [] } as never));
    const nodes = deep.nodes as RichNode[];
    expect(() => documentToMarkdown({ object: 'document', data: {}, nodes })).toThrow(Problem);
    expect(() => documentToMarkdown({ object: 'document', data: {}, nodes: [null as never] })).toThrow(
      Problem,
    );
    expect(() =>
      documentToMarkdown({
        object: 'document',
        data: {},
        nodes: [{ object: 'block', type: 'paragraph', nodes: 'x' as never }],
      }),
    ).toThrow(Problem);
  });

  it('writes the content of unknown blocks', () => {
    const unknown: RichNode = {
      object: 'block',
      type: 'unknown',
      data: { style: 'info' },
      nodes: [
        {
          object: 'block',
          type: 'paragraph',
          nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'hi', marks: [] }] }],
        },
      ],
    };
    expect(documentToMarkdown({ object: 'document', data: {}, nodes: [unknown] })).toBe('hi\n');
  });

  const words = fc.stringMatching(/^[a-zé漢][a-z0-9é漢.,!_*`<>[\]()#&|~\\-]{0,11}$/);
  const marks = fc.subarray([...markOrder].filter((mark) => mark !== 'code')).map(sortMarks);
  const leaf = fc.record({
    text: words,
    marks: fc.oneof(fc.constant<Mark[]>([]), marks, fc.constant<Mark[]>(['code'])),
  });
  const text = fc.array(leaf, { minLength: 1, maxLength: 4 }).map((leaves): RichNode => ({
    object: 'text',
    leaves: leaves.map(({ text: value, marks: list }) => ({
      object: 'leaf',
      text: value,
      marks: list.map((type) => ({ object: 'mark', type })),
    })),
  }));
  const block = (type: string, nodes: RichNode[], data = {}): RichNode => ({
    object: 'block',
    type,
    isVoid: false,
    data,
    nodes,
  });
  const link = text.map((node): RichNode => ({
    object: 'inline',
    type: 'link',
    isVoid: false,
    data: { ref: { kind: 'url', url: 'https://a.test/x' } },
    nodes: [node],
  }));
  const paragraph = fc
    .array(fc.oneof(text, link), { minLength: 1, maxLength: 3 })
    .map((nodes) => block('paragraph', nodes));
  const heading = fc
    .tuple(text, fc.integer({ min: 1, max: 3 }))
    .map(([node, depth]) => block(`heading-${depth}`, [node]));
  const code = fc
    .tuple(fc.array(fc.string(), { minLength: 1 }), fc.constantFrom({}, { syntax: 'ts' }))
    .map(([lines, data]) =>
      block(
        'code',
        lines.map((line) =>
          block('code-line', [
            { object: 'text', leaves: [{ object: 'leaf', text: line.replace(/[\r\n\0]/g, ''), marks: [] }] },
          ]),
        ),
        data,
      ),
    );
  const divider = fc.constant<RichNode>({ object: 'block', type: 'divider', isVoid: true, data: {} });
  const item = (data: object) =>
    fc
      .array(fc.oneof(paragraph, code), { minLength: 1, maxLength: 2 })
      .map((nodes) => block('list-item', nodes, data));
  const list = fc.oneof(
    fc.array(item({}), { minLength: 1, maxLength: 3 }).map((items) => block('list-unordered', items)),
    fc
      .array(item({}), { minLength: 1, maxLength: 3 })
      .map((items) => block('list-ordered', items, { start: 1 })),
    fc
      .array(
        paragraph.map((node) => block('list-item', [node], { checked: true })),
        { minLength: 1, maxLength: 3 },
      )
      .map((items) => block('list-tasks', items)),
  );
  const quote = fc
    .array(fc.oneof(paragraph, list, heading), { minLength: 1, maxLength: 2 })
    .map((nodes) => block('blockquote', nodes));
  const document = fc
    .array(fc.oneof(paragraph, heading, code, divider, list, quote), { maxLength: 5 })
    .map((nodes): RichDocumentValue => ({ object: 'document', data: {}, nodes }));

  it('writes Markdown that is read as the same document', () => {
    fc.assert(
      fc.property(document, (given) => {
        // The first round trip adds keys and joins equal neighbors. Later ones change nothing.
        const once = again(given);
        expect(again(once)).toEqual(once);
        expect(textsOf(once.nodes)).toEqual(textsOf(given.nodes));
      }),
      { seed: 7, numRuns: 60 },
    );
  }, 60_000);

  it('writes tables and images that are read as the same document', () => {
    const once = markdownToDocument(
      '| A | B |\n| :-: | --- |\n| **1** | x \\| y |\n|  | [l](b.md) |\n\n![alt](a.png)\n\ntext ![](b.png) more\n',
    );
    expect(again(once)).toEqual(once);
  });
});

describe('footnotes', () => {
  it.each([
    '## Title[^a-1]\n\n* Item[^2]\n\n[^a-1]: One.\n\n[^2]: The **text** with a [link](https://example.com).\n',
    '{% hint style="info" %}\nIn a hint[^1].\n{% endhint %}\n\n[^1]: The text.\n',
    'No note[^1].\n',
  ])('are unchanged after a round trip: %j', (text) => {
    expect(documentToMarkdown(markdownToDocument(text))).toBe(text);
  });

  const markdown = [
    'A note[^1], a [word](#user-content-fn-2)[^2] and **[^1]**.',
    '> * [^l]: in an item\n>   * more',
    '| a[^1] |\n| ----- |\n| [^2]: |',
    '[^1]: One\n    more line.',
    '[^2]: Two with `code`.',
    '[^3]: \\# no heading',
    '[^4]:',
  ].join('\n\n');

  it('are written as footnotes after reading', () => {
    const once = documentToMarkdown(markdownToDocument(markdown));
    expect(once).toBe(`${markdown.replace('One\n    more', 'One more')}\n`);
    expect(again(markdownToDocument(markdown))).toEqual(markdownToDocument(markdown));
  });

  it('begin only at the start of a paragraph, and escaped brackets stay text', () => {
    const once = documentToMarkdown(
      markdownToDocument('[^1](x) ![^1](y) [^a b] \\[^c]\\(x) \\[^d]\\[e]\n\n[e]: x\n'),
    );
    expect(again(markdownToDocument(once))).toEqual(markdownToDocument(once));
    expect(once).toContain('\\[^a b] [^c]\\(x) [^d]\\[e]');
  });
});

function textsOf(nodes: readonly RichNode[]): string {
  return nodes
    .map((node) =>
      node.object === 'text'
        ? (node['leaves'] as { text: string }[]).map((each) => each.text).join('')
        : `${node.type}(${textsOf(node.nodes ?? [])})`,
    )
    .join('');
}
