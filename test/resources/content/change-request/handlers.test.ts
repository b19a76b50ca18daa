import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../../src/contract/check.ts';
import { revisions } from '../../../../src/core/rows/revisions.ts';
import * as requestContent from '../../../../src/resources/content/change-request/contract.ts';
import * as requestFiles from '../../../../src/resources/content/change-request-files/contract.ts';
import * as requestPages from '../../../../src/resources/content/change-request-pages/contract.ts';
import { diffRevisions } from '../../../../src/content/revisions.ts';
import * as spaceContent from '../../../../src/resources/content/space/contract.ts';
import * as spaceFiles from '../../../../src/resources/content/space-files/contract.ts';
import * as spacePages from '../../../../src/resources/content/space-pages/contract.ts';
import * as spaces from '../../../../src/resources/spaces/contract.ts';
import { createWorld, type World } from '../../../support/world.ts';
import { openDesk, outline, page, reason, type Desk } from '../../content-support.ts';
import { blobs, nodes } from '../../../../src/content/rows.ts';
import type { ContentChange } from '../../../../src/content/changes.ts';

let world: World;
let desk: Desk;
beforeEach(async () => {
  world = await createWorld();
  desk = await openDesk(world);
  await desk.createRequest();
});

const get = (pageId: string, query: object = {}) =>
  world.as('read').call(requestPages.getPage, { params: { ...desk.at(1), pageId }, query });
const tree = async () =>
  outline((await world.as('read').call(requestPages.listPages, { params: desk.at(1) })).pages);
const insert = async (...changes: ContentChange[]) =>
  (await desk.edit(1, changes)).pages!.map(({ id }) => id);
