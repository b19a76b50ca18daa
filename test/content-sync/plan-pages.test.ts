import { describe, expect, it } from 'vitest';
import { planPages } from '../../src/content-sync/plan-pages.ts';
import { createWorld } from '../support/world.ts';
import { newFolder, openShelf, writeFiles } from './folder-support.ts';
import { outline } from '../resources/content-support.ts';

it('swaps the slugs of two pages, even if a page of the folder has the temporary slug', async () => {
  const shelf = await openShelf(await createWorld());
  const folder = (third: string) => ({
    'SUMMARY.md': `* [A](a.md)\n* [New](${third}.md)\n* [B](b.md)\n`,
    'a.md': '# A\n',
    [`${third}.md`]: '# New\n',
    'b.md': '# B\n',
  });
  await shelf.importFolder(
    newFolder({ 'SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n', 'a.md': '# A\n', 'b.md': '# B\n' }),
  );
  // In the app, each page was given the slug of the other one.
  const [a = '', b = ''] = (await shelf.pages()).map(({ id }) => id);
  await shelf.publish(
    { operation: 'update_page', page: a, slug: 'c' },
    { operation: 'update_page', page: b, slug: 'a' },
    { operation: 'update_page', page: a, slug: 'b' },
  );
  expect(outline(await shelf.pages())).toEqual(['b', 'a']);
  const dir = newFolder(folder('any'));
  const temporary = (await shelf.plan(dir)).pages.flatMap((change) =>
    change.operation === 'update_page' && change.page === b && change.slug !== 'b' ? [change.slug ?? ''] : [],
  );
  expect(temporary).toHaveLength(1);
  const [taken = ''] = temporary;
  const other = newFolder();
  writeFiles(other, folder(taken));
  await shelf.importFolder(other);
  expect(outline(await shelf.pages())).toEqual(['a', taken, 'b']);
});

describe('the changes of an existing page', () => {
  const before = {
    id: 'pag_1',
    type: 'document',
    title: 'A',
    slug: 'a',
    path: 'a',
    git: { path: 'a.md', oid: '1' },
    pages: [],
  };
  const after = {
    type: 'document',
    title: 'A',
    slug: 'a',
    path: 'a.md',
    markdown: '# A\n',
    oid: '1',
    metadata: {},
    children: [],
  };
  const changesOf = (now: object, old: object = {}) =>
    planPages([{ ...before, ...old }] as never, [{ ...after, ...now }] as never).map((change) => {
      expect(change).toMatchObject({ operation: 'update_page', page: 'pag_1' });
      const { operation: _, page: __, ...fields } = change as unknown as Record<string, unknown>;
      return fields;
    });
  const text = { document: { markdown: '# A\n' }, git: { path: 'a.md' } };

  it.each<[string, object, object, object | undefined]>([
    ['nothing', {}, {}, undefined],
    ['its text', { oid: '2' }, {}, text],
    ['its title', { title: 'B' }, {}, { title: 'B' }],
    [
      'its text, but not the title in its front matter',
      { oid: '2', metadata: { title: 'B' } },
      {},
      { ...text, title: 'A' },
    ],
    ['nothing if only the front matter has a title', { metadata: { title: 'B' } }, {}, undefined],
    ['its title in the table of contents', { linkTitle: 'B' }, {}, { linkTitle: 'B' }],
    ['a removed link title', {}, { linkTitle: 'B' }, { linkTitle: '' }],
    ['nothing if the link title is the same', { linkTitle: 'B' }, { linkTitle: 'B' }, undefined],
    ['its slug', { slug: 'b' }, {}, { slug: 'b' }],
    [
      'its content source',
      { type: 'link', computed: { a: 1 } },
      { type: 'link', computed: { a: 2 } },
      { computed: { a: 1 } },
    ],
    [
      'nothing if the content source is the same',
      { type: 'link', computed: { a: 1 } },
      { type: 'link', computed: { a: 1 } },
      undefined,
    ],
    ['nothing if there is no content source', { type: 'link' }, { type: 'link' }, undefined],
    [
      'nothing if the content source was removed',
      { type: 'link' },
      { type: 'link', computed: { a: 1 } },
      undefined,
    ],
    [
      'its settings',
      { metadata: { icon: 'x', hidden: true, noIndex: true } },
      {},
      { icon: 'x', hidden: true, noIndex: true },
    ],
    ['removed settings', {}, { description: 'x', hidden: true }, { description: '', hidden: false }],
    [
      'nothing if the settings are the same',
      { metadata: { icon: 'x', hidden: true } },
      { icon: 'x', hidden: true },
      undefined,
    ],
    [
      'the text of a hidden page',
      { oid: '2', metadata: { hidden: true } },
      { hidden: true },
      { ...text, hidden: true },
    ],
  ])('are %s', (_name, now, old, expected) => {
    expect(changesOf(now, old)).toEqual(expected === undefined ? [] : [expected]);
  });
});

