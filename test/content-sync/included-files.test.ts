import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { getPage, listPages } from '../../src/resources/content/space-pages/contract.ts';
import { flattenPages } from '../../src/contract/values.ts';
import { readFolder } from '../../src/content-sync/read-folder.ts';
import { createWorld } from '../support/world.ts';
import { filesOf, newFolder, openShelf, writeFiles, type Files } from './folder-support.ts';

const open = (files: Files): string => {
  const dir = newFolder(files);
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
};

/** Imports a folder. Returns it, the space, and a function that reads the text of its first page with all that it includes. */
const importFolder = async (files: Files) => {
  const world = await createWorld();
  const shelf = await openShelf(world);
  const dir = open(files);
  await shelf.importFolder(dir);
  const params = { spaceId: shelf.spaceId };
  const read = async (): Promise<string | undefined> => {
    const { pages } = await world.as('read').call(listPages, { params, query: { texts: false } });
    const query = { dereferenced: 'reusable-contents' } as const;
    const pageId = flattenPages(pages).find(({ type }) => type === 'document')?.id ?? '';
    return (await world.as('read').call(getPage, { params: { ...params, pageId }, query })).markdown;
  };
  return { dir, shelf, read };
};

const warningsOf = async (dir: string) =>
  (await readFolder(dir)).warnings.map(({ file, line, message }) => `${file}:${line} ${message}`);

it.each<[tool: string, files: Files, text: string, changed: Files, after: string]>([
  [
    'mdBook',
    {
      'book.toml': '[book]\nsrc = "text"\n',
      'text/SUMMARY.md': '* [A](a.md)\n',
      'text/a.md': '# A\n\n```rust\r\n{{#include ../code/a.rs:2}}\r\n```\n',
      'code/a.rs': 'a();\nb();\n',
    },
    '# A\n\n```rust\r\nb();\r\n```\n',
    { 'code/a.rs': 'a();\nc();\n' },
    '# A\n\n```rust\r\nc();\r\n```\n',
  ],
  [
    'MkDocs',
    {
      'mkdocs.yml': 'nav:\n  - index.md\n',
      'docs/index.md': '!!! note\n    --8<-- "parts/b.md"\n',
      'inc/parts/b.md': 'B\n\n--8<-- "c.txt"\n',
      'inc/parts/c.txt': 'C\n',
    },
    '!!! note\n    B\n    \n    C\n',
    { 'inc/parts/c.txt': 'D\n' },
    '!!! note\n    B\n    \n    D\n',
  ],
  [
    'VitePress',
    {
      'index.md': '<<< @/code/a.js{1}\n\n<!--@include: ./parts/b.md-->\n',
      'code/a.js': 'a\n',
      'parts/b.md': '---\ntitle: B\n---\n[i](../index.md)\n',
      'parts/README.md': '# Parts\n',
    },
    '```js\na\n```\n\n[i](index.md)\n',
    { 'code/a.js': 'b\n' },
    '```js\nb\n```\n\n[i](index.md)\n',
  ],
  [
    'Mintlify',
    {
      'docs.json': '{"navigation": {"groups": [{"group": "G", "pages": ["a"]}]}}',
      'a.mdx': 'import B from \'/snippets/b.mdx\';\n\n<B name="x" />\n',
      'snippets/b.mdx': '**{name}**\n\n![x](/images/x.png)\n',
      'images/x.png': 'png',
    },
    "import B from '/snippets/b.mdx';\n\n**x**\n\n![x](/images/x.png)\n",
    { 'snippets/b.mdx': '*{name}*\n' },
    "import B from '/snippets/b.mdx';\n\n*x*\n",
  ],
])(
  'pages of %s show the files that they include, and all files come back byte for byte',
  async (_, files, text, changed, after) => {
    const { dir, shelf, read } = await importFolder(files);
    expect(await warningsOf(dir)).toEqual([]);
    expect(await read()).toBe(text);
    const { 'book.toml': _book, 'mkdocs.yml': _nav, 'docs.json': _docs, ...content } = filesOf(dir);
    expect(await shelf.exportFiles()).toMatchObject(content);
    expect(await shelf.plan(dir)).toEqual({ pages: [], texts: [], files: [], deletedFiles: [] });
    writeFiles(dir, changed);
    expect(await shelf.importFolder(dir)).toBeGreaterThan(0);
    expect(await read()).toBe(after);
  },
);

