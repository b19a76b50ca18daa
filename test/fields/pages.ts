import { expect } from 'vitest';
import type { PageBody } from '../../src/resources/content/schemas.ts';
import { getContent } from '../../src/resources/content/space/contract.ts';
import { getPage, getPageByPath, listPages } from '../../src/resources/content/space-pages/contract.ts';
import { newFolder, openShelf, type Files } from '../content-sync/folder-support.ts';
import { page as newPage } from '../resources/content-support.ts';
import type { Bench, Try } from './bench.ts';

const flags = [
  'title',
  'description',
  'tableOfContents',
  'outline',
  'pagination',
  'metadata',
  'tags',
  'actions',
  'anchors',
];
const layout = {
  width: 'wide',
  cover: false,
  coverSize: 'full',
  coverMask: 'radial',
  ...Object.fromEntries(flags.map((name) => [name, false])),
};
const external = (name: string) => ({ kind: 'url', url: `https://example.com/${name}` });

/** Settings that all differ from the defaults. The links lead to a page, the images to a file. */
const settings = (page: object, file: object) => ({
  title: 'Changed',
  linkTitle: 'Short',
  icon: 'house',
  description: 'About it',
  hidden: true,
  noIndex: true,
  noRobotsIndex: true,
  condition: 'visitor.claims.beta == true',
  layout,
  cover: { ref: { kind: 'file', ...file }, refDark: external('dark.png'), yPos: 23.5, height: 324 },
  variables: { product: 'Elsa', count: '3', beta: 'true' },
  metaLinks: { canonical: { kind: 'page', ...page }, alternates: [external('other')] },
  tags: [{ tag: { kind: 'tag', tag: 'beta' } }, { tag: { kind: 'tag', tag: 'new' }, primary: true }],
});
const otherWay = (page: object, file: object) => ({
  cover: { ref: external('light.png'), refDark: { kind: 'file', ...file }, yPos: 0 },
  metaLinks: { canonical: external('one'), alternates: [{ kind: 'page', ...page }] },
});

const folder: Files = {
  'SUMMARY.md': '# Table of contents\n\n* [One](README.md)\n* [Two](two.md)\n',
  'README.md': '# One\n',
  'two.md': '# Two\n',
  '.gitbook/assets/a.png': Buffer.from('picture'),
};

async function openSpace({ world, call }: Bench, files?: Files) {
  const shelf = await openShelf(world);
  const space = { spaceId: shelf.spaceId };
  if (files !== undefined) await shelf.importFolder(newFolder(files));
  return {
    shelf,
    space,
    whole: () => call(getContent, space, {}, 'read'),
    byPath: (pagePath: string, query: object = {}) =>
      call(getPageByPath, { ...space, pagePath }, { query }, 'read'),
  };
}

/** The files of an export, as bytes. */
const asFiles = (exported: Readonly<Record<string, string>>): Files =>
  Object.fromEntries(Object.entries(exported).map(([path, text]) => [path, Buffer.from(text, 'latin1')]));

