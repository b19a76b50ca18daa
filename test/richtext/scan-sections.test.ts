import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headingsIn, PageAnchors } from '../../src/render/anchors.ts';
import { markdownToRead } from '../../src/richtext/readable.ts';
import { scanSections } from '../../src/richtext/scan-sections.ts';

const anchors = (text: string) => scanSections(text).map(({ anchor }) => anchor);
const bodyOf = (text: string) =>
  scanSections(text)
    .map(({ body }) => body)
    .join('\n');

describe('file names', () => {
  const bodyOf = (markdown: string) =>
    scanSections(markdown)
      .map(({ body }) => body)
      .join('|');

  it.each([
    ['{% content-ref url="a/b.md" %}\n[b.md](a/b.md)\n{% endcontent-ref %}', ''],
    ['![b c.png](<a/b c.png>) seen', 'seen'],
    ['![b\\_c.png](a/b_c.png) seen', 'seen'],
    ['![b c.png](a/b%20c.png) seen', 'seen'],
    ['Ask [ana.md](team/ana.md "mention")', 'Ask'],
    ['<table><tr><td>T</td><td><a href=".gitbook/assets/c.png">c.png</a></td></tr></table>', 'T'],
    ['{% include "../x.md" %}\n\n{% file src="x.zip" %}\n\nseen', 'seen'],
  ])('are not searched text where the page shows a title or picture instead: %j', (markdown, text) => {
    expect(bodyOf(markdown)).toBe(text);
  });

  it.each([
    ['See [b.md](a/b.md) for more', 'See b.md for more'],
    ['[b.md](https://x.test/b.md)', 'b.md'],
    ['![a picture](a/b.png)', 'a picture'],
    ['[b.md](c.md)', 'b.md'],
    ['<a href="x.md">the *text*</a>', 'the text'],
    ['![node.js](%E0%A4%A.js)', 'node.js'],
  ])('are searched text where readers see them: %j', (markdown, text) => {
    expect(bodyOf(markdown)).toBe(text);
  });
});

