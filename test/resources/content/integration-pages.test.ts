import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../src/contract/check.ts';
import { backgroundEnded } from '../../../src/core/background.ts';
import type { ScriptRun, ScriptRuntime } from '../../../src/core/scripts.ts';
import { getPageDocument } from '../../../src/resources/content/revision-pages/contract.ts';
import { getContent } from '../../../src/resources/content/space/contract.ts';
import { downloadFile, getFile, listFiles } from '../../../src/resources/content/space-files/contract.ts';
import { getPage, getPageByPath, listPages } from '../../../src/resources/content/space-pages/contract.ts';
import type { PageBody } from '../../../src/resources/content/schemas.ts';
import { listEvents } from '../../../src/resources/integration-events/contract.ts';
import { updateInstallation } from '../../../src/resources/integration-installations/contract.ts';
import { plainText } from '../../../src/richtext/nodes.ts';
import { downloadSpacePdf, exportSpacePdf, searchSpace } from '../../../src/resources/spaces/contract.ts';
import { searchOrganization } from '../../../src/resources/search/contract.ts';
import { inflatePdf, readPdf } from '../../pdf/read-pdf.ts';
import { quickjs, samples } from '../../script-runtime/samples.ts';
import { createWorld, type World } from '../../support/world.ts';
import { newFolder, openShelf } from '../../content-sync/folder-support.ts';
import { openDesk, page, type Desk } from '../content-support.ts';
import { install, publish } from '../integrations/support.ts';

let runtime: ScriptRuntime;
let runs: ScriptRun[];
let worlds = 0;
let world: World;
let desk: Desk;
let installationId: string;
beforeAll(() => {
  runtime = quickjs();
});
afterAll(() => runtime.close());
beforeEach(async () => {
  world = await createWorld();
  desk = await openDesk(world);
  runs = [];
  const suffix = ` world ${++worlds}`;
  const scripts: ScriptRuntime = {
    run: (request) => {
      runs.push(request);
      return runtime.run({ ...request, version: request.version + suffix });
    },
    close: async () => {},
  };
  Object.assign(world.core, { scripts });
  await publish(world, 'bot', {
    script: samples.v2,
    runtime: 'v2',
    contentSources: [{ id: 'tickets', title: 'Tickets', configuration: { componentId: 'choose' } }],
  });
  installationId = (await install(world)).id;
});

const computed = (props: object = { project: 'A' }, dependencies?: object) =>
  page('Tickets', {
    type: 'computed',
    document: {},
    computed: {
      type: 'integration:bot:tickets',
      props,
      ...(dependencies === undefined ? {} : { dependencies }),
    } as never,
  });
const params = () => ({ spaceId: desk.spaceId });
const read = async (query = {}) =>
  (await world.as('read').call(listPages, { params: params(), query })).pages;
const outline = (pages: readonly PageBody[]): unknown[] =>
  pages.map(({ type, title, path, href, pages: below = [] }) => [
    type,
    title,
    path ?? href,
    ...(below.length === 0 ? [] : [outline(below)]),
  ]);
const computing = () =>
  runs.map(({ message }) => message.event.type).filter((type) => type.includes('compute'));

