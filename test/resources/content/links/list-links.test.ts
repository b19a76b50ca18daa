import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../../src/contract/check.ts';
import { revisions } from '../../../../src/core/rows/revisions.ts';
import * as requestFiles from '../../../../src/resources/content/change-request-files/contract.ts';
import * as requestPages from '../../../../src/resources/content/change-request-pages/contract.ts';
import * as spaceFiles from '../../../../src/resources/content/space-files/contract.ts';
import * as spacePages from '../../../../src/resources/content/space-pages/contract.ts';
import { createSpec, deleteSpec } from '../../../../src/resources/openapi/contract.ts';
import * as spaces from '../../../../src/resources/spaces/contract.ts';
import { createWorld, type World } from '../../../support/world.ts';
import { openDesk, reason, type Desk } from '../../content-support.ts';
import { nodes } from '../../../../src/content/rows.ts';
import type { ContentChange } from '../../../../src/content/changes.ts';

let world: World;
let desk: Desk;
beforeEach(async () => {
  world = await createWorld();
  desk = await openDesk(world);
});

const text = (title: string, markdown: string, more: object = {}): ContentChange => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ref: title,
  ...more,
});
const image = (path: string): ContentChange => ({
  operation: 'insert_files',
  files: [
    { name: path.split('/').at(-1)!, contentType: 'image/png', base64: 'AAAA', git: { path }, ref: path },
  ],
});
const list = (query: object = {}) =>
  world.as('read').call(spaces.listSpaceLinks, { params: { spaceId: desk.spaceId }, query });
const statuses = async (query: object = {}) =>
  (await list(query)).items.map(({ href, status }) => `${status} ${href}`).sort();
const at = (pageId: string) => ({ params: { spaceId: desk.spaceId, pageId } });
const idsOf = ({ pages = [], insertedFiles = [] }: Awaited<ReturnType<Desk['publish']>>) => [
  ...pages.map(({ id }) => id),
  ...insertedFiles.map(({ id }) => id),
];

