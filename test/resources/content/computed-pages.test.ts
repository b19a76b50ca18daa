import { beforeAll, describe, expect, it } from 'vitest';
import { runDueJobs } from '../../../src/core/workers.ts';
import { createSpec } from '../../../src/resources/openapi/contract.ts';
import type { PageBody } from '../../../src/resources/content/schemas.ts';
import { getContent } from '../../../src/resources/content/space/contract.ts';
import { getPage, getPageByPath, listPages } from '../../../src/resources/content/space-pages/contract.ts';
import { newFolder, openShelf, type Shelf } from '../../content-sync/folder-support.ts';
import { outline, reason } from '../content-support.ts';
import { createWorld, type World } from '../../support/world.ts';

const specification = `openapi: 3.1.0
info:
  title: Shop
  version: "1"
  description: |
    # Getting started

    Use a key.

    \`\`\`
    # not a heading
    \`\`\`

    ## Limits

    Ten a second.
security: [{ key: [] }]
tags:
  - { name: stock, x-page-title: Our stock, x-page-icon: box, x-page-description: What we have, description: All of it. }
  - { name: stock-items, x-parent: stock }
  - { name: secret, x-internal: true }
  - { name: empty }
paths:
  /items/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string }, description: Of the item }
    get:
      summary: Get an item
      tags: [other, stock-items]
      parameters:
        - { name: full, in: query, schema: { type: boolean } }
      responses:
        200:
          description: The item
          content: { application/json: { schema: { $ref: '#/components/schemas/Item' }, example: { name: "A|b" } } }
    delete:
      summary: Delete an item
      deprecated: true
      tags: [stock-items]
      responses: { 204: { description: Gone } }
    patch: { tags: [secret], responses: { 200: { description: hidden } } }
  /ping:
    get: { operationId: ping, responses: { 200: { description: pong } } }
  /new:
    post:
      tags: [undeclared_tag]
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } }
      responses: { 201: { description: Made } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    Item: { type: object, required: [name], properties: { name: { type: string, description: Its name }, parts: { type: array, items: { $ref: '#/components/schemas/Item' } } } }
`;
const summary = `# Table of contents

* [Start](README.md)
* \`\`\`yaml
  props:
    models: true
    downloadLink: true
  type: builtin:openapi
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: shop
  \`\`\`
* [Limits](limits.md)

## Other

* [Group](group.md)
  * \`\`\`yaml
    type: builtin:openapi
    props: { models: false, grouping: by-operation }
    dependencies: { spec: { ref: { kind: openapi, spec: shop } } }
    \`\`\`
  * \`\`\`yaml
    type: builtin:openapi
    props: { models: false }
    dependencies: { spec: { ref: { kind: openapi, spec: none } } }
    \`\`\`
`;
const files = {
  'SUMMARY.md': summary,
  'README.md': '# Start\n',
  'limits.md': '# Limits\n',
  'group.md': '# Group\n',
};

let world: World;
let shelf: Shelf;
let dir: string;
beforeAll(async () => {
  world = await createWorld();
  await world.as('admin').call(createSpec, {
    params: { organizationId: world.org },
    body: { slug: 'shop', source: { text: specification } },
  });
  await runDueJobs(world.core, { signal: new AbortController().signal });
  shelf = await openShelf(world);
  dir = newFolder(files);
  await shelf.importFolder(dir);
}, 60_000);

const read = (query: object = {}) =>
  world.as('read').call(getContent, { params: { spaceId: shelf.spaceId }, query });
const find = (pages: readonly PageBody[] = [], path: string): PageBody | undefined =>
  pages.flatMap((page) => [page, find(page.pages, path) ?? []].flat()).find((page) => page.path === path);

describe('a table of contents with computed pages', () => {
  it('is imported and exported byte for byte, and importing it again changes nothing', async () => {
    expect((await shelf.exportFiles())['SUMMARY.md']).toBe(summary);
    expect(await shelf.plan(dir)).toEqual({ pages: [], texts: [], files: [], deletedFiles: [] });
  });

  it('returns pages of the type computed if computed is false', async () => {
    const { pages, type } = await read({ computed: false });
    expect(type).not.toBe('computed');
    expect(pages[1]).toMatchObject({
      type: 'computed',
      title: 'shop',
      computed: {
        type: 'builtin:openapi',
        props: { models: true, downloadLink: true },
        dependencies: { spec: { ref: { kind: 'openapi', spec: 'shop' } } },
      },
    });
  });

  it('keeps the computed sources when an edit rewrites the file', async () => {
    const own = await openShelf(world);
    await own.importFolder(dir);
    const pages = await own.pages();
    await own.publish({ operation: 'update_page', page: pages[0]?.id ?? '', title: 'Home' });
    const written = (await own.exportFiles())['SUMMARY.md'] ?? '';
    expect(written).toContain(
      '* [Home](README.md)\n* ```yaml\n  type: builtin:openapi\n  props:\n    models: true\n',
    );
    const again = await openShelf(world);
    await again.importFolder(newFolder({ ...files, 'SUMMARY.md': written }));
    expect(outline(await again.pages())).toEqual(outline(await own.pages()));
  });
});

