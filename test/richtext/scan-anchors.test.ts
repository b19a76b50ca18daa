import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanAnchors } from '../../src/richtext/scan-anchors.ts';
import { scanSections } from '../../src/richtext/scan-sections.ts';

describe('scanAnchors', () => {
  it.each([
    ['# One\n\ntext\n\n## Two words!\n', ['one', 'two-words']],
    ['Title\n=====\n\nOther\n---\n', ['other', 'title']],
    ['# A\n\n# A\n', ['a', 'a-1']],
    ['## 2. Use it\n', ['2-use-it']],
    ['## 2) Use it\n', ['2-use-it']],
    ['1\\. Begin\n---\n', ['1-begin']],
    ['## - x\n\n## + y\n\n## * z\n', ['--x', '-y', '-z']],
    ['## > x\n', ['-x']],
    ['## # x\n', ['-x']],
    ['## [x] done\n', ['x-done']],
    ['## a | b\n', ['a--b']],
    ['## = x\n', ['-x']],
    ['## **Bold** and *it* and _so_ and ~~old~~\n', ['bold-and-it-and-so-and-old']],
    ['## `code_of` and `<T>`\n', ['code_of-and-t']],
    ['## Array<T> of `Map<K, V>`\n', ['array-of-mapk-v']],
    ['## _private and __init__ and a_b_ and \\_id\n', ['_private-and-init-and-a_b_-and-_id']],
    ['## [Text](x.md) and ![image](y.png)\n', ['text-and-image']],
    ['## streamToBytes()\n', ['streamtobytes']],
    ['> ## Quoted\n>\n> Below\n> ---\n', ['below', 'quoted']],
    ['text\n> ---\n', []],
    ['- ## In an item\n', ['in-an-item']],
    ['# A {#own}\n', ['own']],
    ['# A { #own .wide data-label="B" }\n## C {: #other }\n## D {#x y}\n', ['d-x-y', 'other', 'own']],
    ['# <a id="x"></a> A\n', ['a', 'x']],
    ['text <a name="here"></a> and <span class="c" id=\'there\'>\n', ['here', 'there']],
    [
      '{% tabs %}\n{% tab title="On Linux" %}\n### Steps\n{% endtab %}\n{% endtabs %}\n',
      ['on-linux', 'steps'],
    ],
    // As on sites, headings get their anchors first, wherever they are.
    [
      '{% tab title="Go" %}\n{% endtab %}\n{% tab title="Go" %}\n{% endtab %}\n\n# Go\n',
      ['go', 'go-1', 'go-2'],
    ],
    [
      '<details>\n\n<summary>Delete <strong>a</strong> site?</summary>\n\nText\n\n</details>\n\n## Go\n\n<details><summary>Go</summary>x</details>\n',
      ['delete-a-site', 'go', 'go-1'],
    ],
    [
      '{% updates format="full" %}\n{% update date="2026-01-02" tags="a" %}\n## New\n{% endupdate %}\n{% endupdates %}\n',
      ['2026-01-02', 'new'],
    ],
    ['```\n<summary>no</summary>\n```\n', []],
    ['```\n# no heading\n<a id="no">\n```\n', []],
    ['<!-- # no -->\n', []],
    ['---\n\n- a\n---\n', []],
    ['', []],
  ])('finds in %j the anchors %j', (markdown, anchors) => expect(scanAnchors(markdown)).toEqual(anchors));

  it.each([
    '# A\n\n{% include "x.md" %}\n',
    '{% openapi src="x" path="/" method="get" %}\n{% endopenapi %}\n',
  ])('returns undefined if %j includes content from elsewhere', (markdown) =>
    expect(scanAnchors(markdown)).toBeUndefined(),
  );

  it('finds the same anchors as the search sections', () => {
    const line = fc.constantFrom(
      '# A',
      '## B b',
      'A',
      '===',
      '---',
      '',
      '```',
      '<h2>T</h2>',
      '- x',
      '<!--',
      '-->',
      'x',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const markdown = lines.join('\n');
        const found = new Set(scanAnchors(markdown));
        const searched = scanSections(markdown).map(({ anchor }) => anchor);
        expect(searched.filter((anchor) => anchor !== '' && !found.has(anchor))).toEqual([]);
      }),
    );
  });
});
