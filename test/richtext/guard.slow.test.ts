import { describe, expect, it } from 'vitest';
import type { RichNode } from '../../src/contract/shapes.ts';
import { Problem } from '../../src/errors/problem.ts';
import { checkMarkdown } from '../../src/richtext/guard.ts';
import { documentToMarkdown, markdownToDocument } from '../../src/richtext/markdown.ts';
import { block, paragraphOf, textNode, voidBlock, voidInline } from '../../src/richtext/nodes.ts';

/** Reads, writes and reads a text again. Returns "problem" if it throws a Problem; other errors fail the test. */
function survives(markdown: string): 'document' | 'problem' {
  try {
    markdownToDocument(documentToMarkdown(markdownToDocument(markdown)));
    return 'document';
  } catch (error) {
    if (error instanceof Problem) return 'problem';
    throw error;
  }
}

/** The Problem that the guard throws for a text, without parsing the text. */
function refusalOf(
  markdown: string,
): { readonly reason: string; readonly cause: string | undefined } | undefined {
  try {
    checkMarkdown(markdown);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { reason: error.reason, cause: /mainly because of (.*)\.$/.exec(error.message)?.[1] };
  }
}

const each = (count: number, piece: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => piece(index)).join('');
const row = (cell: string, columns: number) => `|${`${cell}|`.repeat(columns)}\n`;