describe('the pages of an integration', () => {
  it('replace the page that names their source', async () => {
    await desk.publish(page('Start', { document: { markdown: 'Hello' } }), computed());
    const pages = await read();
    expect(outline(pages)).toEqual([
      ['document', 'Start', 'start'],
      [
        'group',
        'Tickets of A',
        'tickets',
        [
          ['document', 'Open ticket', 'tickets/open-ticket'],
          ['document', 'Notes', 'tickets/notes'],
        ],
      ],
      ['document', 'Start', 'start-1'],
      ['link', 'All', 'https://tickets.example/'],
    ]);
    const [open, notes] = pages[1]?.pages ?? [];
    expect([open?.markdown?.trim(), open?.description, notes?.markdown]).toEqual([
      'open of tickets',
      'To do',
      '# Notes',
    ]);
    expect(runs[0]?.message.event).toMatchObject({
      type: 'content_compute_revision',
      ...params(),
      installationId,
      sourceId: 'tickets',
      props: { project: 'A' },
      dependencies: {},
    });
    const revision = await world.as('read').call(getContent, { params: params() });
    expect(violationsOf(getContent.returns.schema, revision, '')).toEqual([]);
    expect([revision.type, revision.pages.length]).toEqual(['computed', 4]);
    expect((await read({ computed: false }))[1]).toMatchObject({
      type: 'computed',
      computed: { type: 'integration:bot:tickets' },
    });
  });

  it('can be read by ID and path, with the same text', async () => {
    await desk.publish(computed());
    const found = await world
      .as('read')
      .call(getPageByPath, { params: { ...params(), pagePath: 'tickets/open-ticket' } });
    expect([found.title, found.markdown?.trim()]).toEqual(['Open ticket', 'open of tickets']);
    const at = { params: { ...params(), pageId: found.id } };
    expect(await world.as('read').call(getPage, at)).toEqual(found);
    const { revision: revisionId } = await desk.space();
    const document = await world.as('read').call(getPageDocument, { params: { ...at.params, revisionId } });
    expect(plainText(document.nodes)).toBe('open of tickets');
    for (const pageId of ['pag_x-0123456789ab', `${found.computedSeed}-0123456789ab`, 'tickets'])
      await expect(world.as('read').call(getPage, { params: { ...params(), pageId } })).rejects.toMatchObject(
        { reason: 'not-found' },
      );
  });

  it('are listed below the page that contains their source', async () => {
    const [parent] = (
      await desk.publish(page('Parent', { ref: 'parent' }), { ...computed(), into: 'parent' } as never)
    ).pages!;
    const found = await world
      .as('read')
      .call(getPage, { params: { ...params(), pageId: parent!.id }, query: { texts: false } });
    expect(outline(found.pages ?? [])[0]).toMatchObject([
      'group',
      'Tickets of A',
      'parent/tickets',
      [
        ['document', 'Open ticket', 'parent/tickets/open-ticket'],
        ['document', 'Notes', 'parent/tickets/notes'],
      ],
    ]);
    expect(computing()).toEqual(['content_compute_revision']);
  });

  it('are computed again only when a dependency changes or the cache expires', async () => {
    const other = await openDesk(world);
    const { revision } = await other.space();
    await desk.publish(
      computed({ project: 'A' }, { space: { ref: { kind: 'space', space: other.spaceId } } }),
    );
    const state = async () => (await read()).find(({ title }) => title === 'Start')?.markdown;
    expect(await state()).toBe(`State: ${revision}`);
    await state();
    expect(computing()).toEqual(['content_compute_revision', 'content_compute_document']);
    await other.publish(page('New', { document: { markdown: 'x' } }));
    expect(await state()).not.toBe(`State: ${revision}`);
    expect(computing().filter((type) => type.endsWith('revision'))).toHaveLength(2);
    world.pass(6 * 60_000);
    await state();
    expect(computing().filter((type) => type.endsWith('revision'))).toHaveLength(3);
  });

  it.each([
    ['fails', { fails: true }, 'on purpose'],
    ['answers without a list', { answer: { pages: {} } }, '/pages is not a list'],
    [
      'answers with a page without a title',
      { answer: { pages: [{ type: 'document' }] } },
      '/pages/0 has no title',
    ],
    [
      'answers with an unknown type',
      { answer: { pages: [{ type: 'x', title: 'X' }] } },
      'is not document, group or link',
    ],
    [
      'answers with a link to a script',
      { answer: { pages: [{ type: 'link', title: 'X', href: 'javascript:alert(1)' }] } },
      'has no address',
    ],
    [
      'answers with an unknown source',
      { answer: { pages: [{ title: 'X', computed: { type: 'builtin:openapi' } }] } },
      'is not a source of an integration',
    ],
  ])('are omitted if the integration %s, and the event has the reason', async (_, props, error) => {
    await desk.publish(computed(props), page('Kept', { document: { markdown: 'Text' } }));
    expect(outline(await read())).toEqual([
      ['computed', 'Tickets', undefined],
      ['document', 'Kept', 'kept'],
    ]);
    await backgroundEnded(world.core);
    const { items } = await world.as('admin').call(listEvents, { params: { integrationName: 'bot' } });
    const event = items.find(({ payload }) => payload.type === 'content_compute_revision');
    expect(event).toMatchObject({ status: 'failed', delivery: { error: expect.stringContaining(error) } });
    expect(event?.payload).not.toHaveProperty('props');
  });

  it('are omitted where the integration is not installed, and cannot come from another integration', async () => {
    const foreign = { type: 'integration:other:tickets', props: {} };
    await publish(world, 'other', {
      script: samples.v2,
      runtime: 'v2',
      contentSources: [{ id: 'tickets', title: 'Tickets', configuration: { componentId: 'choose' } }],
    });
    await install(world, 'other');
    await desk.publish(computed({ answer: { pages: [{ title: 'X', computed: foreign }] } }));
    const [x] = await read();
    expect([x?.title, x?.markdown]).toEqual(['X', undefined]);
    expect(computing()).toEqual(['content_compute_revision']);
    const at = { params: { integrationName: 'bot', installationId } };
    await world.as('admin').call(updateInstallation, { ...at, body: { space_selection: 'selected' } });
    expect(outline(await read())).toEqual([['computed', 'Tickets', undefined]]);
  });
});

