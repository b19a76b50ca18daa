import { rmSync } from 'node:fs';
import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFolder } from '../../src/content-sync/read-folder.ts';
import { createWorld } from '../support/world.ts';
import { filesOf, newFolder, openShelf, type Files } from './folder-support.ts';

const nothing = { pages: [], texts: [], files: [], deletedFiles: [] };
/** The files of a folder that an import reads: all but pages outside the table of contents and unused files. */
const taken = async (dir: string): Promise<Record<string, string>> => {
  const { root, pages, files, texts } = await readFolder(dir);
  const all = pages.flatMap(function paths(page): string[] {
    return [
      ...(page.type === 'document' ? [posix.join(root, page.path)] : []),
      ...page.children.flatMap(paths),
    ];
  });
  const kept = new Set([
    ...all,
    ...files.map(({ path }) => posix.join(root, path)),
    ...texts.map(({ file }) => file),
  ]);
  return Object.fromEntries(Object.entries(filesOf(dir)).filter(([path]) => kept.has(path)));
};

describe('exporting an imported folder', () => {
  it('writes the sample byte for byte', async () => {
    const shelf = await openShelf(await createWorld());
    await shelf.importFolder('test/samples/handbook');
    const { 'notes.md': _unlisted, ...listed } = filesOf('test/samples/handbook');
    expect(await shelf.exportFiles()).toEqual(listed);
    expect((await shelf.exported()).warnings).toEqual([]);
    expect(await shelf.plan('test/samples/handbook')).toEqual(nothing);
  });

  it('writes the complete sample if pages outside the table of contents were imported', async () => {
    const shelf = await openShelf(await createWorld());
    await shelf.importFolder('test/samples/handbook', { unlisted: 'hidden' });
    expect((await shelf.pages()).at(-1)).toMatchObject({ git: { path: 'notes.md' }, hidden: true });
    expect(await shelf.exportFiles()).toEqual(filesOf('test/samples/handbook'));
    expect(await shelf.plan('test/samples/handbook', { unlisted: 'hidden' })).toEqual(nothing);
  });

  it('writes settings, variables, includes and files outside the root', async () => {
    const files: Files = {
      '.gitbook.yaml':
        '# ours\nroot: ./docs/\n\nstructure:\n  readme: start.md\n  summary: toc.md\nredirects:\n  old: start.md\n',
      'docs/toc.md': '\uFEFF# Table of contents\r\n\r\n* [Start](start.md)\r\n* [Out](../other/page.md)',
      'docs/start.md':
        '\uFEFF---\r\nicon: x # why\r\n---\r\n![](../pics/a%20b.png)\r\n{% include "../.gitbook/includes/part.md" %}',
      'docs/.gitbook/vars.yaml': 'name: value\n',
      'docs/.gitbook/includes/part.md': '---\ntitle: Part\n---\n\n<img src="../assets/x.bin">',
      'docs/.gitbook/assets/x.bin': Buffer.from([0, 255, 10, 13, 0]),
      'docs/.gitbook/assets/unused (1).png': Buffer.from('png'),
      'pics/a b.png': Buffer.from('pic'),
      'other/page.md': '',
    };
    const dir = newFolder(files);
    const shelf = await openShelf(await createWorld());
    await shelf.importFolder(dir);
    expect(await shelf.exportFiles()).toEqual(filesOf(dir));
    expect(await shelf.plan(dir)).toEqual(nothing);
    rmSync(dir, { recursive: true });
  });

  it('writes no table of contents for a folder that had none', async () => {
    const dir = newFolder({
      'README.md': '# Home',
      'b.md': '---\ntitle: Bee\n---\n',
      'a/README.md': 'x',
      'a/one.md': '',
      'z/deep/two.md': '# Two',
    });
    const shelf = await openShelf(await createWorld());
    await shelf.importFolder(dir);
    expect(await shelf.exportFiles()).toEqual(filesOf(dir));
    rmSync(dir, { recursive: true });
  });
});

const word = fc.constantFrom(
  'a',
  'B',
  'straße',
  '簡介',
  'x y',
  'p(1)',
  '100%',
  'q#r',
  '[z]',
  'it’s',
  "d'or",
  'f..g',
  'a&b',
  'c+d',
  'e;f',
  '_u_',
  '*s*',
);
const path = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `${words.join('/')}.md`);
const line = fc.constantFrom(
  '',
  '# Head',
  'words',
  '![](../a.png)',
  '\0',
  '---',
  '{% hint %}',
  '<b>',
  '😀',
  '\\',
  '\t* x',
);
const body = fc.tuple(
  fc.constantFrom('', '\uFEFF'),
  fc.constantFrom(
    '',
    '---\ntitle: T\n---\n',
    '---\r\ndescription: d\r\nhidden: true\r\n---\r\n',
    '---\n[: broken\n---\n',
  ),
  fc.array(line),
  fc.constantFrom('\n', '\r\n'),
  fc.boolean(),
);
const pageText = body.map(
  ([mark, front, lines, newline, ends]) => mark + front + lines.join(newline) + (ends ? newline : ''),
);
const tree = fc.uniqueArray(
  fc.record({
    path,
    text: pageText,
    title: fc.constantFrom('One', 'A \\[b\\]', '`c`', '漢字'),
    depth: fc.nat(3),
    group: fc.boolean(),
  }),
  {
    selector: (page) => page.path,
    minLength: 1,
    maxLength: 8,
  },
);
const target = (name: string) =>
  name.includes('(') || name.includes(' ') ? `<${encode(name)}>` : encode(name);
