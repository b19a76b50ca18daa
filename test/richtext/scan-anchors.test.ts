import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanAnchors } from '../../src/richtext/scan-anchors.ts';
import { scanSections } from '../../src/richtext/scan-sections.ts';

describe('the anchors of a text', () => {
  it.each([
    ['# One\n\ntext\n\n## Two words!\n', ['one', 'two-words']],
    ['Title\n=====\n\nOther\n---\n', ['other', 'title']],
    ['# A\n\n# A\n', ['a', 'a-1']],
    ['# A {#own}\n', ['own']],
    ['# <a id="x"></a> A\n', ['x']],
    ['text <a name="here"></a> and <span class="c" id=\'there\'>\n', ['here', 'there']],
    [
      '{% tabs %}\n{% tab title="On Linux" %}\n### Steps\n{% endtab %}\n{% endtabs %}\n',
      ['on-linux', 'steps'],
    ],
    ['```\n# no heading\n<a id="no">\n```\n', []],
    ['<!-- # no -->\n', []],
    ['---\n\n- a\n---\n', []],
    ['', []],
  ])('%j are %j', (markdown, anchors) => expect(scanAnchors(markdown)).toEqual(anchors));

  it.each([
    '# A\n\n{% include "x.md" %}\n',
    '{% openapi src="x" path="/" method="get" %}\n{% endopenapi %}\n',
  ])('are not known where %j shows content from elsewhere', (markdown) =>
    expect(scanAnchors(markdown)).toBeUndefined(),
  );

  it('hold those that a search finds', () => {
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
