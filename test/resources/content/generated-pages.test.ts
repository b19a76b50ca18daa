import { beforeEach, describe, expect, it } from 'vitest';
import { runDueJobs } from '../../../src/core/workers.ts';
import { createComment } from '../../../src/resources/comments/space/contract.ts';
import * as requestPages from '../../../src/resources/content/change-request-pages/contract.ts';
import * as pages from '../../../src/resources/content/space-pages/contract.ts';
import { createSpec, deleteSpec, replaceSpec } from '../../../src/resources/openapi/contract.ts';
import { findBrokenLinks } from '../../../src/resources/organizations/contract.ts';
import {
  downloadSpacePdf,
  duplicateSpace,
  listSpaceLinks,
  searchSpace,
} from '../../../src/resources/spaces/contract.ts';
import { inflatePdf, readPdf } from '../../pdf/read-pdf.ts';
import { searchOrganization } from '../../../src/resources/search/contract.ts';
import { newFolder, openShelf, type Shelf } from '../../content-sync/folder-support.ts';
import { createWorld, type World } from '../../support/world.ts';

const specification = (words: { tag?: string; summary?: string; text?: string; path?: string } = {}) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    tags: [{ name: words.tag ?? 'pet', description: words.text ?? 'See [start](README.md#gone).' }],
    paths: {
      [words.path ?? '/pets/{id}']: {
        get: {
          tags: [words.tag ?? 'pet'],
          parameters:
            words.path === undefined
              ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
              : [],
          summary: words.summary ?? 'Get a walrus',
          responses: { 200: { description: 'Pets' } },
        },
      },
    },
  });
const summary = `# Table of contents

* [Start](README.md)
* [API](api/README.md)
  * \`\`\`yaml
    type: builtin:openapi
    props: { models: false }
    dependencies: { spec: { ref: { kind: openapi, spec: pets } } }
    \`\`\`
`;
const start = `# Start

[path](api/pet) [file](api/pet.md) [heading](api/pet.md#get-a-walrus) [operation](api/pet.md#get-pets-id)
[lost](api/pet.md#nothing) [gone](api/cat.md)
`;

let world: World;
let shelf: Shelf;
let at: { spaceId: string };
beforeEach(async () => {
  world = await createWorld();
  await world.as('admin').call(createSpec, {
    params: { organizationId: world.org },
    body: { slug: 'pets', source: { text: specification() } },
  });
  await work();
  shelf = await openShelf(world);
  at = { spaceId: shelf.spaceId };
  await shelf.importFolder(
    newFolder({ 'SUMMARY.md': summary, 'README.md': start, 'api/README.md': '# API\n' }),
  );
}, 60_000);

const work = () => runDueJobs(world.core, { signal: new AbortController().signal });
const replace = async (words: Parameters<typeof specification>[0]) => {
  await world.as('admin').call(replaceSpec, {
    params: { organizationId: world.org, specSlug: 'pets' },
    body: { source: { text: specification(words) } },
  });
  await work();
};
const broken = async () =>
  (
    await world.as('read').call(listSpaceLinks, { params: at, query: { status: 'broken', anchors: true } })
  ).items
    .map(({ href }) => href)
    .sort();
const search = async (query: string) =>
  (await world.as('read').call(searchSpace, { params: at, query: { query } })).items;
const generatedPage = async (path = 'api/pet') =>
  world.as('read').call(pages.getPageByPath, { params: { ...at, pagePath: path } });

it('generated pages accept comments on the page and on its blocks', async () => {
  const { id } = await generatedPage();
  const call = (body: object) =>
    world.as('comment').call(createComment, { params: at, body: { body: { markdown: 'Why?' }, ...body } });
  expect((await call({ page: id })).target).toMatchObject({ page: { id } });
  expect((await call({ page: id, node: 'b1' })).target).toMatchObject({ node: { id: 'b1' } });
  await expect(call({ page: id, node: 'b999' })).rejects.toThrow('The page "Pet" has no block "b999".');
  await expect(call({ page: `${id}0` })).rejects.toThrow(`There is no page "${id}0" that you can see.`);
});

