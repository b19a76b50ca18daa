import { describe, expect, it } from 'vitest';
import {
  findFileIncludes,
  IncludedPaths,
  takeIncluded,
  withoutFileIncludes,
} from '../../src/richtext/file-includes.ts';

const code = [
  'use a;',
  '// ANCHOR: main',
  'fn main() {',
  '    // ANCHOR: inner',
  '    b();',
  '    // ANCHOR_END: inner',
  '}',
  '// ANCHOR_END: main',
].join('\n');
const region = [
  'a',
  '  // #region one',
  '  b',
  '  // #endregion one',
  '// #region two',
  'c',
  '// #endregion',
].join('\n');
const section = ['a', '# --8<-- [start:one]', 'b', '# --8<-- [end:one]', 'c', 'd'].join('\n');

/** Returns the target and the inserted text of the only include in a text. */
const taken = (text: string, file: string) =>
  findFileIncludes(text).map((include) => [include.target, takeIncluded(include, file)]);

describe('findFileIncludes', () => {
  it.each<[include: string, file: string, target: string | undefined, text: string | undefined]>([
    ['{{#include a.rs}}', 'a\nb\n', 'a.rs', 'a\nb'],
    ['{{ #include a.rs:2 }}', 'a\nb\nc', 'a.rs', 'b'],
    ['{{#include a.rs:2:}}', 'a\nb\nc', 'a.rs', 'b\nc'],
    ['{{#include a.rs::2}}', 'a\nb\nc', 'a.rs', 'a\nb'],
    ['{{#include a.rs:2:3}}', 'a\r\nb\r\nc\r\nd', 'a.rs', 'b\nc'],
    ['```rust\n{{#rustdoc_include ../a.rs:main}}\n```', code, '../a.rs', 'fn main() {\n    b();\n}'],
    ['{{#rustdoc_include a.rs:inner}}', code, 'a.rs', 'b();'],
    ['{{#include a.rs:none}}', code, 'a.rs', undefined],
    ['{{#playground a.rs editable}}', 'fn main() {}\n', 'a.rs', '```rust\nfn main() {}\n```'],
    ['{{#title A title}}', '', undefined, ''],
    ['\\{{#include a.rs}}', '', undefined, '{{#include a.rs}}'],
    ['--8<-- "a.md"', section, 'a.md', 'a\nb\nc\nd'],
    ["  -8<- 'b/a.md:5:6'", section, 'b/a.md', 'c\nd'],
    ['--8<-- "a.md:5"', section, 'a.md', 'c\nd'],
    ['--8<-- "a.md:1:1,6:6"', section, 'a.md', 'a\nd'],
    ['```\n--8<-- "a.md:one"\n```', section, 'a.md', 'b'],
    [';--8<-- "a.md"', section, undefined, '--8<-- "a.md"'],
    ['<<< @/a.ts', 'a\n', '@/a.ts', '```ts\na\n```'],
    ['<<< ./a.js#one{2,4-6 ts:line-numbers} [A b]', region, './a.js', '```ts:line-numbers [A b]\nb\n```'],
    ['<<< a.js#two', region, 'a.js', '```js\nc\n```'],
    ['<<< a.js#none', region, 'a.js', undefined],
    ['<<< a.md', '```js\n```', 'a.md', '````md\n```js\n```\n````'],
    ['<!--@include: ./a.md-->', '---\ntitle: A\n---\n# A\n', './a.md', '# A'],
    ['<!-- @include: @/a.md{2,3} -->', 'a\nb\nc\nd', '@/a.md', 'b\nc'],
    ['<!--@include: a.md#one{,1}-->', region, 'a.md', 'b'],
    ['{* ../a.py ln[1,3:4] hl[2] *}', 'a\nb\nc\nd', '../a.py', '```py\na\nc\nd\n```'],
    ['```{include} ../a.md\n:start-after: one\n:end-before: two\n```', 'x one\na\ntwo', '../a.md', 'a'],
    [
      '~~~{literalinclude} a.py\n:lines: 2,4-5\n:language: python\n~~~',
      'a\nb\nc\nd\ne',
      'a.py',
      '```python\nb\nd\ne\n```',
    ],
    ["import A from './a.mdx';\n\n<A />", '# A\n', './a.mdx', '# A'],
    [
      'import A from \'@site/a.md\'\n\n  <A\n  name="x" n={2}\n/>',
      '{props.name} {n} {y}',
      '@site/a.md',
      'x 2 {y}',
    ],
    ['<Snippet file="a.mdx" />', 'a', 'a.mdx', 'a'],
    [
      "import a from '!!raw-loader!./a.js';\n\n<CodeBlock language=\"jsx\" title='A'>{a}</CodeBlock>",
      'b\n',
      './a.js',
      '```jsx title="A"\nb\n```',
    ],
    [
      "import a from 'raw-loader!./a.js';\n\n<CodeBlock\n>\n  {a.default}\n</CodeBlock>",
      'b\n',
      './a.js',
      '```js\nb\n```',
    ],
  ])('reads %j', (include, file, target, text) => expect(taken(include, file)).toEqual([[target, text]]));

  it('finds every line of a list of files', () => {
    const includes = findFileIncludes('x\n--8<--\na.md\nb.md:1:2\n--8<--\ny.md');
    expect(includes.map(({ target, line }) => [target, line])).toEqual([
      [undefined, 2],
      ['a.md', 3],
      ['b.md', 4],
      [undefined, 5],
    ]);
  });

  it('repeats the marks of quotes and the indentation of lists before inserted lines', () => {
    const [quoted, listed] = findFileIncludes('> {{#include a}}\n\n* --8<-- "a"');
    expect([quoted?.prefix, listed?.prefix]).toEqual(['> ', '  ']);
  });

  it.each([
    '```\n<<< @/a.ts\n{* a.py *}\n<Snippet file="a.mdx" />\n```',
    "import A from './a.mdx';\n\nUse <A /> inside a line.",
    "import A from './a.jsx';\n\n<A />",
    "import { A } from './a.mdx';\n\n<A />",
    "import a from '!!raw-loader!./a.js';\n\n<A code={a} />",
    '<!--\n<<< @/a.ts\n-->',
    '<<<<<<< HEAD\n{{#include}}\n--8<-- a.md',
  ])('does not read %j', (text) => expect(findFileIncludes(text)).toEqual([]));
});

