import { describe, expect, it } from 'vitest';
import type { RichNode } from '../../src/contract/shapes.ts';
import { documentToMarkdown, markdownToDocument } from '../../src/richtext/markdown.ts';
import { leavesOf } from '../../src/richtext/nodes.ts';

/** Returns the text of Markdown with its bold parts in brackets. */
function bold(markdown: string): string {
  const textOf = (nodes: readonly RichNode[] = []): string =>
    nodes
      .map((node) =>
        node.object === 'text'
          ? leavesOf(node)
              .map(({ text, marks }) => (marks.includes('bold') ? `[${text}]` : text))
              .join('')
          : textOf(node.nodes),
      )
      .join('');
  return textOf(markdownToDocument(markdown).nodes);
}

describe('bold text that ends with a space', () => {
  it.each([
    ['This is **bold **text.', 'This is [bold ]text.'],
    ['**Note: **', '[Note: ]'],
    ['**Bad. ** “It”', '[Bad. ] “It”'],
    ['_a_ **b **c and *d*', 'a [b ]c and d'],
    ['**a **b **c **d', '[a ]b [c ]d'],
    ['**A `x` **b', '[A ][x][ ]b'],
    ['See **Getting started **page', 'See [Getting started ]page'],
    ['**use it: **now **or never: **1', '[use it: ]now [or never: ]1'],
    ['See [**a **b](x.md)', 'See [a ]b'],
    ['注意 **粗體 **字', '注意 [粗體 ]字'],
  ])('is bold: %j', (markdown, text) => {
    expect(bold(markdown)).toBe(text);
  });

  it.each([
    ['a ** b ** c', 'a ** b ** c'],
    ['2 **3 **4** 5', '2 **3 [4] 5'],
    ['use **kwargs to pass **options** here', 'use **kwargs to pass [options] here'],
    ['pass **kwargs and **options', 'pass **kwargs and **options'],
    ['f(*args, **kwargs, **options)', 'f(*args, **kwargs, **options)'],
    ['**a** and **b**', '[a] and [b]'],
    [String.raw`\*\*a \*\*b`, '**a **b'],
    ['`**a **b`', '**a **b'],
    ['a **b\n**c', 'a **b **c'],
    ['***a ***b', '***a ***b'],
    ['**"a"**b ** c', '**"a"**b ** c'],
  ])('does not change what standard Markdown reads in another way: %j', (markdown, text) => {
    expect(bold(markdown)).toBe(text);
  });

  it('is read in linear time', () => {
    expect(bold('**a **b '.repeat(300)).length).toBe('[a ]b '.repeat(300).length - 1);
  });

  it.each([
    ['**Note: **text', '**Note:** text'],
    ['**Note: **[text](a.md)', '**Note:** [text](a.md)'],
    ['**Note: **`text`', '**Note:** `text`'],
    ['**粗體 **字', '**粗體** 字'],
    ['a<strong> b </strong>c', 'a **b** c'],
    ['**A *b* **c', '**A _b_** c'],
    ['**A `x` **b', '**A `x`** b'],
    ['**Note: **', '**Note:**'],
    ['<strong> b</strong>', '**b**'],
    ['* **a **', '* **a**'],
    ['[**a **](x.md)', '[**a** ](x.md)'],
    ['## **Head **', '## **Head**'],
    ['**a **\n', '**a**'],
    ['a **b **[c](x.md)', 'a **b** [c](x.md)'],
    ['| **A: **b |\n| --- |', '| **A:** b |\n| -------- |'],
  ])('is written with the space behind it: %j', (markdown, written) => {
    expect(documentToMarkdown(markdownToDocument(markdown)).trim()).toBe(written);
    expect(documentToMarkdown(markdownToDocument(written)).trim()).toBe(written);
  });
});