describe('scanSections', () => {
  it('splits at Markdown headings of both kinds and at HTML headings', () => {
    const text =
      'Intro.\n\n# One #\nText\r\nof one.\r\n\nTwo *marked*\n===\nText.\n\n<h3 align="center">Three</h3>\n\n#### \n\nNameless';
    expect(scanSections(text)).toEqual([
      { title: '', anchor: '', body: 'Intro.' },
      { title: 'One', anchor: 'one', body: 'Text\nof one.' },
      { title: 'Two marked', anchor: 'two-marked', body: 'Text.' },
      { title: 'Three', anchor: 'three', body: '' },
      { title: '', anchor: '', body: 'Nameless' },
    ]);
  });

  it('makes described operations sections of their own, whose text behind them belongs to the heading above', () => {
    const block = (method: string, lines: string) =>
      `{% openapi-operation spec="pets" path="/pets/{id}" method="${method}" %}\n${lines}\n{% endopenapi-operation %}`;
    const text = [
      '# Pets',
      block('get', '**Get *one* \\<pet>**\n\n`GET /pets/{id}`\n\n### Remarks\n\nSlow.'),
      'Between.',
      '> {% openapi-webhook spec="pets" name="pet Added" method="post" %}\n> **Added**\n>\n> Sent.\n> {% endopenapi-webhook %}',
      'Behind.',
      // Operations of generated pages have headings, and other blocks may have no description.
      `## Delete a pet\n\n${block('delete', '[OpenAPI pets](https://x.test)\n\n`DELETE /pets/{id}`\n\n**Responses**')}`,
      '{% openapi-operation spec="pets" path="/a" method="put" %}\n**Open**\n\n## Last',
    ].join('\n\n');
    expect(scanSections(text)).toEqual([
      { title: 'Pets', anchor: 'pets', body: '' },
      { title: 'Get one <pet>', anchor: 'get-pets-id', body: 'GET /pets/{id}\nRemarks\nSlow.' },
      { title: 'Pets', anchor: 'pets', body: 'Between.' },
      { title: 'Added', anchor: 'post-pet-added', body: 'Sent.' },
      { title: 'Pets', anchor: 'pets', body: 'Behind.' },
      {
        title: 'Delete a pet',
        anchor: 'delete-a-pet',
        body: 'OpenAPI pets\nDELETE /pets/{id}\nResponses',
      },
      { title: 'Open', anchor: 'put-a', body: '' },
      { title: 'Last', anchor: 'last', body: '' },
    ]);
  });

  it('finds no headings in code, comments, lists, tables and rules', () => {
    const text =
      '```md\n# No\n```\n\n~~~~\n## No\n~~~\n## No\n~~~~\n\n<!--\n# No\n-->\n\n- item\n---\n\n| a |\n| - |\n\n---\n\n    # No\n#No\n\n> ```\n> # No\n> ```\n\n# Yes';
    expect(scanSections(text).map(({ title }) => title)).toEqual(['', 'Yes']);
  });

  it('names anchors like GitHub', () => {
    const text =
      '# Hello, World!\n# Hello World\n# hello world-1\n# 數值型別 `a_b`\n# A & B -- c\n# Own <a href="#my-own" id="my-own"></a>\n# Other {#its-own}\n# Éa\n';
    expect(anchors(text)).toEqual([
      'hello-world',
      'hello-world-1',
      'hello-world-1-1',
      '數值型別-a_b',
      'a--b----c',
      'my-own',
      'its-own',
      'éa',
    ]);
    expect(scanSections('## Own <a href="#x" id="x"></a>\n## Other {#y}').map(({ title }) => title)).toEqual([
      'Own',
      'Other',
    ]);
  });

  it.each([
    ['## <a id="x"></a>One\n\n## <a id="x"></a>Two', ['one', 'two']],
    ['## One <a name="x"></a>\n\n## One <a name="x"></a>', ['one', 'one-1']],
    ['## One <a id="two"></a>\n\n## Two', ['one', 'two']],
    ['## One <a href="#x" id="x"></a>\n\n## Two <a href="#x" id="x"></a>', ['x', 'x-1']],
    ['## One <a href="#y" id="x"></a>\n\n## Two {#x}', ['one', 'x']],
  ])('gives the headings of %j the same anchors as the page', async (markdown, expected) => {
    expect(anchors(markdown)).toEqual(expected);
    const { nodes } = markdownToRead(markdown);
    const onPage = new PageAnchors(nodes);
    expect(headingsIn(nodes).map((heading) => onPage.ofHeading(heading))).toEqual(expected);
  });

  it('keeps the visible text and removes the markup', () => {
    expect(bodyOf('A **bold** _word_, snake_case, 2 * 3, ~~old~~, `x * **y**` and ``a`b``')).toBe(
      'A bold word, snake_case, 2 * 3, old, x * **y** and ``a`b``',
    );
    expect(
      bodyOf(
        '[link](https://a.example/b_(c) "title") ![image](<a b.png>) [![badge](b.svg)](c) <https://d.example> [ref][r]\n\n[r]: https://e.example\n[^1]: A note',
      ),
    ).toBe('link image badge https://d.example [ref][r]\n[^1]: A note');
    expect(
      bodyOf(
        '{% hint style="info" %}\nNote\n{% endhint %}\n\n<table><tr><td>One</td><td>T<b>w</b>o</td></tr></table> a < b &amp; &#x63; &copy;',
      ),
    ).toBe('Note\nOne Two a < b & c &copy;');
    expect(
      bodyOf(
        '> quote\n> - [x] task\n\n1. first\n\n| a | b \\| c |\n|---|:-:|\n| `d` | e |\n\n* * *\n\\*no mark\\*',
      ),
    ).toBe('quote\ntask\nfirst\na b | c\nd e\n*no mark*');
    expect(bodyOf('```js\nconst a_b = "**c**"; // <d>\n```\n![i](data:image/png;base64,AAAA)')).toBe(
      'const a_b = "**c**"; // <d>\ni',
    );
  });

  it('splits long sections at line ends, and long lines anywhere', () => {
    const line = 'word '.repeat(40).trim();
    const pieces = scanSections(`# Long\n${`${line}\n`.repeat(100)}# Next\n${'x'.repeat(9000)}`);
    expect(pieces.map(({ title }) => title)).toEqual([
      ...Array(5).fill('Long'),
      'Next',
      'Next',
      'Next',
    ] as string[]);
    for (const { body } of pieces.slice(0, 5))
      expect(body.split('\n').every((each) => each === line)).toBe(true);
    expect(Math.max(...pieces.map(({ body }) => body.length))).toBeLessThanOrEqual(4000);
    expect(pieces.reduce((sum, { body }) => sum + (body.match(/word/g)?.length ?? 0), 0)).toBe(4000);
    expect(scanSections('')).toEqual([]);
  });

  it('keeps every word of a text, with any markup around it', () => {
    const word = fc.constantFrom('alpha', 'beta', 'gamma');
    const gap = fc.constantFrom(
      ' ',
      '\n',
      '\n\n',
      '\n# ',
      '\n- ',
      '\n> ',
      ' | ',
      ' **',
      '** ',
      ' `',
      '` ',
      '\n---\n',
      '\n===\n',
      '. ',
      ' [',
      '] ',
      '\n\n```\n',
      '\n{% a %}\n',
      ' < ',
      '\n1. ',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(word, gap), { maxLength: 30 }), (list) => {
        const text = list.flat().join('');
        const all = scanSections(text)
          .map(({ title, body }) => `${title} ${body}`)
          .join(' ');
        expect(all.match(/alpha|beta|gamma/g) ?? []).toEqual(list.map(([one]) => one));
      }),
      { seed: 4, numRuns: 1_000 },
    );
  });

  it('takes linear time for hostile texts', () => {
    const units = [
      'a',
      '# ',
      '`',
      '<',
      '<!--',
      '{%',
      '[',
      '](',
      '![a](',
      '*',
      '_',
      'a_',
      '<a ',
      '- ',
      '> ',
      '\\',
      '&',
      '[a](b "',
      '```\n',
      '|',
      '=\n',
      'a\n=\n',
      '{#',
      '<h1 ',
      '(`',
      'data:x;base64,',
    ];
    for (const unit of units)
      expect(scanSections(unit.repeat(Math.ceil(200_000 / unit.length))).length).toBeLessThan(3000);
  });
});

