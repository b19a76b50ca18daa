import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { isSafePath, PathAllocator, safeName } from '../../src/content-sync/export-paths.ts';
import { resolveContents } from '../../src/content-sync/contents.ts';
import { planExport } from '../../src/content-sync/plan-export.ts';
import { planImport } from '../../src/content-sync/plan-import.ts';
import { readFolder } from '../../src/content-sync/read-folder.ts';
import { relativeLink, resolveLink } from '../../src/content-sync/resolve-link.ts';
import { readSummary } from '../../src/content-sync/summary.ts';
import { writeSummary, type SummaryNode } from '../../src/content-sync/write-summary.ts';
import { page } from '../resources/content-support.ts';
import { readerOf } from '../../src/content-sync/write-folder.ts';
import { createWorld } from '../support/world.ts';
import { filesOf, newFolder, openShelf, writeFiles, type Shelf } from './folder-support.ts';
import type { ContentChange } from '../../src/content/changes.ts';

let shelf: Shelf;
beforeEach(async () => {
  shelf = await openShelf(await createWorld());
});
const ids = async () =>
  Object.fromEntries(
    (await shelf.pages())
      .flatMap((each) => [each, ...(each.pages ?? [])])
      .map(({ title, id }) => [title, id]),
  );
/** Imports an exported folder into the same space, and returns whether this changed the tree. */
const again = async (): Promise<string> => {
  const dir = newFolder();
  writeFiles(
    dir,
    Object.fromEntries(
      Object.entries(await shelf.exportFiles()).map(([path, text]) => [path, Buffer.from(text, 'latin1')]),
    ),
  );
  const { pages } = planImport(await shelf.content.read(false), await readFolder(dir));
  rmSync(dir, { recursive: true });
  return pages
    .map((change) =>
      change.operation === 'update_page' ? `update ${Object.keys(change).slice(2).join()}` : change.operation,
    )
    .join(' ');
};

describe('exporting a space that was created in docsctl', () => {
  it('writes a folder with paths from slugs, a table of contents and assets', async () => {
    const group = {
      operation: 'insert_page',
      type: 'group',
      document: {},
      title: 'Use it',
      ref: 'g',
    } as const;
    await shelf.publish(
      page('Start'),
      {
        operation: 'insert_page',
        type: 'link',
        document: {},
        title: 'Site [x]',
        href: 'https://x.test/a(b)',
      },
      group,
      page('Install', { into: 'g', ref: 'i', description: 'How to' }),
      page('On Linux', { into: 'i', hidden: true }),
      page('Last'),
      page('last', { slug: 'LAST-1' }),
      { operation: 'insert_files', files: [file('a.png'), file('a.png'), file('../../etc/con')] },
    );
    const written = await shelf.exportFiles();
    expect(written).toEqual({
      'SUMMARY.md':
        '# Table of contents\n\n* [Start](start.md)\n* [Site \\[x\\]](<https://x.test/a(b)>)\n\n## Use it\n\n* [Install](use-it/install/README.md)\n  * [On Linux](use-it/install/on-linux.md)\n\n---\n\n* [Last](last.md)\n* [last](LAST-1.md)\n',
      'start.md': '# Start\n',
      'use-it/install/README.md': '---\ndescription: How to\n---\n\n# Install\n',
      'use-it/install/on-linux.md': '---\nhidden: true\n---\n\n# On Linux\n',
      'last.md': '# Last\n',
      'LAST-1.md': '# last\n',
      '.gitbook/assets/a.png': 'a.png',
      '.gitbook/assets/a-1.png': 'a.png',
      '.gitbook/assets/etc-con': '../../etc/con',
    });
    // The import recognizes the pages of the space by their paths. Only the paths themselves are new.
    expect(await again()).toBe(
      'update document,git update document,git update document,git,hidden update document,git update document,git',
    );
  });

  it('writes links by ID as paths, also in includes, but not in code or for unknown IDs', async () => {
    await shelf.publish(page('One', { ref: 'one' }), page('Two (2)', { into: 'one', slug: 'two(2)' }), {
      operation: 'insert_files',
      files: [file('p q.png')],
    });
    const { One, 'Two (2)': two } = await ids();
    const [image] = (await shelf.content.read(false)).files;
    const text = `[a](/pages/${two}#x) ![b](</files/${image!.id}> "t") <a href="/pages/${One}">c</a> {% content-ref url="/pages/${two}" %} \`/pages/${two}\` [d](/pages/none)\n\n[e]: /pages/${two}\n`;
    await shelf.publish(
      { operation: 'update_page', page: One!, document: { markdown: text } },
      {
        operation: 'put_text',
        role: 'include',
        git: { path: '.gitbook/includes/x.md' },
        text: `[a](/pages/${two})`,
      },
    );
    const written = await shelf.exportFiles();
    expect(written['one/README.md']).toBe(
      `[a](two%282%29.md#x) ![b](<../.gitbook/assets/p-q.png> "t") <a href="README.md">c</a> {% content-ref url="two%282%29.md" %} \`/pages/${two}\` [d](/pages/none)\n\n[e]: two%282%29.md\n`,
    );
    expect(written['.gitbook/includes/x.md']).toBe('[a](../../one/two%282%29.md)');
  });
});

