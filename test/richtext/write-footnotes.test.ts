import { expect, it } from 'vitest';
import { documentToMarkdown, markdownToDocument } from '../../src/richtext/markdown.ts';

const rewritten = (text: string): string => documentToMarkdown(markdownToDocument(text));

it.each([
  'A note[^1].\n\n[^1]: The text.\n',
  '[word](#user-content-fn-1)[^1] and more.\n\n[^1]: The **text** with a [link](https://example.com).\n',
  '## Title[^a-1]\n\n* Item[^2]\n\n| A[^2] |\n| ----- |\n| b     |\n\n[^a-1]: One.\n\n[^2]: Two.\n',
  '{% hint style="info" %}\nIn a hint[^1].\n{% endhint %}\n\n[^1]: The text.\n',
])('footnotes stay as they are: %j', (text) => expect(rewritten(text)).toBe(text));

it.each([
  ['No note[^1].\n', 'No note\\[^1].\n'],
  ['Note[^1], none[^2].\n\n[^1]: Text.\n', 'Note[^1], none\\[^2].\n\n[^1]: Text.\n'],
  ['!\\[^1] \\[^1](x)[^1]\n\n[^1]: Text.\n', '!\\[^1] \\[^1]\\(x)[^1]\n\n[^1]: Text.\n'],
])('%j is written as %j', (text, written) => {
  expect(rewritten(text)).toBe(written);
  expect(markdownToDocument(written).nodes).toEqual(markdownToDocument(text).nodes);
});
