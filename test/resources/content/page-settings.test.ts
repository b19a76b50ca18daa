import { describe, expect, it } from 'vitest';
import type { PageBody } from '../../../src/resources/content/schemas.ts';
import { getContent } from '../../../src/resources/content/space/contract.ts';
import { deleteSpace } from '../../../src/resources/spaces/contract.ts';
import * as changeRequestPages from '../../../src/resources/content/change-request-pages/contract.ts';
import { nodes } from '../../../src/content/rows.ts';
import { newFolder, openShelf, type Files } from '../../content-sync/folder-support.ts';
import { revisions } from '../../../src/core/rows/revisions.ts';
import { spaces } from '../../../src/core/rows/spaces.ts';
import { getExisting } from '../../../src/core/store.ts';
import { createWorld } from '../../support/world.ts';
import { reason } from '../content-support.ts';

const layoutOfNothing: NonNullable<PageBody['layout']> = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  coverMask: 'none',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
  tags: true,
  actions: true,
  anchors: true,
};
const start: Files = {
  'SUMMARY.md':
    '# Table of contents\n\n* [Start](README.md "Begin here")\n* [Guide](guides/one.md)\n* [Plain](plain.md)\n',
  'README.md': `---
icon: house   # an icon
cover: .gitbook/assets/a%20b.png
coverY: 23.57
coverHeight: 324
layout:
    width: wide # wider
    cover:
        visible: true
        size: full
        mask: radial
    title:
        visible: false
    outline:
        visible: false
    future: { kept: yes }
vars:
    product: Elsa
    'count': 3
    beta: true
metaLinks:
  canonical: guides/one.md
  alternates:
    - >-
      https://example.com/other
    - guides/one.md
tags:
- beta
- {tag: new,   primary: true}
unknown: [ 1,2 ]
---
# Start
`,
  'guides/one.md':
    '---\ncover:\n  light: ../.gitbook/assets/a%20b.png\n  dark: https://example.com/dark.png\n---\n# One\n',
  'plain.md': '# Plain\n',
  '.gitbook/assets/a b.png': Buffer.from('picture'),
  '.gitbook/vars.yaml': 'product: Elsa\ncount: 3\n',
  '.gitbook/tags.yaml':
    '- tag: beta\n  label: Beta\n  icon: asterisk\n- tag: new\n  color: $success\n- nothing\n- tag: 3\n',
};

async function openGuide() {
  const world = await createWorld();
  const shelf = await openShelf(world);
  const dir = newFolder(start);
  await shelf.importFolder(dir);
  const read = () => world.as('read').call(getContent, { params: { spaceId: shelf.spaceId } });
  const { pages, files } = await read();
  const [home, guide, plain] = pages.map(({ id }) => id) as [string, string, string];
  return { world, shelf, dir, read, home, guide, plain, file: files[0]?.id ?? '' };
}

const latin = (files: Files) =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, Buffer.from(text as string).toString('latin1')]),
  );

