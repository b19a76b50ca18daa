import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../../src/contract/check.ts';
import { readFacts } from '../../../../src/pdf/book.ts';
import * as requests from '../../../../src/resources/change-requests/contract.ts';
import { createSpec } from '../../../../src/resources/openapi/contract.ts';
import * as requestPages from '../../../../src/resources/content/change-request-pages/contract.ts';
import type { BookPage } from '../../../../src/pdf/book.ts';
import { readBook } from '../../../../src/resources/content/pdf/read-book.ts';
import * as spaces from '../../../../src/resources/spaces/contract.ts';
import { spaces as spaceTable } from '../../../../src/core/rows/spaces.ts';
import { runDueJobs } from '../../../../src/core/workers.ts';
import { changeRequests } from '../../../../src/core/rows/change-requests.ts';
import { createWorld, type Who, type World } from '../../../support/world.ts';
import { openDesk, page, reason, type Desk } from '../../content-support.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
let world: World;
let desk: Desk;
let ids: Record<'guide' | 'install' | 'other', string>;

beforeEach(async () => {
  world = await createWorld();
  desk = await openDesk(world);
  await desk.createRequest({ subject: 'Fix the install steps' });
  const { pages } = await desk.edit(1, [
    page('Guide', {
      ref: 'guide',
      document: { markdown: 'See [install](guide/install.md#run) and [other](/other.md).\n' },
    }),
    page('Install', { into: 'guide', document: { markdown: '# Install\n\n## Run\n' } }),
    page('Other'),
  ]);
  ids = { guide: pages![0]!.id, install: pages![1]!.id, other: pages![2]!.id };
});

const download = (query: object = {}, who: Who = 'read') =>
  world.as(who).call(requests.downloadChangeRequestPdf, { params: desk.at(1), query });
/** Returns the data from which a PDF of the change request is made. */
const bookOf = async (query: object = {}) => {
  const { id } = await world.as('read').call(requests.getChangeRequest, { params: desk.at(1) });
  return world.core.store.read(async (tx) => {
    const [space, changeRequest] = [
      (await tx.get(spaceTable, desk.spaceId))!,
      (await tx.get(changeRequests, id))!,
    ];
    const source = { tx, url: (path: string) => `http://localhost:8080${path}`, space, changeRequest };
    const { places, ...book } = await readBook(source, query);
    return { ...book, pages: places.filter((place): place is BookPage => 'path' in place) };
  });
};

describe('the PDF of a change request', () => {
  it('has labels in the language of the space', async () => {
    expect(await bookOf()).toMatchObject({
      subtitle: 'Change request 1 · Fix the install steps',
      words: { image: 'Image', contents: 'Contents' },
    });
    await world.as('admin').call(spaces.updateSpace, {
      params: { spaceId: desk.spaceId },
      body: { language: 'fr' },
    });
    expect(await bookOf()).toMatchObject({
      subtitle: 'Demande de modification 1 · Fix the install steps',
      words: { image: 'Image', file: 'Fichier', contents: 'Sommaire' },
    });
  });

  it('contains the tags of the space', async () => {
    expect((await bookOf()).tags).toEqual(new Map());
    const text = '- tag: beta\n  label: Beta\n';
    await desk.edit(1, [{ operation: 'put_text', role: 'tags', git: { path: '.gitbook/tags.yaml' }, text }]);
    expect((await bookOf()).tags?.get('beta')?.label).toBe('Beta');
  });

  it('shows link titles in the table of contents and for links without a text', async () => {
    await desk.edit(1, [{ operation: 'update_page', page: ids.install, linkTitle: 'Set up' }]);
    const { pages, linkTo } = await bookOf();
    expect(pages.map(({ title, linkTitle }) => [title, linkTitle])).toEqual([
      ['Guide', undefined],
      ['Install', 'Set up'],
      ['Other', undefined],
    ]);
    const [guide] = pages;
    const to = (ref: object) => (guide === undefined ? undefined : linkTo?.(ref, guide));
    expect(to({ kind: 'url', url: 'guide/install.md' })).toMatchObject({
      page: ids.install,
      label: 'Set up',
    });
    expect(to({ kind: 'openapi', spec: 'pets' })).toMatchObject({
      url: expect.stringMatching(/\/openapi\/pets\/versions\/latest\/content\/raw$/),
    });
    expect(to({ kind: 'tag', tag: 'beta' })).toBeUndefined();
  });

  it('has a URL with the requested page and options', async () => {
    const call = (query: object) =>
      world.as('read').call(requests.exportChangeRequestPdf, { params: desk.at(1), query });
    const { id } = await world.as('read').call(requests.getChangeRequest, { params: desk.at(1) });
    const place = `http://localhost:8080/v1/spaces/${desk.spaceId}/change-requests/${id}/pdf/download`;
    expect(await call({})).toEqual({ url: place });
    const answer = await call({ page: ids.install, only: true });
    expect(answer).toEqual({ url: `${place}?page=${ids.install}&only=true` });
    expect(violationsOf(requests.exportChangeRequestPdf.returns.schema, answer, '')).toEqual([]);
    expect(await reason(call({ page: 'pag_none' }))).toBe('not-found');
    const { pages } = await desk.edit(1, [
      { operation: 'insert_page', type: 'link', title: 'Away', href: 'https://example.com', document: {} },
    ]);
    for (const query of [{ only: true }, { page: pages![0]!.id }])
      expect(await reason(call(query))).toBe('invalid-input');
  });

  it('is a file named after the subject', async () => {
    const answer = await download();
    expect(violationsOf(requests.downloadChangeRequestPdf.returns.schema, answer, '')).toEqual([]);
    expect(answer).toMatchObject({ name: 'Fix the install steps.pdf', contentType: 'application/pdf' });
    expect(Buffer.from(answer.bytes.subarray(0, 5)).toString()).toBe('%PDF-');
    expect(readFacts(answer.bytes)).toEqual({ pages: 5, missing: [], undrawn: {}, cut: 0 });
    expect(Buffer.from(answer.bytes).equals(Buffer.from((await download()).bytes))).toBe(true);
  });

  it('contains a page with the pages below it, or only that page', async () => {
    expect(readFacts((await download({ page: ids.guide })).bytes)?.pages).toBe(4);
    expect(readFacts((await download({ page: ids.guide, only: true })).bytes)?.pages).toBe(1);
    expect(await reason(download({ page: 'pag_none' }))).toBe('not-found');
    expect(await reason(download({ only: true }))).toBe('invalid-input');
  });

  it('can be downloaded by everyone who can read the space', async () => {
    for (const who of ['admin', 'create', 'review', 'edit', 'comment', 'read'] as const)
      expect(await reason(download({}, who))).toBe('done');
    expect(await reason(download({}, 'outsider'))).toBe('not-found');
    expect(await reason(download({}, 'nobody'))).toBe('unauthenticated');
    expect(await reason(download({}, 'guest'))).not.toBe('done');
  });
});

