import { expect, it } from 'vitest';
import { estimateCosts, openersOf } from '../../src/richtext/markdown-cost.ts';

/** Summarizes what a line opens: `>2` are quotes, `*1` are items, followed by the columns that affect later lines. */
const opened = (line: string, max = 100) => {
  const { quotes, items, gap, indent, column, isItem, rest } = openersOf(line, max);
  return `>${quotes} *${items} gap ${gap} indent ${indent} column ${column}${isItem ? ' item' : ''} rest ${rest}`;
};

it('lists the containers that a line opens', () => {
  const lines = [
    '',
    'text',
    '  text',
    '> quote',
    '>quote',
    '> > > quote',
    '    > code',
    '- item',
    '-    item',
    '-     code in an item',
    '-',
    '1. item',
    '- - - item',
    '- - -',
    '* * *',
    '> - item',
    '- > quote',
    '\t- item',
    ' \t- item',
    '>\t- item',
    '-\titem',
    '[^1]: note',
    '[1]: definition',
    '-text',
    '# heading',
  ];
  expect(lines.map((line) => `${JSON.stringify(line)}: ${opened(line)}`)).toMatchInlineSnapshot(`
    [
      """: >0 *0 gap 0 indent 0 column 0 rest 0",
      ""text": >0 *0 gap 0 indent 0 column 0 rest 0",
      ""  text": >0 *0 gap 0 indent 2 column 0 rest 2",
      ""> quote": >1 *0 gap 0 indent 0 column 0 rest 2",
      "">quote": >1 *0 gap 0 indent 0 column 0 rest 1",
      ""> > > quote": >3 *0 gap 0 indent 0 column 0 rest 6",
      ""    > code": >0 *1 gap 4 indent 4 column 6 rest 6",
      ""- item": >0 *1 gap 0 indent 0 column 2 item rest 2",
      ""-    item": >0 *1 gap 0 indent 0 column 5 item rest 5",
      ""-     code in an item": >0 *1 gap 0 indent 0 column 2 item rest 6",
      ""-": >0 *1 gap 0 indent 0 column 2 rest 1",
      ""1. item": >0 *1 gap 0 indent 0 column 3 item rest 3",
      ""- - - item": >0 *3 gap 1 indent 0 column 6 item rest 6",
      ""- - -": >0 *0 gap 0 indent 0 column 0 rest 0",
      ""* * *": >0 *0 gap 0 indent 0 column 0 rest 0",
      ""> - item": >1 *1 gap 0 indent 0 column 2 item rest 4",
      ""- > quote": >0 *2 gap 1 indent 0 column 4 item rest 4",
      ""\\t- item": >0 *1 gap 1 indent 4 column 6 item rest 3",
      "" \\t- item": >0 *1 gap 2 indent 4 column 6 item rest 4",
      "">\\t- item": >1 *1 gap 0 indent 0 column 2 item rest 4",
      ""-\\titem": >0 *1 gap 0 indent 0 column 4 item rest 2",
      ""[^1]: note": >0 *1 gap 0 indent 0 column 6 rest 6",
      ""[1]: definition": >0 *0 gap 0 indent 0 column 0 rest 0",
      ""-text": >0 *0 gap 0 indent 0 column 0 rest 0",
      ""# heading": >0 *0 gap 0 indent 0 column 0 rest 0",
    ]
  `);
});

it('follows at most one more marker than the given limit', () => {
  expect(opened('>'.repeat(10), 3)).toBe('>4 *0 gap 0 indent 0 column 0 rest 4');
  expect(opened('- '.repeat(10) + 'x', 3)).toBe('>0 *4 gap 1 indent 0 column 8 item rest 8');
  expect(opened('>'.repeat(3), 3)).toBe('>3 *0 gap 0 indent 0 column 0 rest 3');
});

it('treats a line as the underline of a heading only if it contains nothing else', () => {
  const costOf = (text: string) => [...estimateCosts(text, Infinity)];
  for (const line of ['-x', '=x'])
    expect(costOf(`one\n${line}`)).toEqual(costOf(`one\n${line.replace(/^[-=]/, '+')}`));
});

