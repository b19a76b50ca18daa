import { describe, expect, it } from 'vitest';
import { convertDialects, readFenceInfo } from '../../src/richtext/dialects.ts';
import { documentToMarkdown, markdownToDocument } from '../../src/richtext/markdown.ts';
import { scanAnchors } from '../../src/richtext/scan-anchors.ts';
import { scanLinks } from '../../src/richtext/scan-links.ts';
import { scanSections } from '../../src/richtext/scan-sections.ts';

/** The Markdown that GitBook writes for a text. */
const written = (text: string) => documentToMarkdown(markdownToDocument(text));
const hint = (style: string, ...lines: string[]) =>
  [`{% hint style="${style}" %}`, ...lines, '{% endhint %}', ''].join('\n');

describe('reading admonitions of other tools as hints', () => {
  it.each([
    ['Docusaurus', ':::note\nUse *it*.\n:::\n', hint('info', 'Use *it*.')],
    [
      'Docusaurus, with a title',
      ':::caution[Mind it]\n\nHot.\n\n:::\n',
      hint('warning', '**Mind it**', '', 'Hot.'),
    ],
    [
      'Docusaurus, with attributes',
      ':::tip{title="Do \'it\'" .a}\nHot.\n:::\n',
      hint('success', "**Do 'it'**", '', 'Hot.'),
    ],
    [
      'Starlight, with both titles',
      ":::tip[Do] { title='it' }\nHot.\n:::\n",
      hint('success', '**Do**', '', 'Hot.'),
    ],
    ['Docusaurus, with a bare title', ':::note {title=Do}\nHot.\n:::\n', hint('info', '**Do**', '', 'Hot.')],
    ['VitePress', '::: danger STOP\nHot.\n:::\n', hint('danger', '**STOP**', '', 'Hot.')],
    [
      'VitePress, with an end that a formatter moved into a list',
      '::: tip\n- One.\n  :::\n',
      hint('success', '* One.'),
    ],
    ['MkDocs and Hugo, with definitions', 'Term\n: One\n', '**Term**\n\n* One\n'],
    ['MyST', ':::{tip}\n:class: wide\nDo it.\n:::\n', hint('success', 'Do it.')],
    [
      'MyST, with a fence',
      '```{warning} Hot\n:class: wide\n\nA [link](b.md).\n```\n',
      hint('warning', '**Hot**', '', 'A [link](b.md).'),
    ],
    [
      'MyST, with a fence of code',
      '```{code-block} python\n:linenos:\n:caption: The "file"\n\nprint(1)\n```\nOut.\n',
      '{% code title="The \'file\'" %}\n```python\n\nprint(1)\n```\n{% endcode %}\n\nOut.\n',
    ],
    [
      'MyST, with lists of pages',
      'A.\n\n```{toctree}\n:hidden:\n\nb\n```\n\n:::{toctree}\nc\n\n:::\n\nD.\n\n:::{toctree}\n',
      'A.\n\nD.\n\n\\:::{toctree}\n',
    ],
    ['a block with the name of such a list', '::: contents\nB.\n:::\n', '\\::: contents B. :::\n'],
    [
      'MkDocs',
      '!!! tip "Try it"\n\n    One.\n\n    Two.\n\nOut.\n',
      `${hint('success', '**Try it**', '', 'One.', '', 'Two.')}\nOut.\n`,
    ],
    [
      'MkDocs, with lines of slashes',
      '/// note | Do *it*\n    open: true\nOne.\n\n- Two.\n    ///\n',
      hint('info', 'Do *it*', '', 'One.', '', '* Two.'),
    ],
    ['MkDocs, with a tab', '!!! bug inline end\n\tOne.\n', hint('danger', 'One.')],
    ['GitHub', '> [!CAUTION]\n> One.\n>\n> Two.\n', hint('danger', 'One.', '', 'Two.')],
    [
      'GitHub, directly after an admonition of MkDocs',
      '!!! note "T"\n\n    One.\n\n> [!TIP]\n> Two.\n',
      `${hint('info', '**T**', '', 'One.')}\n${hint('success', 'Two.')}`,
    ],
    [
      'GitHub, in a list',
      '* a\n\n  > [!note] Title\n  > b\n',
      '* a\n\n  {% hint style="info" %}\n  **Title**\n\n  b\n  {% endhint %}\n',
    ],
  ])('converts the syntax of %s', (_, given, expected) => expect(written(given)).toBe(expected));

  it('converts nested admonitions', () => {
    const given = '::::info\n!!! note\n    :::tip\n    In.\n    :::\n::::\n';
    expect(written(given).replace(/\n+/g, '\n')).toBe(
      `{% hint style="info" %}\n${hint('info', hint('success', 'In.').trim())}{% endhint %}\n`,
    );
  });
});

