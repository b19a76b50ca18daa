import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../src/contract/check.ts';
import type { InputOf } from '../../../src/contract/operation.ts';
import { findBrokenLinks } from '../../../src/resources/organizations/contract.ts';
import { listFiles } from '../../../src/resources/content/space-files/contract.ts';
import { addSection } from '../../../src/resources/site-sections/contract.ts';
import { listSiteSpaces } from '../../../src/resources/site-spaces/contract.ts';
import { upsertSiteRedirects } from '../../../src/resources/site-redirects/contract.ts';
import {
  createSite,
  getSite,
  listSites,
  publishSite,
  unpublishSite,
} from '../../../src/resources/sites/contract.ts';
import { updateSpace } from '../../../src/resources/spaces/contract.ts';
import type { ContentChange } from '../../../src/content/changes.ts';
import { createWorld, type Who, type World } from '../../support/world.ts';
import { openDesk, page, reason, type Desk } from '../content-support.ts';

let world: World;
let guide: Desk;
let api: Desk;
beforeEach(async () => {
  world = await createWorld();
  [guide, api] = [await openDesk(world), await openDesk(world)];
  await world.as('admin').call(updateSpace, { params: { spaceId: api.spaceId }, body: { title: 'API' } });
});

const at = (path: string, markdown: string, more: object = {}): ContentChange =>
  page(path, { document: { markdown }, git: { path }, ref: path, ...more });
type Planned = NonNullable<InputOf<typeof findBrokenLinks>['body']>['spaces'];
const find = (spaces: Planned, who: Who = 'read', query: object = {}) =>
  world.as(who).call(findBrokenLinks, { params: { organizationId: world.org }, query, body: { spaces } });
const report = async (...changes: ContentChange[]) => {
  const { items } = await find([{ space: guide.spaceId, changes }]);
  return items.map(
    ({ space, source, line, href, reason: why, message }) =>
      `${space.title}:${source.file ?? source.path}:${line} ${href} ${why}: ${message}`,
  );
};
const idOf = async (title: string) => (await guide.pages()).find((each) => each.title === title)!.id;

const publish = async () => {
  const params = { organizationId: world.org };
  const as = world.as('admin');
  const { id: siteId } = await as.call(createSite, {
    params,
    body: { title: 'Docs', visibility: 'public', spaces: [guide.spaceId] },
  });
  const at = { ...params, siteId };
  const section = await as.call(addSection, {
    params: at,
    body: { spaceId: api.spaceId, title: 'Reference' },
  });
  await as.call(publishSite, { params: at });
  const { urls } = await as.call(getSite, { params: at });
  return { section, address: urls.published! };
};