describe('a table of contents with the source of an integration', () => {
  const summary = `# Table of contents

* [Start](README.md)
* \`\`\`yaml
  type: integration:bot:tickets
  props: { project: A, labels: [ bug ] }
  dependencies: { spec: { ref: { kind: openapi, spec: shop } } }
  \`\`\`
`;

  it('is imported and exported byte for byte, and importing it again changes nothing', async () => {
    const shelf = await openShelf(world);
    const dir = newFolder({ 'SUMMARY.md': summary, 'README.md': '# Start\n' });
    await shelf.importFolder(dir);
    expect((await shelf.exportFiles())['SUMMARY.md']).toBe(summary);
    expect(await shelf.plan(dir)).toEqual({ pages: [], texts: [], files: [], deletedFiles: [] });
    const at = { params: { spaceId: shelf.spaceId } };
    const { pages } = await world.as('read').call(listPages, at);
    expect(pages.map(({ title, markdown }) => [title, markdown?.trim()])).toEqual([
      ['Start', '# Start'],
      ['Tickets of A', undefined],
      ['Start', 'State: none'],
      ['All', undefined],
    ]);
  });

  it.each([
    ['has no properties', 'type: integration:bot:tickets'],
    ['names no source', 'type: "integration:bot"\n  props: {}'],
    [
      'depends on a page',
      'type: integration:bot:tickets\n  props: {}\n  dependencies: { a: { ref: { kind: page } } }',
    ],
  ])('that %s is ignored', async (_, yaml) => {
    const shelf = await openShelf(world);
    const text = `# Table of contents\n\n* [Start](README.md)\n* \`\`\`yaml\n  ${yaml}\n  \`\`\`\n`;
    await shelf.importFolder(newFolder({ 'SUMMARY.md': text, 'README.md': '# Start\n' }));
    const at = { params: { spaceId: shelf.spaceId }, query: { computed: false } };
    const { pages } = await world.as('read').call(listPages, at);
    expect(pages.map(({ type }) => type)).toEqual(['document']);
  });
});