const encode = (name: string) => name.replace(/[%#]/g, encodeURIComponent);
const folder = tree.map((pages): Files => {
  let depth = 0;
  const lines = pages.map((page, index) => {
    depth = page.group || index === 0 ? 0 : Math.min(page.depth, depth + 1);
    return `${page.group ? `\n## ${page.title}\n\n` : ''}${'  '.repeat(depth)}* [${page.title}](${target(page.path)})`;
  });
  // A path is either a file or a folder; the first use wins.
  const files: Files = {};
  for (const each of pages) {
    const clashes = Object.keys(files).some(
      (other) => other.startsWith(`${each.path}/`) || each.path.startsWith(`${other}/`),
    );
    if (!clashes) files[each.path] = each.text;
  }
  return { ...files, 'SUMMARY.md': `# Contents\n\n${lines.join('\n')}` };
});

describe('any folder', () => {
  it('is exported unchanged, and a second import is empty', async () => {
    const world = await createWorld();
    await fc.assert(
      fc.asyncProperty(folder, async (files) => {
        const dir = newFolder(files);
        const shelf = await openShelf(world);
        await shelf.importFolder(dir);
        expect(await shelf.exportFiles()).toEqual(filesOf(dir));
        expect(await shelf.plan(dir)).toEqual(nothing);
        rmSync(dir, { recursive: true });
      }),
      { numRuns: 15 },
    );
  }, 60_000);

  it('replaces the content of another folder, and pages in both keep their IDs', async () => {
    const world = await createWorld();
    await fc.assert(
      fc.asyncProperty(folder, folder, async (first, second) => {
        const [one, other] = [newFolder(first), newFolder(second)];
        const shelf = await openShelf(world);
        await shelf.importFolder(one);
        const ids = new Map([...flat(await shelf.pages())].map(({ id, git }) => [git!.path, id]));
        await shelf.importFolder(other);
        expect(await shelf.exportFiles()).toEqual(filesOf(other));
        for (const page of flat(await shelf.pages())) {
          if (page.type === 'document' && ids.has(page.git!.path))
            expect(page.id).toBe(ids.get(page.git!.path));
        }
        expect(await shelf.plan(other)).toEqual(nothing);
        rmSync(one, { recursive: true });
        rmSync(other, { recursive: true });
      }),
      { numRuns: 15 },
    );
  }, 60_000);
});

describe('pages that were created by hand', () => {
  it('are kept when any folder is imported over them', async () => {
    const world = await createWorld();
    const byHand = fc.array(
      fc.record({ slug: fc.constantFrom('a', 'B', 'x-y', 'one', 'own'), under: fc.nat(20), at: fc.nat(3) }),
      { minLength: 1, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(folder, folder, byHand, async (first, second, made) => {
        const [one, other] = [newFolder(first), newFolder(second)];
        const shelf = await openShelf(world);
        await shelf.importFolder(one);
        const own: string[] = [];
        for (const { slug, under, at } of made) {
          const parents = [
            null,
            ...[...flat(await shelf.pages())].filter(({ type }) => type !== 'link').map(({ id }) => id),
          ];
          const into = parents[under % parents.length]!;
          const inserted = await shelf
            .publish({ operation: 'insert_page', document: { markdown: 'own' }, title: slug, into, at })
            .catch(() => undefined);
          own.push(...(inserted?.pages ?? []).map(({ id }) => id));
        }
        await shelf.importFolder(other);
        const ids = new Set([...flat(await shelf.pages())].map(({ id }) => id));
        expect(own.filter((id) => !ids.has(id))).toEqual([]);
        expect(await shelf.plan(other)).toEqual(nothing);
        const { files } = await shelf.exported();
        expect(files.length).toBeGreaterThanOrEqual(Object.keys(filesOf(other)).length);
        rmSync(one, { recursive: true });
        rmSync(other, { recursive: true });
      }),
      { numRuns: 15 },
    );
  }, 60_000);
});

type Pages = Awaited<ReturnType<Awaited<ReturnType<typeof openShelf>>['pages']>>;
function* flat(pages: Pages): Generator<Pages[number]> {
  for (const page of pages) {
    yield page;
    yield* flat(page.pages ?? []);
  }
}

it('exports documentation with every construct byte for byte', async () => {
  const dir = 'test/samples/product-docs';
  const shelf = await openShelf(await createWorld());
  await shelf.importFolder(dir);
  expect(await shelf.exportFiles()).toEqual(await taken(dir));
  expect((await shelf.exported()).counts).toMatchObject({ pages: 13, files: 2 });
  expect(await shelf.plan(dir)).toEqual(nothing);
});