describe('links of a space', () => {
  it('are indexed again if an earlier version indexed their anchors', async () => {
    await desk.publish(text('a', '# A Part\n\n[x](#A--part)'));
    const { revision } = await desk.space();
    await world.core.store.write(async (tx) => {
      const { links } = (await tx.get(revisions, revision))!;
      await tx.update(revisions, revision, { links: { ...links!, version: 5, total: 9 } });
    });
    expect((await list()).stats).toEqual({ total: 1, broken: { total: 0 } });
  });

  it('are resolved by every name that a page or file has', async () => {
    const links = [
      'b.md',
      'b',
      './b/',
      'sub/',
      'sub/README.md',
      '/sub',
      'sub/c.md#part',
      '/sub/c',
      '#here',
      'pic%20one.png',
      'nope.md',
      '../b.md',
      'sub/b.md',
      '',
      '/pages/pag_none',
    ];
    await desk.publish(
      text('Start', links.map((href) => `[x](${href})`).join('\n\n'), {
        git: { path: 'README.md' },
        slug: 'start',
      }),
      text('B', '[home](.) [home](README.md) [by path](/start)', { git: { path: 'b.md' } }),
      text('Sub', '[up](../README.md) [own](c.md)', { git: { path: 'sub/README.md' } }),
      text('C', '![p](<../pic one.png>)', { git: { path: 'sub/c.md' }, slug: 'see' }),
      image('pic one.png'),
    );
    expect((await statuses({ limit: 100 })).filter((link) => link.startsWith('broken'))).toEqual([
      'broken ',
      'broken ../b.md',
      'broken /pages/pag_none',
      'broken nope.md',
      'broken sub/b.md',
    ]);
    expect(await list({ limit: 0 })).toEqual({
      count: 21,
      stats: { total: 21, broken: { total: 5 } },
      items: [],
    });
  });

  it('on one page are counted with the broken ones, including missing anchors on request', async () => {
    const [page] = idsOf(
      await desk.publish(
        text('From', '[a](to.md) [b](gone.md) [c](to.md#gone) [d](to.md#part) [e](#gone)', {
          git: { path: 'from.md' },
        }),
        text('To', '# Part', { git: { path: 'to.md' } }),
      ),
    );
    const count = async (query: object) => {
      const { stats } = await world.as('read').call(spacePages.listPageLinks, { ...at(page!), query });
      return [stats.total, stats.broken.total];
    };
    expect(await count({})).toEqual([5, 1]);
    expect(await count({ anchors: true })).toEqual([5, 3]);
  });

  it('are relative to the path of their page if the page has no file', async () => {
    const [guide] = idsOf(
      await desk.publish(
        text('guide', '[in](guide/start) [md](start.md)'),
        text('start', '[beside](other.md) [up](../guide.md) [id](/pages/ID)', { into: 'guide' }),
        text('other', '', { into: 'guide' }),
      ),
    );
    expect(await statuses()).toEqual([
      'broken /pages/ID',
      'broken start.md',
      'ok ../guide.md',
      'ok guide/start',
      'ok other.md',
    ]);
    await desk.publish({ operation: 'update_page', page: guide!, slug: 'manual' });
    expect(await statuses()).toEqual([
      'broken ../guide.md',
      'broken /pages/ID',
      'broken guide/start',
      'broken start.md',
      'ok other.md',
    ]);
  });

  it('are listed with their text position, source and target', async () => {
    const [page, target, file] = idsOf(
      await desk.publish(
        text(
          'From',
          '---\ndescription: x\n---\n# T\n\nSee [the other](to.md#part%20one),\n![it](pic.png) and <https://example.com>\n',
          { git: { path: 'from.md' } },
        ),
        text('To', '', { git: { path: 'to.md' } }),
        image('pic.png'),
      ),
    );
    const { revision } = await desk.space();
    const place = {
      organization: world.org,
      space: desk.spaceId,
      versionContext: { type: 'revision', revision },
    };
    const source = { kind: 'page', id: page, title: 'From', path: 'from', file: 'from.md' };
    const locationReferences = [{ kind: 'page', page, ...place }];
    const answer = await list();
    expect(answer.items).toEqual([
      {
        status: 'ok',
        relation: 'reference',
        targetReference: { kind: 'page', page: target, anchor: 'part one', ...place },
        locationReferences,
        href: 'to.md#part%20one',
        line: 6,
        source,
      },
      {
        status: 'ok',
        relation: 'reference',
        targetReference: { kind: 'file', file, ...place },
        locationReferences,
        href: 'pic.png',
        line: 7,
        source,
      },
      {
        status: 'ok',
        relation: 'reference',
        targetReference: { kind: 'url', url: 'https://example.com' },
        locationReferences,
        href: 'https://example.com',
        line: 7,
        source,
      },
    ]);
    expect(violationsOf(spaces.listSpaceLinks.returns.schema, answer, '')).toEqual([]);
  });

  it('to the application have the status in-app, for each form of the address', async () => {
    const hrefs = [
      '/o/org_1/s/spc_1/page',
      `http://localhost:8080/o/${world.org}/s/${desk.spaceId}`,
      'https://app.gitbook.com/o/x/s/y/',
      'http://localhost:8080.example.com/o/',
      'mailto:a@example.com',
      '//cdn.example.com/x',
    ];
    await desk.publish(text('A', hrefs.map((href) => `<a href="${href}">x</a>`).join('\n')));
    expect((await list({ status: 'in-app' })).items.map(({ href }) => href)).toEqual(hrefs.slice(0, 3));
    expect((await list({ status: 'ok' })).items.map(({ href }) => href)).toEqual(hrefs.slice(3));
    expect((await list({ status: 'in-app' })).items.map(({ message }) => message)).toEqual([
      'You can open no page of another space at this address.',
      undefined,
      'You can open no space at this address.',
    ]);
    expect((await list({ status: 'in-app' })).count).toBe(3);
    expect((await list({ status: 'in-app', limit: 1 })).count).toBeUndefined();
    expect((await list()).stats).toEqual({ total: 6, broken: { total: 0 } });
  });

  it('to a specification are broken while the organization does not have it', async () => {
    const organizationId = world.org;
    const as = world.as('admin');
    const source = { text: '{"openapi":"3.1.0","info":{"title":"Pets","version":"1"},"paths":{}}' };
    await as.call(createSpec, { params: { organizationId }, body: { slug: 'pets', source } });
    const block =
      '{% openapi-schemas spec="pets" schemas="Pet" %}\n[OpenAPI pets](openapi:pets)\n{% endopenapi-schemas %}';
    await desk.publish(
      text('A', block),
      text('B', `${block}\n\n[x](nowhere.md)`),
      text('C', '[x](other.md)'),
    );
    const broken = async () => (await list({ status: 'broken' })).items.map(({ href }) => href).sort();
    expect(await broken()).toEqual(['nowhere.md', 'other.md']);
    expect((await list({ status: 'in-app' })).items).toHaveLength(2);
    await as.call(deleteSpec, { params: { organizationId, specSlug: 'pets' } });
    expect(await broken()).toEqual(['nowhere.md', 'openapi:pets', 'openapi:pets', 'other.md']);
    const found = await list({ status: 'broken', limit: 3 });
    expect(found.count).toBe(4);
    expect(found.stats).toEqual({ total: 4, broken: { total: 4 } });
    expect((await list({ status: 'broken', page: found.next?.page })).items).toHaveLength(1);
    expect((await list({ status: 'in-app' })).items).toEqual([]);
    expect(found.items.find(({ href }) => href === 'openapi:pets')).toMatchObject({
      reason: 'target-missing',
      message: 'There is no OpenAPI specification "pets".',
      targetReference: { kind: 'openapi', spec: 'pets' },
    });
    await as.call(createSpec, { params: { organizationId }, body: { slug: 'pets', source } });
    expect((await list()).stats.broken.total).toBe(2);
  });

  it('change their status when target pages and files are deleted or added', async () => {
    const [, target] = idsOf(
      await desk.publish(
        text('A', '[t](b.md) ![p](p.png)', { git: { path: 'a.md' } }),
        text('B', '', { git: { path: 'b.md' } }),
      ),
    );
    expect(await statuses()).toEqual(['broken p.png', 'ok b.md']);
    const [file] = idsOf(
      await desk.publish({ operation: 'delete_page', page: target! }, image('p.png')),
    ).slice(-1);
    expect(await statuses()).toEqual(['broken b.md', 'ok p.png']);
    expect((await list()).items[0]!.targetReference).toEqual({ kind: 'url', url: 'b.md' });
    await desk.publish(
      { operation: 'delete_files', files: [file!] },
      text('Again', '', { git: { path: 'b.md' } }),
    );
    expect(await statuses()).toEqual(['broken p.png', 'ok b.md']);
  });

  it('in reusable contents have them as source, and an include is a dependsOn link of its page', async () => {
    await desk.publish(
      {
        operation: 'put_text',
        role: 'include',
        git: { path: '.gitbook/includes/note.md' },
        title: 'Note',
        text: '[a](../../a.md) [b](../../nope.md)',
      },
      text('A', '{% include "../.gitbook/includes/note.md" %}', { git: { path: 'dir/a.md' } }),
      text('Root', '', { git: { path: 'a.md' } }),
    );
    const { items } = await list();
    const include = items.find(({ relation }) => relation === 'dependsOn')!;
    expect(include).toMatchObject({
      status: 'ok',
      targetReference: { kind: 'reusable-content' },
      source: { file: 'dir/a.md' },
    });
    const own = items.filter(({ source }) => source!.kind === 'reusable-content');
    expect(
      own.map(({ status, href, source, locationReferences }) => [
        status,
        href,
        source!.title,
        locationReferences[0]!.reusableContent,
      ]),
    ).toEqual([
      ['ok', '../../a.md', 'Note', include.targetReference!.reusableContent],
      ['broken', '../../nope.md', 'Note', include.targetReference!.reusableContent],
    ]);
  });

  it.each([undefined, 'broken', 'ok'])(
    'are listed in pages, each exactly once (status %s)',
    async (status) => {
      const many = Array.from({ length: 40 }, (_, page) =>
        text(
          `P${page}`,
          Array.from(
            { length: page % 5 },
            (_each, link) => `[x](${link % 2 === 0 ? 'nope' : `p${link}`}.md)`,
          ).join('\n'),
        ),
      );
      await desk.publish(...many);
      const whole = await list({ limit: 1000, ...(status === undefined ? {} : { status }) });
      expect(whole.items).toHaveLength(status === undefined ? 80 : status === 'broken' ? 48 : 32);
      expect(whole.next).toBeUndefined();
      const seen = [];
      let next: { page: string } | undefined;
      do {
        const page = await list({
          limit: 7,
          ...(status === undefined ? {} : { status }),
          ...(next === undefined ? {} : next),
        });
        expect(page.stats).toEqual({ total: 80, broken: { total: 48 } });
        seen.push(...page.items);
        ({ next } = page);
      } while (next !== undefined);
      expect(seen).toEqual(whole.items);
    },
  );

  it('refuse a cursor of another list, and are not found by outsiders or for missing pages', async () => {
    expect(await reason(list({ page: 'bm9wZQ' }))).toBe('invalid-input');
    expect(
      await reason(world.as('outsider').call(spaces.listSpaceLinks, { params: { spaceId: desk.spaceId } })),
    ).toBe('not-found');
    expect(await reason(world.as('read').call(spacePages.listPageLinks, at('pag_none')))).toBe('not-found');
    expect(await reason(world.as('read').call(spacePages.listPageBacklinks, at('pag_none')))).toBe(
      'not-found',
    );
    expect(
      await reason(
        world
          .as('read')
          .call(spaceFiles.listFileBacklinks, { params: { spaceId: desk.spaceId, fileId: 'fil_none' } }),
      ),
    ).toBe('not-found');
  });

  it('in a duplicate are indexed for the copy immediately', async () => {
    await desk.publish(text('A', '[a](a.md) [b](b.md)', { git: { path: 'a.md' } }));
    const copy = await world.as('admin').call(spaces.duplicateSpace, { params: { spaceId: desk.spaceId } });
    const { stats, items } = await world
      .as('read')
      .call(spaces.listSpaceLinks, { params: { spaceId: copy.id } });
    expect([stats, items[0]!.locationReferences[0]!.space]).toEqual([
      { total: 2, broken: { total: 1 } },
      copy.id,
    ]);
    const row = await world.core.store.read((view) => view.get(revisions, copy.revision));
    expect(row!.links).toBeDefined();
  });
});