describe('exporting an imported folder after edits', () => {
  const start = {
    'SUMMARY.md': '# Mine\n\n<!-- kept -->\n* [A](a.md)\n  * [B](b.md)\n* [C](sub/c.md)\n',
    'a.md':
      '\uFEFF---\r\n# why\r\ntitle:   "Alpha"\r\nicon: x # an icon\r\nlayout:\r\n  width: wide\r\n---\r\nbody\r\n',
    'b.md': '# B\n',
    'sub/c.md': '---\nhidden: true\n---\n',
  };
  beforeEach(async () => {
    const dir = newFolder(start);
    await shelf.importFolder(dir);
    rmSync(dir, { recursive: true });
  });
  const latin = (files: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, Buffer.from(text).toString('latin1')]),
    );

  it('removes a deleted page from the table of contents, and keeps an entry that never had a file', async () => {
    const summary = '# Mine\n\n<!-- kept -->\n* [A](a.md)\n* [B](b.md)\n* [Planned](planned.md)\n';
    const dir = newFolder({ 'SUMMARY.md': summary, 'a.md': '# A\n', 'b.md': '# B\n' });
    await shelf.importFolder(dir);
    const contents = async (folder: string | undefined = dir): Promise<string> => {
      const plan = planExport(await shelf.content.read(true), readerOf(folder));
      const file = plan.files.find(({ path }) => path === 'SUMMARY.md');
      return file !== undefined && 'bytes' in file.content ? file.content.bytes.toString() : '';
    };
    expect(await contents()).toBe(summary);
    await shelf.publish({ operation: 'delete_page', page: (await ids())['B'] ?? '' });
    const without = '# Table of contents\n\n* [A](a.md)\n';
    expect(await contents()).toBe(without);
    expect(await contents(newFolder({}))).toBe(without);
    writeFiles(dir, { 'SUMMARY.md': without });
    rmSync(join(dir, 'b.md'));
    expect(await contents()).toBe(without);
  });

  it('writes the edited fields into the front matter, and changes nothing else', async () => {
    const { A, B, C } = await ids();
    await shelf.publish(
      {
        operation: 'update_page',
        page: A!,
        icon: '',
        description: 'Says: "hi"',
        condition: 'visitor.claims.x',
        noIndex: true,
      },
      { operation: 'update_page', page: B!, emoji: '🐝', document: { markdown: '# New\n' } },
      { operation: 'update_page', page: C!, hidden: false },
    );
    expect(await shelf.exportFiles()).toEqual(
      latin({
        ...start,
        'a.md':
          `\uFEFF---\n# why\ntitle:   "Alpha"\nlayout:\n  width: wide\ndescription: 'Says: "hi"'\nif: visitor.claims.x\nnoIndex: true\n---\nbody\n`.replaceAll(
            '\n',
            '\r\n',
          ),
        'b.md': '---\nemoji: 🐝\n---\n\n# New\n',
        'sub/c.md': '',
      }),
    );
    expect(await again()).toBe('update document,git,title update document,git update document,git');
  });

  it('writes a new table of contents if the tree changed, and new titles into the front matter', async () => {
    const { A, B } = await ids();
    await shelf.publish(
      { operation: 'update_page', page: A!, title: 'Omega' },
      { operation: 'update_page', page: B!, into: null, at: 0 },
    );
    const written = await shelf.exportFiles();
    expect(written['SUMMARY.md']).toBe(
      '# Table of contents\n\n* [B](b.md)\n* [Omega](a.md)\n* [C](sub/c.md)\n',
    );
    expect(Buffer.from(written['a.md']!, 'latin1').toString()).toContain(
      'title: "Omega"\r\nicon: x # an icon\r\n',
    );
  });

  it('writes unsafe or duplicate paths under other names inside the folder', async () => {
    const put = (title: string, path: string): ContentChange => page(title, { git: { path } });
    const hostile = [
      '../../x.md',
      '/etc/x.md',
      'a/../../../x.md',
      '.git/hooks/post-checkout',
      'x/.GIT /config.md',
      'con.md',
      'a\\b.md',
      'n\0.md',
      'line\nbreak.md',
      'a.md',
      'a.md/x.md',
      'LPT1',
      `${'x'.repeat(300)}.md`,
      'git~1/x.md',
      '.gitattributes',
      '.github/workflows/x.md',
      'a/.envrc',
      '.hg/hgrc',
      '.exrc',
      '.mise.toml',
      '.claude/settings.json',
      '.cursor/rules/x.mdc',
      '.eslintrc.js',
      '.pnpmfile.cjs',
      '.travis.yml',
      '.gitbook/.envrc',
      '.gitbook.yaml/x.md',
      '\u200c.git/config.md',
    ];
    await shelf.publish(...hostile.map((path, index) => put(`H ${index}`, path)), {
      operation: 'put_text',
      role: 'include',
      git: { path: '../../../i.md' },
      text: 'i',
    });
    const { files, warnings } = await shelf.exported();
    expect(files.every(({ path }) => isSafePath(path))).toBe(true);
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
    expect(warnings).toHaveLength(hostile.length + 1);
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['a.md', 'h-0.md', 'h-13.md', '.gitbook/includes/i.md']),
    );
  });

  it.each([
    'root: ../x',
    'root: .git/hooks',
    'structure: {summary: .git/config}',
    'root: [',
    '['.repeat(5000),
  ])('ignores settings such as %s', async (text) => {
    await shelf.publish({ operation: 'put_text', role: 'settings', git: { path: '.gitbook.yaml' }, text });
    const { files, warnings } = await shelf.exported();
    expect(files.map(({ path }) => path).sort()).toEqual([
      '.gitbook.yaml',
      'SUMMARY.md',
      'a.md',
      'b.md',
      'sub/c.md',
    ]);
    expect(warnings).toMatchObject([{ file: '.gitbook.yaml' }]);
  });
});

