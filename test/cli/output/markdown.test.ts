import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStyler } from '../../../src/cli/output/style.ts';
import { renderPage } from '../../../src/cli/output/markdown/render.ts';
import { displayWidth } from '../../../src/cli/output/width.ts';
import { escapeControls } from '../../../src/cli/output/escape-controls.ts';
import type { RichNode } from '../../../src/contract/shapes.ts';
import { markdownToDocument } from '../../../src/richtext/markdown.ts';

const plain = await createStyler(false);
const colored = await createStyler(true);
const draw = (nodes: readonly RichNode[], columns = 40, ink = plain) =>
  renderPage({ title: 'T', nodes: [block('heading-1', [text('T')]), ...nodes] }, columns, ink)
    .split('\n')
    .slice(3, -1);
const drawText = (markdown: string, columns = 40) => draw(markdownToDocument(markdown).nodes, columns);
const text = (value: string, ...marks: string[]): RichNode => ({
  object: 'text',
  leaves: [{ object: 'leaf', text: value, marks: marks.map((type) => ({ object: 'mark', type })) }],
});
const block = (
  type: string,
  nodes: readonly RichNode[] = [],
  data: Record<string, unknown> = {},
  more: object = {},
): RichNode => ({ object: 'block', type, data, nodes, ...more });
const inline = (type: string, data: Record<string, unknown>, nodes: readonly RichNode[] = []): RichNode => ({
  object: 'inline',
  type,
  data,
  nodes,
});
const paragraph = (value: string) => block('paragraph', [text(value)]);
const link = (label: string, url: string) => inline('link', { ref: { kind: 'url', url } }, [text(label)]);