describe('links to generated pages', () => {
  it('lead to the paths, files, headings and operations of these pages', async () => {
    const { id } = await generatedPage();
    expect(await broken()).toEqual(['README.md#gone', 'api/cat.md', 'api/pet.md#nothing']);
    const { items, stats } = await world.as('read').call(listSpaceLinks, { params: at });
    expect(stats.total).toBe(7);
    expect(
      items.filter(({ targetReference }) => targetReference?.page === id).map(({ href }) => href),
    ).toEqual([
      'api/pet',
      'api/pet.md',
      'api/pet.md#get-a-walrus',
      'api/pet.md#get-pets-id',
      'api/pet.md#nothing',
    ]);
    expect(items.find(({ href }) => href === 'README.md#gone')?.source).toEqual({
      kind: 'page',
      id,
      title: 'Pet',
      path: 'api/pet',
    });
    const one = await world.as('read').call(pages.listPageLinks, { params: { ...at, pageId: id } });
    expect(one.items.map(({ href }) => href)).toEqual(['README.md#gone']);
    const back = await world.as('read').call(pages.listPageBacklinks, { params: { ...at, pageId: id } });
    expect(back.items).toMatchObject([{ href: 'api/pet', source: { title: 'Start' } }]);
  });

  it('are returned as references with page IDs, in a space and in a change request', async () => {
    const { id } = await generatedPage();
    const pageId = (await shelf.pages())[0]?.id ?? '';
    const query = { format: 'document' as const };
    const refs = JSON.stringify(
      (await world.as('read').call(pages.getPage, { params: { ...at, pageId }, query })).document,
    );
    expect(refs).toContain(`{"kind":"page","page":"${id}"}`);
    expect(refs).toContain(`{"kind":"anchor","anchor":"get-pets-id","page":"${id}"}`);
    const { number } = await shelf.createRequest();
    await shelf.edit(number, [
      { operation: 'insert_page', title: 'Own', document: { markdown: `[x](/pages/${id})\n` } },
    ]);
    const params = { ...shelf.at(number), pageId };
    const draft = await world.as('read').call(requestPages.getPage, { params, query });
    expect(JSON.stringify(draft.document)).toBe(refs);
    await shelf.merge(number, 'admin');
    expect(await broken()).toHaveLength(3);
  });

  it('are returned as references for links from another space by ID or by path', async () => {
    const { id } = await generatedPage();
    const other = await openShelf(world);
    const space = `https://app.gitbook.com/s/${shelf.spaceId}`;
    await other.publish({
      operation: 'insert_page',
      title: 'Own',
      document: {
        markdown: `[id](${space}/${id})\n\n[path](${space}/api/pet)\n\n[lost](${space}/api/cat)\n`,
      },
    });
    const { document } = await world.as('read').call(pages.getPage, {
      params: { spaceId: other.spaceId, pageId: (await other.pages())[0]?.id ?? '' },
      query: { format: 'document' },
    });
    const refs = JSON.stringify(document)
      .match(/(?<="ref":)\{[^}]*\}/g)
      ?.map((ref) => JSON.parse(ref));
    const found = { kind: 'page', page: id, space: shelf.spaceId };
    expect(refs).toEqual([found, found, { kind: 'url', url: `${space}/api/cat` }]);
  });

  it('are resolved again when the specification changes or is deleted', async () => {
    expect(await broken()).toHaveLength(3);
    await replace({ tag: 'cat', text: 'None' });
    expect(await broken()).toEqual([
      'api/pet',
      'api/pet.md',
      'api/pet.md#get-a-walrus',
      'api/pet.md#get-pets-id',
      'api/pet.md#nothing',
    ]);
    await replace({ summary: 'Get a seal', path: '/seals' });
    expect(await broken()).toEqual([
      'README.md#gone',
      'api/cat.md',
      'api/pet.md#get-a-walrus',
      'api/pet.md#get-pets-id',
      'api/pet.md#nothing',
    ]);
    await world.as('admin').call(deleteSpec, { params: { organizationId: world.org, specSlug: 'pets' } });
    expect(await broken()).toHaveLength(6);
  });

  it('break if the page above moves, which the broken links of a change request show before the merge', async () => {
    const api = (await shelf.pages()).find(({ title }) => title === 'API')?.id ?? '';
    const { id, number } = await shelf.createRequest();
    await shelf.edit(number, [{ operation: 'update_page', page: api, slug: 'reference' }]);
    const impact = await world.as('read').call(findBrokenLinks, {
      params: { organizationId: world.org },
      body: { spaces: [{ space: shelf.spaceId, changeRequest: id }] },
    });
    expect(impact.items.map(({ href, message }) => `${href}: ${message}`)).toContain(
      'api/pet: The page "Pet" moves to reference/pet.',
    );
    await shelf.merge(number, 'admin');
    expect(await broken()).toHaveLength(7);
    expect((await generatedPage('reference/pet')).title).toBe('Pet');
  });
});