describe('the PDF of a space', () => {
  it('contains the published pages', async () => {
    const params = { spaceId: desk.spaceId };
    const call = () => world.as('read').call(spaces.downloadSpacePdf, { params });
    expect(await call()).toMatchObject({ name: 'Guide.pdf' });
    expect(readFacts((await call()).bytes)?.pages).toBe(2);
    await desk.merge(1, 'admin');
    expect(readFacts((await call()).bytes)?.pages).toBe(5);
    expect(await world.as('read').call(spaces.exportSpacePdf, { params })).toEqual({
      url: `http://localhost:8080/v1/spaces/${desk.spaceId}/pdf/download`,
    });
    expect(await reason(world.as('outsider').call(spaces.downloadSpacePdf, { params }))).toBe('not-found');
  });
});

describe('the content of a PDF', () => {
  it('lists the pages in their order, with the title of the space and the change request', async () => {
    const book = await bookOf();
    expect(book).toMatchObject({ title: 'Guide', subtitle: 'Change request 1 · Fix the install steps' });
    expect(book.pages.map(({ title, depth, path }) => [title, depth, path])).toEqual([
      ['Guide', 0, 'guide'],
      ['Install', 1, 'guide/install'],
      ['Other', 0, 'other'],
    ]);
    expect(book.pages[1]!.document!()).toMatchObject({
      nodes: [{ type: 'heading-1' }, { type: 'heading-2' }],
    });
  });

  it('shows groups as headings, and omits link pages', async () => {
    await desk.edit(1, [
      { operation: 'insert_page', type: 'group', title: 'Part', ref: 'part', document: {} },
      page('In it', { into: 'part' }),
      {
        operation: 'insert_page',
        type: 'link',
        title: 'Away',
        href: 'https://example.com',
        ref: 'away',
        document: {},
      },
    ]);
    const pages = (await bookOf()).pages.slice(3);
    expect(pages.map(({ title, depth, document }) => [title, depth, document === undefined])).toEqual([
      ['Part', 0, true],
      ['In it', 1, false],
    ]);
    const away = (await world.as('read').call(requestPages.listPages, { params: desk.at(1) })).pages.at(-1)!;
    expect(away.type).toBe('link');
    expect(await reason(download({ page: away.id }))).toBe('invalid-input');
  });

  it('contains resolved variables and includes', async () => {
    const put = (role: string, path: string, text: string) =>
      ({ operation: 'put_text', role, git: { path }, text }) as never;
    await desk.edit(1, [
      put('include', '.gitbook/includes/note.md', '---\ntitle: Note\n---\n\nIncluded text\n'),
      put('variables', '.gitbook/vars.yaml', 'version: 4.2\n'),
      page('Uses', {
        git: { path: 'uses.md' },
        document: {
          markdown:
            '{% include ".gitbook/includes/note.md" %}\n\n<code class="expression">space.vars.version</code>\n',
        },
      }),
    ]);
    const text = JSON.stringify((await bookOf()).pages.at(-1)!.document!());
    expect(text).toContain('Included text');
    expect(text).toContain('4.2');
  });

  it('resolves links to pages and files of the space', async () => {
    await desk.edit(1, [
      {
        operation: 'insert_files',
        files: [
          { name: 'logo.png', contentType: 'image/png', base64: png, git: { path: 'assets/logo.png' } },
        ],
      } as never,
    ]);
    const book = await bookOf();
    const [guide] = book.pages;
    const to = (url: string) => book.linkTo!({ kind: 'url', url }, guide!);
    expect(to('guide/install.md#run')).toMatchObject({ page: ids.install, anchor: 'run', label: 'Install' });
    expect(to('/other.md')).toMatchObject({ page: ids.other });
    expect(to('#here')).toMatchObject({ page: ids.guide, anchor: 'here' });
    expect(to('https://example.com')).toEqual({ url: 'https://example.com' });
    expect(to('gone.md')).toBeUndefined();
    expect(book.linkTo!({ kind: 'page', page: ids.other }, guide!)).toMatchObject({
      page: ids.other,
      elsewhere: expect.stringContaining('/other') as string,
    });
    expect(to('assets/logo.png')).toMatchObject({
      label: 'logo.png',
      url: expect.stringContaining('/download') as string,
    });
  });

  it('gives generated pages paths that no other page has, and can contain one of them alone', async () => {
    const text = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      tags: [{ name: 'other' }, { name: 'install' }],
      paths: Object.fromEntries(
        ['other', 'install'].map((tag) => [
          `/${tag}`,
          { get: { tags: [tag], responses: { 200: { description: 'x' } } } },
        ]),
      ),
    });
    await world.as('admin').call(createSpec, {
      params: { organizationId: world.org },
      body: { slug: 'shop', source: { text } },
    });
    await runDueJobs(world.core, { signal: new AbortController().signal });
    const computed = {
      type: 'builtin:openapi' as const,
      props: { models: false },
      dependencies: { spec: { ref: { kind: 'openapi' as const, spec: 'shop' } } },
    };
    await desk.edit(1, [
      { operation: 'insert_page', title: 'Shop', type: 'computed', computed, document: {} },
      { operation: 'insert_page', title: 'Shop', type: 'computed', computed, document: {}, into: ids.guide },
    ]);
    const paths = ['other-1', 'install', 'guide/other', 'guide/install-1'];
    const whole = await bookOf();
    expect(whole.pages.map((each) => each.path)).toEqual(expect.arrayContaining(paths));
    const one = await bookOf({ page: ids.other, only: true });
    const linked = (path: string) => one.linkTo!({ kind: 'url', url: `${path}.md` }, one.pages[0]!);
    for (const path of paths) expect(linked(path)).toMatchObject({ elsewhere: expect.any(String) as string });
    const chosen = whole.pages.find(({ path }) => path === 'guide/other')!;
    const alone = await bookOf({ page: chosen.id, only: true });
    expect(alone.pages.map(({ id, depth }) => [id, depth])).toEqual([[chosen.id, 0]]);
    expect(await reason(download({ page: `${chosen.id}x` }))).toBe('not-found');
  });

  it('loads only images that its pages show', async () => {
    const file = (name: string, contentType = 'image/png') => ({
      name,
      contentType,
      base64: png,
      git: { path: name },
    });
    await desk.edit(1, [
      {
        operation: 'insert_files',
        files: [file('shown.png'), file('other.png'), file('drawing.svg', 'image/svg+xml')],
      } as never,
      page('Pictures', {
        document: { markdown: '![](shown.png)\n\n![](drawing.svg)\n\n![](https://example.com/x.png)\n' },
      }),
    ]);
    const book = await bookOf();
    const pictures = book.pages.at(-1)!;
    expect(Buffer.from(await book.imageOf('shown.png', pictures)).toString('base64')).toBe(png);
    const why = (address: string) => book.imageOf(address, pictures);
    expect(
      await Promise.all(['drawing.svg', 'https://example.com/x.png', 'none.png', 'other.png'].map(why)),
    ).toEqual(['SVG', 'web', 'absent', 'absent']);
  });

  it('marks a text that cannot be shown, and does not fail', async () => {
    await desk.edit(1, [page('Deep', { document: { markdown: `${'>'.repeat(300)} deep` } })]);
    const book = await bookOf();
    expect(book.pages.at(-1)!.document!()).toBeNull();
  });
});