const file = (name: string, text: string, more: object = {}) => ({
  name,
  contentType: 'text/plain',
  base64: Buffer.from(text).toString('base64'),
  ...more,
});
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('pages of a change request', () => {
  it('are inserted at positions, and below pages of the same batch by ref', async () => {
    const answer = await desk.edit(1, [
      page('A', { ref: 'a' }),
      page('B'),
      page('First', { at: 0 }),
      page('Inner', { into: 'a' }),
      page('Inner', { into: 'a', at: 0 }),
    ]);
    expect(violationsOf(requestContent.updateContent.returns.schema, answer, '')).toEqual([]);
    expect(answer.pages).toMatchObject([
      { type: 'created_page', ref: 'a', path: 'a' },
      { path: 'b' },
      { path: 'first' },
      { path: 'a/inner' },
      { path: 'a/inner-1' },
    ]);
    expect(await tree()).toEqual(['first', ['a', ['a/inner-1', 'a/inner']], 'b']);
    expect(await desk.pages()).toEqual([]);
  });

  it('take their title from the field, the front matter or the first heading', async () => {
    const [given, matter, heading, none] = await insert(
      page('Given', {
        document: { markdown: '---\ntitle: Matter\ndescription: D\nicon: bolt\nhidden: true\n---\n# H\n' },
      }),
      { operation: 'insert_page', document: { markdown: '---\ntitle: Matter\n---\n# H\n' } },
      { operation: 'insert_page', document: { markdown: '\n# Heading\ntext' } },
      { operation: 'insert_page', document: {} },
    );
    expect(await get(given!)).toMatchObject({
      title: 'Given',
      description: 'D',
      icon: 'bolt',
      hidden: true,
      markdown: '# H\n',
    });
    expect(await get(matter!)).toMatchObject({ title: 'Matter', slug: 'matter' });
    expect(await get(heading!)).toMatchObject({ title: 'Heading', markdown: '\n# Heading\ntext' });
    expect(await get(none!)).toMatchObject({
      title: 'Untitled',
      markdown: '',
      type: 'document',
      kind: 'sheet',
      pages: [],
    });
  });

  it('are read by ID and by path, as Markdown and as a document', async () => {
    const [id] = await insert(page('Outer', { slug: 'o.1' }), page('In', { into: undefined, slug: 'x' }));
    expect(await get(id!, { format: 'document' })).toMatchObject({
      document: { object: 'document', nodes: [{ type: 'heading-1' }] },
    });
    const byPath = (pagePath: string) =>
      world.as('read').call(requestPages.getPageByPath, { params: { ...desk.at(1), pagePath } });
    expect(await byPath('/o.1/')).toEqual(await get(id!));
    expect(violationsOf(requestPages.getPage.returns.schema, await get(id!), '')).toEqual([]);
    expect(await reason(byPath('none'))).toBe('not-found');
    expect(await reason(get('pag_none'))).toBe('not-found');
    const { pages } = await world
      .as('read')
      .call(requestPages.listPages, { params: desk.at(1), query: { texts: false } });
    expect(pages[0]).not.toHaveProperty('markdown');
  });

  it('change only in the text and fields that are sent', async () => {
    const [id] = await insert(page('A', { emoji: '🙂', description: 'd', hidden: true }));
    await desk.edit(1, [
      {
        operation: 'update_page',
        page: id!,
        document: { markdown: 'new' },
        title: 'B',
        emoji: '',
        hidden: false,
        condition: 'true',
      },
    ]);
    const changed = await get(id!);
    expect(changed).toMatchObject({
      title: 'B',
      slug: 'a',
      markdown: 'new',
      description: 'd',
      condition: 'true',
    });
    expect(changed).not.toHaveProperty('emoji');
    expect(changed).not.toHaveProperty('hidden');
    await desk.edit(1, [
      {
        operation: 'update_page',
        page: id!,
        document: {
          document: {
            object: 'document',
            data: {},
            nodes: [
              {
                object: 'block',
                type: 'paragraph',
                nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'doc', marks: [] }] }],
              },
            ],
          },
        },
      },
    ]);
    expect(await get(id!)).toMatchObject({ markdown: 'doc\n', title: 'B' });
  });

  it('keep their front matter when an update sends a text without front matter', async () => {
    const [id] = await insert({
      operation: 'insert_page',
      document: { markdown: '---\ntitle: T\n# note\n---\nold' },
      git: { path: 't.md' },
    });
    await desk.edit(1, [{ operation: 'update_page', page: id!, document: { markdown: 'new' } }]);
    // The ID that Git computes: `printf -- '---\ntitle: T\n# note\n---\nnew' | git hash-object --stdin`.
    expect(await get(id!)).toMatchObject({
      title: 'T',
      markdown: 'new',
      git: { path: 't.md', oid: 'effc188b663941a2cf4b4173b5125a01fcbe99bf' },
    });
  });

  it('can be moved, also below other pages, but not below themselves', async () => {
    const [a, b, c] = await insert(page('A'), page('B'), page('C'));
    await desk.edit(1, [
      { operation: 'update_page', page: c!, into: b! },
      { operation: 'update_page', page: b!, at: 0 },
    ]);
    expect(await tree()).toEqual([['b', ['b/c']], 'a']);
    await expect(desk.edit(1, [{ operation: 'update_page', page: b!, into: c! }])).rejects.toMatchObject({
      reason: 'invalid-input',
      violations: [{ path: '/body/changes/0/into' }],
    });
    expect(await reason(desk.edit(1, [{ operation: 'update_page', page: a!, into: 'pag_none' }]))).toBe(
      'not-found',
    );
    await desk.edit(1, [{ operation: 'update_page', page: c!, into: null, at: 1 }]);
    expect(await tree()).toEqual(['b', 'c', 'a']);
  });

  it('are deleted with the pages below them, and can be restored', async () => {
    const [a, , c] = await insert(
      page('A', { ref: 'a' }),
      page('B', { into: 'a', ref: 'b' }),
      page('C', { into: 'b' }),
    );
    await desk.merge(1);
    await desk.createRequest();
    const answer = await desk.edit(2, [{ operation: 'delete_page', page: a! }]);
    expect(answer.pages!.map(({ type, path }) => [type, path])).toEqual([
      ['deleted_page', 'a/b/c'],
      ['deleted_page', 'a/b'],
      ['deleted_page', 'a'],
    ]);
    expect(await reason(desk.edit(2, [{ operation: 'revert_page', page: c! }]))).toBe('not-found');
    await desk.edit(2, [{ operation: 'revert_page', page: a! }]);
    expect(
      outline((await world.as('read').call(requestPages.listPages, { params: desk.at(2) })).pages),
    ).toEqual(['a']);
    expect(await reason(desk.edit(2, [{ operation: 'revert_page', page: a!, revision: 'rev_none' }]))).toBe(
      'not-found',
    );
    expect(await reason(desk.edit(2, [{ operation: 'revert_page', page: 'pag_none' }]))).toBe(
      'invalid-input',
    );
  });

  it('return to a position beside the page that took their place', async () => {
    const [a] = await insert(page('A'), page('B'));
    await desk.merge(1, 'admin');
    await desk.createRequest();
    await desk.edit(2, [
      { operation: 'delete_page', page: a! },
      page('C', { at: 0 }),
      { operation: 'revert_page', page: a! },
      page('D', { at: 1 }),
    ]);
    const { pages } = await world.as('read').call(requestPages.listPages, { params: desk.at(2) });
    expect(outline(pages)).toEqual(['a', 'd', 'c', 'b']);
  });

  it('can be groups and links, with the limits of these types', async () => {
    const [, , link] = await insert(
      page('Group', { type: 'group', document: {}, ref: 'g' }),
      page('A', { into: 'g' }),
      page('Site', { type: 'link', document: {}, href: 'https://a.test' }),
    );
    const { pages } = await world.as('read').call(requestPages.listPages, { params: desk.at(1) });
    expect(violationsOf(requestPages.listPages.returns.schema, { pages }, '')).toEqual([]);
    expect(pages).toMatchObject([
      { type: 'group', kind: 'group', path: 'group', pages: [{ path: 'group/a' }] },
      { type: 'link', kind: 'link', target: { kind: 'url', url: 'https://a.test' } },
    ]);
    for (const change of [
      page('X', { into: link }),
      page('X', { type: 'group', document: {}, into: pages[0]!.id }),
      page('X', { type: 'group' }),
      page('X', { type: 'link', document: {} }),
    ]) {
      expect(await reason(desk.edit(1, [change]))).toBe('invalid-input');
    }
  });

  it('are changed all together or not at all, by 1 to 50 changes', async () => {
    const { revision } = await desk.edit(1, [page('A')]);
    for (const bad of [
      page('A', { slug: 'a' }),
      page('B', { ref: 'n' }),
      page('C', { slug: 'a b' }),
      { operation: 'delete_page', page: 'pag_none' } as const,
    ]) {
      expect(await reason(desk.edit(1, [page('N', { ref: 'n' }), bad]))).not.toBe('done');
    }
    expect(await tree()).toEqual(['a']);
    expect((await world.as('read').call(requestContent.getContent, { params: desk.at(1) })).id).toBe(
      revision,
    );
    expect(await reason(desk.edit(1, []))).toBe('invalid-input');
    expect(
      await reason(
        desk.edit(
          1,
          Array.from({ length: 51 }, () => page('A')),
        ),
      ),
    ).toBe('invalid-input');
  });

  it.each<[string, (length: number) => object, number]>([
    ['title', (length) => ({ title: 'x'.repeat(length) }), 255],
    ['slug', (length) => ({ slug: 'x'.repeat(length) }), 100],
    ['icon', (length) => ({ icon: 'x'.repeat(length) }), 50],
    ['description', (length) => ({ description: 'x'.repeat(length) }), 1000],
  ])('have a %s of limited length', async (_name, of, most) => {
    expect(await reason(desk.edit(1, [page('A', of(most))]))).toBe('done');
    expect(await reason(desk.edit(1, [page('B', of(most + 1))]))).toBe('invalid-input');
  });

  it('accept an emoji but no other text as emoji', async () => {
    for (const emoji of ['x', 'rocket', '#'])
      expect(await reason(desk.edit(1, [page('A', { emoji })])), emoji).toBe('invalid-input');
    expect(await reason(desk.edit(1, [page('A', { emoji: '1f680' })]))).toBe('done');
  });

  it('get no new revision if nothing differs', async () => {
    const [id] = await insert(page('A'));
    const { revision } = await desk.edit(1, [
      { operation: 'update_page', page: id!, title: 'A', document: { markdown: '# A\n' } },
    ]);
    expect((await desk.edit(1, [{ operation: 'update_page', page: id!, title: 'A' }])).revision).toBe(
      revision,
    );
  });

  it('can be nested at most 16 levels deep', async () => {
    await insert(
      ...Array.from({ length: 16 }, (_, depth) =>
        page('P', { ref: `p${depth}`, ...(depth === 0 ? {} : { into: `p${depth - 1}` }) }),
      ),
    );
    const { pages } = await world.as('read').call(requestPages.listPages, { params: desk.at(1) });
    let last = pages[0]!;
    while (last.pages!.length > 0) last = last.pages![0]!;
    expect(await reason(desk.edit(1, [page('Q', { into: last.id })]))).toBe('invalid-input');
  });
});