const title = fc
  .string({
    unit: fc.constantFrom('a', ' ', '[', ']', '(', ')', '*', '`', '\\', '_', '#', '<', '漢', '](', '!'),
    minLength: 1,
    maxLength: 12,
  })
  .map((text) => text.replace(/\s+/g, ' ').trim() || 'x');
const names = fc.array(
  fc.constantFrom('a', 'b c', 'd(e)', 'f%20', '#g', '?h', '[i]', '漢', '..j', 'k:l', '&', "'", '_m_'),
  { minLength: 1, maxLength: 3 },
);
const { nodes } = fc.letrec<{ node: SummaryNode; nodes: SummaryNode[] }>((tie) => ({
  node: fc.record({
    type: fc.constantFrom('document' as const, 'link' as const),
    title,
    path: names.map((parts) => `${parts.join('/')}.md`),
    href: fc.constant(''),
    children: fc.oneof({ maxDepth: 3 }, fc.constant([]), tie('nodes')),
  }),
  nodes: fc.array(tie('node'), { maxLength: 3 }),
}));
/** Each document once, links without children. */
function tidy(given: readonly SummaryNode[], seen: Set<string>): SummaryNode[] {
  return given.flatMap((node): SummaryNode[] => {
    if (node.type === 'link')
      return [
        { ...node, path: '', href: `https://x.test/${encodeURIComponent(node.title)}(1)`, children: [] },
      ];
    if (seen.has(node.path)) return [];
    seen.add(node.path);
    return [{ ...node, children: tidy(node.children, seen) }];
  });
}

