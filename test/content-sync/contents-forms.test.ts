import { flattenPages } from '../../src/contract/values.ts';
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFolder } from '../../src/content-sync/read-folder.ts';
import { readSummary, type SummaryEntry } from '../../src/content-sync/summary.ts';
import { writeSummary } from '../../src/content-sync/write-summary.ts';
import { page } from '../resources/content-support.ts';
import { createWorld } from '../support/world.ts';
import type { PageBody } from '../../src/resources/content/schemas.ts';
import { newFolder, openShelf, writeFiles, type Files, type Shelf } from './folder-support.ts';
import type { FolderPage } from '../../src/content-sync/page-reader.ts';

let dir: string;
beforeEach(() => {
  dir = newFolder();
});
afterEach(() => rmSync(dir, { recursive: true }));

type Named = { readonly title: string; readonly children: readonly Named[] };
const outline = (entries: readonly Named[]): unknown[] =>
  entries.map(({ title, children }) => (children.length === 0 ? title : [title, outline(children)]));
const read = (files: Files) => {
  writeFiles(dir, files);
  return readFolder(dir);
};
const said = (
  warnings: readonly { readonly file: string; readonly line: number; readonly message: string }[],
) => warnings.map(({ file, line, message }) => `${file}:${line} ${message}`);
const slugs = (pages: readonly FolderPage[]): unknown[] =>
  pages.map(({ slug, children }) => (children.length === 0 ? slug : [slug, slugs(children)]));

describe('the anchor after the title of a group', () => {
  const summary = '* [A](a.md)\n\n## The *API* <a href="#api" id="api"></a>\n\n* [B](b.md)\n';

  it('becomes part of the path, not of the title', async () => {
    const { pages } = await read({ 'SUMMARY.md': summary, 'a.md': '', 'b.md': '' });
    expect(outline(pages)).toEqual(['A', ['The API', ['B']]]);
    expect(pages[1]!.slug).toBe('api');
  });

  it('is written again when the tree changes', async () => {
    const shelf = await openShelf(await createWorld());
    await shelf.importFolder((writeFiles(dir, { 'SUMMARY.md': summary, 'a.md': '', 'b.md': '' }), dir));
    await shelf.publish(page('New'));
    const written = (await shelf.exportFiles())['SUMMARY.md']!;
    expect(written).toContain('## The API <a href="#api" id="api"></a>\n');
    expect(readSummary(written, 'S').entries[1]).toMatchObject({ title: 'The API', slug: 'api' });
  });

  it('is ignored if it is not a valid slug', () => {
    expect(readSummary('## X <a href="#b" id="B c!"></a>\n* [a](a.md)', 'S').entries).toMatchObject([
      { title: 'X' },
    ]);
    expect(readSummary('## X <a href="#b" id="B c!"></a>\n* [a](a.md)', 'S').entries[0]).not.toHaveProperty(
      'slug',
    );
  });
});

describe('an entry for an anchor, or for a page that is already listed', () => {
  const files = {
    '.gitbook.yaml': 'root: ./docs/\nstructure:\n  summary: nav/toc.md\n',
    'docs/nav/toc.md':
      '* [Part](../a.md#part)\n* [A](../a.md)\n  * [B](../b.md)\n* [Again](<../a.md>)\n* [C](../c.md#x)\n* [Hash](../d%23.md)\n* [Gone](../b.md#gone)\n',
    'docs/a.md': '# A\n\n## Part\n',
    'docs/b.md': '',
    'docs/c.md': '',
    'docs/d#.md': '',
  };
  const tree = (pages: readonly FolderPage[]): unknown[] =>
    pages.map(({ type, href, path, children }) =>
      children.length === 0 ? `${type} ${href ?? path}` : [`${type} ${path}`, tree(children)],
    );

  it('becomes a link with a path from the root', async () => {
    const { pages, warnings } = await read(files);
    expect(tree(pages)).toEqual([
      'link a.md#part',
      ['document a.md', ['document b.md']],
      'link a.md',
      'document c.md',
      'document d#.md',
      'link b.md#gone',
    ]);
    expect(said(warnings)).toEqual([
      'docs/nav/toc.md:4 ../a.md is already in the table of contents and becomes a link',
    ]);
  });

  it('is written with a path relative to the table of contents', async () => {
    const shelf = await openShelf(await createWorld());
    await shelf.importFolder((writeFiles(dir, files), dir));
    expect((await shelf.exportFiles())['docs/nav/toc.md']).toBe(files['docs/nav/toc.md']);
    await shelf.publish(page('New'));
    const written = (await shelf.exportFiles())['docs/nav/toc.md'];
    expect(written).toContain('* [Part](../a.md#part)\n* [A](../a.md)\n');
    expect(written).toContain('* [Again](../a.md)\n* [C](../c.md)\n');
  });
});

