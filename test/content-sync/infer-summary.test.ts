import { expect, it } from 'vitest';
import { inferSummary } from '../../src/content-sync/infer-summary.ts';
import type { SummaryEntry } from '../../src/content-sync/summary.ts';

const outline = (entries: readonly SummaryEntry[]): unknown[] =>
  entries.map(({ kind, title, slug = '', target, children }) => {
    const name = kind === 'group' ? `${title} (${slug})` : target;
    return children.length === 0 ? name : [name, outline(children)];
  });
const inferred = (paths: readonly string[], root = '', readme = 'README.md') => {
  const { entries, warnings } = inferSummary(paths, root, readme);
  return [outline(entries), warnings.map(({ file, message }) => `${file} ${message}`)];
};

it('places the pages of a folder below its README or index, or in a group if it has neither', () => {
  expect(
    inferred(['README.md', 'b.md', 'a/README.md', 'a/x.md', 'c/y.md', 'c/image.png', 'e/index.md', 'e/z.md']),
  ).toEqual([
    ['README.md', ['a/README.md', ['a/x.md']], 'b.md', ['C (c)', ['c/y.md']], ['e/index.md', ['e/z.md']]],
    [],
  ]);
});

it('sorts numbers in names by their value', () => {
  const names = ['1-a.md', '02-b.md', '2-c', '10-d.md', 'A.md', 'v1.2.md', 'v1.10', 'z.md'];
  const paths = names.map((name) => (name.endsWith('.md') ? name : `${name}/README.md`));
  expect(inferred(paths.toReversed())[0]).toEqual(paths);
});

it('places the pages of a folder without README below the page with the name of the folder', () => {
  expect(
    inferred(['README.md', 'guide.md', 'guide/a.md', 'guide/a/b.md', 'own.md', 'own/README.md', 'own/y.md']),
  ).toEqual([
    [
      'README.md',
      ['guide.md', [['guide/a.md', ['guide/a/b.md']]]],
      ['own/README.md', ['own/y.md']],
      'own.md',
    ],
    [],
  ]);
  expect(inferred(['index.md', 'index/x.md', 'x.md', 'x/a.md'], '', 'x.md')[0]).toEqual([
    'x.md',
    ['Index (index)', ['index/x.md']],
    'index.md',
    ['X (x)', ['x/a.md']],
  ]);
});

it('names a group after its folder in words, and uses the folder name in paths', () => {
  const folders = ['getting-started', 'API', 'how_to', 'v2.0', '_', 'Two words'];
  expect(
    inferred(
      folders.map((folder) => `docs/${folder}/x.md`),
      'docs',
      'docs/README.md',
    )[0],
  ).toEqual(
    [
      'API (API)',
      'Two words (Two-words)',
      '_ (_)',
      'Getting started (getting-started)',
      'How to (how_to)',
      'V2.0 (v2.0)',
    ].map((group, index) => [
      group,
      [`${['API', 'Two%20words', '_', 'getting-started', 'how_to', 'v2.0'][index]}/x.md`],
    ]),
  );
});

it('removes the IDs that Notion adds to names from titles and slugs', () => {
  const id = '0123456789abcdef'.repeat(2);
  expect(inferred([`Team notes ${id}/A ${id}.md`, `B ${id}/index.md`])[0]).toEqual([
    `B%20${id}/index.md`,
    ['Team notes (Team-notes)', [`Team%20notes%20${id}/A%20${id}.md`]],
  ]);
});

it('leaves out parts of other pages, whose names start with an underscore', () => {
  expect(inferred(['_a.mdx', '_docs/_b.md', '_docs/c.md', 'd/_index.md'])[0]).toEqual([
    ['Docs (_docs)', ['_docs/c.md']],
    'd/_index.md',
  ]);
});

const shown = 'has no README.md, so the tree shows its pages in the folder above';