describe('a written table of contents', () => {
  it('is read as the same tree', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.option(title), nodes), { maxLength: 4 }),
        fc.constantFrom('SUMMARY.md', 'docs/toc.md'),
        (parts, summary) => {
          const seen = new Set<string>();
          const tree = parts.flatMap(([group, inner]): SummaryNode[] => {
            const children = tidy(inner, seen);
            return group === null
              ? children
              : [{ type: 'group', title: group, path: '', href: '', children }];
          });
          const text = writeSummary(tree, { root: '', summary });
          const { entries, warnings } = readSummary(text, summary);
          expect(warnings).toEqual([]);
          const read = resolveContents(entries, { root: '', summary }, () => true);
          expect(strip(read.nodes), text).toEqual(strip(tree));
        },
      ),
      { numRuns: 500 },
    );
  });
  const strip = (tree: readonly SummaryNode[]): unknown[] =>
    tree.map(({ type, title: name, path, href, children }) => [type, name, path, href, strip(children)]);
});

describe('paths of an export', () => {
  it.each([
    ['.gitbook/assets/a.bin', true],
    ['docs/.gitbook/includes/a.md', true],
    ['docs/.gitbook.yaml', true],
    ['.github/logo.png', true],
    ['docs/.vuepress/public/hero.SVG', true],
    ['a..b/c...md', true],
    ['.github/x.md', false],
    ['.hidden.png', false],
    ['a/.envrc', false],
    ['.gitbook/.envrc', false],
    ['.git/logo.png', false],
    ['.gIt./logo.png', false],
    ['.\u200cgit/logo.png', false],
    ['.git~1/logo.png', false],
    ['git~1/logo.png', false],
    ['.hg/logo.png', false],
    ['.ssh/authorized_keys', false],
    ['aux.md', false],
    ['x/com1', false],
  ])('may be %s: %s', (path, expected) => {
    expect(isSafePath(path)).toBe(expected);
  });

  it('keep images in hidden folders, and rename hidden pages with a warning', async () => {
    const dir = newFolder({
      'SUMMARY.md': '# S\n\n* [A](a.md)\n* [B](.github/b.md)\n',
      'a.md': '![](.github/logo.png)',
      '.github/b.md': 'b',
      '.github/logo.png': Buffer.from([1, 0, 255]),
    });
    await shelf.importFolder(dir);
    rmSync(dir, { recursive: true });
    const files = await shelf.exportFiles();
    expect(Object.keys(files)).toEqual(['.github/logo.png', 'SUMMARY.md', 'a.md', 'b.md']);
    expect([files['.github/logo.png'], files['a.md']]).toEqual([
      '\u0001\u0000\u00ff',
      '![](.github/logo.png)',
    ]);
    expect((await shelf.exported()).warnings).toEqual([
      { file: '.github/b.md', line: 0, message: expect.stringContaining('written under another name') },
    ]);
  });

  it('have relative links that lead to their targets', () => {
    fc.assert(
      fc.property(names, names, (from, to) => {
        const target = `${to.join('/')}.md`;
        expect(resolveLink(from.join('/'), relativeLink(from.join('/'), target))).toBe(target);
      }),
    );
  });

  it('can be created from any name, and are safe and unique', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 80 }), { maxLength: 20 }), (given) => {
        const places = new PathAllocator();
        places.reserve('docs');
        places.claim('docs/page');
        const made = given.map((name) => places.allocate('docs', `${safeName(name)}/${safeName(name)}.md`));
        expect(made.every((path) => isSafePath(path) && path.startsWith('docs/'))).toBe(true);
        expect(new Set(made.map((path) => path.toLowerCase())).size).toBe(made.length);
      }),
    );
  });

  it('are none for an empty space', async () => {
    expect(planExport(await shelf.content.read(true)).files).toEqual([]);
    expect(filesOf(newFolder())).toEqual({});
  });
});

function file(name: string) {
  return { name, contentType: 'image/png', base64: Buffer.from(name).toString('base64') };
}