describe('renderPage', () => {
  it('draws headings by level, with the title of the page if the text has no heading', () => {
    expect(
      renderPage({ title: 'Start', description: 'How to begin', nodes: [paragraph('Go.')] }, 40, plain),
    ).toBe('Start\n═════\n\nHow to begin\n\nGo.\n');
    expect(
      renderPage(
        { title: 'Start', description: 'How', nodes: [block('heading-1', [text('Own')])] },
        40,
        plain,
      ),
    ).toBe('Own\n═══\n');
    expect(
      draw([block('heading-2', [text('Two')]), block('heading-3', [text('Five')], { depth: 5 })]),
    ).toEqual(['Two', '───', '', '▫ Five']);
  });

  it('wraps at spaces, and CJK text anywhere except before a full stop', () => {
    expect(draw([paragraph('one two three four five six seven')], 24)).toEqual([
      'one two three four five',
      'six seven',
    ]);
    expect(draw([paragraph('中文字符也要换行而且没有空格所以必须')], 24)).toEqual([
      '中文字符也要换行而且没有',
      '空格所以必须',
    ]);
    expect(draw([paragraph(`see ${'x'.repeat(30)}`)], 24)).toEqual(['see', 'x'.repeat(24), 'x'.repeat(6)]);
    expect(draw([block('paragraph', [text('one\ntwo')])])).toEqual(['one', 'two']);
  });

  it('is never wider than 100 columns', () => {
    expect(Math.max(...draw([paragraph('word '.repeat(100))], 300).map(displayWidth))).toBeLessThanOrEqual(
      100,
    );
  });

  it('shows the target of a link, unless it is also the text', () => {
    const shown = draw(
      [
        block('paragraph', [
          link('docs', 'https://a.test'),
          text(' '),
          link('https://b.test', 'https://b.test'),
          text(' '),
          link('a@b.test', 'mailto:a@b.test'),
        ]),
      ],
      80,
    );
    expect(shown).toEqual(['docs (https://a.test) https://b.test a@b.test']);
  });

  it('nests lists, aligns numbers, and ticks tasks', () => {
    expect(drawText('* one\n* two\n  1. a\n  2. b\n')).toEqual(['• one', '• two', '  1. a', '  2. b']);
    expect(drawText('9. nine\n10. ten\n')).toEqual([' 9. nine', '10. ten']);
    expect(drawText('- [x] done\n- [ ] open\n')).toEqual(['☑ done', '☐ open']);
    expect(
      draw([
        block('list-unordered', [
          block('list-item', [paragraph('a'), paragraph('b')]),
          block('list-item', []),
        ]),
      ]),
    ).toEqual(['• a', '', '  b', '', '•']);
  });

  it('draws code and quotes with bars', () => {
    expect(drawText('```js\nif (a) {\n\treturn;\n}\n```\n')).toEqual([
      '  │ if (a) {',
      '  │     return;',
      '  │ }',
    ]);
    expect(draw([block('code', [block('code-line', [text('x')])], { title: 'main.js' })])).toEqual([
      '  main.js',
      '  │ x',
    ]);
    expect(drawText('> one\n>\n> > two\n')).toEqual(['▌ one', '▌', '▌ ▌ two']);
  });

  it('draws hints, tabs, steps and expandable blocks', () => {
    expect(
      draw([
        block('hint', [paragraph('Mind the gap between the train and the platform')], { style: 'warning' }),
      ]),
    ).toEqual(['▌ ⚠ Mind the gap between the train and', '▌   the platform']);
    expect(
      draw([
        block('tabs', [
          block('tabs-item', [paragraph('a')], { title: 'One' }),
          block('tabs-item', [paragraph('b')], { title: 'Two' }),
        ]),
      ]),
    ).toEqual(['╭ One', '│ a', '', '╭ Two', '│ b']);
    expect(
      draw([
        block('stepper', [
          block('stepper-step', [paragraph('a'), paragraph('b')]),
          block('stepper-step', [paragraph('c')]),
        ]),
      ]),
    ).toEqual(['1. a', '│', '│  b', '│', '2. c']);
    const fragments = [
      { object: 'fragment', fragment: 'expandable-title', nodes: [paragraph('More')] },
      { object: 'fragment', fragment: 'expandable-body', nodes: [paragraph('inside')] },
    ];
    expect(draw([block('expandable', [], {}, { fragments })])).toEqual(['▸ More', '  inside']);
  });

  it('shows images, files, embeds, math and inclusions with their address', () => {
    const caption = [{ object: 'fragment', fragment: 'caption', nodes: [paragraph('The logo')] }];
    expect(
      draw([
        block('images', [
          block('image', [], { alt: 'logo', ref: { kind: 'file', file: 'f1' } }, { fragments: caption }),
        ]),
      ]),
    ).toEqual(['[image: logo] /files/f1', 'The logo']);
    expect(draw([block('embed', [], { url: 'https://v.test' })])).toEqual(['[embed] https://v.test']);
    expect(draw([block('file', [], { ref: { kind: 'file', file: 'f1' } })])).toEqual(['[file] /files/f1']);
    expect(draw([block('content-ref', [], { ref: { kind: 'page', page: 'p1' } })])).toEqual(['→ /pages/p1']);
    expect(draw([block('content-ref', [], { label: 'Next', ref: { kind: 'page', page: 'p1' } })])).toEqual([
      '→ Next /pages/p1',
    ]);
    expect(
      draw([
        block(
          'swagger',
          [paragraph('pets')],
          { method: 'get', path: '/pets', ref: { kind: 'url', url: 'a.json' } },
          { isVoid: true },
        ),
      ]),
    ).toEqual(['[swagger: get /pets] a.json', 'pets']);
    expect(draw([block('updates', [block('update', [paragraph('new')], { date: '2026-01-05' })])])).toEqual([
      '2026-01-05',
      '│ new',
    ]);
    expect(
      draw([block('reusable-content', [], { ref: { kind: 'reusable-content', reusableContent: 'txt_1' } })]),
    ).toEqual(['[reusable-content] txt_1']);
    expect(draw([block('math', [], { formula: 'a = b' }), block('divider')])).toEqual([
      '  a = b',
      '',
      '─'.repeat(40),
    ]);
    const pieces = [
      inline('emoji', { code: '1f44d' }),
      inline('icon', { icon: 'bolt' }),
      inline('button', { label: 'Go', ref: { kind: 'url', url: '/x' } }),
    ];
    expect(
      draw([
        block('paragraph', [
          ...pieces,
          inline('expression', { expression: 'v' }),
          inline('inline-math', { formula: 'x' }),
        ]),
      ]),
    ).toEqual(['👍:bolt:[ Go ] (/x){{ v }}x']);
  });

  it('shows the content of unknown blocks and inlines', () => {
    expect(
      draw([block('columns', [block('column', [paragraph('left')]), block('column', [paragraph('right')])])]),
    ).toEqual(['left', '', 'right']);
    expect(draw([block('marvel', [block('paragraph', [inline('wonder', {}, [text('kept')])])])])).toEqual([
      'kept',
    ]);
    expect(draw([block('openapi-operation', [], { ref: { kind: 'openapi', spec: 'petstore' } })])).toEqual([
      '[openapi-operation] openapi:petstore',
    ]);
  });

  it('draws tables in columns, wraps cells, and draws tables that are too wide as lists', () => {
    expect(drawText('| Name | Count |\n|---|--:|\n| 中文 | 1 |\n| b | 22 |\n')).toEqual([
      'Name  Count',
      '────  ─────',
      '中文      1',
      'b        22',
    ]);
    expect(drawText(`| A | B |\n|---|---|\n| x | ${'word '.repeat(8)} |\n`, 24)).toEqual([
      'A  B',
      '─  ─────────────────────',
      'x  word word word word',
      '   word word word word',
    ]);
    expect(drawText('| A | B | C |\n|---|---|---|\n| 1 | 2 |  |\n| 3 | | 5 |\n', 24)).toEqual([
      'A  B  C',
      '─  ─  ─',
      '1  2',
      '3     5',
    ]);
    expect(drawText('| A | B | C | D |\n|---|---|---|---|\n| one more | two more | | four |\n', 24)).toEqual([
      'A: one more',
      'B: two more',
      'D: four',
    ]);
  });

  it('draws cells that span columns and rows, and tables inside cells', () => {
    const html =
      '<table><thead><tr><th>A</th><th>B</th><th>C</th></tr></thead><tbody><tr><td rowspan="2" colspan="2">both ways</td><td>1</td></tr><tr><td>2</td></tr><tr><td colspan="3">all of the columns</td></tr><tr><td>x</td><td></td><td><table><tr><td>in</td><td>side</td></tr><tr><td>or</td><td>not</td></tr></table></td></tr></tbody></table>';
    expect(drawText(html)).toEqual([
      'A      B      C',
      '─────  ─────  ─────────',
      'both ways     1',
      '              2',
      'all of the columns',
      'x             in | side',
      '              or | not',
    ]);
  });

  it('applies styles to each line separately', () => {
    const [first, second] = draw(
      [block('paragraph', [text('bold words that go on to the next line', 'bold')])],
      24,
      colored,
    );
    expect([first, second]).toEqual([
      '\u001b[1mbold words that go on to\u001b[22m',
      '\u001b[1mthe next line\u001b[22m',
    ]);
    expect(
      draw([block('code', [block('code-line', [text('+ new')])], { syntax: 'diff' })], 40, colored),
    ).toEqual(['\u001b[2m  │ \u001b[22m\u001b[32m+ new\u001b[39m']);
  });
});