describe('files of a change request', () => {
  it('can be inserted, replaced, read and deleted', async () => {
    const { insertedFiles } = await desk.edit(1, [
      {
        operation: 'insert_files',
        files: [
          file('a.txt', 'one', { ref: 'a' }),
          { name: 'b.png', contentType: 'image/png', base64: png },
          { name: 'c.png', contentType: 'image/png', base64: 'AAAA' },
        ],
      },
    ]);
    const [a, b, c] = insertedFiles!.map(({ id }) => id);
    const show = (fileId: string) =>
      world.as('read').call(requestFiles.getFile, { params: { ...desk.at(1), fileId } });
    expect(violationsOf(requestFiles.getFile.returns.schema, await show(a!), '')).toEqual([]);
    expect(await show(b!)).toMatchObject({ name: 'b.png', dimensions: { width: 1, height: 1 } });
    expect(await show(c!)).not.toHaveProperty('dimensions');
    const download = async (fileId: string) =>
      Buffer.from(
        (await world.as('read').call(requestFiles.downloadFile, { params: { ...desk.at(1), fileId } })).bytes,
      ).toString();
    expect(await download(a!)).toBe('one');
    await desk.edit(1, [{ operation: 'insert_files', files: [file('a.txt', 'two', { replaces: a })] }]);
    expect(await download(a!)).toBe('two');
    const list = await world
      .as('read')
      .call(requestFiles.listFiles, { params: desk.at(1), query: { limit: 2 } });
    expect(list).toMatchObject({ count: 3, items: [{ id: a }, { id: b }] });
    expect(
      (
        await world
          .as('read')
          .call(requestFiles.listFiles, { params: desk.at(1), query: { page: list.next!.page } })
      ).items,
    ).toMatchObject([{ id: c }]);
    await desk.edit(1, [{ operation: 'delete_files', files: [a!] }]);
    expect(await reason(show(a!))).toBe('not-found');
    expect(await reason(desk.edit(1, [{ operation: 'delete_files', files: [a!] }]))).toBe('not-found');
  });

  it('can have at most 10 MiB', async () => {
    const sized = (bytes: number) =>
      desk.edit(1, [
        {
          operation: 'insert_files',
          files: [{ name: 'x', contentType: 'a/b', base64: Buffer.alloc(bytes).toString('base64') }],
        },
      ]);
    expect(await reason(sized(10 * 1024 * 1024))).toBe('done');
    expect(await reason(sized(10 * 1024 * 1024 + 1))).toBe('invalid-input');
  });
});

