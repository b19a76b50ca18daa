import fc from 'fast-check';
import { slugOfFile } from '../../src/contract/specification-slug.ts';
import type { RichDocumentValue, RichNode } from '../../src/contract/shapes.ts';
import { sortMarks, markOrder, type Mark } from '../../src/richtext/marks.ts';
import { block, fragment, paragraphOf, textNode, voidBlock, voidInline } from '../../src/richtext/nodes.ts';

/** Texts with characters that have a meaning in Markdown, HTML or GitBook syntax. */
export const words = fc.oneof(
  fc.stringMatching(/^[a-zé漢][a-z0-9é漢.,!_*`<>[\]()#&|~$\\-]{0,11}$/),
  fc.constantFrom(
    '{% hint style="info" %}',
    '{% endhint %}',
    '$$',
    '$$x$$',
    '&amp;',
    '<b>',
    '</details>',
    '<!-- a',
    ':smile:',
    '{{ x }}',
    '`',
    '\\',
    '1.',
    '#',
    '+',
    '>',
    '| a |',
    'https://a.test',
  ),
);
const addresses = fc.constantFrom(
  'https://a.test/x?y=1&z=2',
  'page.md',
  '../a/b.md#part',
  '#part',
  '/pages/pag_1',
  '/files/fil_1',
  'a file.png',
);
const refs = addresses.map((address) => {
  const [, kind, id] = /^\/(page|file)s\/(\w+)$/.exec(address) ?? [];
  return kind === undefined ? { kind: 'url', url: address } : { kind, [kind]: id! };
});
/** Adds the specification that stands for a file. */
const fileRef = (ref: Record<string, string>) => {
  const spec = slugOfFile(ref['url'] ?? '');
  return spec === '' ? ref : { ...ref, spec };
};
/** Texts of an attribute. */
const titles = fc.constantFrom('Title', 'a "quoted" one', 'C:\\dir\\', '100 %', 'é 漢 <b>&', "it's");

const marks = fc
  .subarray(
    [...markOrder].filter((mark) => mark !== 'code'),
    { minLength: 1 },
  )
  .map(sortMarks);
const color = fc.constantFrom(
  { text: 'red', background: 'default' },
  { text: 'default', background: '$warning' },
  { text: 'blue', background: 'yellow' },
);
const marked = fc
  .record({ text: words, marks: fc.oneof(marks, fc.constant<Mark[]>(['code'])), color })
  .map((leaf) => ({
    text: leaf.text,
    marks: leaf.marks,
    ...(leaf.marks.includes('color') ? { color: leaf.color } : {}),
  }));

/** A plain word, followed by marked words with plain words between them. They have only one form in Markdown. */
const leaves = fc
  .tuple(words, fc.array(fc.tuple(marked, words), { maxLength: 2 }))
  .map(([first, more]) => [
    { text: more.length === 0 ? first : `${first} `, marks: [] },
    ...more.flatMap(([leaf, word], index) => [
      leaf,
      { text: ` ${word}${index === more.length - 1 ? '' : ' '}`, marks: [] },
    ]),
  ]);
const text = leaves.map(textNode);

const inline = fc.oneof(
  fc.tuple(refs, text, fc.option(titles, { nil: undefined })).map(([ref, node, title]): RichNode => ({
    object: 'inline',
    type: 'link',
    isVoid: false,
    data: { ref, ...(title === undefined ? {} : { title }) },
    nodes: [node],
  })),
  fc
    .tuple(refs, fc.option(titles, { nil: undefined }))
    .map(([ref, label]) => voidInline('mention', { ref, ...(label === undefined ? {} : { label }) })),
  fc
    .tuple(refs, fc.option(titles, { nil: undefined }))
    .map(([ref, alt]) => voidInline('inline-image', { ref, ...(alt === undefined ? {} : { alt }) })),
  fc.tuple(refs, titles).map(([ref, alt]) => voidInline('inline-image', { ref, alt, size: 'line' })),
  fc
    .constantFrom('a_1 * b_2', 'x \\$ y', '\\frac{a}{b} < 3')
    .map((formula) => voidInline('inline-math', { formula })),
  fc
    .constantFrom('space.vars.name', 'a*b*c || "<d>"', 'x & y')
    .map((expression) => voidInline('expression', { expression })),
  fc
    .record({ label: titles, kind: fc.constantFrom('primary', 'secondary'), ref: refs })
    .map((data) => voidInline('button', data)),
  fc
    .constantFrom({ icon: 'bolt' }, { icon: 'x-twitter', color: '$primary' })
    .map((data) => voidInline('icon', data)),
);
const spaced = (value: string) => textNode([{ text: value, marks: [] }]);
/** Texts with other inline nodes between them. */
export const inlines = fc.oneof(
  text.map((node) => [node]),
  fc
    .tuple(words, inline, words)
    .map(([before, node, after]) => [spaced(`${before} `), node, spaced(` ${after}`)]),
);
const paragraph = fc.oneof(
  inlines.map((nodes) => block('paragraph', nodes)),
  fc.tuple(words, words).map(([one, two]) => paragraphOf(`${one}\n${two}`)),
  fc
    .constantFrom('<!-- a comment -->', '<div class="x">\n{% hint %}</div>', '<section>')
    .map((html) => paragraphOf(html.replace('\n{% hint %}', ''), true)),
);
const heading = fc
  .tuple(
    inlines,
    fc.integer({ min: 1, max: 6 }),
    fc.option(fc.constantFrom('part', 'part-2'), { nil: undefined }),
  )
  .map(([nodes, depth, id]) =>
    block(`heading-${Math.min(depth, 3)}`, nodes, {
      ...(depth > 3 ? { depth } : {}),
      ...(id === undefined ? {} : { id }),
    }),
  );
const code = fc
  .tuple(
    fc.array(fc.oneof(fc.string(), fc.constantFrom('{% endcode %}', '```', '$$', '</details>')), {
      minLength: 1,
    }),
    fc.record(
      {
        syntax: fc.constantFrom('ts', 'c++'),
        title: titles,
        lineNumbers: fc.boolean(),
        overflow: fc.constant('wrap'),
        collapsedLineCount: fc.nat(9),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([lines, data]) =>
    block(
      'code',
      lines.map((line) =>
        block('code-line', [textNode([{ text: line.replace(/[\r\n\0]/g, ''), marks: [] }])]),
      ),
      data,
    ),
  );
const caption = fc.oneof(
  fc.constant<RichNode[]>([]),
  inlines.map((nodes) => [fragment('caption', [block('paragraph', nodes)])]),
);
const image = fc
  .tuple(
    refs,
    fc.record(
      { alt: titles, width: fc.constantFrom(200, { value: 50, unit: '%' }), refDark: refs },
      { requiredKeys: [] },
    ),
    caption,
  )
  .map(([ref, data, fragments]) => voidBlock('image', { ref, ...data }, fragments));
const images = fc.oneof(
  image.map((each) => block('images', [each])),
  fc
    .tuple(
      fc.array(image, { minLength: 2, maxLength: 3 }),
      fc.record({ align: fc.constant('left'), fullWidth: fc.boolean() }, { requiredKeys: [] }),
    )
    .map(([each, data]) => block('images', each, data)),
);
const cell = fc.oneof(
  inlines.map((nodes) => [block('paragraph', nodes)]),
  fc.array(
    inlines.map((nodes) => block('paragraph', nodes)),
    { minLength: 2, maxLength: 2 },
  ),
  inlines.map((nodes) => [block('list-unordered', [block('list-item', [block('paragraph', nodes)])])]),
);
const table = fc
  .tuple(
    fc.array(fc.tuple(cell, refs), { minLength: 1, maxLength: 3 }),
    words,
    fc.constantFrom('plain', 'wide', 'cards'),
  )
  .map(([rows, title, kind]): RichNode => {
    const columns = ['column-1', 'column-2'];
    const isCards = kind === 'cards';
    const view = isCards
      ? { type: 'cards', cardSize: 'large', columns: ['column-1'], targetDefinition: 'column-2' }
      : {
          type: 'grid',
          columns,
          ...(kind === 'wide' ? { columnWidths: { 'column-1': 120 } } : {}),
          hideHeader: false,
        };
    const values = (index: number) => ({
      'column-1': `cell-${index + 1}-1`,
      'column-2': isCards ? rows[index]![1] : `cell-${index + 1}-2`,
    });
    const records = Object.fromEntries(
      rows.map((_, index) => [
        `record-${index + 1}`,
        { orderIndex: String(index).padStart(6, '0'), values: values(index) },
      ]),
    );
    const definition = {
      'column-1': { id: 'column-1', type: 'text', textAlignment: 'center', title },
      'column-2': isCards
        ? { id: 'column-2', type: 'content-ref', title: '' }
        : { id: 'column-2', type: 'text', textAlignment: 'left', title: 'Two' },
    };
    const fragments = rows.flatMap(([nodes], index) => [
      { object: 'fragment' as const, fragment: `cell-${index + 1}-1`, nodes },
      ...(isCards
        ? []
        : [{ object: 'fragment' as const, fragment: `cell-${index + 1}-2`, nodes: [paragraphOf('')] }]),
    ]);
    return { object: 'block', type: 'table', isVoid: true, data: { view, records, definition }, fragments };
  });
const leaf = fc.oneof(
  paragraph,
  paragraph,
  heading,
  code,
  images,
  table,
  fc.constant(voidBlock('divider', {})),
  fc.constantFrom('x = 1', 'a\n\n- b\n+ c', '').map((formula) => voidBlock('math', { formula })),
  fc.record({ ref: refs }).map((data) => voidBlock('content-ref', data)),
  fc
    .tuple(refs, titles, caption)
    .map(([ref, label, fragments]) =>
      fragments.length === 0
        ? voidBlock('content-ref', { ref, label })
        : voidBlock('file', { ref }, fragments),
    ),
  caption.map((fragments) =>
    voidBlock('embed', { url: 'https://a.test/?v=1&w=2' }, fragments.length === 0 ? undefined : fragments),
  ),
  fc.constant(voidBlock('drawing', { ref: { kind: 'url', url: 'a.svg' } })),
  fc.constant(
    voidBlock('reusable-content', {
      ref: { kind: 'reusable-content', reusableContent: '.gitbook/includes/a.md' },
    }),
  ),
  titles.map((content) =>
    voidBlock('integration', {
      integration: 'mermaid',
      block: 'diagram',
      props: { content: `${content}\nb` },
    }),
  ),
  refs.map((ref) =>
    voidBlock('swagger', { ref: fileRef(ref), path: '/pets', method: 'get', expanded: true }),
  ),
  fc.constant(
    voidBlock('openapi-operation', { ref: { kind: 'openapi', spec: 'pets' }, path: '/pets', method: 'get' }),
  ),
  fc.constant(
    voidBlock('openapi-schemas', {
      ref: { kind: 'openapi', spec: 'pets' },
      schemas: ['Pet', 'Dog'],
      grouped: false,
    }),
  ),
);

const { blocks } = fc.letrec<{ blocks: RichNode[]; block: RichNode; list: RichNode; holder: RichNode }>(
  (tie) => ({
    // Adjacent lists, quotes or comments are joined in Markdown, so there is a paragraph between any two blocks.
    blocks: fc
      .array(tie('block'), { minLength: 1, maxLength: 3 })
      .map((nodes) =>
        nodes.flatMap((node, index) => (index === 0 ? [node] : [paragraphOf('between'), node])),
      ),
    block: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, tie('list'), tie('holder')),
    list: fc
      .tuple(
        fc.constantFrom('list-ordered', 'list-unordered', 'list-tasks'),
        fc.array(fc.tuple(inlines, fc.option(tie('blocks'), { nil: [] })), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 0, max: 20 }),
      )
      .map(([type, items, start]) =>
        block(
          type,
          items.map(([first, more]) =>
            block(
              'list-item',
              [block('paragraph', first), ...more],
              type === 'list-tasks' ? { checked: true } : {},
            ),
          ),
          type === 'list-ordered' ? { start } : {},
        ),
      ),
    holder: fc.oneof(
      tie('blocks').map((nodes) => block('blockquote', nodes)),
      fc
        .tuple(fc.constantFrom('info', 'success', 'warning', 'danger'), tie('blocks'))
        .map(([style, nodes]) => block('hint', nodes, { style })),
      fc.array(fc.tuple(titles, tie('blocks')), { minLength: 1, maxLength: 2 }).map((tabs) =>
        block(
          'tabs',
          tabs.map(([title, nodes]) => block('tabs-item', nodes, { title })),
        ),
      ),
      fc.array(tie('blocks'), { minLength: 1, maxLength: 2 }).map((steps) =>
        block(
          'stepper',
          steps.map((nodes) => block('stepper-step', nodes)),
        ),
      ),
      fc.array(tie('blocks'), { minLength: 1, maxLength: 2 }).map((columns) =>
        block(
          'columns',
          columns.map((nodes) => block('column', nodes, { width: { value: 50, unit: '%' } })),
        ),
      ),
      tie('blocks').map((nodes) =>
        block('updates', [block('update', nodes, { date: '2026-01-05' })], { format: 'full' }),
      ),
      tie('blocks').map((nodes) =>
        block('if', nodes, { expression: 'visitor.claims.plan === "pro" && a < 3' }),
      ),
      tie('blocks').map((nodes) => block('prompt', nodes, { description: 'Say "hi"' })),
      fc
        .tuple(inlines, tie('blocks'))
        .map(([title, nodes]) =>
          voidBlock('expandable', {}, [
            fragment('expandable-title', [block('paragraph', title)], 'expandable-title'),
            fragment('expandable-body', nodes, 'expandable-body'),
          ]),
        ),
    ),
  }),
);

/** Documents with every type of block and inline, as the reader of Markdown returns them. */
export const documents = blocks.map((nodes): RichDocumentValue => ({
  object: 'document',
  data: { schemaVersion: 2 },
  nodes,
}));

/** Removes the keys of nodes, which are added when a document is read. */
export function withoutKeys(document: RichDocumentValue): unknown {
  return JSON.parse(JSON.stringify(document, (name, value: unknown) => (name === 'key' ? undefined : value)));
}

const codeLine = fc.constantFrom('a', '', '- a', '> b', '# c', '``', '`` ~', '~~', '<!-- d -->', '    e', '\tf', '[g](h)', '{% hint %}', '- ``', '1. i', '<div>', '***'); // prettier-ignore
const fence = fc
  .tuple(
    fc.constantFrom('```', '~~~', '````', '~~~~~'),
    fc.constantFrom('', 'js', ' yaml title="a"', '{% a %}'),
    fc.array(codeLine, { maxLength: 4 }),
    fc.constantFrom('', '`', '  '),
  )
  .map(([mark, info, lines, more]) => [mark + info, ...lines, mark + (more === '`' ? mark[0]! : more)]);
const between = fc.array(fc.constantFrom('a', '', '```', '# b', '- c', '> d', '<!-- e', '{% f %}'), {
  maxLength: 3,
});
const plainLines: fc.Arbitrary<string[]> = fc.oneof(
  fc.array(
    words.map((word) => `a ${word.replace(/<!--|</g, '')} b`),
    { minLength: 1, maxLength: 3 },
  ),
  fc.constantFrom<string[][]>(
    ['# Title'],
    ['___'],
    ['{% hint style="info" %}'],
    ['`a` [b](c)'],
    ['| a | b |', '| - | - |'],
  ),
);
const html: fc.Arbitrary<string[]> = fc.oneof(
  between.map((lines) => ['<!-- a', ...lines, 'b --> c']),
  fc.constantFrom<string[][]>(['<!-- a -->'], ['<!-->']),
  between.map((lines) => ['<pre class="a">', ...lines, '</pre>']),
);
const { blocksOfLines } = fc.letrec<{ blocksOfLines: string[]; one: string[] }>((tie) => ({
  blocksOfLines: fc
    .array(tie('one'), { minLength: 1, maxLength: 4 })
    .map((all) => all.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))),
  one: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    plainLines,
    fence,
    html,
    tie('blocksOfLines').map((lines) => lines.map((line) => (line === '' ? '>' : `> ${line}`))),
    fc
      .tuple(fc.constantFrom('- ', '* ', '1. ', '23) '), tie('blocksOfLines'))
      .map(([mark, lines]) =>
        lines.map((line, index) =>
          index === 0 ? mark + line : line === '' ? '' : ' '.repeat(mark.length) + line,
        ),
      ),
    // An unclosed fence ends with the block that contains it.
    fc
      .tuple(fc.constantFrom(['- ', '  '], ['> ', '> '], ['7. ', '   ']), fence)
      .map(([[first, more], lines]) =>
        lines.slice(0, -1).map((line, index) => (index === 0 ? first : more) + line),
      ),
  ),
}));

/** Markdown with paragraphs, code, comments and raw HTML, also in quotes and lists. */
export const markdownTexts = fc
  .tuple(
    fc.array(fc.oneof(blocksOfLines, fc.constantFrom(['Words', '', '    code', '', '    more'])), {
      maxLength: 3,
    }),
    fc.constantFrom('\n', '\n', '\r\n'),
  )
  .map(([all, lineEnd]) => all.flatMap((lines) => ['Words', '', ...lines, '']).join(lineEnd));