describe('renderPage with untrusted text', () => {
  it('escapes control characters in every field', () => {
    const evil = '\u001b[2J\u0007\r\u202e';
    const table = {
      view: { columns: ['c'] },
      definition: { c: { title: evil, options: [{ value: 'v', label: evil }] } },
      records: { r: { values: { c: 'v' } } },
    };
    const nodes = [
      block('heading-2', [text(evil)]),
      block('paragraph', [
        text(evil, 'code'),
        link(evil, evil),
        inline('emoji', { code: evil }),
        inline('icon', { icon: evil }),
        inline('button', { label: evil, ref: { kind: 'url', url: evil } }),
      ]),
      block('code', [block('code-line', [text(evil)])], { title: evil, syntax: evil }),
      block('image', [], { alt: evil, ref: { kind: 'url', url: evil } }),
      block('tabs-item', [], { title: evil }),
      block('math', [], { formula: evil }),
      block(evil, [], { url: evil, title: evil }),
      block('if', [], { expression: evil }),
      block('table', [], table),
    ];
    const shown = renderPage({ title: evil, description: evil, nodes }, 80, plain);
    // eslint-disable-next-line no-control-regex
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(shown).toContain('\\u001b[2J');
  });

  it('stays within the width and keeps every visible character', () => {
    const words = fc.array(
      fc.oneof(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
        fc.constantFrom('中文。', '한국어', '👩‍💻', 'é', 'x'.repeat(60)),
      ),
      {
        maxLength: 20,
      },
    );
    fc.assert(
      fc.property(words, fc.integer({ min: 24, max: 60 }), (given, columns) => {
        const lines = draw([paragraph(given.join(' '))], columns);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
        const bare = (value: string) => value.replace(/\s/g, '');
        expect(bare(lines.join(''))).toBe(bare(escapeControls(given.join(' '))));
      }),
    );
  });

  it('draws deeply nested blocks', () => {
    let node = paragraph('deep');
    for (let level = 0; level < 200; level++) node = block(level % 2 === 0 ? 'blockquote' : 'hint', [node]);
    expect(draw([node], 80).at(-1)).toContain('deep');
  });
});