it('inserts no more lines than the file has', () => {
  const part = Array.from({ length: 30 }, () => '1:1').join(',');
  const [include] = findFileIncludes(`--8<-- "a.md:${part}"`);
  expect(takeIncluded(include!, 'one\ntwo\nthree')).toBe('one\none\none');
});

describe('hostile texts take linear time', () => {
  const space = ' '.repeat(1900);
  it.each([
    `{{#include ${space}x`,
    `{* a ${space}x`,
    `<<< a${space}x`,
    `import A from "a.md"\n<A ${'a'.repeat(1900)} />`,
    `{{#include a:${'a'.repeat(1900)}!}}`,
  ])('in the includes of a page', (text) => {
    const all = findFileIncludes(`${text}\n`.repeat(200));
    expect(all.map((include) => takeIncluded(include, 'a')).filter((taken) => taken === 'x')).toEqual([]);
  });
  it.each(['{{#include a.md}}', '<<< a.js', '{* a.py *}', '{{#include a.md:1:}}'])('in files: %j', (text) => {
    const [include] = findFileIncludes(text);
    const file = `${'\n'.repeat(300_000)}a${' '.repeat(300_000)}b`;
    expect(takeIncluded(include!, file)).toMatch(/a {300000}b(?:\n```)?$/);
  });
});

describe('withoutFileIncludes', () => {
  it('keeps the number of lines', () => {
    const text = 'a\n```{include} a.md\n:lines: 1\n```\n> {{#include b}}\nc';
    expect(withoutFileIncludes(text, findFileIncludes(text))).toBe('a\n\n\n\n> \nc');
  });
});

describe('IncludedPaths', () => {
  const paths = new IncludedPaths(['a/b.md', 'c/a/b.md', '../src/x.rs', '../inc/x.rs', 'c/only.md']);
  it.each<[target: string, from: string, isLoose: boolean, found: string | undefined]>([
    ['b.md', 'a/x.md', false, 'a/b.md'],
    ['../src/x.rs', 'x.md', false, '../src/x.rs'],
    ['only.md', 'x.md', false, undefined],
    ['only.md', 'x.md', true, 'c/only.md'],
    ['x.rs', 'x.md', true, '../inc/x.rs'],
    ['@/a/b.md', 'c/x.md', false, 'a/b.md'],
    ['@site/src/x.rs', 'c/x.md', false, '../src/x.rs'],
    ['/a/b.md', 'c/x.md', false, 'a/b.md'],
    ['../../src/x.rs', 'x.md', true, '../src/x.rs'],
    ['rc/x.rs', 'x.md', true, undefined],
  ])('finds %j from %j', (target, from, isLoose, found) =>
    expect(paths.find({ target, isLoose }, from)).toBe(found),
  );
});