it('a page that another page includes remains a page', async () => {
  const { shelf, read } = await importFolder({
    'SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n',
    'a.md': '{{#include b.md}}\n',
    'b.md': '# B\n\n{{#include a.md}}\n',
  });
  expect(await read()).toMatch(/^# B\n\n# B\n\n/);
  expect((await shelf.content.texts()).map(({ role }) => role)).toEqual(['summary']);
});

it('warns about includes that cannot be read, with their lines', async () => {
  const dir = open({
    'README.md': [
      '---\ntitle: A\n---\n{{#include none.md}}',
      '{{#include ../outside.md}}',
      '{{#include /etc/passwd}}',
      '{{#include .env}}',
      '{{#include link.md}}',
      '{{#include a.rs:name}}',
      '--8<-- "https://example.com/a.md"',
      '{{#include bytes.bin}}',
      '{{#include large.txt}}\n',
    ].join('\n'),
    '.env': 'SECRET=1\n',
    'a.rs': 'a\n',
    'bytes.bin': Buffer.from([0xff, 0xfe]),
    'large.txt': 'x'.repeat(1_000_001),
    'b.txt': 'secret',
  });
  symlinkSync(join(dir, 'b.txt'), join(dir, 'link.md'));
  const missing = 'which does not exist; add the file, or remove the include';
  expect(await warningsOf(dir)).toEqual([
    'link.md:0 is a symbolic link and is skipped',
    `README.md:4 includes "none.md", ${missing}`,
    'README.md:5 includes "../outside.md", which is outside the folder; import the folder that contains both, and name the folder of the pages as root in a .gitbook.yaml',
    `README.md:6 includes "/etc/passwd", ${missing}`,
    'README.md:7 includes ".env", which is a hidden file; give it a name that does not start with a dot',
    `README.md:8 includes "link.md", ${missing}`,
    'README.md:9 includes "a.rs", but the file does not have the part "name"; correct the include, or the file',
    'README.md:10 includes "https://example.com/a.md", which is on another site; copy the text into the page',
    'bytes.bin:0 is skipped: it is not UTF-8',
    'large.txt:0 is skipped: The file large.txt is 1.1 MB; the limit is 1 MB.',
  ]);
  const { texts } = await readFolder(dir);
  expect(texts.map(({ path }) => path)).toEqual(['a.rs']);
});

it('names the part that an included file does not have, in every syntax that names parts', async () => {
  const dir = open({
    'README.md':
      '--8<-- "a.md:one"\n\n<!--@include: ./a.md#two-->\n\n<<< ./a.md#three\n\n```{include} a.md\n:start-after: four\n:end-before: five\n```\n',
    'a.md': 'a\n',
  });
  expect((await warningsOf(dir)).map((warning) => /the part (".*");/.exec(warning)?.[1])).toEqual([
    '"one"',
    '"two"',
    '"three"',
    '"four … five"',
  ]);
});

it('ends cycles of includes, and limits the inserted text', async () => {
  const many = '{{#include b.txt}}\n'.repeat(40);
  const { read } = await importFolder({ 'README.md': '{{#include b.txt}}\n', 'b.txt': `x\n${many}` });
  const text = (await read()) ?? '';
  expect(text.match(/^x$/gm)?.length).toBeLessThanOrEqual(1000);
});

it.each<[name: string, files: Files]>([
  [
    'long marks of quotes',
    { 'README.md': `${'>'.repeat(50_000)}{{#include a.txt}}\n`, 'a.txt': 'a\n'.repeat(3000) },
  ],
  [
    'long attributes',
    {
      'README.md': `import A from './a.md'\n\n<A a="${'x'.repeat(1900)}" />\n`,
      'a.md': '# A\n\n{a}\n'.repeat(80_000),
    },
  ],
  [
    'files that include the same files',
    {
      'README.md': '{{#include a.txt}}\n'.repeat(40),
      'a.txt': '{{#include b.txt}}\n'.repeat(40),
      'b.txt': '{{#include c.txt}}\n'.repeat(40),
      'c.txt': 'a\n'.repeat(50_000),
    },
  ],
])('limits the text of a page with %s', async (_name, files) => {
  const { read } = await importFolder(files);
  expect((await read())?.length).toBeLessThan(5_000_000);
});

it('rewrites the links of files that included files include', async () => {
  const { read } = await importFolder({
    'docs/README.md': '{{#include ../a/a.txt}}\n',
    'a/a.txt': '[A](a.md)\n\n{{#include b/b.txt}}\n',
    'a/b/b.txt': '[B](b.md), [C](../../docs/c.md)\n',
  });
  expect(await read()).toBe('[A](../a/a.md)\n\n[B](../a/b/b.md), [C](c.md)\n');
});
