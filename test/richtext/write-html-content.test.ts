import { expect, it } from 'vitest';
import type { RichNode } from '../../src/contract/shapes.ts';
import { markdownToRead } from '../../src/richtext/readable.ts';
import { htmlOfBlocks } from '../../src/richtext/write-html-content.ts';

it.each([
  ['* a\n  * b\n    1. c', '<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li></ul>'],
  ['* a\n\n  b', '<ul><li><p>a</p><p>b</p></li></ul>'],
])(
  'writes %j as HTML, without a paragraph around the text of an item that only lists follow',
  (markdown, html) => {
    expect(htmlOfBlocks(markdownToRead(markdown).nodes as RichNode[])).toBe(html);
  },
);