describe('links of a page', () => {
  it('are listed for a space and for a change request, with links that the request breaks', async () => {
    const [page, target] = idsOf(
      await desk.publish(
        text('A', '[b](b.md) [c](c.md) [d](d.md)', { git: { path: 'a.md' } }),
        text('B', '', { git: { path: 'b.md' } }),
      ),
    );
    const { number } = await desk.createRequest();
    await desk.edit(number, [
      { operation: 'delete_page', page: target! },
      text('C', '', { git: { path: 'c.md' } }),
      text('Other', '[x](nope)'),
    ]);
    const params = { ...desk.at(number), pageId: page! };
    const draft = await world.as('read').call(requestPages.listPageLinks, { params });
    expect(draft.items.map(({ status, href }) => `${status} ${href}`)).toEqual([
      'broken b.md',
      'ok c.md',
      'broken d.md',
    ]);
    expect(draft.items[1]!.targetReference!.versionContext!.type).toBe('changeRequest');
    expect(draft.stats).toEqual({ total: 3, broken: { total: 2, changeRequest: 1 } });
    const main = await world
      .as('read')
      .call(spacePages.listPageLinks, { ...at(page!), query: { status: 'broken', limit: 1 } });
    expect(main).toMatchObject({
      count: 2,
      stats: { total: 3, broken: { total: 2 } },
      items: [{ href: 'c.md' }],
    });
    const rest = await world.as('read').call(spacePages.listPageLinks, {
      ...at(page!),
      query: { status: 'broken', limit: 1, page: main.next!.page },
    });
    expect(rest.items.map(({ href }) => href)).toEqual(['d.md']);
    expect(rest.next).toBeUndefined();
    await desk.edit(number, [
      { operation: 'update_page', page: page!, document: { markdown: '[b](b.md) [d](d.md) [e](e.md)' } },
    ]);
    expect((await world.as('read').call(requestPages.listPageLinks, { params })).stats).toEqual({
      total: 3,
      broken: { total: 3, changeRequest: 2 },
    });
    expect(
      await world
        .as('read')
        .call(spacePages.listPageLinks, { ...at(page!), query: { page: main.next!.page } }),
    ).toMatchObject({ items: [{ href: 'd.md' }] });
    expect(
      await reason(
        world.as('read').call(spacePages.listPageLinks, { ...at(target!), query: { page: main.next!.page } }),
      ),
    ).toBe('invalid-input');
  });
});