describe('the PDF of a space', () => {
  const download = async (query: object = {}) => {
    const { bytes } = await world.as('read').call(downloadSpacePdf, { params: params(), query });
    return readPdf(inflatePdf(bytes)).pages.join('\n');
  };

  it('contains the pages that an integration computes', async () => {
    await desk.publish(
      page('Start', { document: { markdown: 'See [the ticket](tickets/open-ticket.md).' } }),
      computed(),
      page('Last', { document: { markdown: 'The end' } }),
    );
    const text = await download();
    expect(text).toContain('Tickets of A');
    const titles = ['See', 'open of tickets', 'Notes', 'State:', 'The end'];
    const places = titles.map((title) => text.lastIndexOf(title));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(text).not.toContain('https://tickets.example/');
  });

  it('can be of a single computed page, with or without the pages below it', async () => {
    await desk.publish(page('Start', { document: { markdown: 'Hello' } }), computed());
    const [, group] = await read();
    const [open] = group?.pages ?? [];
    const whole = await download({ page: group?.id });
    expect([whole.includes('open of tickets'), whole.includes('Hello')]).toEqual([true, false]);
    expect(await download({ page: group?.id, only: true })).not.toContain('open of tickets');
    expect(await download({ page: open?.id })).toContain('open of tickets');
    const { url } = await world
      .as('read')
      .call(exportSpacePdf, { params: params(), query: { page: open?.id ?? '' } });
    expect(url).toContain(`page=${open?.id}`);
    for (const wrong of [`${group?.computedSeed}-0123456789ab`, 'pag_x-0123456789ab'])
      await expect(download({ page: wrong })).rejects.toMatchObject({ reason: 'not-found' });
  });

  it('keeps the title of a source that fails', async () => {
    await desk.publish(page('Start', { document: { markdown: 'Hello' } }), computed({ fails: true }));
    const text = await download();
    expect([text.includes('Hello'), text.includes('Tickets')]).toEqual([true, true]);
  });
});

describe('the search', () => {
  const find = async (query: string, more: object = {}) =>
    (await world.as('read').call(searchSpace, { params: params(), query: { query, ...more } })).items;

  it('finds the pages that an integration computes, ranked after those of the space', async () => {
    await desk.publish(page('Parent', { ref: 'parent', document: { markdown: 'All open tickets' } }), {
      ...computed(),
      into: 'parent',
    } as never);
    const found = await find('open tickets');
    expect(found.map(({ title, path }) => [title, path])).toEqual([
      ['Parent', 'parent'],
      ['Open ticket', 'parent/tickets/open-ticket'],
    ]);
    expect(found[1]).toMatchObject({
      ancestors: [{ title: 'Parent' }, { title: 'Tickets of A' }],
      sections: [{ title: 'Open ticket', body: 'open of tickets', path: 'parent/tickets/open-ticket' }],
    });
    const opened = await world
      .as('read')
      .call(getPage, { params: { ...params(), pageId: found[1]?.id ?? '' } });
    expect(opened.title).toBe('Open ticket');
    expect(
      violationsOf(
        searchSpace.returns.schema,
        await world.as('read').call(searchSpace, { params: params(), query: { query: 'open' } }),
        '',
      ),
    ).toEqual([]);
    expect((await find('"of tickets"')).map(({ title }) => title)).toEqual(['Open ticket']);
    expect((await find('note')).map(({ title }) => title)).toEqual(['Notes']);
    expect((await find('tick')).map(({ title }) => title)).toContain('Open ticket');
    expect(await find('walrus')).toEqual([]);
    const first = await world
      .as('read')
      .call(searchSpace, { params: params(), query: { query: 'open tickets', limit: 1 } });
    expect(first.items.map(({ title }) => title)).toEqual(['Parent']);
    const next = await find('open tickets', { limit: 1, page: first.next?.page });
    expect(next.map(({ title }) => title)).toEqual(['Open ticket']);
  });

  it('finds them in the search of an organization', async () => {
    await desk.publish(computed());
    const inOrganization = async () =>
      (
        await world
          .as('read')
          .call(searchOrganization, { params: { organizationId: world.org }, query: { query: 'open' } })
      ).items;
    expect(await inOrganization()).toMatchObject([{ id: desk.spaceId, pages: [{ title: 'Open ticket' }] }]);
  });

  it('runs no script in spaces without computed pages, and no longer finds pages of an uninstalled integration', async () => {
    await desk.publish(page('Start', { document: { markdown: 'Hello tickets' } }));
    expect(await find('tickets')).toHaveLength(1);
    expect(computing()).toEqual([]);
    await desk.publish(computed());
    expect(await find('open')).toHaveLength(1);
    await world.as('admin').call(updateInstallation, {
      params: { integrationName: 'bot', installationId },
      body: { space_selection: 'selected' },
    });
    expect(await find('open')).toEqual([]);
  });
});