it('estimates the cost of a text from its constructs', () => {
  const costs = (text: string) =>
    [...estimateCosts(text, Infinity)]
      .filter(([, cost]) => cost > 0)
      .map(([cause, cost]) => `${cause} ${Number(cost.toFixed(3))}`)
      .join(', ');
  const texts = [
    '',
    'word',
    'word  ',
    'a@b',
    'one\ntwo',
    'one\n\ntwo',
    '> one',
    '- one\n- two',
    '> one\ntwo\nthree',
    'Title\n=====',
    '| a | b |\n|---|---|\n| c | d |',
    '*a* [b](c)',
    '<b>c</b>',
    '<details>\n<summary>a</summary>\n</details>',
    '`a`',
    '[a]: b',
    '# one',
    'http://a',
    'www.a WWW.a xww a/b a.b',
    'a - b',
    'a\t#b a-b a#b',
    '{% a %}',
    '{% a %} b',
    'a {% b %} c',
    '***a** *',
    'a_b _c_ __',
    ']',
    '[]]',
    '[[a]]',
    '`a` ``b`` `c`',
    '<!-- a -->',
    '<!-- a',
    'a --><!-- b',
    'a ><! b',
    '<![a]]> <![b',
    '<? a ?> <? b',
    '<div>*a*',
    '    <div>*a*',
    '- <div>*a*',
    '<div><details>*a*',
    '|',
    'a | b\nc',
    'a\\b',
  ];
  expect(texts.map((text) => `${JSON.stringify(text)}: ${costs(text)}`)).toMatchInlineSnapshot(`
    [
      """: ",
      ""word": its length 39.2, its paragraphs, headings and list items 130",
      ""word  ": its length 69.8, its paragraphs, headings and list items 130",
      ""a@b": its marks, links and tags 70.11, its length 42.2, its paragraphs, headings and list items 130",
      ""one\\ntwo": its length 77.8, its paragraphs, headings and list items 130",
      ""one\\n\\ntwo": its length 91.8, its paragraphs, headings and list items 260",
      ""> one": its length 39.5, its paragraphs, headings and list items 275",
      ""- one\\n- two": its length 79, its paragraphs, headings and list items 550",
      ""> one\\ntwo\\nthree": its length 117.9, its paragraphs, headings and list items 276.2",
      ""Title\\n=====": its length 79, its paragraphs, headings and list items 260.72",
      ""| a | b |\\n|---|---|\\n| c | d |": its length 122.1, its paragraphs, headings and list items 390, the cells of its tables 1320",
      ""*a* [b](c)": its marks, links and tags 250.99, its length 41, its paragraphs, headings and list items 130",
      ""<b>c</b>": its marks, links and tags 120.007, its length 40.4, its paragraphs, headings and list items 130",
      ""<details>\\n<summary>a</summary>\\n</details>": its marks, links and tags 720.028, its length 125.7, its paragraphs, headings and list items 390",
      ""\`a\`": its marks, links and tags 60.157, its length 38.9, its paragraphs, headings and list items 130",
      ""[a]: b": its link references and footnotes 0.01, its marks, links and tags 60.11, its length 39.8, its paragraphs, headings and list items 130",
      ""# one": its length 39.5, its paragraphs, headings and list items 130",
      ""http://a": its marks, links and tags 60, its length 40.4, its paragraphs, headings and list items 130",
      ""www.a WWW.a xww a/b a.b": its marks, links and tags 120, its length 44.9, its paragraphs, headings and list items 130",
      ""a - b": its marks, links and tags 15, its length 39.5, its paragraphs, headings and list items 130",
      ""a\\t#b a-b a#b": its marks, links and tags 15, its length 41.6, its paragraphs, headings and list items 130",
      ""{% a %}": its marks, links and tags 80.014, its length 40.1, its paragraphs, headings and list items 130",
      ""{% a %} b": its marks, links and tags 430.018, its length 40.7, its paragraphs, headings and list items 130",
      ""a {% b %} c": its marks, links and tags 80.022, its length 41.3, its paragraphs, headings and list items 130",
      ""***a** *": its marks, links and tags 90.99, its length 40.4, its paragraphs, headings and list items 130",
      ""a_b _c_ __": its marks, links and tags 120.99, its length 41, its paragraphs, headings and list items 130",
      ""]": its marks, links and tags 30.11, its length 38.3, its paragraphs, headings and list items 130",
      ""[]]": its marks, links and tags 90.44, its length 38.9, its paragraphs, headings and list items 130",
      ""[[a]]": its marks, links and tags 120.44, its length 39.5, its paragraphs, headings and list items 130",
      ""\`a\` \`\`b\`\` \`c\`": its marks, links and tags 181.362, its length 41.9, its paragraphs, headings and list items 130",
      ""<!-- a -->": its marks, links and tags 85.007, its length 41, its paragraphs, headings and list items 130",
      ""<!-- a": its marks, links and tags 70.607, its length 39.8, its paragraphs, headings and list items 130",
      ""a --><!-- b": its marks, links and tags 86.107, its length 41.3, its paragraphs, headings and list items 130",
      ""a ><! b": its marks, links and tags 70.357, its length 40.1, its paragraphs, headings and list items 130",
      ""<![a]]> <![b": its marks, links and tags 262.548, its length 41.6, its paragraphs, headings and list items 130",
      ""<? a ?> <? b": its marks, links and tags 120.607, its length 41.6, its paragraphs, headings and list items 130",
      ""<div>*a*": its marks, links and tags 22, its length 40.4, its paragraphs, headings and list items 130",
      ""    <div>*a*": its marks, links and tags 120.497, its length 41.6, its paragraphs, headings and list items 130",
      ""- <div>*a*": its marks, links and tags 120.497, its length 41, its paragraphs, headings and list items 275",
      ""<div><details>*a*": its marks, links and tags 300.557, its length 43.1, its paragraphs, headings and list items 130",
      ""|": its length 38.3, its paragraphs, headings and list items 130",
      ""a | b\\nc": its length 77.8, its paragraphs, headings and list items 130",
      ""a\\\\b": its marks, links and tags 20.002, its length 38.9, its paragraphs, headings and list items 130",
    ]
  `);
});

it('stops counting when a text costs too much', () => {
  const text = 'word\n\n'.repeat(10);
  const sum = (maxCost: number) =>
    [...estimateCosts(text, maxCost).values()].reduce((total, cost) => total + cost, 0);
  expect(sum(0)).toBeCloseTo(169.2);
  expect(sum(169.2)).toBeCloseTo(169.2 + 14);
  expect(sum(Infinity)).toBeCloseTo(10 * (169.2 + 14));
});
