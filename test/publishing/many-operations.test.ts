import { beforeAll, beforeEach, expect, it } from 'vitest';
import { openSpecification } from '../../src/content/generated/open-specification.ts';
import { runDueJobs } from '../../src/core/workers.ts';
import { createSpec } from '../../src/resources/openapi/contract.ts';
import { getPage, listPages } from '../../src/resources/content/space-pages/contract.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

/** How often operations were grouped by their tags, and how often the text of an operation was written. */
const counts = { grouped: 0, written: 0 };
const operations = 40;
let site: PublishedSite;

beforeAll(async () => {
  site = await publishedSite([{ title: 'Welcome', text: 'Hello.' }]);
  const paths = Object.fromEntries(
    Array.from({ length: operations }, (_, number) => [
      `/things/${number}`,
      { get: { tags: [`tag${number % 4}`], summary: 'Get', responses: { 200: { description: 'ok' } } } },
    ]),
  );
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Big', version: '1' }, paths });
  const params = { organizationId: site.world.org };
  await site.call(createSpec, params, { body: { slug: 'big', source: { text } } });
  await runDueJobs(site.world.core, { signal: new AbortController().signal });
  // It is cached, so these are the objects that pages are made of.
  const opened = await site.core.store.read((view) => openSpecification(view, site.world.org, 'big'));
  for (const item of Object.values(
    opened!.root['paths'] as Record<string, { get: { tags: string[]; responses: object } }>,
  )) {
    const { tags, responses } = item.get;
    Object.defineProperties(item.get, {
      tags: { get: () => (counts.grouped++, tags), enumerable: true },
      responses: { get: () => (counts.written++, responses), enumerable: true },
    });
  }
  const computed = {
    type: 'builtin:openapi',
    props: { models: false, grouping: 'by-operation' },
    dependencies: { spec: { ref: { kind: 'openapi', spec: 'big' } } },
  };
  await site.change(site.spaceId, [
    { operation: 'insert_page', title: 'Reference', type: 'computed', computed, document: {} },
  ]);
});

beforeEach(() => void Object.assign(counts, { grouped: 0, written: 0 }));

it('the full text of a site reads a specification once, and writes each operation once', async () => {
  const { body } = await site.visit('llms-full.txt');
  for (const number of [0, operations - 1]) expect(body).toContain(`\`GET /things/${number}\``);
  expect(body.match(/^# Get$/gm)).toHaveLength(operations);
  expect(counts.grouped).toBeLessThan(3 * operations);
  expect(counts.written).toBe(operations);
});

it('reading a page of an API writes only its own text and that of the pages below it', async () => {
  const { byId } = await pagesOf();
  const read = async (pageId: string) => {
    counts.written = 0;
    const page = await site.call(
      getPage,
      { spaceId: site.spaceId, pageId },
      { query: { format: 'markdown' } },
    );
    return [page.path, page.pages?.length, counts.written];
  };
  expect(await read(byId('tag1/get-3'))).toEqual(['tag1/get-3', 0, 1]);
  expect(await read(byId('tag1'))).toEqual(['tag1', operations / 4, operations / 4]);
});

/** Finds the IDs of pages by their paths. */
async function pagesOf() {
  const { pages } = await site.call(listPages, { spaceId: site.spaceId });
  const all = pages.flatMap((page) => [page, ...(page.pages ?? [])]);
  return { byId: (path: string) => all.find((page) => page.path === path)!.id };
}