describe('hostile Markdown', () => {
  it.each([
    ['nested hints', '{% hint style="info" %}\n'.repeat(1500) + 'a\n' + '{% endhint %}\n'.repeat(1500)],
    ['nested hints on one line', `${'{% hint %}'.repeat(1500)} a ${'{% endhint %}'.repeat(1500)}`],
    ['nested details', '<details>\n\n'.repeat(1500) + 'a\n\n' + '</details>\n\n'.repeat(1500)],
    ['details without blank lines', '<details>\n'.repeat(1500) + 'a\n' + '</details>\n'.repeat(1500)],
    ['nested inline HTML', `a ${'<b>'.repeat(3000)}x${'</b>'.repeat(3000)}`],
    [
      'nested lists of HTML',
      `<table><tr><td>${'<ul><li>'.repeat(3000)}x${'</li></ul>'.repeat(3000)}</td></tr></table>`,
    ],
    ['nested footnotes', '[^a]: '.repeat(3000)],
  ])(
    'throws a Problem for %s, 1,500 levels deep or more',
    (_name, markdown) => {
      expect(survives(markdown)).toBe('problem');
    },
    60_000,
  );

  it.each([
    ['unclosed tags', '{% hint style="info" %}\n\n'.repeat(200)],
    ['closing tags', '{% endhint %}\n\n'.repeat(200)],
    ['tags that cross each other', '{% hint %}\n{% tabs %}\n{% endhint %}\n{% endtabs %}\n'.repeat(75)],
    ['unclosed details', '<details>\n\n'.repeat(200)],
    ['a tag without end', `{% hint style="${'a'.repeat(30_000)}`],
    ['tags on one line', '{% hint %}{% if a %}'.repeat(150)],
    ['a line of HTML', `a ${'<a b="'.repeat(1500)}`],
    ['HTML without end', `<table>${'<td a="<!--'.repeat(1500)}`],
    ['dollars', '$$a $'.repeat(1000)],
    ['lines of dollars', '$$\na\n'.repeat(401)],
    ['expressions without end', `a ${'<code class="expression">'.repeat(1000)}`],
    ['HTML and tags that alternate', '<div>\n{% hint %}\n'.repeat(150)],
    ['many figures in a row', `<div>${'<figure><img src="a"></figure>'.repeat(1500)}</div>`],
    ['lines that end with CR', 'a\r'.repeat(1500)],
    ['headings', '# a\n'.repeat(150)],
    ['underlined headings', 'a\n=\n'.repeat(150)],
    ['quotes and paragraphs that alternate', '> a\n\nb\n\n'.repeat(75)],
    ['footnotes', each(50, (index) => `[^${index}]: x\n\n[^${index}]\n\n`)],
    ['references', each(75, (index) => `[a${index}]: /x\n\n[a${index}]\n\n`)],
    ['a table', `${row('a', 3)}${row('-', 3)}${row('a', 3).repeat(100)}`],
    ['null bytes', '\0{% hint\0 %}\n\0\n{% endhint %}'],
    [
      'attributes named like members of objects',
      '{% hint __proto__="a" constructor="b" style="info" %}\na\n{% endhint %}\n\n<table __proto__="a"><tr><td>b</td></tr></table>',
    ],
  ])(
    'reads %s as a document',
    (_name, markdown) => {
      expect(survives(markdown)).toBe('document');
    },
    60_000,
  );

  it.each([
    ['a tag', `{% hint style="${'b '.repeat(100_000)}" %}`],
    ['a text', 'ab '.repeat(70_000)],
  ])(
    'reads %s of 200 KB as a paragraph',
    (_name, markdown) => {
      expect(markdownToDocument(markdown).nodes.map((node) => node.type)).toEqual(['paragraph']);
    },
    60_000,
  );

  const blocks = 'its paragraphs, headings and list items';
  const marks = 'its marks, links and tags';
  it.each([
    ['short paragraphs', 'a\n\n'.repeat(40_000), blocks],
    ['paragraphs that end with CR', 'a\r\r'.repeat(40_000), blocks],
    ['lines that end with CR', 'a\r'.repeat(100_000), 'its length'],
    ['headings', '# a\n'.repeat(40_000), blocks],
    ['underlined headings', 'a\n=\n'.repeat(10_000), blocks],
    ['list items', '* a *b* c\n'.repeat(20_000), blocks],
    ['quotes and paragraphs that alternate', '> a\n\nb\n\n'.repeat(10_000), blocks],
    ['lists in lists', '* a\n  * b\n'.repeat(20_000), blocks],
    ['quotes in lists', '* > a\n'.repeat(20_000), blocks],
    ['lists and lines that alternate', '* a\n- - -\n'.repeat(10_000), blocks],
    ['lazy lines in a quote', `> a\n${'b\n'.repeat(40_000)}`, blocks],
    ['blank lines in a deep list', `${'* '.repeat(90)}a\n${'\n'.repeat(40_000)}`, blocks],
    [
      'a table that is wide',
      `${row('a', 10_000)}${row('-', 10_000)}${row('a', 10_000)}`,
      'the cells of its tables',
    ],
    [
      'a wide table of short rows',
      `${row('a', 300)}${row('-', 300)}${'a\n'.repeat(1000)}`,
      'the cells of its tables',
    ],
    [
      'references',
      each(15_000, (index) => `[a${index}]: /x\n\n[a${index}]\n\n`),
      'its link references and footnotes',
    ],
    ['footnotes', each(2000, (index) => `[^${index}]: x\n\n[^${index}]\n\n`), blocks],
    ['emphasis marks in one paragraph', '*a* '.repeat(20_000), marks],
    ['closing brackets', ']'.repeat(20_000), marks],
    ['comments without end', 'a <!-- '.repeat(20_000), marks],
    ['code without end', each(900, (index) => `${'`'.repeat(index + 1)} `), marks],
    ['pieces of text between formulas', '$$a $'.repeat(100_000), marks],
    ['pieces of text between code', '`a`!!b '.repeat(100_000), marks],
    ['quotes in tags', '{% if "\\" %}'.repeat(50_000), marks],
    ['addresses', 'http://a.b '.repeat(80_000), marks],
    ['hints', '{% hint style="info" %}\na\n{% endhint %}\n\n'.repeat(10_000), blocks],
    ['nested quotes', `${'>'.repeat(90)} a\n`.repeat(2000), blocks],
  ])('refuses %s before parsing, and names the cause of the cost', (_name, markdown, cause) => {
    expect(refusalOf(markdown)).toEqual({ reason: 'too-large', cause });
  });

  it('names no cause if the text is too long or too deep', () => {
    expect(refusalOf('a'.repeat(1_000_001))).toEqual({ reason: 'too-large', cause: undefined });
    expect(refusalOf('> '.repeat(101))).toEqual({ reason: 'invalid-input', cause: undefined });
  });

  it.each([
    [
      'prose of 400 KB',
      each(
        1000,
        () =>
          `${'The quick brown fox jumps over a lazy dog, and then sleeps until it is morning again.\n'.repeat(5)}\n`,
      ),
    ],
    ['a list of 2,000 links', each(2000, (index) => `* [Some title](folder/page-${index}.md)\n`)],
    [
      'a table of contents of 1,000 lines',
      each(500, (index) => `* [Some title](a/page-${index}.md)\n  * [Other title](b/page-${index}.md)\n`),
    ],
    [
      'a table of 1,000 rows',
      `| Name | Type | Words |\n| --- | --- | --- |\n${'| `a_b` | string | Some words, and [a link](x.md). |\n'.repeat(1000)}`,
    ],
    [
      'a table of HTML of 1,000 rows',
      `<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody>${'<tr><td><code>a_b</code></td><td>Words, <a href="x.md">a link</a>.</td></tr>'.repeat(1000)}</tbody></table>`,
    ],
    ['code of 5,000 lines', `\`\`\`yaml\n${'  - name: a\n    value: "b_c"\n'.repeat(2500)}\`\`\`\n`],
    [
      '100 footnotes',
      each(100, (index) => `Some words with a note[^${index}] in it.\n\n`) +
        each(100, (index) => `[^${index}]: The note.\n`),
    ],
  ])('does not refuse %s', (_name, markdown) => {
    expect(refusalOf(markdown)).toBeUndefined();
  });
});

const written = (...nodes: RichNode[]) => documentToMarkdown({ object: 'document', data: {}, nodes });
const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const tableOf = (rows: number, columns: number, value: string, fragments: RichNode[] = []) =>
  voidBlock(
    'table',
    {
      view: { type: 'grid', columns: many(columns, (index) => `c${index}`) },
      definition: Object.fromEntries(
        many(columns, (index) => [`c${index}`, { id: `c${index}`, type: 'text', title: 'a' }]),
      ),
      records: Object.fromEntries(
        many(rows, (index) => [`r${index}`, { orderIndex: '0', values: { c0: value } }]),
      ),
    },
    fragments,
  );

describe('hostile documents', () => {
  it('writes a paragraph with 20,000 line breaks', () => {
    expect(written(paragraphOf('\n'.repeat(20_000)))).toBe(`${'<br>'.repeat(20_000)}\n`);
  });

  it.each([
    ['lines', [paragraphOf('a\n'.repeat(130_000))]],
    ['words', [block('paragraph', [textNode(many(200_000, () => ({ text: 'a', marks: [] })))])]],
    [
      'words with emphasis marks',
      [
        block('paragraph', [
          textNode(many(60_000, (index) => ({ text: 'a', marks: index % 2 === 0 ? ['bold'] : ['italic'] }))),
        ]),
      ],
    ],
    ['blocks', many(60_000, () => paragraphOf('a'))],
    ['cells', [tableOf(2000, 1000, 'a')]],
    [
      'wide cells',
      [
        tableOf(3000, 2, 'cell', [
          { object: 'fragment', fragment: 'cell', nodes: [paragraphOf('a'.repeat(100_000))] },
        ]),
      ],
    ],
    [
      'lines in deep quotes',
      [
        many(90, () => 0).reduce(
          (inner: RichNode) => block('blockquote', [inner]),
          paragraphOf('a\n'.repeat(20_000)),
        ),
      ],
    ],
  ] satisfies [string, RichNode[]][])('refuses too many %s', (_name, nodes) => {
    expect(() => written(...nodes)).toThrow(expect.objectContaining({ reason: 'too-large' }));
  });

  it('writes very long runs of spaces, line breaks and emoji codes quickly', () => {
    const blanks = ' '.repeat(100_000);
    expect(written(block('hint', [], { title: `a${blanks}b` }))).toContain(blanks);
    expect(written(block('paragraph', [voidInline('expression', { expression: `a${blanks}b` })]))).toContain(
      'expression',
    );
    expect(written(voidBlock('math', { formula: `a${'\n'.repeat(30_000)}b` }))).toContain('$$');
    expect(
      written(block('paragraph', [voidInline('emoji', { code: Array(100_000).fill('1f600').join('-') })])),
    ).toContain(':1f600-');
  });
});

describe('limits of Markdown and documents', () => {
  it.each<[string, number, (count: number) => string]>([
    ['levels of quotes', 100, (count) => `${'> '.repeat(count)}a`],
    ['levels of lists on one line', 100, (count) => `${'* '.repeat(count)}a`],
    ['levels of quotes and lists', 100, (count) => `${'> '.repeat(50)}${'* '.repeat(count - 50)}a`],
    ['levels of footnotes', 100, (count) => `${'[^a]: '.repeat(count)}a`],
    ['columns before a list marker', 200, (count) => `${' '.repeat(count)}* a`],
  ])('allow exactly the maximum number of %s', (_name, max, text) => {
    expect(refusalOf(text(max))).toBeUndefined();
    expect(refusalOf(text(max + 1))).toEqual({ reason: 'invalid-input', cause: undefined });
  });

  it('allow exactly 1,000,000 characters', () => {
    expect(refusalOf('a'.repeat(1_000_000))).toBeUndefined();
    expect(refusalOf('a'.repeat(1_000_001))).toEqual({ reason: 'too-large', cause: undefined });
  });

  it.each<[string, number, (count: number) => string]>([
    ['hints', 100, (count) => `${'{% hint %}\n'.repeat(count)}a\n${'{% endhint %}\n'.repeat(count)}`],
    // Each has a fragment, which is a level of the document as well.
    ['details', 99, (count) => `${'<details>\n\n'.repeat(count)}a\n\n${'</details>\n\n'.repeat(count)}`],
    ['inline HTML', 100, (count) => `a ${'<b>'.repeat(count)}x${'</b>'.repeat(count)}`],
  ])('allow exactly the maximum number of levels of %s', (_name, max, text) => {
    expect(survives(text(max))).toBe('document');
    expect(survives(text(max + 1))).toBe('problem');
  });

  it('allow exactly the maximum number of levels of a document', () => {
    const nested = (depth: number): RichNode =>
      depth === 1 ? block('hint', []) : block('hint', [nested(depth - 1)]);
    const inFragments = (depth: number): RichNode =>
      depth === 1
        ? paragraphOf('a')
        : voidBlock('expandable', {}, [
            { object: 'fragment', fragment: 'expandable-body', nodes: [inFragments(depth - 2)] },
          ]);
    expect(written(nested(200)).match(/\{% hint/g)).toHaveLength(200);
    expect(() => written(nested(201))).toThrow('more than 100 levels deep');
    // The text of the paragraph counts as a level.
    expect(written(inFragments(199)).match(/<details>/g)).toHaveLength(99);
    expect(() => written(inFragments(201))).toThrow('more than 100 levels deep');
  });
});