describe('the files of an integration', () => {
  const logo = {
    id: 'logo',
    name: 'logo.png',
    contentType: 'image/png',
    downloadURL: 'https://bot.example/logo.png',
    size: 3,
  };
  const answer = (files: unknown) => ({
    answer: {
      pages: [
        {
          title: 'Words',
          document: { markdown: '![](/files/logo) and ![](/files/other) and `/files/logo`' },
        },
        {
          title: 'Blocks',
          document: {
            object: 'document',
            data: {},
            nodes: [
              {
                object: 'block',
                type: 'images',
                isVoid: false,
                data: {},
                nodes: [
                  {
                    object: 'block',
                    type: 'image',
                    isVoid: true,
                    data: { ref: { kind: 'file', file: 'logo' } },
                  },
                ],
              },
            ],
          },
        },
      ],
      files,
    },
  });
  const files = async (query: object = {}) =>
    (await world.as('read').call(listFiles, { params: params(), query })).items;
  const file = (fileId: string) => ({ params: { ...params(), fileId } });

  it('are listed with those of the space, and can be downloaded', async () => {
    await desk.publish(
      {
        operation: 'insert_files',
        files: [{ name: 'own.txt', contentType: 'text/plain', base64: 'YQ==' }],
      } as never,
      computed(answer([{ ...logo, dimensions: { width: 2, height: 1 } }])),
    );
    const [own, given] = await files();
    expect([own?.name, given]).toMatchObject([
      'own.txt',
      { name: 'logo.png', contentType: 'image/png', size: 3, dimensions: { width: 2, height: 1 } },
    ]);
    expect(given?.downloadURL).toMatch(
      new RegExp(`/v1/spaces/${desk.spaceId}/content/files/${given?.id}/download$`),
    );
    expect(await files({ computed: false })).toHaveLength(1);
    const id = given?.id ?? '';
    expect(await world.as('read').call(getFile, file(id))).toEqual(given);
    const revision = await world.as('read').call(getContent, { params: params() });
    expect(revision.files.map((one) => one.id)).toEqual([own?.id, id]);
    expect(violationsOf(getContent.returns.schema, revision, '')).toEqual([]);
    const asked: string[] = [];
    Object.assign(world.core, {
      outgoing: async ({ url }: { url: string }) => {
        asked.push(url);
        return { status: asked.length > 1 ? 404 : 200, headers: {}, bytes: Buffer.from('png'), url };
      },
    });
    const downloaded = await world.as('read').call(downloadFile, file(id));
    expect([downloaded.name, downloaded.contentType, Buffer.from(downloaded.bytes).toString()]).toEqual([
      'logo.png',
      'image/png',
      'png',
    ]);
    expect(asked).toEqual([logo.downloadURL]);
    await expect(world.as('read').call(downloadFile, file(id))).rejects.toMatchObject({
      reason: 'unreachable',
    });
    for (const wrong of [`${id.slice(0, -12)}0123456789ab`, 'fil_x-0123456789ab', 'logo'])
      for (const operation of [getFile, downloadFile])
        await expect(world.as('read').call(operation, file(wrong))).rejects.toMatchObject({
          reason: 'not-found',
        });
  });

  it('are referred to in page texts by the IDs that the API returns', async () => {
    await desk.publish(computed(answer([logo])));
    const [given] = await files();
    const [words, blocks] = await read();
    expect(words?.markdown).toBe(`![](/files/${given?.id}) and ![](/files/other) and \`/files/logo\``);
    expect(blocks?.markdown?.trim()).toBe(`![](/files/${given?.id})`);
  });

  it.each([
    ['a value that is not a list', {}],
    ['without a name', [{ ...logo, name: '' }]],
    ['with a wrong media type', [{ ...logo, contentType: 'png' }]],
    ['with a file: address', [{ ...logo, downloadURL: 'file:///etc/passwd' }]],
    ['with a negative size', [{ ...logo, size: -1 }]],
    ['with the ID of another file', [logo, logo]],
    ['too many', Array.from({ length: 1001 }, (_, id) => ({ ...logo, id }))],
  ])('make the source fail if they are invalid: %s', async (_, wrong) => {
    await desk.publish(computed(answer(wrong)));
    expect(await files()).toEqual([]);
    expect((await read()).map(({ type }) => type)).toEqual(['computed']);
  });
});
