import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/errors/problem.ts';
import { documentToMarkdown, markdownToDocument } from '../../src/richtext/index.ts';

/** Reads, writes and reads again; a Problem is an answer, any other error is none. */
function survives(markdown: string): 'document' | 'problem' {
  try {
    markdownToDocument(documentToMarkdown(markdownToDocument(markdown)));
    return 'document';
  } catch (error) {
    if (error instanceof Problem) return 'problem';
    throw error;
  }
}

describe('hostile Markdown', () => {
  it.each([
    ['nested hints', '{% hint style="info" %}\n'.repeat(10_000) + 'a\n' + '{% endhint %}\n'.repeat(10_000)],
    ['nested hints on one line', `${'{% hint %}'.repeat(10_000)} a ${'{% endhint %}'.repeat(10_000)}`],
    ['nested details', '<details>\n\n'.repeat(10_000) + 'a\n\n' + '</details>\n\n'.repeat(10_000)],
    ['details without blank lines', '<details>\n'.repeat(10_000) + 'a\n' + '</details>\n'.repeat(10_000)],
    ['nested HTML in a line', `a ${'<b>'.repeat(10_000)}x${'</b>'.repeat(10_000)}`],
    ['pieces of text between formulas', '$$a $'.repeat(100_000)],
    ['pieces of text between code', '`a`!!b '.repeat(100_000)],
    ['nested lists of HTML', `<table><tr><td>${'<ul><li>'.repeat(10_000)}x${'</li></ul>'.repeat(10_000)}</td></tr></table>`],
  ])(
    '%s, 10,000 deep or more, is a Problem',
    (_name, markdown) => {
      expect(survives(markdown)).toBe('problem');
    },
    60_000,
  );

  it.each([
    ['unclosed tags', '{% hint style="info" %}\n\n'.repeat(3000)],
    ['closing tags', '{% endhint %}\n\n'.repeat(3000)],
    ['tags that cross each other', '{% hint %}\n{% tabs %}\n{% endhint %}\n{% endtabs %}\n'.repeat(1000)],
    ['unclosed details', '<details>\n\n'.repeat(3000)],
    ['a tag without end', `{% hint style="${'a'.repeat(100_000)}`],
    ['tags on one line', '{% hint %}{% if a %}'.repeat(1000)],
    ['a line of HTML', `a ${'<a b="'.repeat(5000)}`],
    ['HTML without end', `<table>${'<td a="<!--'.repeat(5000)}`],
    ['dollars', '$$a $'.repeat(3000)],
    ['lines of dollars', '$$\na\n'.repeat(3001)],
    ['expressions without end', `a ${'<code class="expression">'.repeat(3000)}`],
    ['HTML and tags in turn', '<div>\n{% hint %}\n'.repeat(3000)],
    ['null bytes', '\0{% hint\0 %}\n\0\n{% endhint %}'],
    ['attributes called like parts of objects', '{% hint __proto__="a" constructor="b" style="info" %}\na\n{% endhint %}\n\n<table __proto__="a"><tr><td>b</td></tr></table>'],
  ])(
    '%s is a document',
    (_name, markdown) => {
      expect(survives(markdown)).toBe('document');
    },
    60_000,
  );

  it.each([
    ['a tag', `{% hint style="${'b '.repeat(450_000)}" %}`],
    ['a text', 'ab '.repeat(300_000)],
  ])(
    '%s of 900 KB is a paragraph',
    (_name, markdown) => {
      expect(markdownToDocument(markdown).nodes.map((node) => node.type)).toEqual(['paragraph']);
    },
    60_000,
  );
});