describe('the links that changes would break', () => {
  it('include links to published sites', async () => {
    await guide.publish(at('b.md', '# B\n\n## Steps\n', { slug: 'b' }));
    await api.publish(at('x.md', '# X\n', { slug: 'x' }));
    const { section, address } = await publish();
    const hrefs = [`${address}b#steps`, `${address}reference/x/`, `${address}reference`, `${address}none`];
    await guide.publish(at('links.md', hrefs.map((href) => `[x](${href.replace('http:', '')})`).join('\n')));
    const short = async (planned: Planned, structure?: { id: string; path?: string; deleted?: true }[]) =>
      (
        await world.as('read').call(findBrokenLinks, {
          params: { organizationId: world.org },
          body: { spaces: planned, ...(structure === undefined ? {} : { structure }) },
        })
      ).items.map(({ line, reason: why, message }) => `${line} ${why}: ${message}`);
    const b = await idOf('b.md');
    expect(
      await short([{ space: guide.spaceId, changes: [{ operation: 'update_page', page: b, slug: 'c' }] }]),
    ).toEqual(['1 target-moved: The page "b.md" moves to c.']);
    expect(
      await short([
        {
          space: guide.spaceId,
          changes: [{ operation: 'update_page', page: b, document: { markdown: '# B\n' } }],
        },
      ]),
    ).toEqual(['1 anchor-removed: The page "b.md" no longer has the anchor #steps.']);
    const gone = [
      '2 target-moved: The page "x.md" is no longer published at this address.',
      '3 target-moved: The space "API" is no longer published at this address.',
    ];
    expect(await short([], [{ id: section.id, deleted: true }])).toEqual(gone);
    expect(await short([], [{ id: section.id, path: 'api' }])).toEqual(gone);
    expect(await short([], [{ id: section.id, path: 'reference' }])).toEqual([]);
    expect(await short([{ space: api.spaceId, deleted: true }])).toEqual([
      '2 target-deleted: The space "API" is deleted.',
      '3 target-deleted: The space "API" is deleted.',
    ]);
  });

  it('include redirects whose destination is deleted, on published and unpublished sites', async () => {
    await guide.publish(at('b.md', '# B\n', { slug: 'b' }));
    await api.publish(at('x.md', '# X\n', { slug: 'x' }));
    const { section } = await publish();
    const organizationId = world.org;
    const as = world.as('admin');
    const { id: siteId } = (await as.call(listSites, { params: { organizationId } })).items[0]!;
    const site = { organizationId, siteId };
    const shown = async (spaceId: string) =>
      (await as.call(listSiteSpaces, { params: site })).items.find(({ space }) => space.id === spaceId)!.id;
    const [x, b] = [(await api.pages())[0]!.id, await idOf('b.md')];
    const sources: Record<string, object> = {
      '/section': { kind: 'site-section', siteSectionId: section.id },
      '/space': { kind: 'site-space', siteSpaceId: await shown(api.spaceId) },
      '/x': { kind: 'site-page', siteSpaceId: await shown(api.spaceId), pageId: x },
      '/b': { kind: 'site-page', siteSpaceId: await shown(guide.spaceId), pageId: b },
      '/out': { kind: 'external', url: 'https://example.com' },
    };
    const drafts = ['/section', '/b'].map((source) => ({
      source,
      destination: sources[source],
      intent: 'draft',
    }));
    const redirects = Object.entries(sources).map(([source, destination]) => ({ source, destination }));
    await as.call(upsertSiteRedirects, {
      params: site,
      body: { redirects: [...redirects.map((one) => ({ ...one, intent: 'live' })), ...drafts] as never },
    });
    const broken = async (spaces: Planned, structure?: { id: string; path?: string; deleted?: true }[]) => {
      const { brokenRedirects = [] } = await world.as('read').call(findBrokenLinks, {
        params: { organizationId },
        body: { spaces, ...(structure === undefined ? {} : { structure }) },
      });
      return brokenRedirects.map(
        ({ source, draft, message }) => `${source}${draft ? ' draft' : ''}: ${message}`,
      );
    };
    const noSection = [
      '/section: The section "Reference" is deleted.',
      '/section draft: The section "Reference" is deleted.',
      '/space: The site no longer shows the space "API".',
      '/x: The site no longer shows the space "API".',
    ];
    expect((await broken([], [{ id: section.id, deleted: true }])).sort()).toEqual(noSection.sort());
    // The section is removed with the only space in it.
    expect((await broken([{ space: api.spaceId, deleted: true }])).sort()).toEqual(noSection);
    expect(await broken([], [{ id: section.id, path: 'api' }])).toEqual([]);
    // Redirects are deleted with their site.
    expect(await broken([], [{ id: siteId, deleted: true }])).toEqual([]);
    const deletion = [{ space: guide.spaceId, changes: [{ operation: 'delete_page' as const, page: b }] }];
    const noPage = [
      '/b: The page "b" of the space "Guide" is deleted.',
      '/b draft: The page "b" of the space "Guide" is deleted.',
    ];
    expect((await broken(deletion)).sort()).toEqual(noPage.sort());
    await as.call(unpublishSite, { params: site });
    expect((await broken(deletion)).sort()).toEqual(noPage);
    // A redirect that is already broken is not listed.
    await guide.publish({ operation: 'delete_page', page: b });
    expect(await broken([{ space: api.spaceId, deleted: true }])).toHaveLength(noSection.length);
  });

  it('are listed with their position, target and reason', async () => {
    await guide.publish(
      at('a.md', '# A\n\n[b](b.md#steps) ![l](logo.png)\n[old](gone.md)\n'),
      at('b.md', '# B\n\n## Steps\n\n[a](a.md)\n'),
      {
        operation: 'insert_files',
        files: [
          { name: 'logo.png', contentType: 'image/png', base64: 'AAAA', git: { path: 'logo.png' }, ref: 'f' },
        ],
      },
    );
    const [a, b] = [await idOf('a.md'), await idOf('b.md')];
    expect(await report({ operation: 'delete_page', page: b })).toEqual([
      'Guide:a.md:3 b.md#steps target-deleted: The page "b.md" is deleted.',
    ]);
    const { items: files } = await world.as('read').call(listFiles, { params: { spaceId: guide.spaceId } });
    expect(await report({ operation: 'delete_files', files: files.map(({ id }) => id) })).toEqual([
      'Guide:a.md:3 logo.png target-deleted: The file logo.png is deleted.',
    ]);
    expect(
      await report({
        operation: 'update_page',
        page: b,
        git: { path: 'in/c.md' },
        document: { markdown: '# B\n\n## Steps\n' },
      }),
    ).toEqual(['Guide:a.md:3 b.md#steps target-moved: The page "b.md" moves to in/c.md.']);
    expect(await report({ operation: 'update_page', page: b, document: { markdown: '# B\n' } })).toEqual([
      'Guide:a.md:3 b.md#steps anchor-removed: The page "b.md" no longer has the anchor #steps.',
    ]);
    expect(
      await report({
        operation: 'update_page',
        page: a,
        git: { path: 'x/a.md' },
        document: { markdown: '[b](b.md#steps)\n' },
      }),
    ).toEqual([
      'Guide:b.md:5 a.md target-moved: The page "a.md" moves to x/a.md.',
      'Guide:x/a.md:1 b.md#steps source-moved: The page with the link moves, so its relative address no longer leads to the page "b.md".',
    ]);
    expect(await report(at('c.md', '[x](none.md) [y](b.md#none)\n'))).toEqual([
      'Guide:c.md:1 none.md target-missing: No page or file has this address.',
      'Guide:c.md:1 b.md#none anchor-missing: The page "b.md" has no anchor #none.',
    ]);
  });

  it('include links from other spaces', async () => {
    await guide.publish(
      at('b.md', '# B\n\n## Steps\n', { slug: 'b' }),
      at('self.md', `[b](/o/x/s/${guide.spaceId}/b)\n`),
    );
    await api.publish(
      at(
        'x.md',
        [
          `/o/${world.org}/s/${guide.spaceId}/b#steps`,
          `https://app.gitbook.com/s/${guide.spaceId}`,
          '/o/x/s/spc_unknown/b',
        ]
          .map((href) => `[x](${href})`)
          .join('\n'),
      ),
    );
    const b = await idOf('b.md');
    expect(await report({ operation: 'update_page', page: b, document: { markdown: '# B\n' } })).toEqual([
      `API:x.md:1 /o/org_acme/s/${guide.spaceId}/b#steps anchor-removed: The page "b.md" no longer has the anchor #steps.`,
    ]);
    expect(
      (await report({ operation: 'update_page', page: b, slug: 'c' })).map((line) =>
        line.replace(guide.spaceId, 'S'),
      ),
    ).toEqual([
      'API:x.md:1 /o/org_acme/s/S/b#steps target-moved: The page "b.md" moves to c.',
      'Guide:self.md:1 /o/x/s/S/b target-moved: The page "b.md" moves to c.',
    ]);
    const { items } = await find([{ space: guide.spaceId, deleted: true }]);
    expect(items.map(({ source, line, message }) => [source.file, line, message])).toEqual([
      ['x.md', 1, 'The space "Guide" is deleted.'],
      ['x.md', 2, 'The space "Guide" is deleted.'],
    ]);
    // The page and the link to it are deleted by the same changes.
    const x = (await api.pages())[0]!.id;
    const both = await find([
      {
        space: guide.spaceId,
        changes: [
          { operation: 'delete_page', page: b },
          { operation: 'delete_page', page: await idOf('self.md') },
        ],
      },
      {
        space: api.spaceId,
        changes: [{ operation: 'update_page', page: x, document: { markdown: 'none' } }],
      },
    ]);
    expect(both.items).toEqual([]);
  });

  it('of a change request are those that its merge would break', async () => {
    await guide.publish(at('a.md', '[b](b.md)\n'), at('b.md', '# B\n'));
    const b = await idOf('b.md');
    const { id, number } = await guide.createRequest();
    await guide.edit(number, [{ operation: 'delete_page', page: b }]);
    // Meanwhile, the space loses its link and gets another one.
    await guide.publish(
      { operation: 'update_page', page: await idOf('a.md'), document: { markdown: 'none\n' } },
      at('c.md', '\n[b](b.md)\n'),
    );
    const { items } = await find([{ space: guide.spaceId, changeRequest: id }]);
    expect(items.map(({ source, line, reason: why }) => [source.file, line, why])).toEqual([
      ['c.md', 2, 'target-deleted'],
    ]);
    await guide.merge(number);
    expect((await find([{ space: guide.spaceId, changeRequest: id }])).items).toEqual([]);
  });

  it('are listed in pages and match their schema, without changing the space', async () => {
    await guide.publish(at('a.md', '[b](b.md)\n[b](b.md)\n[b](b.md)\n[no](no.md)\n'), at('b.md', '# B\n'));
    const before = await guide.space();
    const spaces: Planned = [
      { space: guide.spaceId, changes: [{ operation: 'delete_page', page: await idOf('b.md') }] },
    ];
    const first = await find(spaces, 'read', { limit: 2 });
    expect([first.count, first.brokenNew, first.brokenBefore, first.items.length]).toEqual([3, 0, 1, 2]);
    const rest = await find(spaces, 'read', { limit: 2, page: first.next!.page });
    expect([rest.items.map(({ line }) => line), rest.next]).toEqual([[3], undefined]);
    expect(violationsOf(findBrokenLinks.returns.schema, first, '')).toEqual([]);
    expect(await guide.space()).toEqual(before);
  });

  it('are refused for unreadable spaces, invalid changes and unknown pages', async () => {
    const other = await createWorld();
    expect(await reason(find([{ space: 'spc_none' }]))).toBe('not-found');
    expect(await reason(find([{ space: guide.spaceId }], 'outsider'))).toBe('not-found');
    expect(await reason(find([{ space: guide.spaceId }], 'guest'))).toBe('forbidden');
    expect(await reason(find([{ space: guide.spaceId, changeRequest: 'cr_none' }]))).toBe('not-found');
    expect(await reason(find([{ space: guide.spaceId }, { space: guide.spaceId, deleted: true }]))).toBe(
      'invalid-input',
    );
    const { revision } = await api.space();
    expect(await reason(find([{ space: guide.spaceId, since: revision }]))).toBe('not-found');
    expect(
      await reason(
        find([{ space: guide.spaceId, changes: [{ operation: 'delete_page', page: 'pag_none' }] }]),
      ),
    ).toBe('not-found');
    expect(other.org).toBe(world.org);
  });
});