describe('the search', () => {
  it('finds generated pages, and is updated with their specification', async () => {
    const { id } = await generatedPage();
    expect(await search('walrus')).toMatchObject([
      {
        id,
        title: 'Pet',
        path: 'api/pet',
        ancestors: [{ title: 'API' }],
        sections: [{ title: 'Get a walrus', path: 'api/pet#get-a-walrus' }],
      },
    ]);
    const everywhere = await world
      .as('read')
      .call(searchOrganization, { params: { organizationId: world.org }, query: { query: 'walrus' } });
    expect(everywhere.items).toMatchObject([{ id: shelf.spaceId, pages: [{ id }] }]);
    await replace({ summary: 'Get a seal' });
    expect(await search('walrus')).toEqual([]);
    expect(await search('seal')).toMatchObject([{ id }]);
    await world.as('admin').call(deleteSpec, { params: { organizationId: world.org, specSlug: 'pets' } });
    expect(await search('seal')).toEqual([]);
  });

  it('finds them in a copy of the space, but not after their source was deleted', async () => {
    const copy = await world.as('admin').call(duplicateSpace, { params: at });
    const { items } = await world
      .as('read')
      .call(searchSpace, { params: { spaceId: copy.id }, query: { query: 'walrus' } });
    expect(items).toMatchObject([{ title: 'Pet' }]);
    expect(await search('walrus')).toHaveLength(1);
    const { pages: found } = await world
      .as('read')
      .call(pages.listPages, { params: at, query: { computed: false } });
    const computed = found.flatMap((page) => page.pages ?? []).find(({ type }) => type === 'computed');
    await shelf.publish({ operation: 'delete_page', page: computed?.id ?? '' });
    expect(await search('walrus')).toEqual([]);
    expect(await broken()).toHaveLength(6);
  });
});