it('warns about a subfolder without README, and places its pages in the folder above', () => {
  expect(inferred(['a/b/x.md', 'a/b/c/y.md', 'd/README.md', 'd/e/f/README.md', 'd/e/f/z.md'])).toEqual([
    [
      ['A (a)', ['a/b/c/y.md', 'a/b/x.md']],
      ['d/README.md', [['d/e/f/README.md', ['d/e/f/z.md']]]],
    ],
    [`a/b ${shown}. The same applies to 2 more folders: a/b/c, d/e`],
  ]);
});

it('lists such folders in a single warning', () => {
  const folders = ['a/b', 'a/c', 'a/d', 'a/e', 'a/f', 'a/g'];
  const warningsOf = (count: number) =>
    inferred(folders.slice(0, count).map((folder) => `${folder}/x.md`))[1];
  expect(warningsOf(1)).toEqual([`a/b ${shown}`]);
  expect(warningsOf(2)).toEqual([`a/b ${shown}. The same applies to 1 more folder: a/c`]);
  expect(warningsOf(6)).toEqual([
    `a/b ${shown}. The same applies to 5 more folders: a/c, a/d, a/e and 2 more`,
  ]);
});

it('reads the order and the titles that other tools set in front matter', () => {
  const files: Record<string, string> = {
    'a.md': '---\nsidebar_position: 3\nsidebar_label: First\n---\n',
    'b/_index.md': '+++\nweight = 2\nlinkTitle = "B"\n+++\n',
    'b/x.md': '---\nnav_order: 10\n---\n',
    'b/y.md': '---\nsidebar:\n  order: 9.5\n  label: Y\n---\n',
    'c/_category_.json': '{\n  "label": "The group",\n  "position": 1\n}\n',
    'c/d/_category_.yml': 'label: Inner\nposition: -1\n',
    'c/d/z.md': '---\nslug: last\n---\n',
    'c/a.md': '---\nweight: 0\n---\n',
    'e.md': '---\nsidebar_position: [1]\nslug: ..\n---\nsidebar_position: 0\n',
    'f.md': `---\nsidebar_position: .nan\nweight: .inf\nslug: ${'x'.repeat(101)}\n---\n`,
  };
  const { entries } = inferSummary(Object.keys(files), '', 'README.md', (path) => files[path] ?? '');
  const lines = (some: readonly SummaryEntry[], indent = ''): string[] =>
    some.flatMap(({ title, linkTitle = title, target = '', slug = '', children }) => [
      `${indent}${linkTitle}|${target}|${slug}`,
      ...lines(children, `${indent} `),
    ]);
  expect(lines(entries)).toEqual([
    'The group||c',
    ' Inner||',
    '  |c/d/z.md|',
    ' |c/a.md|',
    'B|b/_index.md|b',
    ' Y|b/y.md|',
    ' |b/x.md|',
    'First|a.md|',
    '|e.md|',
    '|f.md|',
  ]);
});

it('leaves out drafts of other tools', () => {
  const files: Record<string, string> = {
    'a/index.md': '---\ndraft: true\n---\n',
    'a/b.md': '---\npublished: false\n---\n',
    'a/c.md': '---\ndraft: false\npublished: true\n---\n',
  };
  const { entries, drafts } = inferSummary(Object.keys(files), '', 'README.md', (path) => files[path] ?? '');
  expect(outline(entries)).toEqual([['A (a)', ['a/c.md']]]);
  expect([...drafts]).toEqual(['a/index.md', 'a/b.md']);
});

it('nests pages at most 16 levels, and flattens deeper ones', () => {
  const depthOf = (entries: readonly SummaryEntry[]): number =>
    Math.max(0, ...entries.map((entry) => 1 + (entry.kind === 'page' ? depthOf(entry.children) : 0)));
  const nested = (levels: number) =>
    Array.from({ length: levels }, (_, level) => `${'f/'.repeat(level)}README.md`);
  expect(depthOf(inferSummary(nested(16), '', 'README.md').entries)).toBe(15);
  expect(depthOf(inferSummary(nested(17), '', 'README.md').entries)).toBe(16);
  const deep = inferSummary(nested(20), '', 'README.md').entries;
  expect(depthOf(deep)).toBe(16);
  expect(JSON.stringify(outline(deep))).toContain(nested(20).at(-1));
});