describe('reading other blocks of other tools', () => {
  it.each([
    ['::: details Read *more*\nText.\n:::\n', 'Read *more*'],
    ['??? note "See `a`"\n    Text.\n', 'See <code>a</code>'],
  ])('reads %j as an expandable block', (given, title) => {
    const [block] = markdownToDocument(given).nodes;
    expect(block).toMatchObject({ type: 'expandable' });
    expect(written(given)).toContain(`<summary>${title}</summary>\n\nText.`);
  });

  it.each([
    ['MkDocs', '=== "A"\n\n    ``` js\n    a\n    ```\n\n=== ":octicons-x-16: `B`"\n\n    b\n'],
    [
      'MkDocs, with lines of slashes',
      '/// tab | A\n``` js\na\n```\n///\n\n//// tab | `B`\n/// tab | C\nb\n///\n////\n',
    ],
    ['VitePress', '::: code-group\n\n```js [A]\na\n```\n\n```ts{1} [B]\nb\n```\n\n:::\n'],
  ])('reads the tabs of %s', (_, given) => {
    const [tabs, ...more] = markdownToDocument(given).nodes;
    expect(more).toEqual([]);
    expect(tabs).toMatchObject({ type: 'tabs', nodes: [{ data: { title: 'A' } }, { data: { title: 'B' } }] });
    expect(tabs?.nodes?.[0]?.nodes).toMatchObject([{ type: 'code', data: { syntax: 'js' } }]);
  });

  it.each(['# A { #b .wide data-toc-label="C" }\n', '# A { .wide id="b" }\n', '# A {: id=b }\n'])(
    'reads the id among the attributes of the heading %j',
    (given) => {
      expect(written(given)).toBe('# A {#b}\n');
      expect(scanAnchors(given)).toEqual(['b']);
    },
  );

  it.each([
    ['js title="src/a.js" {1,3}', { syntax: 'js', title: 'src/a.js' }],
    ["ts filename='a.ts' showLineNumbers", { syntax: 'ts', title: 'a.ts', lineNumbers: true }],
    ['title="a.txt"', { title: 'a.txt' }],
    ['sh src/a.b.sh', { syntax: 'sh', title: 'src/a.b.sh' }],
    ['a.sh', { syntax: 'a.sh' }],
    ['sh 1.5', { syntax: 'sh' }],
    ['sh [npm]', { syntax: 'sh', title: 'npm' }],
    ['vue{1,3-5}', { syntax: 'vue' }],
    ['md:line-numbers {2}', { syntax: 'md', lineNumbers: true }],
    ['js showLineNumbers=false', { syntax: 'js' }],
    ['rust,ignore (illustrative)', { syntax: 'rust' }],
    ['{ .py .no-copy linenums="1" hl_lines="2 3" }', { syntax: 'py', lineNumbers: true }],
    ['{.sh}', { syntax: 'sh' }],
    ['{eval-rst}', { syntax: '{eval-rst}' }],
    ['c++', { syntax: 'c++' }],
    ['hl_lines="2 3"', {}],
  ])('reads the title and language of the fence %s', (info, data) => {
    const [code] = markdownToDocument(`~~~${info}\nx\n~~~\n`).nodes;
    expect(code).toMatchObject({ type: 'code' });
    expect(code?.data ?? {}).toEqual(data);
  });

  it('keeps the title of a fence when the page is written, except the title of a tab', () => {
    expect(written('```js title="a.js"\nx\n```\n')).toBe(
      '{% code title="a.js" %}\n```js\nx\n```\n{% endcode %}\n',
    );
    expect(written('{% code title="b.js" %}\n```js title="a.js"\nx\n```\n{% endcode %}\n')).toContain(
      '"b.js"',
    );
    expect(written('::: code-group\n```js [A]\nx\n```\n:::\n')).not.toContain('{% code');
  });

  it('finds empty links, but not anchors of MkDocs', () => {
    expect(scanLinks('[](){#a}\n\n[b](b.md)\n').map(({ href }) => href)).toEqual(['b.md']);
    expect(scanLinks('[](){#a}\n\n[b]()\n').map(({ href }) => href)).toContain('');
  });

  it('finds links in admonitions and tabs, but not in code blocks', () => {
    const text =
      '[a](a.md)\n\n!!! note\n\n    [b](b.md), [a](a.md)\n\n=== "A"\n\n    ![c](c.png)\n\n```{note}\n[d](d.md)\n```\n\n```md\n[e](e.md)\n```\n';
    expect(scanLinks(text).map(({ href, line }) => [href, line])).toEqual([
      ['a.md', 1],
      ['b.md', 5],
      ['a.md', 5],
      ['c.png', 9],
      ['d.md', 12],
    ]);
  });

  it('finds the anchors and sections of headings in admonitions', () => {
    const given = '!!! note\n\n    ## One\n\n    Text.\n\n:::tip\n\n## Two\n\n:::\n';
    expect(scanAnchors(given)).toEqual(['one', 'two']);
    expect(scanSections(given).map(({ title, body }) => [title, body])).toEqual([
      ['One', 'Text.'],
      ['Two', ''],
    ]);
  });
});