describe('two adjacent sources of one specification', () => {
  const twice = summary.replace(/(  \* ```yaml[^]*?```\n)/, '$1$1');
  const paths = async () => {
    const { pages: all } = await world.as('read').call(pages.listPages, { params: at });
    return all.flatMap((page) => page.pages ?? []).map(({ id, path }) => ({ id, path }));
  };
  beforeEach(async () => {
    await shelf.importFolder(
      newFolder({ 'SUMMARY.md': twice, 'README.md': start, 'api/README.md': '# API\n' }),
    );
  });

  it('have different paths, and the first keeps the path of a single source', async () => {
    const all = await paths();
    expect(all.map(({ path }) => path)).toEqual(['api/pet', 'api/pet-1']);
    expect(new Set(all.map(({ id }) => id)).size).toBe(2);
    for (const { id, path = '' } of all) {
      expect((await generatedPage(path)).id).toBe(id);
      expect((await world.as('read').call(pages.getPage, { params: { ...at, pageId: id } })).path).toBe(path);
    }
  });

  it('are distinguished by links and search results', async () => {
    const all = await paths();
    await shelf.publish({
      operation: 'insert_page',
      title: 'Own',
      document: { markdown: '[one](api/pet.md) [two](api/pet-1.md) [lost](api/pet-2.md)\n' },
    });
    const { items } = await world.as('read').call(listSpaceLinks, { params: at });
    const targets = items.filter(({ source }) => source?.title === 'Own');
    expect(targets.map(({ href, targetReference }) => [href, targetReference?.page])).toEqual([
      ['api/pet.md', all[0]?.id],
      ['api/pet-1.md', all[1]?.id],
      ['api/pet-2.md', undefined],
    ]);
    const found = (await search('walrus')).map(({ id, path }) => ({ id, path }));
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining(all));
  });

  it('lead to new paths when one of them is deleted', async () => {
    const { pages: stored } = await world
      .as('read')
      .call(pages.listPages, { params: at, query: { computed: false } });
    const below = stored.flatMap((page) => page.pages ?? []);
    await shelf.publish({
      operation: 'insert_page',
      title: 'Own',
      document: { markdown: '[two](api/pet-1.md)\n' },
    });
    const own = async () => (await broken()).includes('api/pet-1.md');
    expect(await own()).toBe(false);
    await shelf.publish({ operation: 'delete_page', page: below[0]?.id ?? '' });
    expect(await paths()).toMatchObject([{ path: 'api/pet' }]);
    expect(await own()).toBe(true);
    expect((await search('walrus')).map(({ path }) => path)).toEqual(['api/pet']);
  });

  it('get new paths when the specification of the first source changes', async () => {
    const other = { slug: 'others', source: { text: specification({ tag: 'dog', path: '/dogs' }) } };
    await world.as('admin').call(createSpec, { params: { organizationId: world.org }, body: other });
    await work();
    const mixed = twice.replace('spec: pets', 'spec: others');
    await shelf.importFolder(
      newFolder({ 'SUMMARY.md': mixed, 'README.md': start, 'api/README.md': '# API\n' }),
    );
    expect((await paths()).map(({ path }) => path)).toEqual(['api/dog', 'api/pet']);
    expect(await broken()).not.toContain('api/pet.md#get-pets-id');
    await world.as('admin').call(replaceSpec, {
      params: { organizationId: world.org, specSlug: 'others' },
      body: { source: { text: specification({ path: '/dogs', summary: 'Walk a dog' }) } },
    });
    await work();
    expect((await paths()).map(({ path }) => path)).toEqual(['api/pet', 'api/pet-1']);
    const { items } = await world.as('read').call(listSpaceLinks, { params: at });
    const first = (await paths())[0]?.id;
    expect(items.find(({ href }) => href === 'api/pet')?.targetReference?.page).toBe(first);
    expect(await broken()).toContain('api/pet.md#get-pets-id');
  });
});

describe('the PDF of a space', () => {
  const read = async (query: object = {}) => {
    const { bytes } = await world.as('read').call(downloadSpacePdf, { params: at, query });
    return readPdf(inflatePdf(bytes));
  };
  const download = async (query: object = {}) => (await read(query)).pages.join('\n');

  it('links to generated pages and operations, and from them, inside the file', async () => {
    const { pages: sheets, jumps, urls } = await read();
    const sheet = (text: string) => sheets.findIndex((one) => one.includes(text)) + 1;
    const [from, to] = [sheet('heading'), sheet('Get a walrus')];
    const inside = jumps.filter(([one]) => one === from).map(([, other]) => other);
    expect(inside).toEqual(Array.from({ length: 5 }, () => to));
    // The generated page is below the page API, whose file is README.md.
    expect(jumps.filter(([one]) => one === to)).toEqual([[to, to - 1]]);
    const isPage = (url: string): boolean => url.includes('/app/') || url.includes('/s/');
    expect(urls.filter(isPage)).toEqual([]);
    // In a PDF of one page, these links lead to the pages for members, like links to other pages.
    const [start] = await shelf.pages();
    const part = await read({ page: start?.id, only: true });
    expect(part.jumps).toEqual([]);
    expect(part.urls.map((url) => new URL(url).pathname.split('/').slice(-2).join('/'))).toEqual(
      Array.from({ length: 5 }, () => 'api/pet'),
    );
  });

  it('contains the pages that are generated from a specification, or a single one', async () => {
    const text = await download();
    expect(text.indexOf('Get a walrus')).toBeGreaterThan(text.indexOf('API'));
    const { id } = await generatedPage();
    const one = await download({ page: id });
    expect([one.includes('Get a walrus'), one.includes('heading')]).toEqual([true, false]);
    await expect(download({ page: `${id.slice(0, -1)}x` })).rejects.toMatchObject({ reason: 'not-found' });
    const [start] = await shelf.pages();
    expect(await download({ page: start?.id })).not.toContain('Get a walrus');
  });
});