export const tries: readonly Try[] = [
  {
    of: 'page',
    fields: [
      ...Object.keys(settings({}, {})).filter((name) => !/^(layout|cover|metaLinks|tags)$/.test(name)),
      ...Object.keys(layout).map((name) => `layout.${name}`),
      ...['kind', 'file', 'space', 'url'].flatMap((name) => [`cover.ref.${name}`, `cover.refDark.${name}`]),
      'cover.yPos',
      'cover.height',
      'metaLinks',
      'tags.tag.tag',
      'tags.primary',
      'frontMatter',
      'git.path',
    ],
    run: async (bench) => {
      const first = await openSpace(bench, folder);
      const before = await first.whole();
      const [one, two] = before.pages.map(({ id }) => id) as [string, string];
      const file = { file: before.files[0]?.id ?? '' };
      const changed = [settings({ page: two }, file), otherWay({ page: one }, file)];
      for (const [index, body] of changed.entries()) {
        for (const [name, value] of Object.entries(body))
          expect(before.pages[index], name).not.toMatchObject({ [name]: value });
        for (const name of Object.keys(layout))
          expect(before.pages[0]?.layout, name).not.toMatchObject({ [name]: Object(layout)[name] });
        await first.shelf.publish({
          operation: 'update_page',
          page: [one, two][index] ?? '',
          ...body,
        } as never);
      }
      // Another space imports the export, and returns the same settings.
      const written = await first.shelf.exportFiles();
      const second = await openSpace(bench, asFiles(written));
      const after = await second.whole();
      const found = after.files[0]?.id ?? '';
      const place = { space: second.space.spaceId };
      const [newOne, newTwo] = after.pages;
      expect(newOne).toMatchObject(settings({ page: newTwo?.id, ...place }, { file: found, ...place }));
      expect(newTwo).toMatchObject(otherWay({ page: newOne?.id, ...place }, { file: found, ...place }));
      for (const [index, path] of ['README.md', 'two.md'].entries()) {
        const { markdown = '', frontMatter, git } = after.pages[index] as PageBody;
        expect(git?.path).toBe(path);
        expect(frontMatter).toMatch(/^---\n[^]*\n---\n/);
        expect(`${frontMatter}${markdown}`).toBe(Buffer.from(written[path] ?? '', 'latin1').toString());
      }
    },
  },
  {
    of: 'page',
    fields: [
      'target.kind',
      'target.page',
      'target.anchor',
      'target.file',
      'target.space',
      'target.collection',
      'target.user',
      'target.reusableContent',
    ],
    run: async (bench) => {
      const { shelf, space } = await openSpace(bench);
      const link = { operation: 'insert_page', type: 'link', title: 'Link', document: {} };
      const made = await shelf.publish(newPage('A'), { ...link, href: 'https://one.test/' } as never);
      const [page, id] = (made.pages ?? []).map((each) => each.id) as [string, string];
      const targets: Readonly<Record<string, object>> = {
        'a.md': { kind: 'page', page },
        [`/pages/${page}#b`]: { kind: 'anchor', anchor: 'b', page },
        '/files/fil_1': { kind: 'file', file: 'fil_1' },
        '/users/usr_1': { kind: 'user', user: 'usr_1' },
        '/collections/col_1': { kind: 'collection', collection: 'col_1' },
        'https://app.gitbook.com/s/spc_1/~/reusable/txt_1/': {
          kind: 'reusable-content',
          reusableContent: 'txt_1',
          space: 'spc_1',
        },
        'gone.md': { kind: 'url', url: 'gone.md' },
      };
      for (const [href, target] of Object.entries(targets)) {
        await shelf.publish({ operation: 'update_page', page: id, href } as never);
        const { pages } = await bench.call(listPages, space, { query: { texts: false } });
        expect(pages[1]?.target).toEqual(target);
      }
    },
  },
  {
    of: 'page',
    fields: ['emoji', 'slug', 'path', 'pages', 'type', 'kind', 'target.url', 'href', 'urls.app', 'markdown'],
    run: async (bench) => {
      const { shelf, space, byPath } = await openSpace(bench);
      const made = await shelf.publish(
        newPage('Parent', { slug: 'up', emoji: '1f600' }),
        newPage('Child', { document: { markdown: 'See [the parent](up.md).' } }),
        { operation: 'insert_page', type: 'group', title: 'Group', document: {} },
        { operation: 'insert_page', type: 'link', title: 'Link', href: 'https://one.test/', document: {} },
      );
      const [parent, child, group, link] = (made.pages ?? []).map(({ id }) => id) as [
        string,
        string,
        string,
        string,
      ];
      const pages = async () => (await bench.call(listPages, space, { query: { texts: false } })).pages;
      expect(await pages()).toMatchObject([
        { id: parent, type: 'document', kind: 'sheet', slug: 'up', emoji: '1f600', pages: [] },
        { id: child, path: 'child' },
        { id: group, type: 'group', kind: 'group' },
        { id: link, type: 'link', kind: 'link', href: 'https://one.test/' },
      ]);
      const update = (page: string, change: object) =>
        shelf.publish({ operation: 'update_page', page, ...change } as never);
      const address = (path: string) => `http://localhost:8080/o/org_acme/s/${space.spaceId}/${path}`;
      expect((await byPath('child')).urls?.app).toBe(address('child'));
      await update(parent, { slug: 'above', emoji: '1f4d8' });
      await update(child, { into: parent, document: { markdown: 'New text.' } });
      await update(link, { href: 'https://two.test/' });
      expect(await pages()).toMatchObject([
        { slug: 'above', emoji: '1f4d8', pages: [{ id: child, path: 'above/child' }] },
        {},
        { href: 'https://two.test/', target: { url: 'https://two.test/' } },
      ]);
      const moved = await byPath('above/child');
      expect(moved).toMatchObject({ id: child, urls: { app: address('above/child') } });
      expect(moved.markdown).toContain('New text.');
      expect(await bench.reason(getPageByPath, { ...space, pagePath: 'child' })).toBe('not-found');
      expect(Object.values(await shelf.exportFiles()).join('')).toContain('New text.');
    },
  },
  {
    of: 'page',
    fields: ['document', 'hash', 'updatedAt', 'git.oid'],
    run: async (bench) => {
      const { shelf, space, whole } = await openSpace(bench, folder);
      const before = (await whole()).pages[1] as PageBody;
      const at = { ...space, pageId: before.id };
      const read = () => bench.call(getPage, at, { query: { format: 'document' } });
      const texts = async () => JSON.stringify((await read()).document?.nodes);
      expect(await texts()).not.toContain('New text');
      await shelf.importFolder(newFolder({ ...folder, 'two.md': '# Two\n\nNew text\n' }));
      expect(await texts()).toContain('New text');
      const after = (await whole()).pages[1] as PageBody;
      expect(after.hash).toMatch(/^[0-9a-f]{64}$/);
      expect([after.hash === before.hash, after.git?.oid === before.git?.oid]).toEqual([false, false]);
      expect((after.updatedAt ?? '') > (before.updatedAt ?? '')).toBe(true);
      await shelf.importFolder(newFolder(folder));
      expect((await whole()).pages[1]).toMatchObject({ hash: before.hash, git: before.git });
    },
  },
  {
    of: 'spaces.pages.list',
    fields: ['pages'],
    run: async (bench) => {
      const { shelf, space } = await openSpace(bench);
      const look = async () => (await bench.call(listPages, space)).pages.map(({ title }) => title);
      expect(await look()).toEqual([]);
      await shelf.publish(newPage('One'), newPage('Two'));
      expect(await look()).toEqual(['One', 'Two']);
    },
  },
];
