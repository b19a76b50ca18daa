import { describe, expect, it } from 'vitest';
import { codeOf, markdownBlocks } from '../../src/contentkit/to-document.ts';
import { documentToMarkdown } from '../../src/richtext/markdown.ts';
import { plainTextOf } from '../../src/richtext/nodes.ts';

/** Returns the part of the Markdown of a script that is kept. */
const kept = (markdown: string): string =>
  documentToMarkdown({ object: 'document', data: {}, nodes: markdownBlocks(markdown) }).trim();

describe('Markdown of a script', () => {
  it.each([
    ['a link to a website', '[a](https://a.example/b)', '[a](https://a.example/b)'],
    ['a link to an email address', '[a](mailto:a@b.example)', '[a](mailto:a@b.example)'],
    ['a link to a page', 'x [**a** b](page.md) y', 'x **a** b y'],
    ['a link that runs a script', '[a](javascript:alert)', 'a'],
    ['an image at a URL', 'x ![i](https://a.example/i.png) y', 'x ![i](https://a.example/i.png) y'],
    ['an image that is a file of the space', 'x ![i](i.png) y', 'x  y'],
    ['an image with a mailto address', 'x ![i](mailto:a@b.example) y', 'x  y'],
    ['an embed', '{% embed url="https://a.example/x" %}', '{% embed url="https://a.example/x" %}'],
    ['an embed of a file', '{% embed url="file.pdf" %}\n\na', 'a'],
    ['a reference to a page', 'a\n\n{% content-ref url="page.md" %}\nb\n{% endcontent-ref %}', 'a'],
    ['a file', 'a\n\n{% file src="x.pdf" %}', 'a'],
    ['a reusable content', 'a\n\n{% include "x.md" %}', 'a'],
    [
      'a hint',
      '{% hint style="info" %}\n[a](page.md)\n{% endhint %}',
      '{% hint style="info" %}\na\n{% endhint %}',
    ],
    ['a list', '* [a](page.md)\n* [b](https://b.example/)', '* a\n* [b](https://b.example/)'],
  ])('keeps only the allowed parts of %s', (_name, markdown, expected) => {
    expect(kept(markdown)).toBe(expected);
  });

  it('is shown as source if it cannot be parsed', () => {
    const [block] = markdownBlocks('> '.repeat(500));
    expect(block).toMatchObject({ type: 'code', data: { syntax: 'markdown' } });
  });
});

it('splits code into lines, without a trailing line break', () => {
  const lines = (content: string) => (codeOf(content, '').nodes ?? []).map(plainTextOf);
  expect(lines('a\nb\n')).toEqual(['a', 'b']);
  expect(lines('a\n\n')).toEqual(['a', '']);
  expect(lines('')).toEqual(['']);
  expect([codeOf('a', '').data, codeOf('a', 'js').data]).toEqual([{}, { syntax: 'js' }]);
});
