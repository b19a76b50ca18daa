import { describe, expect, it } from 'vitest';
import { segmentMarkdown } from '../../src/translation/segment-markdown.ts';
import { createProtector } from '../../src/translation/pieces.ts';
import { countWords, isValidAnswer } from '../../src/translation/wire.ts';

const segment = (markdown: string) => segmentMarkdown(markdown, createProtector([]));
/** Returns the page after the service gave this answer for its only segment. */
const answered = (markdown: string, answer: string) =>
  segment(markdown)
    .translate(() => answer)
    .trimEnd();

describe('a segment', () => {
  it.each([
    ['code and a line break', 'Run `npm i` now\\\nor never.', 'Run <x id="1"/> now<x id="2"/>or never.'],
    ['the target of a link', 'See [the *docs*](a.md "t").', 'See <g id="1">the <g id="2">docs</g></g>.'],
    ['a bare URL', 'At https://a.test/x now.', 'At <x id="1"/> now.'],
    ['bold text', 'A **bold** word.', 'A <g id="1">bold</g> word.'],
    ['bold code', 'A **`word`**, so.', 'A <x id="1"/>, so.'],
    [
      'variables',
      'Hi {{ space.vars.name }} and {name} and ${NAME} and %s.',
      'Hi <x id="1"/> and <x id="2"/> and <x id="3"/> and <x id="4"/>.',
    ],
    ['a formula', 'So $$a < b$$ holds.', 'So <x id="1"/> holds.'],
    ['an expression', 'Hi <code class="expression">space.vars.a</code>.', 'Hi <x id="1"/>.'],
    [
      'HTML and an emoji',
      'A <span class="x">word</span> :smile: here.',
      'A <x id="1"/>word<x id="2"/> <x id="3"/> here.',
    ],
    ['escaped characters', 'A \\* and & and a < b.', 'A * and &amp; and a &lt; b.'],
    ['the label of a button', '<a href="a.md" class="button primary">Get it</a>', '<g id="1">Get it</g>'],
  ])('replaces with tags: %s', (_name, markdown, wire) => {
    const page = segment(markdown);
    expect(page.wires).toEqual([wire]);
    expect(segment(page.translate(() => undefined)).wires).toEqual([wire]);
  });

  it('is each translatable text, and nothing else', () => {
    const { wires } = segment(
      [
        '{% tabs %}\n{% tab title="First" %}\nText.\n{% endtab %}\n{% endtabs %}',
        '{% code title="a.ts" %}\n```ts\nconst text = 1;\n```\n{% endcode %}',
        '{% code title="docs/guide" %}\n```ts\nconst text = 2;\n```\n{% endcode %}',
        '{% code title="In words" %}\n```ts\nconst text = 3;\n```\n{% endcode %}',
        '{% content-ref url="a.md" %}\n[Label](a.md)\n{% endcontent-ref %}',
        '| Head | `code` |\n| --- | --- |\n| Cell | 12 |',
        '<figure><img src="a.png" alt="Alt"><figcaption><p>Caption</p></figcaption></figure>',
        '<details>\n\n<summary>More</summary>\n\nInside.\n\n</details>',
        '<!-- note -->',
        '$$\nx = 1\n$$',
      ].join('\n\n'),
    );
    expect(new Set(wires)).toEqual(
      new Set(['First', 'Text.', 'In words', 'Label', 'Head', 'Cell', 'Alt', 'Caption', 'More', 'Inside.']),
    );
  });

  it('keeps the anchors of headings that the page links to', () => {
    const page = segment('[down](#the-end)\n\n# Start\n\n## The end\n');
    expect(page.translate((wire) => wire.replace('end', 'fin'))).toBe(
      '[down](#the-end)\n\n# Start\n\n## The fin <a href="#the-end" id="the-end"></a>\n',
    );
  });

  it('has its words counted, with each Chinese character as one', () => {
    expect(countWords('Run <x id="1"/> it&apos;s 中文字 now')).toBe(6);
  });
});

describe('the answer for a segment', () => {
  const sent = 'Run <x id="1"/> in <g id="2">the <x id="3"/> shell</g>.';

  it.each([
    ['in another order', 'Dans <g id="2">le shell <x id="3"/></g>, <x id="1"/>.'],
    ['written as HTML', 'Dans <x id="1"></x> <g id=\'2\'> le <X id="3" /></g>.'],
  ])('is valid %s', (_name, answer) => expect(isValidAnswer(sent, answer)).toBe(true));

  it.each([
    ['that is empty', ' '],
    ['without one of the tags', 'Dans <g id="2">le <x id="3"/></g>.'],
    ['with a tag twice', 'Dans <x id="1"/> <x id="1"/> <g id="2">le <x id="3"/></g>.'],
    ['with a tag that was not sent', '<x id="1"/> <x id="4"/> <g id="2">le <x id="3"/></g>.'],
    ['with a tag that is not closed', '<x id="1"/> <g id="2">le <x id="3"/>.'],
    ['with a tag inside another one', '<g id="2">le <x id="1"/> <x id="3"/> shell</g>.'],
    ['with an empty tag that had words', '<x id="1"/> le <g id="2"><x id="3"/></g>.'],
    ['with a URL of its own', '<x id="1"/> <g id="2">le <x id="3"/> shell</g> https://evil.test'],
    ['with a URL in HTML entities', '<x id="1"/> <g id="2">le <x id="3"/> shell</g> https&#58;//evil.test'],
    ['with a template tag', '<x id="1"/> <g id="2">le <x id="3"/> shell</g> {% include "x" %}'],
    ['that is far too long', `<x id="1"/> <g id="2">le <x id="3"/> shell</g>${' bla'.repeat(1000)}`],
  ])('is invalid %s', (_name, answer) => expect(isValidAnswer(sent, answer)).toBe(false));

  it.each([
    [
      'Markdown',
      'Now.',
      '# Now\n\n* [a](https://x.test) `code` **b** | c |',
      '\\# Now \\* \\[a]\\(https\\://x.test) \\`code\\` \\*\\*b\\*\\* | c |',
    ],
    ['HTML', 'Now.', '<script>alert(1)</script>', '\\<script>alert(1)\\</script>'],
    ['a fence', 'Now.', '```\nrm -rf\n```', '\\`\\`\\` rm -rf \\`\\`\\`'],
    ['a setext heading and a rule', 'Now.', 'a\n---', 'a ---'],
    ['invisible characters', 'Now.', 'a\u202eb\u0000c\ufeff', 'abc'],
    [
      'entities',
      'Now.',
      'a &amp;lt; &QUOT; &#9731; &#x10FFFF; &#xd800; &#57343; &#x110000; &bull;',
      'a \\&lt; " ☃ \u{10ffff} \ufffd \ufffd \\&#x110000; \\&bull;',
    ],
    ['spaces in emphasis marks', 'A **b** c', 'A<g id="1"> b </g>c', 'A **b** c'],
  ])('is inserted as text, never as %s', (_name, markdown, answer, written) =>
    expect(answered(markdown, answer)).toBe(written),
  );

  it('cannot break the table when it is inserted into a cell', () => {
    const table = segment('| A | B |\n| - | - |\n| c | d |\n');
    expect(table.translate((wire) => (wire === 'c' ? 'x | y \\| z' : undefined)).split('\n')[2]).toBe(
      '| x \\| y \\\\\\| z | d |',
    );
  });
});