describe('the front matter of a page', () => {
  it('is returned by the API, with references in place of paths', async () => {
    const { shelf, read, guide, file } = await openGuide();
    const { pages, tags, variables } = await read();
    const picture = { kind: 'file', file, space: shelf.spaceId };
    expect(pages[0]).toMatchObject({
      title: 'Start',
      linkTitle: 'Begin here',
      icon: 'house',
      layout: {
        ...layoutOfNothing,
        width: 'wide',
        coverSize: 'full',
        coverMask: 'radial',
        title: false,
        outline: false,
      },
      cover: { ref: picture, yPos: 23.57, height: 324 },
      variables: { product: 'Elsa', count: '3', beta: 'true' },
      metaLinks: {
        canonical: { kind: 'page', page: guide, space: shelf.spaceId },
        alternates: [
          { kind: 'url', url: 'https://example.com/other' },
          { kind: 'page', page: guide, space: shelf.spaceId },
        ],
      },
      tags: [{ tag: { kind: 'tag', tag: 'beta' } }, { tag: { kind: 'tag', tag: 'new' }, primary: true }],
    });
    expect(pages[1]).toMatchObject({
      layout: layoutOfNothing,
      cover: { ref: picture, refDark: { kind: 'url', url: 'https://example.com/dark.png' }, yPos: 0 },
      tags: [],
    });
    expect(pages[2]).toMatchObject({ layout: layoutOfNothing, tags: [] });
    expect(pages[2]).not.toHaveProperty('cover');
    expect(tags).toEqual([
      { slug: 'beta', label: 'Beta', color: 'default', icon: 'asterisk' },
      { slug: 'new', label: 'new', color: '$success' },
    ]);
    expect(variables).toEqual({ product: 'Elsa', count: '3' });
  });

  it('is exported byte for byte, also after sending back what the API returned', async () => {
    const { shelf, dir, read, home, guide } = await openGuide();
    expect(await shelf.exportFiles()).toEqual(latin(start));
    const { pages } = await read();
    for (const [index, page] of [home, guide].entries()) {
      const { layout = layoutOfNothing, cover, variables, metaLinks, tags = [] } = pages[index] ?? {};
      await shelf.publish({
        operation: 'update_page',
        page,
        layout,
        tags,
        ...(cover && { cover }),
        ...(variables && { variables }),
        ...(metaLinks && { metaLinks }),
      });
    }
    expect(await shelf.exportFiles()).toEqual(latin(start));
    expect(await shelf.plan(dir)).toEqual({ pages: [], texts: [], files: [], deletedFiles: [] });
  });

  it('is changed by the API, and keeps its formatting and unknown fields', async () => {
    const { shelf, read, home, guide, plain, file } = await openGuide();
    await shelf.publish({
      operation: 'update_page',
      page: home,
      linkTitle: '',
      layout: { width: 'default', title: true, pagination: false },
      cover: { ref: { kind: 'url', url: 'https://example.com/x.png' }, height: 100 },
      variables: { product: 'Elsa', count: 4, name: 'new' },
      metaLinks: { canonical: null },
      tags: [{ tag: { kind: 'tag', tag: 'beta' } }],
    });
    await shelf.publish(
      { operation: 'update_page', page: guide, cover: null },
      {
        operation: 'update_page',
        page: plain,
        cover: { ref: { kind: 'file', file } },
        metaLinks: { alternates: [{ kind: 'page', page: home }] },
      },
    );
    const written = await shelf.exportFiles();
    expect(written['SUMMARY.md']).toBe(
      '# Table of contents\n\n* [Start](README.md)\n* [Guide](guides/one.md)\n* [Plain](plain.md)\n',
    );
    expect(written['README.md']).toBe(`---
icon: house   # an icon
cover: https://example.com/x.png
coverY: 23.57
coverHeight: 100
layout:
  width: default # wider
  cover:
    visible: true
    size: full
    mask: radial
  title:
    visible: true
  outline:
    visible: false
  future: { kept: yes }
  pagination:
    visible: false
vars:
  product: Elsa
  'count': 4
  name: new
metaLinks:
  alternates:
    - >-
      https://example.com/other
    - guides/one.md
tags:
- beta
unknown: [ 1,2 ]
---
# Start
`);
    expect(written['guides/one.md']).toBe('# One\n');
    expect(written['plain.md']).toBe(
      '---\ncover: .gitbook/assets/a%20b.png\nmetaLinks:\n  alternates:\n    - README.md\n---\n# Plain\n',
    );
    const { pages } = await read();
    expect(pages[0]).toMatchObject({ layout: { pagination: false, title: true, width: 'default' } });
    expect(pages[0]).not.toHaveProperty('linkTitle');
    expect(pages[1]).not.toHaveProperty('cover');
    expect(pages[2]).toMatchObject({ cover: { ref: { kind: 'file', file } } });
  });

  it('refers only to pages and files of other spaces that exist and that the caller may read', async () => {
    const { world, shelf, read, home } = await openGuide();
    const other = await openShelf(world);
    await other.importFolder(newFolder(start));
    const { pages, files } = await world.as('read').call(getContent, { params: { spaceId: other.spaceId } });
    const canonical = { kind: 'page' as const, page: pages[0]?.id ?? '', space: other.spaceId };
    const ref = { kind: 'file' as const, file: files[0]?.id ?? '', space: other.spaceId };
    const set = (change: object) =>
      shelf.publish({ operation: 'update_page', page: home, ...change } as never);
    await set({ metaLinks: { canonical }, cover: { ref } });
    const [changed] = (await read()).pages;
    expect(changed).toMatchObject({ metaLinks: { canonical }, cover: { ref } });
    await set({ metaLinks: changed?.metaLinks, cover: changed?.cover });
    for (const change of [
      { metaLinks: { canonical: { ...canonical, space: 'spc_none' } } },
      { metaLinks: { alternates: [{ ...canonical, page: 'pag_none' }] } },
      { cover: { ref: { ...ref, space: 'spc_none' } } },
      { cover: { refDark: { ...ref, file: 'fil_none' } } },
    ])
      expect(await reason(set(change))).toBe('not-found');
    await world.as('admin').call(deleteSpace, { params: { spaceId: other.spaceId }, query: {} });
    expect(await reason(set({ metaLinks: { canonical } }))).toBe('not-found');
    expect(await reason(set({ metaLinks: (await read()).pages[0]?.metaLinks }))).toBe('done');
  });

  it('is merged line by line, and the fields of the page follow', async () => {
    const { shelf, read, home } = await openGuide();
    const { number } = await shelf.createRequest();
    await shelf.edit(
      number,
      [{ operation: 'update_page', page: home, layout: { width: 'default' } }],
      'admin',
    );
    await shelf.publish({ operation: 'update_page', page: home, variables: { product: 'Other' } });
    await shelf.merge(number, 'admin');
    expect((await read()).pages[0]).toMatchObject({
      layout: { width: 'default', title: false },
      variables: { product: 'Other' },
    });
  });

  it('is read for pages that were stored by a version that did not read it', async () => {
    const { world, shelf, read } = await openGuide();
    await world.core.store.write(async (tx) => {
      const { revision } = await getExisting(tx, spaces, shelf.spaceId);
      const open = [(await getExisting(tx, revisions, revision)).root];
      for (const id of open) {
        const { branches = {}, entries } = await getExisting(tx, nodes, id);
        for (const [child] of Object.values(branches)) open.push(child);
        const before = entries?.map((entry) =>
          Object.fromEntries(Object.entries(entry).filter(([name]) => name !== 'settings')),
        );
        if (before !== undefined)
          await tx.update(nodes, id, { entries: before as unknown as { readonly id: string }[] });
      }
    });
    expect((await read()).pages[0]).toMatchObject({ layout: { width: 'wide' }, cover: { yPos: 23.57 } });
  });

  it('is refused for groups, links and references to missing targets', async () => {
    const { world, shelf, home } = await openGuide();
    const { number } = await shelf.createRequest();
    const send = (change: object) =>
      shelf.edit(number, [{ operation: 'update_page', page: home, ...change } as never], 'admin');
    expect(await reason(send({ cover: { ref: { kind: 'file', file: 'fil_no' } } }))).toBe('not-found');
    expect(await reason(send({ metaLinks: { canonical: { kind: 'page', page: 'pag_no' } } }))).toBe(
      'not-found',
    );
    expect(await reason(send({ cover: { height: 9 } }))).toBe('invalid-input');
    expect(await reason(send({ variables: { a: 'x'.repeat(257) } }))).toBe('invalid-input');
    const named = async (length: number) => reason(send({ variables: { ['a'.repeat(length)]: 'x' } }));
    expect([await named(0), await named(1), await named(257)]).toEqual([
      'invalid-input',
      'done',
      'invalid-input',
    ]);
    expect(await reason(send({ variables: { big: 'x'.repeat(256) }, layout: { width: 'huge' } }))).toBe(
      'invalid-input',
    );
    expect(
      await reason(
        shelf.edit(
          number,
          [{ operation: 'insert_page', type: 'group', title: 'G', document: {}, layout: { title: false } }],
          'admin',
        ),
      ),
    ).toBe('invalid-input');
    const page = await world.as('read').call(changeRequestPages.getPage, {
      params: { ...shelf.at(number), pageId: home },
      query: {},
    });
    expect(page.layout?.width).toBe('wide');
  });
});