describe('computed pages', () => {
  it('follow the headings, tags, nesting and grouping of the specification', async () => {
    const revision = await read();
    expect(revision).toMatchObject({ type: 'computed', sourceRevision: revision.id });
    expect(outline(revision.pages)).toEqual([
      'readme',
      'getting-started',
      'limits-1',
      ['our-stock', ['our-stock/stock-items']],
      'default',
      'undeclared-tag',
      'models',
      'limits',
      [
        'other',
        [
          [
            'other/group',
            [
              'other/group/getting-started',
              'other/group/limits',
              [
                'other/group/our-stock',
                [
                  [
                    'other/group/our-stock/stock-items',
                    [
                      'other/group/our-stock/stock-items/get-an-item',
                      'other/group/our-stock/stock-items/delete-an-item',
                    ],
                  ],
                ],
              ],
              ['other/group/default', ['other/group/default/ping']],
              ['other/group/undeclared-tag', ['other/group/undeclared-tag/post-new']],
              undefined,
            ],
          ],
        ],
      ],
    ]);
    expect(find(revision.pages, 'our-stock')).toMatchObject({
      title: 'Our stock',
      icon: 'box',
      description: 'What we have',
      computed: { props: { doc: 'operations', page: 'stock' } },
      computedSeed: expect.stringMatching(/^pag_/),
    });
    expect(find(revision.pages, 'other/group/our-stock/stock-items/delete-an-item')?.computed).toMatchObject({
      props: { doc: 'operation', page: '/items/{id}', method: 'delete', deprecated: true },
    });
    expect(find(revision.pages, 'models')?.computed).toMatchObject({ props: { doc: 'models' } });
  });

  it('contain parameters, bodies, responses and security', async () => {
    const { pages } = await read();
    const items = find(pages, 'our-stock/stock-items')?.markdown ?? '';
    for (const part of [
      '{% openapi-operation spec="shop" path="/items/{id}" method="get" %}\n[OpenAPI shop](',
      '**Security**\n\n* `key` (`header X-Key`)',
      '**Path parameters**\n\n| Name | Type | Required | Description |\n| --- | --- | --- | --- |\n| `id` | string | yes | Of the item |',
      '**Query parameters**',
      '`200` The item\n\n`application/json`: `Item`',
      '| `parts` | array of `Item` | no |  |',
      '"name": "A|b"',
      'Deprecated.',
    ])
      expect(items).toContain(part);
    expect(items).not.toContain('hidden');
    expect(find(pages, 'undeclared-tag')?.markdown).toContain(
      '**Body** (required)\n\n`application/json`: `Item`',
    );
    expect(find(pages, 'models')?.markdown).toContain(
      '{% openapi-schemas spec="shop" schemas="Item" grouped="true" %}',
    );
    expect(find(pages, 'getting-started')?.markdown).toMatch(
      /Use a key\.[^]*# not a heading[^]*\[Download the OpenAPI/,
    );
  });

  it('are read by ID and path, as Markdown and as documents', async () => {
    const params = { spaceId: shelf.spaceId };
    const { pages } = await world.as('read').call(listPages, { params, query: { texts: false } });
    const listed = find(pages, 'our-stock/stock-items');
    expect(listed).not.toHaveProperty('markdown');
    const pageId = listed?.id ?? '';
    const page = await world
      .as('read')
      .call(getPage, { params: { ...params, pageId }, query: { format: 'document' } });
    expect(page.document?.nodes.map(({ type }) => type)).toEqual([
      'heading-1',
      'heading-2',
      'openapi-operation',
      'heading-2',
      'hint',
      'openapi-operation',
    ]);
    const same = await world
      .as('read')
      .call(getPageByPath, { params: { ...params, pagePath: 'our-stock/stock-items' }, query: {} });
    expect(same).toMatchObject({ id: pageId, title: 'Stock Items' });
    expect(
      await reason(
        world.as('read').call(getPage, { params: { ...params, pageId: `${pageId}0` }, query: {} }),
      ),
    ).toBe('not-found');
    expect(
      await reason(
        world
          .as('read')
          .call(getPageByPath, { params: { ...params, pagePath: 'our-stock/none' }, query: {} }),
      ),
    ).toBe('not-found');
    expect(
      await reason(
        world.as('read').call(getPage, { params: { ...params, pageId }, query: { computed: false } }),
      ),
    ).toBe('not-found');
  });

  it('are created and changed through the API, and refused without a source', async () => {
    const own = await openShelf(world);
    const computed = (models: boolean) => ({
      type: 'builtin:openapi' as const,
      props: { models },
      dependencies: { spec: { ref: { kind: 'openapi' as const, spec: 'shop' } } },
    });
    await own.publish({
      operation: 'insert_page',
      type: 'computed',
      title: 'API',
      document: {},
      computed: computed(false),
    });
    const source = (
      await world.as('read').call(listPages, { params: { spaceId: own.spaceId }, query: { computed: false } })
    ).pages[0];
    expect((await own.pages()).map(({ title }) => title)).not.toContain('Models');
    await own.publish({ operation: 'update_page', page: source?.id ?? '', computed: computed(true) });
    expect((await own.pages()).map(({ title }) => title)).toContain('Models');
    const { number } = await own.createRequest();
    const send = (change: object) => reason(own.edit(number, [change as never], 'admin'));
    expect(await send({ operation: 'insert_page', type: 'computed', title: 'A', document: {} })).toBe(
      'invalid-input',
    );
    expect(await send({ operation: 'insert_page', title: 'A', document: {}, computed: computed(true) })).toBe(
      'invalid-input',
    );
    expect(await send({ operation: 'insert_page', title: 'A', document: {}, into: source?.id })).toBe(
      'invalid-input',
    );
  });
});