it('ignores tags that contain "%"', () => {
  expect(scanSections('{% column width="33.3%" %}\nword').map(({ body }) => body)).toEqual(['word']);
});

describe('limits of scanSections', () => {
  const lengths = (text: string) => scanSections(text).map(({ body }) => body.length);
  it('allow exactly 4,000 characters in a body', () => {
    expect(lengths(`${'a'.repeat(1999)}\n${'b'.repeat(2000)}`)).toEqual([4000]);
    expect(lengths(`${'a'.repeat(2000)}\n${'b'.repeat(2000)}`)).toEqual([2000, 2000]);
    expect(lengths('a'.repeat(4000))).toEqual([4000]);
    expect(lengths('a'.repeat(4001))).toEqual([4000, 1]);
  });

  it('allow exactly 2,000 headings', () => {
    const sections = scanSections('# a\n'.repeat(2001));
    expect(sections).toHaveLength(2000);
    expect(sections.at(-1)).toEqual({ title: 'a', anchor: 'a-1999', body: '# a' });
  });

  it('allow exactly 255 characters in a title', () => {
    expect(scanSections(`# ${'a'.repeat(256)}`)[0]?.title).toBe('a'.repeat(255));
  });

  it('do not decode names of entities that do not exist', () => {
    expect(scanSections('&toString; &amp; &nbsp;x &#65; &#x41; &#0;').map(({ body }) => body)).toEqual([
      '&toString; & x A A &#0;',
    ]);
  });
});