describe('an entry without a link below the top level', () => {
  const files = {
    'SUMMARY.md':
      '* [A](a.md)\n  * Reference\n    * [B](b.md)\n\n## Part\n\n* Reference\n  - [C](c.md)\n* Gone\n  * [D](d.md)\n',
    'a.md': 'A',
    'b.md': 'B',
    'c.md': 'C',
  };
  const paths = (pages: readonly PageBody[]): unknown[] =>
    flattenPages(pages).map(({ type, title, path }) => `${type} ${title} ${path}`);
  const openImported = async () => {
    const shelf = await openShelf(await createWorld());
    await shelf.importFolder((writeFiles(dir, files), dir));
    return shelf;
  };
  const find = async (shelf: Shelf, path: string) =>
    flattenPages((await shelf.content.read(false)).pages).find((one) => one.path === path)!;
  const importAgain = async (shelf: Shelf): Promise<number> => {
    rmSync(dir, { recursive: true });
    dir = newFolder(await shelf.exportFiles());
    return shelf.importFolder(dir);
  };

  it('becomes a page without text that the next import finds again and an export writes no file for', async () => {
    const shelf = await openImported();
    expect(paths((await shelf.content.read(false)).pages)).toEqual([
      'document A a',
      'document Reference a/reference',
      'document B a/reference/b',
      'group Part part',
      'document Reference part/reference',
      'document C part/reference/c',
    ]);
    expect((await shelf.exported()).counts).toEqual({ pages: 3, files: 0, texts: 1 });
    expect(await shelf.exportFiles()).toEqual(files);
    expect(await shelf.importFolder(dir)).toBe(0);
  });

  it('is written again when the tree changes', async () => {
    const shelf = await openImported();
    const { id } = await find(shelf, 'part/reference');
    await shelf.publish(
      { operation: 'update_page', page: id, title: 'More *b*' },
      page('New', { into: (await find(shelf, 'a/reference')).id }),
    );
    expect((await shelf.exportFiles())['SUMMARY.md']).toContain(
      '  * Reference\n    * [B](b.md)\n    * [New](a/reference/new.md)\n\n## Part\n\n* More \\*b\\*\n  * [C](c.md)\n',
    );
    await importAgain(shelf);
    expect((await find(shelf, 'part/more-b')).id).toBe(id);
    expect(await shelf.importFolder(dir)).toBe(0);
  });

  it('gets a file as soon as the page has text, or no pages below it', async () => {
    const shelf = await openImported();
    const { id } = await find(shelf, 'a/reference');
    await shelf.publish(
      { operation: 'update_page', page: id, document: { markdown: 'Text' } },
      { operation: 'delete_page', page: (await find(shelf, 'part/reference/c')).id },
    );
    const written = await shelf.exportFiles();
    expect(written['SUMMARY.md']).toContain('  * [Reference](a/reference/README.md)\n');
    expect(written['SUMMARY.md']).toContain('* [Reference](part/reference.md)\n');
    expect([written['a/reference/README.md'], written['part/reference.md']]).toEqual(['Text', '']);
    await importAgain(shelf);
    expect((await find(shelf, 'a/reference')).id).toBe(id);
  });
});