describe('the content of a space', () => {
  it('is that of the last merge, and can be read as a whole or by page and file', async () => {
    const answer = await desk.edit(1, [
      page('A'),
      { operation: 'insert_files', files: [file('f.txt', 'x')] },
    ]);
    await desk.merge(1);
    const params = { spaceId: desk.spaceId };
    const whole = await world.as('read').call(spaceContent.getContent, { params });
    expect(violationsOf(spaceContent.getContent.returns.schema, whole, '')).toEqual([]);
    expect(whole).toMatchObject({
      type: 'merge',
      parents: [expect.any(String), answer.revision],
      pages: [{ title: 'A', markdown: '# A\n' }],
      files: [{ name: 'f.txt' }],
      reusableContents: [],
      variables: {},
    });
    expect(
      (await world.as('read').call(spacePages.getPageByPath, { params: { ...params, pagePath: 'a' } })).title,
    ).toBe('A');
    expect((await world.as('read').call(spaceFiles.listFiles, { params })).items).toMatchObject([
      { name: 'f.txt' },
    ]);
    expect(await reason(world.as('outsider').call(spaceContent.getContent, { params }))).toBe('not-found');
    expect(await reason(world.as('guest').call(spaceContent.getContent, { params }))).toBe('not-found');
  });

  it('is copied to a duplicate, which then changes independently', async () => {
    await desk.publish(page('A'));
    const twin = await world.as('admin').call(spaces.duplicateSpace, { params: { spaceId: desk.spaceId } });
    await desk.publish(page('B'));
    const titles = async (spaceId: string) =>
      (await world.as('read').call(spacePages.listPages, { params: { spaceId } })).pages.map(
        ({ title }) => title,
      );
    expect(await titles(twin.id)).toEqual(['A']);
    expect(await titles(desk.spaceId)).toEqual(['A', 'B']);
  });
});

