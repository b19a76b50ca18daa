import { beforeAll, describe, expect, it } from 'vitest';
import type { RichDocumentValue } from '../../../src/contract/shapes.ts';
import { runDueJobs } from '../../../src/core/workers.ts';
import * as ofRequest from '../../../src/resources/content/change-request-reusable-contents/contract.ts';
import * as pagesOfRevision from '../../../src/resources/content/revision-pages/contract.ts';
import * as ofRevision from '../../../src/resources/content/revision-reusable-contents/contract.ts';
import * as content from '../../../src/resources/content/space/contract.ts';
import { getPage } from '../../../src/resources/content/space-pages/contract.ts';
import * as ofSpace from '../../../src/resources/content/space-reusable-contents/contract.ts';
import { createSpec } from '../../../src/resources/openapi/contract.ts';
import { createWorld, type World } from '../../support/world.ts';
import { newFolder, openShelf, type Shelf } from '../../content-sync/folder-support.ts';
import { openDesk, reason } from '../content-support.ts';

const files = {
  'SUMMARY.md': '# Table of contents\n\n* [Start](README.md)\n* [Other](guides/other.md)\n',
  'README.md': '# Start\n\n{% include ".gitbook/includes/support.md" %}\n',
  'guides/other.md': '# Other\n',
  '.gitbook/includes/support.md':
    '---\ntitle: Support\n---\n\nSee [the guide](../../guides/other.md) for <code class="expression">space.vars.name</code>.\n',
  '.gitbook/includes/void.md': '',
  '.gitbook/vars.yaml': 'name: Acme\n',
};

let world: World;
let shelf: Shelf;
let at: { spaceId: string };
let id: string;
beforeAll(async () => {
  world = await createWorld();
  shelf = await openShelf(world);
  at = { spaceId: shelf.spaceId };
  await shelf.importFolder(newFolder(files));
  const { items } = await list();
  id = items.find(({ title }) => title === 'Support')?.id ?? '';
}, 60_000);

const list = (who: 'read' | 'outsider' = 'read') =>
  world.as(who).call(ofSpace.listReusableContents, { params: at });
const get = (reusableContentId: string) =>
  world.as('read').call(ofSpace.getReusableContent, { params: { ...at, reusableContentId } });
const documentOf = (documentId: string, who: 'read' | 'outsider' = 'read') =>
  world.as(who).call(content.getDocument, { params: { ...at, documentId } });
const page = async (path: string, query: object = {}) => {
  const pageId = (await shelf.pages()).find(({ title }) => title === path)?.id ?? '';
  return world.as('read').call(getPage, { params: { ...at, pageId }, query });
};