describe('a table of contents in the style of other tools', () => {
  const entriesOf = (text: string): { outline: unknown[]; entries: SummaryEntry[]; said: string[] } => {
    const { entries, warnings } = readSummary(text, 'S');
    return { outline: outline(entries), entries, said: said(warnings) };
  };

  it('can have pages before and after its lists, and parts', () => {
    const text =
      '# Summary\n\n[Preface](p.md)\n\n# Part one\n\n- [A](a.md)\n  - [B](b.md)\n\n# Part two\n\n1. [C](c.md)\n2) [D](d.md)\n\n---\n\n[Words](w.md)\n';
    expect(entriesOf(text)).toMatchObject({
      outline: ['Preface', ['Part one', [['A', ['B']]]], ['Part two', ['C', 'D']], 'Words'],
      said: [],
    });
  });

  it('can have entries without a link if there are entries below them', () => {
    expect(entriesOf('* [A](a.md)\n* Plugins\n  * [B](b.md)\n* [C](c.md)')).toMatchObject({
      outline: ['A', ['Plugins', ['B']], 'C'],
      said: [],
    });
    expect(entriesOf('* [A](a.md)\n  * [Later]()\n    * [B](b.md)\n  * Never\n* [Soon]()')).toMatchObject({
      outline: [['A', [['Later', ['B']]]]],
      said: [
        'S:4 this entry has no link to a page and is skipped',
        'S:5 this entry has no link to a page and is skipped',
      ],
    });
    expect(entriesOf('* [Plugins](#)\n  * [C](#c "C")\n    * [B](b.md)\n  * [D](?d)')).toMatchObject({
      outline: [['Plugins', [['C', ['B']]]]],
      entries: [{ kind: 'group' }],
      said: ['S:4 this entry has no link to a page and is skipped'],
    });
  });

  it('can contain comments of several lines, link definitions and short rules', () => {
    expect(
      entriesOf('## G\n* [A](a.md)\n<!-- x\n* [No](no.md)\n-->\n[x]: <> (y)\n--\n* [B](b.md)'),
    ).toMatchObject({ outline: [['G', ['A']], 'B'], said: [] });
  });

  it('can have entities in titles, which are written so that the title is read unchanged', () => {
    expect(entriesOf('* [Q &amp; A \\&lt; &#x26; &nope;](a.md)').outline).toEqual(['Q & A &lt; & &nope;']);
    const title = 'Q & A &lt; *x*';
    const written = writeSummary([{ type: 'document', title, path: 'a.md', href: '', children: [] }], {
      root: '',
      summary: 'SUMMARY.md',
    });
    expect(entriesOf(written).outline).toEqual([title]);
  });

  it('can name index.md as the first page of a folder', async () => {
    const { pages } = await read({
      'SUMMARY.md': '* [A](a/index.md)\n  * [B](a/b.md)\n* [C](c/index.md)',
      'a/index.md': '',
      'a/b.md': '',
      'c/index.md': '',
    });
    expect(slugs(pages)).toEqual([['a', ['b']], 'index']);
  });

  it('can name files with spaces or "#", and folders', async () => {
    const { pages, files, warnings } = await read({
      'SUMMARY.md':
        '* [A](my file.md "T")\n* [G](<g.md> "G")\n* [B](<c#.md>)\n* [C](sub/)\n* [D](data.json)\n* [E](gone/)\n* [F](a.md#part)',
      'my file.md': '',
      'g.md': '',
      'c#.md': '',
      'sub/README.md': '',
      'data.json': '{}',
      'a.md': '',
    });
    expect(pages.map(({ type, path }) => `${type} ${path}`)).toEqual([
      'document my file.md',
      'document g.md',
      'document c#.md',
      'document sub/README.md',
      'link SUMMARY.md',
      'link SUMMARY.md',
      'document a.md',
    ]);
    expect(files.map(({ path }) => path)).toEqual(['data.json']);
    expect(said(warnings)).toEqual(['SUMMARY.md:6 gone/ does not exist and becomes a link']);
  });
});

