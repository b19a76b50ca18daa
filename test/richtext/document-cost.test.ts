import { describe, expect, it } from 'vitest';
import type { RichNode } from '../../src/contract/shapes.ts';
import { checkDocument, documentCost } from '../../src/richtext/document-cost.ts';
import { block, textNode, voidBlock } from '../../src/richtext/nodes.ts';

const text = (value: string, marks: readonly string[] = []) =>
  textNode([{ text: value, marks: [...marks] as never }]);
const quoted = (depth: number, inner: RichNode): RichNode =>
  depth === 0 ? inner : block('blockquote', [quoted(depth - 1, inner)]);
const table = (columns: number, rows: number, shown = columns): RichNode => {
  const names = Array.from({ length: columns }, (_, at) => `c${at}`);
  const values = Object.fromEntries(names.map((name) => [name, 'word']));
  return {
    object: 'block',
    type: 'table',
    data: {
      definition: Object.fromEntries(names.map((name) => [name, { id: name, type: 'text', title: name }])),
      records: Object.fromEntries(Array.from({ length: rows }, (_, at) => [`r${at}`, { values }])),
      view: { columns: [...names, ...names.slice(0, shown - columns)] },
    },
  } as never;
};

describe('checkDocument', () => {
  it('accepts at most 200 levels', () => {
    expect(() => checkDocument([quoted(198, block('paragraph', [text('x')]))])).not.toThrow();
    expect(() => checkDocument([quoted(199, block('paragraph', [text('x')]))])).toThrow(/levels/);
    expect(() => checkDocument([{ object: 'nothing' } as never])).toThrow(/not a valid node/);
  });

  it('accepts an estimated cost of at most two seconds', () => {
    const divider = voidBlock('divider', {});
    // One costs 20 µs.
    const many = Array.from({ length: 100_000 }, () => divider);
    expect(() => checkDocument(many)).not.toThrow();
    expect(() => checkDocument([...many, divider])).toThrow(/too complex/);
  });

  it('estimates a higher cost for more complex content', () => {
    const blocks: Record<string, RichNode> = {
      divider: voidBlock('divider', {}),
      'empty paragraph': block('paragraph', []),
      paragraph: block('paragraph', [text('one word more')]),
      signs: block('paragraph', [text('one *(word] more')]),
      lines: block('paragraph', [text('one\nword\r\nmore')]),
      marked: block('paragraph', [text('one word more', ['bold', 'italic'])]),
      quoted: quoted(3, block('paragraph', [text('one word more')])),
      'lines, quoted': quoted(3, block('paragraph', [text('one\nword\nmore')])),
      table: table(2, 2),
      'table of more rows': table(2, 3),
      'table of more columns': table(3, 2),
      'table that shows a column twice': table(2, 2, 3),
      'table, quoted': quoted(3, table(2, 2)),
    };
    const costs = Object.entries(blocks).map(([name, node]) => `${name}: ${documentCost([node]).toFixed(3)}`);
    expect(costs).toMatchInlineSnapshot(`
      [
        "divider: 20.000",
        "empty paragraph: 20.000",
        "paragraph: 47.943",
        "signs: 54.286",
        "lines: 172.557",
        "marked: 196.000",
        "quoted: 126.671",
        "lines, quoted: 218.671",
        "table: 505.020",
        "table of more rows: 653.120",
        "table of more columns: 648.770",
        "table that shows a column twice: 575.500",
        "table, quoted: 594.313",
      ]
    `);
  });
});
