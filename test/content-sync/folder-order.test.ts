import { expect, it } from 'vitest';
import { readFolderOrder } from '../../src/content-sync/folder-order.ts';
import { inferSummary } from '../../src/content-sync/infer-summary.ts';

const outline = (files: Record<string, string>, root = ''): unknown[] => {
  const { entries } = inferSummary(Object.keys(files), root, `${root}README.md`, (path) => files[path] ?? '');
  const shown = (list: typeof entries): unknown[] =>
    list.map((entry) => {
      const name = entry.kind === 'page' ? `${entry.target} ${entry.linkTitle ?? ''}`.trim() : entry.title;
      return entry.children.length === 0 ? name : [name, shown(entry.children)];
    });
  return shown(entries);
};

it('takes the order and titles of folders from .pages of MkDocs', () => {
  const files = {
    '.pages': 'nav:\n  - index.md\n  - Last things: z.md\n  - ...\n  - guide\n',
    'index.md': '',
    'a.md': '',
    'b.md': '',
    'z.md': '',
    'guide/.pages': 'title: The guide\narrange:\n  - two.md\n  - one.md\n',
    'guide/one.md': '',
    'guide/two.md': '',
  };
  expect(outline(files)).toEqual([
    'index.md',
    'z.md Last things',
    'a.md',
    'b.md',
    ['The guide', ['guide/two.md', 'guide/one.md']],
  ]);
});

it('takes the order and titles of folders from _meta files of Nextra', () => {
  const files = {
    '_meta.ts':
      "// The order\nexport default {\n  index: 'Start',\n  'b-c': \"B\",\n  x: { title: 'X', href: '/x' },\n  guide: { title: 'Guide', type: 'page' },\n  secret: { display: 'hidden' },\n}\n",
    'index.mdx': '',
    'a.mdx': '',
    'b-c.mdx': '',
    'secret.mdx': '',
    'guide/_meta.json': '{"two": "", "index": "All"}',
    'guide/index.mdx': '',
    'guide/one.mdx': '',
    'guide/two.mdx': '',
  };
  expect(outline(files)).toEqual([
    'index.mdx Start',
    'b-c.mdx B',
    ['guide/index.mdx Guide', ['guide/two.mdx', 'guide/one.mdx']],
    'a.mdx',
  ]);
});

it.each(['export default { a: <b>c</b> }', '{', 'nav: 3', '__proto__: [1]', 'nav: [[a], {b: [c]}, null]'])(
  'takes no titles from %j',
  (text) => {
    const titles = ['.pages', '_meta.js'].flatMap((path) =>
      [...readFolderOrder(path, text).entries.values()].map(({ title }) => title),
    );
    expect(titles.filter((title) => title !== undefined)).toEqual([]);
  },
);

it('reads hostile _meta files in linear time', () => {
  for (const text of ['{'.repeat(300_000), ' \n'.repeat(300_000), `{${'a: b\n'.repeat(12_000)}}`])
    expect(readFolderOrder('_meta.js', text).entries.size).toBe(0);
});