describe('a folder without a table of contents', () => {
  it('uses index.md as the page of its folder if it has no README', async () => {
    const { pages } = await read({
      'README.md': '# Home',
      'in/index.md': '# In',
      'in/a.md': '# A',
      'two/index.md': '# I',
      'two/README.md': '# Two',
      'index.md': '# Index',
      'hugo/_index.md': '---\nlinkTitle: H\n---\n',
      'hugo/a/_index.md': '# Below',
      'hugo/a/b.md': '# B',
    });
    expect(outline(pages)).toEqual([
      'Home',
      ['Hugo', [['Below', ['B']]]],
      ['In', ['A']],
      'Index',
      ['Two', ['I']],
    ]);
    expect(slugs(pages)).toEqual([
      'readme',
      ['hugo', [['a', ['b']]]],
      ['in', ['a']],
      'index',
      ['two', ['index']],
    ]);
  });

  it('begins with its README, in upper or lower case', async () => {
    const { pages } = await read({ 'readme.md': '# Home', 'a.md': '# A', 'Index.md': '# I' });
    expect(outline(pages)).toEqual(['Home', 'I', 'A']);
  });

  it('warns if there is a SUMMARY.md in a subfolder', async () => {
    const { pages, warnings } = await read({
      'README.md': '# Home',
      'en/SUMMARY.md': '* [A](a.md)',
      'en/a.md': '# A',
    });
    expect(pages).toHaveLength(2);
    expect(said(warnings)).toEqual([
      'en/SUMMARY.md:0 is imported as a page; to use it as the table of contents, import that folder alone: --root en',
    ]);
  });

  it('warns if SUMMARY.md is written in another case', async () => {
    const { warnings } = await read({ 'summary.md': '* [A](a.md)', 'a.md': '# A' });
    expect(said(warnings)).toEqual([
      'summary.md:0 is imported as a page; to use it as the table of contents, rename it to SUMMARY.md, or name it as structure.summary in .gitbook.yaml',
    ]);
  });

  it('warns if the settings name a file that does not exist', async () => {
    const { warnings } = await read({
      '.gitbook.yaml':
        'structure:\n  readme: start.md\n  summary: toc.md\nredirects:\n  "old/page": gone.md\n  fine: a.md\n',
      'a.md': '',
    });
    expect(said(warnings)).toEqual([
      '.gitbook.yaml:2 names start.md as structure.readme, which does not exist',
      '.gitbook.yaml:3 names toc.md as structure.summary, which does not exist; the pages of the folder are used instead',
      '.gitbook.yaml:5 has a redirect to gone.md, which does not exist',
    ]);
  });
});

it('warns about a redirect to a page that is not in the table of contents', async () => {
  const folder = {
    '.gitbook.yaml': 'redirects:\n  old: b.md\n',
    'SUMMARY.md': '* [A](a.md)',
    'a.md': '',
    'b.md': '',
  };
  const message = '.gitbook.yaml:2 has a redirect to b.md, which is not in the table of contents';
  expect(said((await read(folder)).warnings)).toContain(message);
});

it('refuses a home page outside the root, with a hint', async () => {
  await expect(
    read({ '.gitbook.yaml': 'root: docs\nstructure:\n  readme: ../README.md\n', 'docs/SUMMARY.md': '' }),
  ).rejects.toMatchObject({
    message: 'In .gitbook.yaml, "structure.readme" is not a path inside the folder.',
    hint: 'Write it relative to the folder of "root", such as README.md, and move the file there.',
  });
});

it('also finds files by paths from the root of the documentation', async () => {
  const { files, root } = await read({
    '.gitbook.yaml': 'root: docs',
    'docs/README.md': '![](/img/a.png) ![](/b.png)',
    'docs/img/a.png': 'a',
    'b.png': 'b',
    'img/c.png': 'c',
  });
  expect([root, files.map(({ path }) => path)]).toEqual(['docs', ['../b.png', 'img/a.png']]);
});

it('finds files in any form in which a page can refer to them', async () => {
  const page = [
    '---',
    'cover: img/0.png',
    '---',
    "![](img/1(1).png) ![](img/2\\(2\\).png) ![][r] <IMG SRC='img/4.png'> <img src=img/5.png>",
    '<picture><source srcset="img/6 (1).png" media="(prefers-color-scheme: dark)"><img src="img/7.png"></picture> <video poster="img/8.png"></video>',
    '<img src={require("./img/9.png")} /> <img src={logo} /> <Image img="img/b.png" />',
    '',
    '[r]: img/3.png "Three"',
    '',
    "import logo from './img/a.png'",
  ].join('\n');
  const names = ['0', '1(1)', '2(2)', '3', '4', '5', '6 (1)', '7', '8', '9', 'a', 'b'].map(
    (name) => `img/${name}.png`,
  );
  const { files } = await read({
    'README.md': page,
    'img/other.png': '',
    ...Object.fromEntries(names.map((name) => [name, name])),
  });
  expect(files.map(({ path }) => path)).toEqual(names);
});

it('reports the line of an error in front matter', async () => {
  const { warnings } = await read({ 'SUMMARY.md': '* [A](a.md)', 'a.md': '---\nid: x\ntitle: A: b\n---\n' });
  expect(said(warnings)[0]).toMatch(/^a\.md:3 has front matter that is shown as text: not valid YAML/);
});

it('warns that front matter in TOML is shown as text if it has no end', async () => {
  const { warnings } = await read({ 'SUMMARY.md': '* [A](a.md)', 'a.md': '+++\ntitle = "A"\n' });
  expect(said(warnings)).toEqual([
    'a.md:1 has front matter that is shown as text, because it has no end or is too long',
  ]);
});