it.each([
  ':::note\nNothing ends it.\n',
  '/// note that this is text\n///\n',
  ':::\nNothing begins it.\n',
  '::: mkdocs.config\n:::\n',
  '!!! note\nNot indented.\n',
  '=== "A"\nNot indented.\n',
  '> Quoted.\n> [!NOTE]\n> Later.\n',
  '> [!UNKNOWN]\n> Text.\n',
  '```\n:::note\n:::\n> [!NOTE]\n```\n',
  '    :::note\n    :::\n',
  '```{eval-rst}\nx\n```\n',
  '::: code-group\n\n<<< @/snippet.js\n\n:::\n',
  '```\n=== "A"\n\n    ``` c\n    ```\n\n=== "B"\n\n    b\n```\n',
  ':::constructor\nx\n:::\n',
  '> [!constructor]\n> x\n',
  '!!! note and: more\n    x\n',
  '$$\n:::note\nx\n:::\n$$\n',
  '* $$\n  > [!NOTE]\n  $$\n',
])('does not convert %j', (text) => expect(convertDialects(text).trimEnd()).toBe(text.trimEnd()));

it.each([':::note', '/// note', '!!! note', '??? note', '=== "A"', '[!NOTE]'])(
  'escapes a paragraph that looks like %s',
  (line) => {
    const text = (value: string) => ({
      object: 'text',
      leaves: [{ object: 'leaf', text: value, marks: [] }],
    });
    const nodes = [line, ':::', '///'].map((value) => ({
      object: 'block',
      type: 'paragraph',
      isVoid: false,
      nodes: [text(value)],
    }));
    const quote = { object: 'block', type: 'blockquote', isVoid: false, nodes };
    const given = { object: 'document', data: { schemaVersion: 2 }, nodes: [...nodes, quote] };
    const read = markdownToDocument(documentToMarkdown(given as Parameters<typeof documentToMarkdown>[0]));
    expect(read.nodes.map(({ type }) => type)).toEqual(['paragraph', 'paragraph', 'paragraph', 'blockquote']);
  },
);

it('converts blocks after a formula, and after an unclosed `$$`', () => {
  expect(
    convertDialects('$$\n:::tip\n$$\n:::tip\nx\n:::\n$$\n:::tip\nx\n:::\n').match(/endhint/g),
  ).toHaveLength(2);
});

// If the end of each block is searched again, this takes minutes.
it('takes time linear in the length of the text', () => {
  const lines = [
    ':::note\n$$\n',
    ':::note\n',
    '/// tab | A\n/// tab | B\n///\n',
    '* TOC\n{:toc}\na\n',
    '!!! note\n',
    '!!! note\n    a\n',
    '=== "A"\n\n',
    '> [!NOTE]\n',
    '```{note}\n',
    '::: code-group\n',
    '::: code-group\n```js\nx\n```\n',
    '=== "A"\n    x\n',
  ];
  for (const line of lines) expect(convertDialects(line.repeat(40_000)).length).toBeGreaterThan(40_000);
  const long = ['!!! ' + 'a'.repeat(1_000_000) + '!', ':::note ' + '{'.repeat(1_000_000) + '\n:::'];
  for (const line of long) expect(convertDialects(line).length).toBeGreaterThan(1_000_000);
  expect(readFenceInfo(`js${' ['.repeat(500_000)}`)).toEqual({ syntax: 'js' });
});

it('accepts many empty lines within a block', () => {
  const text = `!!! note\n    a\n${'\n'.repeat(300_000)}    b\n${'\n'.repeat(300_000)}c\n`;
  expect(convertDialects(text)).toMatch(/hint[^]*a\n+b\n[^]*endhint[^]*\n\nc/);
});