describe('reusable contents', () => {
  it('are listed, and can be read by the ID in a document', async () => {
    const { count, items } = await list();
    expect(count).toBe(2);
    expect(items.map(({ title }) => title).sort()).toEqual(['Support', 'Void']);
    const { document } = await page('Start', { format: 'document' });
    expect(JSON.stringify(document)).toContain(`{"kind":"reusable-content","reusableContent":"${id}"}`);
    expect(await get(id)).toMatchObject({
      id,
      title: 'Support',
      git: { path: '.gitbook/includes/support.md' },
    });
  });

  it('have a document unless they are empty', async () => {
    const { items } = await list();
    const empty = items.find(({ title }) => title === 'Void');
    expect(empty).not.toHaveProperty('document');
    const { document = '' } = await get(id);
    const other = (await page('Other')).id;
    expect(await documentOf(document)).toEqual({
      object: 'document',
      data: { schemaVersion: 2 },
      nodes: [expect.objectContaining({ type: 'paragraph' })],
    });
    const text = JSON.stringify(await documentOf(document));
    expect(text).toContain(`{"kind":"page","page":"${other}"}`);
    expect(text).not.toContain('title: Support');
    expect(text).toContain('"expression":"space.vars.name"');
  });

  it('keep the document of an old document ID when they change, and get a new ID', async () => {
    const { revision } = await shelf.space();
    const before = await get(id);
    await shelf.publish({
      operation: 'put_text',
      role: 'include',
      title: 'Support',
      git: { path: '.gitbook/includes/support.md' },
      text: 'New text\n',
    });
    const after = await get(id);
    expect(after.document).not.toBe(before.document);
    expect(JSON.stringify(await documentOf(after.document ?? ''))).toContain('New text');
    expect(JSON.stringify(await documentOf(before.document ?? ''))).not.toContain('New text');
    const params = { ...at, revisionId: revision, reusableContentId: id };
    expect(await world.as('read').call(ofRevision.getReusableContent, { params })).toEqual(before);
    const evaluated = (query: object): Promise<RichDocumentValue> =>
      world.as('read').call(ofRevision.getReusableContentDocument, { params, query });
    expect(await evaluated({})).toEqual(await documentOf(before.document ?? ''));
    expect(JSON.stringify(await evaluated({ evaluated: 'true' }))).toContain('"text":"Acme"');
  });

  it('of a change request include its edits', async () => {
    const { number } = await shelf.createRequest();
    await shelf.edit(number, [
      {
        operation: 'put_text',
        role: 'include',
        title: 'Draft',
        git: { path: '.gitbook/includes/draft.md' },
        text: 'x',
      },
    ]);
    const params = shelf.at(number);
    const { items } = await world.as('read').call(ofRequest.listReusableContents, { params });
    const draft = items.find(({ title }) => title === 'Draft')?.id ?? '';
    expect(
      await world
        .as('read')
        .call(ofRequest.getReusableContent, { params: { ...params, reusableContentId: draft } }),
    ).toMatchObject({ title: 'Draft' });
    expect(await reason(get(draft))).toBe('not-found');
  });

  it('can be included by an address of their own space, with the edits of the change request', async () => {
    const { number } = await shelf.createRequest();
    await shelf.edit(number, [
      {
        operation: 'insert_page',
        title: 'By address',
        document: { markdown: `{% include "https://app.gitbook.com/s/${at.spaceId}/~/reusable/${id}/" %}\n` },
      },
      {
        operation: 'put_text',
        role: 'include',
        git: { path: '.gitbook/includes/support.md' },
        text: 'In the draft\n',
      },
    ]);
    await shelf.merge(number, 'admin');
    expect((await page('By address', { dereferenced: 'reusable-contents' })).markdown).toBe('In the draft\n');
    const { document } = await page('By address', { format: 'document' });
    expect(document?.nodes[0]?.data).toEqual({ ref: { kind: 'reusable-content', reusableContent: id } });
  });

  it('are included in each other up to eight levels deep', async () => {
    const reader = await createWorld();
    const own = await openShelf(reader);
    const names = Array.from({ length: 10 }, (_, index) => `n${index}`);
    const texts = names.map((name, index) => [
      `.gitbook/includes/${name}.md`,
      `${name}\n\n{% include "n${index + 1}.md" %}\n`,
    ]);
    const readme = { 'README.md': '# Start\n\n{% include ".gitbook/includes/n0.md" %}\n' };
    await own.importFolder(newFolder({ ...readme, ...Object.fromEntries(texts) }));
    const [start] = await own.pages();
    const params = { spaceId: own.spaceId, pageId: start?.id ?? '' };
    const query = { dereferenced: 'reusable-contents' } as const;
    const { markdown = '' } = await reader.as('read').call(getPage, { params, query });
    expect(markdown.match(/^n\d$/gm)).toEqual(names.slice(0, 8));
    expect(markdown.match(/\{% include .*/g)).toEqual([expect.stringMatching(/n8\.md" %\}$/)]);
  });

  it('are not found by members of other organizations or by IDs of other texts', async () => {
    expect(await reason(list('outsider'))).toBe('not-found');
    const { document = '' } = await get(id);
    expect(await reason(documentOf(document, 'outsider'))).toBe('not-found');
    const other = await openDesk(world);
    const elsewhere = world
      .as('read')
      .call(content.getDocument, { params: { spaceId: other.spaceId, documentId: document } });
    expect(await reason(elsewhere)).toBe('not-found');
    const { texts } = await world.as('read').call(content.listTexts, { params: at });
    const summary = texts.find(({ role }) => role === 'summary')?.id ?? '';
    expect(await reason(get(summary))).toBe('not-found');
    expect(await reason(documentOf(document.replace(/txt_\w+$/, summary)))).toBe('not-found');
    for (const wrong of ['rev_1', 'x', document.slice(0, -1), (await page('Other')).id])
      expect(await reason(documentOf(wrong))).toBe('not-found');
  });
});

describe('the document of a page', () => {
  it('can be read by its ID and by the page of a revision', async () => {
    const { revision } = await shelf.space();
    const { id: pageId, documentId = '' } = await page('Start');
    const { document } = await page('Start', { format: 'document' });
    expect(await documentOf(documentId)).toEqual(document);
    const params = { ...at, revisionId: revision, pageId };
    expect(await world.as('read').call(pagesOfRevision.getPageDocument, { params })).toEqual(document);
    const expanded = await world
      .as('read')
      .call(pagesOfRevision.getPageDocument, { params, query: { dereferenced: 'reusable-contents' } });
    expect(JSON.stringify(expanded)).toContain('In the draft');
  });

  it('is refused for a group and a link', async () => {
    await shelf.publish({
      operation: 'insert_page',
      type: 'link',
      title: 'Out',
      href: 'https://example.com',
      document: {},
    });
    const out = (await shelf.pages()).find(({ title }) => title === 'Out');
    const params = { ...at, revisionId: (await shelf.space()).revision, pageId: out?.id ?? '' };
    expect(await reason(world.as('read').call(pagesOfRevision.getPageDocument, { params }))).toBe(
      'not-found',
    );
  });
});

describe('computed content', () => {
  const dependencies = { spec: { ref: { kind: 'openapi' as const, spec: 'pets' } } };
  const compute = (
    props: { models: boolean; grouping?: 'by-tag' | 'by-operation' },
    seed = 'seed',
    spec = 'pets',
  ) =>
    world.as('read').call(content.computeRevision, {
      params: at,
      body: {
        source: {
          type: 'builtin:openapi',
          props,
          dependencies: { spec: { ref: { kind: 'openapi', spec } } },
        },
        seed,
      },
    });
  beforeAll(async () => {
    const text = `openapi: 3.1.0
info: { title: Pets, version: "1", description: "# Start\\n\\nHello" }
paths: { /pets: { get: { tags: [pet], summary: List pets, responses: { 200: { description: Pets } } } } }
components: { schemas: { Pet: { type: object } } }
`;
    await world
      .as('admin')
      .call(createSpec, { params: { organizationId: world.org }, body: { slug: 'pets', source: { text } } });
    await runDueJobs(world.core, { signal: new AbortController().signal });
  });

  it('returns the pages of a specification without changing the space', async () => {
    const before = await shelf.space();
    const { pages, files: none, reusableContents } = await compute({ models: true });
    expect([none, reusableContents]).toEqual([[], []]);
    expect(pages.map(({ title }) => title)).toEqual(['Start', 'Pet', 'Models']);
    expect(pages[1]?.markdown).toContain('## List pets');
    expect((await compute({ models: true })).pages).toEqual(pages);
    const otherIds = (await compute({ models: true }, 'other')).pages.map((each) => each.id);
    expect(otherIds.filter((each) => pages.some(({ id: own }) => own === each))).toEqual([]);
    expect(await shelf.space()).toEqual(before);
    expect(await reason(compute({ models: true }, 'seed', 'cats'))).toBe('not-found');
  });

  it('returns the document of each part', async () => {
    const computeOne = (props: object) =>
      world.as('read').call(content.computeDocument, {
        params: at,
        body: { source: { type: 'builtin:openapi', props: props as never, dependencies }, seed: 'seed' },
      });
    const { pages } = await compute({ models: true, grouping: 'by-operation' });
    const all = pages.flatMap((each) => [each, ...(each.pages ?? [])]);
    expect(all.map(({ computed }) => computed?.props)).toMatchObject([
      { doc: 'info' },
      { doc: 'tag' },
      { doc: 'operation' },
      { doc: 'models' },
    ]);
    for (const { computed } of all) {
      const document = await computeOne(computed?.props ?? {});
      expect(document.nodes.length).toBeGreaterThan(0);
    }
    expect(JSON.stringify(await computeOne({ doc: 'operations', page: 'pet' }))).toContain('List pets');
    expect(await reason(computeOne({ doc: 'operation', page: '/pets', method: 'put' }))).toBe('not-found');
  });
});