describe('stored content', () => {
  /** Counts the content rows that calls insert, by table. */
  const counted = async (work: () => Promise<unknown>) => {
    const inserted = new Map<string, number>();
    const { store } = world.core;
    const write = store.write.bind(store);
    store.write = (run) =>
      write((tx) =>
        run({
          get: tx.get.bind(tx),
          find: tx.find.bind(tx),
          count: tx.count.bind(tx),
          scan: tx.scan.bind(tx),
          search: tx.search.bind(tx),
          update: tx.update.bind(tx),
          remove: tx.remove.bind(tx),
          insert: async (table, row) => {
            inserted.set(table.name, (inserted.get(table.name) ?? 0) + 1);
            await tx.insert(table, row);
          },
        }),
      );
    await work();
    store.write = write;
    return inserted;
  };

  it('grows by one blob, two nodes and one revision if one of 300 pages changes', async () => {
    const ids: string[] = [];
    for (let batch = 0; batch < 6; batch++)
      ids.push(
        ...(await insert(...Array.from({ length: 50 }, (_, index) => page(`Page ${batch}-${index}`)))),
      );
    const added = await counted(() =>
      desk.edit(1, [{ operation: 'update_page', page: ids[123]!, document: { markdown: 'changed' } }]),
    );
    expect([added.get(blobs.name), added.get(nodes.name), added.get(revisions.name)]).toEqual([1, 2, 1]);
    const again = await counted(() => insert(page('Same text', { document: { markdown: 'changed' } })));
    expect(again.get(blobs.name)).toBeUndefined();
  });

  it('has revisions whose diff lists exactly the changed pages', async () => {
    const [a, b] = await insert(page('A'), page('B'), page('C'));
    const { revision: from } = await desk.edit(1, [page('D')]);
    const { revision: to } = await desk.edit(1, [
      { operation: 'update_page', page: a!, title: 'AA' },
      { operation: 'delete_page', page: b! },
    ]);
    const changes = await world.core.store.read((view) => diffRevisions(view, from, to));
    const said = changes.map(({ id, before, after }) => [
      id,
      before?.kind === 'page' ? before.title : undefined,
      after?.kind === 'page' ? after.title : undefined,
    ]);
    expect(said.sort()).toEqual(
      [
        [a, 'A', 'AA'],
        [b, 'B', undefined],
      ].sort(),
    );
    expect(await world.core.store.read((view) => diffRevisions(view, to, to))).toEqual([]);
  });

  it('has revisions that count their pages and files', async () => {
    const { revision } = await desk.edit(1, [
      page('A', { ref: 'a' }),
      page('B', { into: 'a' }),
      { operation: 'insert_files', files: [file('f', 'x')] },
    ]);
    expect(await world.core.store.read((view) => view.get(revisions, revision))).toMatchObject({
      pages: 2,
      files: 1,
      createdBy: 'usr_edit',
    });
  });
});

describe('a restored revision', () => {
  const restore = (revision: string) =>
    world.as('edit').call(requestContent.restoreContent, { params: desk.at(1), body: { revision } });

  it('must be a revision of the same space', async () => {
    const { revision: other } = await world.as('create').call(spaces.createSpace, {
      params: { organizationId: world.org },
      body: { title: 'Other' },
    });
    for (const revision of [other, 'rev_none'])
      await expect(restore(revision), revision).rejects.toMatchObject({
        reason: 'not-found',
        message: expect.stringContaining(revision),
      });
  });

  it('replaces the content of the change request', async () => {
    const { revision } = await world.as('read').call(spaces.getSpace, { params: { spaceId: desk.spaceId } });
    await insert(page('A'));
    expect(await tree()).toEqual(['a']);
    await restore(revision);
    expect(await tree()).toEqual([]);
  });
});
