import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanLinks } from '../../src/richtext/scan-links.ts';

const hrefs = (text: string) => scanLinks(text).map(({ href }) => href);
const kinds = (text: string) => scanLinks(text).map(({ href, kind }) => `${kind} ${href}`);

describe('scanLinks', () => {
  it('finds links and images, also with titles, in angle brackets and nested', () => {
    expect(kinds('See [a](a.md), [b](<b c.md> "Title") and ![d](d.png \'x\').')).toEqual([
      'link a.md',
      'link b c.md',
      'image d.png',
    ]);
    expect(kinds('[![logo](logo.png)](https://example.com)')).toEqual([
      'image logo.png',
      'link https://example.com',
    ]);
    expect(hrefs('[a [b](inner.md) c](outer.md)')).toEqual(['inner.md']);
    expect(hrefs('[text\nover lines](\n  a.md\n  "t"\n)')).toEqual(['a.md']);
  });

  it('reads parentheses, escapes and entities as CommonMark does', () => {
    expect(hrefs('[a](a_(b).md) [c](c\\).md) [d](?x=1&amp;y=2) [e](a%20b.md)')).toEqual([
      'a_(b).md',
      'c).md',
      '?x=1&y=2',
      'a%20b.md',
    ]);
    expect(hrefs('\\[a](b) [a](b c) [a] (b) [a](b')).toEqual([]);
    expect(kinds('\\![a](b)')).toEqual(['link b']);
  });

  it('counts each use of a definition', () => {
    expect(
      kinds(
        '[one][X] and [x] and [x][] and ![y][x] but not [z][nope] or [task].\n\n[x]: target.md "T"\n[x]: second.md\n[unused]: unused.md',
      ),
    ).toEqual(['link target.md', 'link target.md', 'link target.md', 'image target.md']);
  });

  it('recognizes an image only by the text directly after its label', () => {
    expect(kinds('![a][b] (c) and ![a][b] [c]\n\n[b]: x')).toEqual(['image x', 'image x']);
  });

  it('returns the line of each link', () => {
    expect(
      scanLinks(
        '# Title\n\nText `a\nb` [one](1)\nmore <b\nid="x"> [two](2)\r\n\r\n- item\n  [three](3)\n',
      ).map(({ href, line }) => [href, line]),
    ).toEqual([
      ['1', 4],
      ['2', 6],
      ['3', 9],
    ]);
  });

  it('finds links that are on several lines of a paragraph, including those in quotes and lists', () => {
    const texts = ['> [a\n> b](x)', '> [a\nb](x)', '> - [a\n>   b](x)', '>> [a\n> b](x)', '- [a\n  b](x)'];
    expect(texts.map(hrefs)).toEqual(texts.map(() => ['x']));
    const others = ['[a\n> b](x)', '> [a\n>> b](x)', '> [a\n>\n> b](x)', '- [a\n- b](x)', '> `a\n> [b](x)`'];
    expect(others.map(hrefs)).toEqual(others.map(() => []));
  });

  it('ignores code, comments and raw text', () => {
    const text =
      '`[a](1)` ``[a` ](2)`` ` [b](kept)\n\n```md\n[c](3)\n```\n\n~~~\n[d](4)\n```\n~~~\n\n<!-- [e](5)\n\n[f](6) -->\n<pre>\n[g](7)\n</pre>\n\n1. item\n\n   ````\n   [h](8)\n   ```\n   ````\n\n> ```\n> [i](9)\n\n[j](also kept)[k](kept-too)';
    expect(hrefs(text)).toEqual(['kept', 'kept-too']);
  });

  it('ignores the words that a footnote is attached to', () => {
    expect(hrefs('[A word](#user-content-fn-1)[^1] and [a link](x)\n\n[^1]: A note.')).toEqual(['x']);
  });

  it('ends an unclosed fence with its list or quote', () => {
    expect(hrefs('1. item\n\n   ```bash\n   [a](1)\n\n[b](2)')).toEqual(['2']);
    expect(hrefs('> ```\n> [a](1)\n[b](2)')).toEqual(['2']);
    expect(hrefs('```\n[a](1)')).toEqual([]);
  });

  it('finds the targets of HTML and GitBook tags', () => {
    expect(
      kinds('<figure><img src="a.png" alt="x > y"><a href=\'b.md\'>b</a> <td data-ref="c.md"></figure>'),
    ).toEqual(['html a.png', 'html b.md', 'html c.md']);
    expect(kinds('<https://example.com/x> <b> a < b [l](m)')).toEqual([
      'url https://example.com/x',
      'link m',
    ]);
    expect(
      kinds(
        '{% embed url="https://e.com" %}\n{% file src="f.pdf" %}\n{% page-ref page="p.md" %}\n{% include "i.md" %}\n{% hint style="info" %}',
      ),
    ).toEqual(['tag https://e.com', 'tag f.pdf', 'tag p.md', 'include i.md']);
  });

  it.each(['# [c](d)', '<a href="d">', '{% embed url="d" %}', '| [c](d) |'])(
    'ends a paragraph, and everything open in it, before a line such as %s',
    (line) => {
      expect(hrefs(`a \`b\n${line} \` e`)).toEqual(['d']);
      expect(hrefs(`a \`b\nc ${line} \` e`)).toEqual([]);
    },
  );

  it('counts a content-ref once', () => {
    expect(kinds('{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}\n[again](a.md)')).toEqual([
      'tag a.md',
      'link a.md',
    ]);
  });

  it('ignores data URLs', () => {
    expect(hrefs(`![x](data:image/png;base64,${'A'.repeat(5000)}) [y](z)`)).toEqual(['z']);
  });

  it('finds inserted links between any other text', () => {
    const noise = fc.constantFrom(
      '',
      'text ',
      '**bold** ',
      '`code [x](y)` ',
      '\\[no](link) ',
      '< ',
      '! ',
      '* ',
      '{ ',
      '] ',
      'ü漢 ',
      '&amp; ',
      '~ ',
    );
    const piece = fc.record({
      before: noise,
      name: fc.stringMatching(/^[a-z]{1,8}$/),
      image: fc.boolean(),
      lineEnd: fc.constantFrom('\n', '\n\n', '\r\n', ' '),
    });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces
          .map(({ before, name, image, lineEnd }) => `${before}${image ? '!' : ''}[t](${name}.md)${lineEnd}`)
          .join('');
        let line = 1;
        const expected = pieces.map(({ name, image, lineEnd }) => {
          const found = { href: `${name}.md`, line, kind: image ? 'image' : 'link' };
          if (lineEnd !== ' ') line += lineEnd === '\n\n' ? 2 : 1;
          return found;
        });
        expect(scanLinks(text)).toEqual(expected);
      }),
    );
  });

  it('never throws, and returns only lines of the text', () => {
    const token = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '`',
      '```\n',
      '~~~\n',
      '{%',
      '%}',
      '<!--',
      '-->',
      '<a href="',
      '"',
      '\\',
      '\n',
      '[x]: y\n',
      '![',
      ' ',
      'a',
      '> ',
      '- ',
      '<pre>',
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 60 }), (tokens) => {
        const text = tokens.join('');
        const lines = text.split('\n').length;
        for (const { line } of scanLinks(text)) expect(line >= 1 && line <= lines).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    '[',
    '![',
    '[a](',
    '[a](b',
    '[a](b "',
    '[a][',
    '`',
    '` `` ',
    '<a ',
    '<a x="',
    '{%',
    '{% include "',
    '<!--',
    'x <!-- ',
    '<pre>\n',
    '- ',
    '> ',
    '[x]: y\n',
    '[x][y]',
    '```\n',
    '\\',
    '[a](<',
    ' ',
    '\n',
  ])('takes time linear in the length of many repetitions of %j', (piece) => {
    // With quadratic work, this would exceed the timeout of the test.
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    expect(scanLinks(text).length).toBeLessThan(text.length);
  });
});