describe('backlinks', () => {
  it('list each linking page once, for every name of a page or file', async () => {
    const [one, two, target, file] = idsOf(
      await desk.publish(
        text('One', '[a](dir/t.md) [b](/t) ![p](p.png)', { git: { path: 'one.md' } }),
        text('Two', '[a](t) [self](#x)', { git: { path: 'dir/two.md' } }),
        text('T', '', { git: { path: 'dir/t.md' }, slug: 't' }),
        image('p.png'),
      ),
    );
    const pagesOf = async (pageId: string) =>
      (await world.as('read').call(spacePages.listPageBacklinks, at(pageId))).items.map(({ page }) => page);
    expect(await pagesOf(target!)).toEqual([one, two].sort());
    expect(await pagesOf(one!)).toEqual([]);
    expect(await pagesOf(two!)).toEqual([two]);
    const ofFile = await world
      .as('read')
      .call(spaceFiles.listFileBacklinks, { params: { spaceId: desk.spaceId, fileId: file! } });
    expect(ofFile).toMatchObject({ count: 1, items: [{ kind: 'page', page: one, space: desk.spaceId }] });
    expect(violationsOf(spaceFiles.listFileBacklinks.returns.schema, ofFile, '')).toEqual([]);
    const { number } = await desk.createRequest();
    await desk.edit(number, [{ operation: 'update_page', page: one!, document: { markdown: 'no more' } }]);
    const draft = { ...desk.at(number), pageId: target!, fileId: file! };
    expect(
      (await world.as('read').call(requestPages.listPageBacklinks, { params: draft })).items,
    ).toMatchObject([{ page: two, versionContext: { type: 'changeRequest' } }]);
    expect((await world.as('read').call(requestFiles.listFileBacklinks, { params: draft })).items).toEqual(
      [],
    );
    expect(
      (await world.as('read').call(spacePages.listPageBacklinks, { ...at(target!), query: { limit: 1 } }))
        .next,
    ).toBeDefined();
  });

  it('of a file include pages that use it only as a cover, light or dark', async () => {
    const [id, file, dark] = idsOf(
      await desk.publish(
        text('From', '---\ndescription: About\ncover: pic.png\n---\n\nText', { git: { path: 'from.md' } }),
        image('pic.png'),
        image('dark.png'),
      ),
    );
    const backlinks = async (fileId: string) =>
      (
        await world
          .as('read')
          .call(spaceFiles.listFileBacklinks, { params: { spaceId: desk.spaceId, fileId } })
      ).items.map(({ page, href, line }) => ({ page, href, line }));
    expect(await backlinks(file!)).toEqual([{ page: id, href: 'pic.png', line: 3 }]);
    expect(await backlinks(dark!)).toEqual([]);
    const cover = { ref: { kind: 'file', file: dark } };
    await desk.publish({ operation: 'update_page', page: id!, cover } as never);
    expect([await backlinks(file!), await backlinks(dark!)]).toMatchObject([[], [{ page: id }]]);
  });

  it('include links by an address of the application if it names the space', async () => {
    const [target, other] = idsOf(await desk.publish(text('Target', ''), text('Other', '')));
    const app = (space: string, place: string) => `https://app.gitbook.com/s/${space}${place}`;
    const hrefs = [
      app(desk.spaceId, '/target#x'),
      app(desk.spaceId, `/${target}`),
      `/o/org_1/s/${desk.spaceId}/target`,
      app(desk.spaceId, ''),
      app(desk.spaceId, '/~/changes/1/target'),
      app('spc_other', '/target'),
    ];
    const from = idsOf(await desk.publish(...hrefs.map((href, at) => text(`From ${at}`, `[x](${href})`))));
    const backlinks = async (id: string) =>
      (await world.as('read').call(spacePages.listPageBacklinks, at(id))).items;
    expect((await backlinks(target!)).map(({ page, href }) => `${page} ${href}`).sort()).toEqual(
      [0, 1, 2].map((index) => `${from[index]} ${hrefs[index]}`).sort(),
    );
    expect(await backlinks(other!)).toEqual([]);
  });

  it('count for the page whose file has the name, before a page whose path has it', async () => {
    const [, file, path] = idsOf(
      await desk.publish(
        text('From', '[x](dup)', { git: { path: 'from.md' } }),
        text('File', '', { git: { path: 'dup.md' }, slug: 'other' }),
        text('Path', '', { slug: 'dup' }),
      ),
    );
    const count = async (id: string) =>
      (await world.as('read').call(spacePages.listPageBacklinks, at(id))).count;
    expect([await count(file!), await count(path!)]).toEqual([1, 0]);
    await desk.publish({ operation: 'delete_page', page: file! });
    expect(await count(path!)).toBe(1);
  });
});