it('keeps the identity of a page whose file was renamed or moved, and edited', async () => {
  const shelf = await openShelf(await createWorld());
  await shelf.importFolder(
    newFolder({
      'README.md': '# Home\n',
      'guide/README.md': '# Guide\n',
      'guide/packages.md': '# Packages\n\nOld.\n',
      'guide/setup.md': '# Setup\n\nOld.\n',
      'faq/README.md': '# Overview\n\nOld.\n',
    }),
  );
  const idsOf = async (): Promise<Map<string, string>> => {
    const found = new Map<string, string>();
    const walk = (pages: Awaited<ReturnType<typeof shelf.pages>>): void => {
      for (const { id, title, pages: inner = [] } of pages) {
        found.set(title, id);
        walk(inner);
      }
    };
    walk(await shelf.pages());
    return found;
  };
  const before = await idsOf();
  await shelf.importFolder(
    newFolder({
      'README.md': '# Home\n',
      'guide/README.md': '# Guide\n',
      'guide/nuget.md': '# Packages\n\nNew.\n',
      'start/README.md': '# Start\n',
      'start/setup.md': '# Setup\n\nNew.\n',
      'start/other.md': '# Overview\n\nNot the same.\n',
    }),
  );
  const after = await idsOf();
  expect([after.get('Packages'), after.get('Setup')]).toEqual([before.get('Packages'), before.get('Setup')]);
  // Neither the folder nor the name of the file stays the same.
  expect(after.get('Overview')).not.toBe(before.get('Overview'));
  expect(JSON.stringify(outline(await shelf.pages()))).toMatch(/nuget.*setup/);
});

it('sets the fields of a new page from the folder', () => {
  const page = (more: object) => ({
    title: 'A',
    slug: 'a',
    path: 'a.md',
    markdown: '# A\n',
    oid: '1',
    metadata: {},
    children: [],
    type: 'document',
    ...more,
  });
  const insert = (more: object) => planPages([], [page(more)] as never);
  const common = { operation: 'insert_page', title: 'A', git: { path: 'a.md' }, ref: 'import-1' };
  expect(insert({})).toEqual([{ ...common, document: { markdown: '# A\n' }, slug: 'a' }]);
  expect(insert({ linkTitle: 'B', metadata: { hidden: true } })).toEqual([
    { ...common, document: { markdown: '# A\n' }, slug: 'a', linkTitle: 'B', hidden: true },
  ]);
  expect(insert({ type: 'group' })).toEqual([{ ...common, type: 'group', document: {}, slug: 'a' }]);
  expect(insert({ type: 'link', href: 'https://a.example' })).toEqual([
    { ...common, type: 'link', document: {}, href: 'https://a.example' },
  ]);
  const pages = planPages([], [page({ slug: 'A' }), page({ path: 'b.md' })] as never);
  expect(pages).toMatchObject([{ slug: 'A' }, { slug: 'a-1' }]);
  expect(insert({ children: [page({ title: 'C', slug: 'c', path: 'c.md' })] })[1]).toMatchObject({
    into: 'import-1',
    slug: 'c',
    ref: 'import-2',
  });
});