it('ignores links in inline comments and in indented code', () => {
  expect(
    scanLinks(
      'x <!-- [a](a.md) --> [b](b.md)\n\n    [c](c.md)\n\n* d\n\n    [e](e.md)\n\nf[^1]\n\n[^1]: g\n\n    [h](h.md)\n',
    ).map(({ href }) => href),
  ).toEqual(['b.md', 'e.md', 'h.md']);
});

describe('limits and edge cases of scanLinks', () => {
  const hrefs = (text: string) => scanLinks(text).map(({ href }) => href);
  it.each<[string, number, (count: number) => string]>([
    ['characters of a target', 2048, (count) => `[a](${'x'.repeat(count)})`],
    ['characters of an image', 2048, (count) => `![a](${'x'.repeat(count)})`],
    ['characters of a label', 999, (count) => `[${'l'.repeat(count)}]\n\n[${'l'.repeat(count)}]: x`],
    ['open parentheses', 32, (count) => `[a](x${'('.repeat(count)}${')'.repeat(count)})`],
    ['characters of a tag', 4096, (count) => `<a href="x" title="${'t'.repeat(count - 21)}">`],
  ])('are exact for %s', (_name, max, text) => {
    expect(hrefs(text(max))).toHaveLength(1);
    expect(hrefs(text(max + 1))).toEqual([]);
  });

  it('are exact for open brackets', () => {
    const kindOf = (brackets: number) => scanLinks(`${'['.repeat(brackets - 1)}![a](x)`)[0]?.kind;
    expect([kindOf(1000), kindOf(1001)]).toEqual(['image', 'link']);
  });

  it.each([
    ['[a](<x y> "t")', ['x y']],
    ["[a](x 't' )", ['x']],
    ['[a](x (t))', ['x']],
    ['[a](x (t()))', []],
    ['[a](x "t)', []],
    ['[a](x"t")', ['x"t"']],
    ['[a](<x\ny>)', []],
    ['[a](x\\)y)', ['x)y']],
    ['[a](&#x20;&amp;&AMP;&lt;&nbsp;)', [' &&<&nbsp;']],
    ['[a [b](c)](d)', ['c']],
    ['[a][b](c)', ['c']],
    ['[a][b][c]\n\n[c]: x', ['x']],
    ['[a][b]', []],
    ['[a][b\n\n[a]: x', ['x']],
    ['[![b](c)](d)', ['c', 'd']],
    ['`[a](b)` ``[a](c)` [a](d)``', []],
    ['`` ` [a](b)', ['b']],
    ['<img srcset="a 2x">', []],
    ['<img srcset="a">', ['a']],
    ['<https://a.test> <a@b.test>', ['https://a.test']],
    ['{% embed url="a" %} {% include "b" %} {% other url="c" %}', ['a', 'b', 'c']],
    ['{% content-ref url="a" %}[a](a) [a](a){% endcontent-ref %}', ['a', 'a']],
  ])('find in %s the links %j', (text, found) => expect(hrefs(text)).toEqual(found));
});

it('reads labels of up to 999 characters', () => {
  const found = (label: string) => hrefs(`[${label}] ![${label}][]\n\n[${label}]: a.md`);
  expect(found('x'.repeat(999))).toEqual(['a.md', 'a.md']);
  expect(found('x'.repeat(1000))).toEqual([]);
});

it('finds a link directly after a comment, but none inside a comment', () => {
  expect(hrefs('a <!-- [c](d) -->[a](b)')).toEqual(['b']);
  expect(hrefs('a <!---->[a](b)')).toEqual(['b']);
  expect(hrefs('a <!-->[a](b)-->[c](d)')).toEqual(['d']);
  expect(hrefs('a <https://x.test>[a](b)')).toEqual(['https://x.test', 'b']);
});
