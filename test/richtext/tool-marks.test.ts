import { expect, it } from 'vitest';
import { convertDialects } from '../../src/richtext/dialects.ts';
import { scanAnchors } from '../../src/richtext/scan-anchors.ts';
import { withoutToolMarks } from '../../src/richtext/tool-marks.ts';

it.each([
  ['[a](b){ .md-button .x } ![c](d){ width="3" align=left }', '[a](b) ![c](d)'],
  ['**a**{: .label } `b`{.py} `{ .c }`', '**a** `b` `{ .c }`'],
  ['<b>a</b>{: .label }', '<b>a</b>'],
  ['## A {: .no_toc }', '## A'],
  ['## [a](b){#c}', '## [a](b){#c}'],
  ['{: .note .info}', ''],
  ['  { .annotate }', ''],
  ['{class="wide"}', ''],
  ['{/* a */}', ''],
  ['{/* #a */}', ''],
  ['[[toc]]', ''],
  ['[TOC]', ''],
  ['*[HTML]: Hyper Text', ''],
  [':material-clock:{ .lg .middle } __Now__ `:octicons-x:`', '__Now__ `:octicons-x:`'],
  ['  {: .note #a-b }', '  <a id="a-b"></a>'],
  ['import { A, B } from \'a\'; import C from "c";', ''],
  ['(a/b)=', '<a id="a/b"></a>'],
])('removes the marks of other tools from %j', (line, shown) =>
  expect(withoutToolMarks(line, true)).toBe(shown),
);

it.each([
  '$$\\sum_{c=1}$$ and f(x)_{k=1}',
  '{{ name }} {% hint style="info" %} {x}',
  '(a) {.b}',
  'sum{job="a"} of {result="b"}',
  '  {job="a"}',
  'import a from "b" is text',
  '[toc](a.md)',
])('keeps %j', (line) => expect(withoutToolMarks(line, true)).toBe(line));

it('removes imports at the start of a paragraph, and the list of a table of contents', () => {
  const given = "import A from 'a';\nimport { B } from \"b\"\n\n* TOC\n{:toc}\n\nText\nimport C from 'c'\n";
  expect(convertDialects(given).trim()).toBe("Text\nimport C from 'c'");
  expect(convertDialects("```\nimport A from 'a';\n{: .x }\n```\n")).toContain("import A from 'a';\n{: .x }");
});

it('names anchors without the attributes of headings', () => {
  expect(scanAnchors('## A b {: .no_toc }\n\nText\n{: #c }\n\n[](){#d}\n## E\n')).toEqual([
    'a-b',
    'c',
    'd',
    'e',
  ]);
});

it('takes a time that grows with the length of the line', () => {
  for (const part of ['{.a ', '`', '{a="', ')[', '{#', ':material-', '(a', '[[toc', '## {: .a'])
    expect(withoutToolMarks(`# a ${part.repeat(200_000)}`, true).length).toBeGreaterThan(200_000);
  expect(withoutToolMarks(`{${'id=a '.repeat(200_000)})=`, true).length).toBeGreaterThan(200_000);
});