describe('the cost of a merge', () => {
  it('is at most nine nodes of the index, regardless of the number of pages', async () => {
    const titles = Array.from({ length: 300 }, (_, index) => `page${index}`);
    const made = await desk.publish(
      ...titles.slice(0, 50).map((title) => text(title, '[x](page0.md) [y](nope.md)')),
    );
    for (let from = 50; from < titles.length; from += 50)
      await desk.publish(
        ...titles.slice(from, from + 50).map((title) => text(title, '[x](page0.md) [y](nope.md)')),
      );
    const { number } = await desk.createRequest();
    await desk.edit(number, [
      {
        operation: 'update_page',
        page: made.pages![7]!.id,
        document: { markdown: '\n[x](page0.md) [y](nope.md) [z](page9.md)' },
      },
    ]);
    const nodesOf = async () =>
      world.core.store.read(async (view) => {
        const row = (await view.get(revisions, (await desk.space()).revision))!;
        const found = Object.values(row.links!.roots);
        for (const id of found)
          found.push(...Object.values((await view.get(nodes, id))!.branches ?? {}).map(([node]) => node));
        return new Set(found);
      });
    const before = await nodesOf();
    await desk.merge(number);
    const changed = [...(await nodesOf())].filter((node) => !before.has(node));
    expect(changed.length).toBeLessThanOrEqual(9);
    expect(before.size).toBeGreaterThan(60);
    expect((await list({ limit: 1 })).stats).toEqual({ total: 601, broken: { total: 300 } });
  });
});
