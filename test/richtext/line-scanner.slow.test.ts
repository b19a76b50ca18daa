import fc from 'fast-check';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, it } from 'vitest';
import { LineScanner, type LineKind } from '../../src/richtext/line-scanner.ts';
import { markdownTexts } from './arbitraries.ts';

interface Line {
  readonly kind: LineKind;
  readonly text: string;
}

function linesOf(text: string): Line[] {
  const lines = new LineScanner(text);
  const found: Line[] = [];
  while (lines.next()) found.push({ kind: lines.kind, text: text.slice(lines.start, lines.end) });
  return found;
}

const kindsOf = (text: string) =>
  linesOf(text)
    .map(({ kind }) => kind)
    .join(' ');

/** The kind of each line in the tree of micromark. Blank lines are omitted, as they can belong to the blocks on both sides. */
function kindsInTree(text: string): (LineKind | undefined)[] {
  const source = text.split(/\r?\n/);
  const kinds: (LineKind | undefined)[] = source.map((line) => (/^[\s>]*$/.test(line) ? undefined : 'text'));
  const put = (kind: LineKind, from: number, to: number) => {
    for (let line = from; line <= to; line++) if (kinds[line - 1] !== undefined) kinds[line - 1] = kind;
  };
  const visit = (node: Nodes): void => {
    if ('children' in node) node.children.forEach(visit);
    if (node.type !== 'code' && node.type !== 'html') return;
    const [start, end] = [node.position!.start.line, node.position!.end.line];
    const [first, last] = [start, end].map((line) =>
      source[line - 1]!.replace(/^(?:[\s>]|[-*]\s|\d+[.)])*/, '').trim(),
    );
    if (node.type === 'html')
      put(
        node.value.startsWith('<!--') ? 'comment' : node.value.startsWith('<pre') ? 'raw' : 'text',
        start,
        end,
      );
    else if (!/^(?:```|~~~)/.test(first!)) put('indented', start, end);
    else {
      put('fence', start, start);
      put('code', start + 1, start + node.value.split('\n').length);
      if (end > start && /^(?:`{3,}|~{3,})$/.test(last!)) put('fence-end', end, end);
    }
  };
  visit(fromMarkdown(text));
  return kinds;
}

describe('LineScanner', () => {
  it.each([
    ['```js\na\n\n```\nb', 'fence code code fence-end text'],
    ['~~~~\n~~~\n```\n~~~~~  \nb', 'fence code code fence-end text'],
    ['```a`b\nc\n``\nd', 'text text text text'],
    ['````\n```\n> ````\n- ````\n```` x\n  ````\na', 'fence code code code code fence-end text'],
    ['```\nnever closed', 'fence code'],
    ['a\n\n    - b\n      c\n\nd', 'text blank indented indented blank text'],
    ['```\na\n    ```\n   ```\nb', 'fence code code fence-end text'],
    ['- a\n  - b\n\n  ```\n  c\n     ```\nd', 'text text blank fence code fence-end text'],
    ['- a\n\n  ```\n  b\n\n  c\nd\n', 'text blank fence code code code text'],
    ['1. ```\n   a\n   ```\n2. b', 'fence code fence-end text'],
    ['> ```\n> a\nb\n> ```\n', 'fence code text fence'],
    ['> - ```\n>   a\n>\n> b', 'fence code code text'],
    ['- a\n\t```\n\tb\n    c\n\t```\nd', 'text fence code code fence-end text'],
    ['<!-- a\n\n```\n--> b\nc', 'comment comment comment comment text'],
    ['<!-->\na\n<!-- b --> c\nd <!-- e\nf', 'comment text comment text text'],
    ['> <!-- a\n> b -->\nc', 'comment comment text'],
    ['<pre class="a">\n\n<!--\n</pre> a\nb', 'raw raw raw raw text'],
    ['<script>\n</STYLE>\na\n<preface>\n<pre', 'raw raw text text raw'],
    ['    a\n\n\tb\nc\n    d\n\n    ```\n', 'indented blank indented text text blank indented'],
    ['- a\n\n      b\n\nc\n\n      d\n', 'text blank text blank text blank indented'],
    ['[^1]: a\n\n    b\n\n>     c', 'text blank text blank text'],
    ['a\r\n\r\n```\r\nb\r\n```\r\n', 'text blank fence code fence-end'],
    ['', ''],
    ['\n>\n - \n', 'blank blank blank'],
  ])('returns the kinds of the lines of %j', (text, kinds) => {
    expect(kindsOf(text)).toBe(kinds);
  });

  it('returns where a line and its content start, its indent, quotes and item column', () => {
    const text = '> \t- 12) **a**\r\n\tb\n10) c';
    const lines = new LineScanner(text);
    const found = [];
    while (lines.next()) {
      const { number, start, end, content, indent, quotes, itemColumn } = lines;
      found.push([number, text.slice(start, end), text.slice(content, end), indent, quotes, itemColumn]);
    }
    expect(found).toEqual([
      [1, '> \t- 12) **a**', '**a**', 0, 1, 10],
      [2, '\tb', 'b', 4, 0, 0],
      [3, '10) c', 'c', 0, 0, 4],
    ]);
  });

  it('lets the caller skip the classification of a line', () => {
    const lines = new LineScanner('a\n```\n- ```\nb');
    const kinds: string[] = [];
    while (lines.advance()) {
      if (lines.number !== 2) lines.classify();
      kinds.push(lines.kind);
    }
    expect(kinds).toEqual(['text', 'text', 'fence', 'text']);
  });

  it('finds code, comments and raw HTML where micromark finds them', () => {
    const seen = new Map<LineKind, number>();
    fc.assert(
      fc.property(markdownTexts, (text) => {
        const expected = kindsInTree(text);
        for (const [index, { kind, text: line }] of linesOf(text).entries()) {
          if (expected[index] === undefined) continue;
          seen.set(kind, (seen.get(kind) ?? 0) + 1);
          expect(`${index + 1} ${kind}: ${line}`).toBe(`${index + 1} ${expected[index]}: ${line}`);
        }
      }),
      { seed: 12, numRuns: 500 },
    );
    for (const kind of ['text', 'indented', 'fence', 'code', 'fence-end', 'comment', 'raw'] as const)
      expect(seen.get(kind), kind).toBeGreaterThan(100);
  });

  it('returns every line once for any text', () => {
    const token = fc.constantFrom('```', '~~~', '`', '\n', '\r\n', '\r', ' ', '\t', '> ', '- ', '1. ', '<!--', '-->', '<pre>', '</pre>', '[^', 'a'); // prettier-ignore
    fc.assert(
      fc.property(fc.array(token, { maxLength: 60 }), (tokens) => {
        const text = tokens.join('');
        const expected = text.split('\n').map((line) => line.replace(/\r$/, ''));
        if (text === '' || text.endsWith('\n')) expected.pop();
        expect(linesOf(text).map((line) => line.text)).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    '- ',
    '> ',
    '```\n',
    '<!--\n',
    '<!-- --> ',
    '<pre>\n',
    '<pre></pre>\n',
    '\t',
    '1',
    '\n',
    '~~~ `\n- ',
  ])('takes time linear in the length of many repetitions of %j', (piece) => {
    // With quadratic work, this would exceed the timeout of the test.
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    expect(linesOf(text).length).toBe(text.split('\n').length - (text.endsWith('\n') ? 1 : 0));
  });
});
