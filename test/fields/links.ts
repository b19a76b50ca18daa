import { expect } from 'vitest';
import * as changeRequests from '../../src/resources/change-requests/contract.ts';
import { createCollection } from '../../src/resources/collections/contract.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import { listPageBacklinks } from '../../src/resources/content/change-request-pages/contract.ts';
import { getContent } from '../../src/resources/content/space/contract.ts';
import { listFileBacklinks } from '../../src/resources/content/space-files/contract.ts';
import * as spacePages from '../../src/resources/content/space-pages/contract.ts';
import { setPermissions } from '../../src/resources/permissions/space/contract.ts';
import * as spaces from '../../src/resources/spaces/contract.ts';
import type { Who } from '../support/world.ts';
import type { Bench, Try } from './bench.ts';

const text = (title: string, markdown: string, path: string) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  git: { path },
});
const image = {
  operation: 'insert_files',
  files: [{ name: 'pic.png', contentType: 'image/png', base64: 'AAAA', git: { path: 'pic.png' } }],
};
const include = {
  operation: 'put_text',
  role: 'include',
  git: { path: '.gitbook/includes/note.md' },
  title: 'Note',
  text: '[to](../../to.md)',
};

async function newRequest({ call }: Bench, spaceId: string) {
  const { id } = await call(changeRequests.createChangeRequest, { spaceId }, { body: {} });
  return { spaceId, changeRequestId: id };
}

/** Makes a space with content. */
async function newSpace(bench: Bench, ...changes: object[]) {
  const { id } = await bench.call(spaces.createSpace, bench.org, { body: { title: 'Guide' } });
  const at = await newRequest(bench, id);
  await bench.call(batchContent, at, { body: { changes } });
  await bench.call(changeRequests.mergeChangeRequest, at, { body: {} });
  const { pages, files, reusableContents, ...content } = await bench.call(getContent, { spaceId: id });
  const pageOf = (title: string) => pages.find((page) => page.title === title)?.id ?? '';
  return { spaceId: id, revision: content.id, pageOf, file: files[0]?.id, note: reusableContents[0]?.id };
}

export const tries: readonly Try[] = [
  {
    of: 'link',
    fields: [
      'href',
      'line',
      'status',
      'relation',
      'reason',
      'message',
      'missing',
      'source.file',
      'source.id',
      'source.kind',
      'source.path',
      'source.title',
      'targetReference',
      'locationReferences',
    ],
    run: async (bench) => {
      const { call } = bench;
      const from = 'One\n\n[to](to.md)\n\n[part](to.md#part) ![](pic.png) [no](none.md)\n';
      const { spaceId, pageOf } = await newSpace(
        bench,
        text('From', `${from}\n{% include ".gitbook/includes/note.md" %}\n`, 'from.md'),
        text('To', '## Part', 'to.md'),
        image,
        include,
      );
      const list = async (query: object) => (await call(spaces.listSpaceLinks, { spaceId }, { query })).items;
      const source = { kind: 'page', id: pageOf('From'), title: 'From', path: 'from', file: 'from.md' };
      const reference = { status: 'ok', relation: 'reference', source };
      const links = await list({ anchors: true });
      expect(links).toMatchObject([
        { ...reference, href: 'to.md', line: 3, targetReference: { kind: 'page', page: pageOf('To') } },
        { ...reference, href: 'to.md#part', line: 5, targetReference: { anchor: 'part' } },
        { ...reference, href: 'pic.png', line: 5, targetReference: { kind: 'file' } },
        {
          ...reference,
          status: 'broken',
          href: 'none.md',
          line: 5,
          reason: 'target-missing',
          message: expect.stringMatching(/No page/),
        },
        { relation: 'dependsOn', line: 7, targetReference: { kind: 'reusable-content' } },
        { source: { kind: 'reusable-content', title: 'Note', file: '.gitbook/includes/note.md' } },
      ]);
      for (const link of links.slice(0, -1))
        expect(link.locationReferences).toMatchObject([{ kind: 'page', page: pageOf('From') }]);
      expect(links[0]).not.toHaveProperty('missing');
      const at = await newRequest(bench, spaceId);
      const change = { operation: 'update_page', page: pageOf('To'), document: { markdown: '## Parts' } };
      await call(batchContent, at, { body: { changes: [change] } });
      await call(changeRequests.mergeChangeRequest, at, { body: {} });
      expect(await list({ anchors: true, status: 'broken' })).toMatchObject([
        {
          href: 'to.md#part',
          status: 'broken',
          missing: 'anchor',
          reason: 'anchor-missing',
          message: expect.stringMatching(/"To" has no anchor #part/),
        },
        { href: 'none.md' },
      ]);
    },
  },
  {
    of: 'backlink',
    fields: [
      'kind',
      'organization',
      'space',
      'page',
      'reusableContent',
      'href',
      'line',
      'source.file',
      'source.id',
      'source.kind',
      'source.path',
      'source.title',
      'versionContext.type',
      'versionContext.revision',
      'versionContext.changeRequest',
    ],
    run: async (bench) => {
      const { call, reason } = bench;
      const { spaceId, revision, pageOf, file, note } = await newSpace(
        bench,
        text('From', 'One\n\n[to](to.md) ![](pic.png) [to](to.md#x)', 'from.md'),
        text('To', '', 'to.md'),
        image,
        include,
      );
      const [from, to] = [pageOf('From'), pageOf('To')];
      const place = {
        organization: 'org_acme',
        space: spaceId,
        versionContext: { type: 'revision', revision },
      };
      const source = { kind: 'page', id: from, title: 'From', path: 'from', file: 'from.md' };
      const page = { kind: 'page', page: from, line: 3, source, ...place };
      const { items } = await call(spacePages.listPageBacklinks, { spaceId, pageId: to });
      expect(items).toEqual([
        { ...page, href: 'to.md' },
        {
          kind: 'reusable-content',
          reusableContent: note,
          href: '../../to.md',
          line: 1,
          source: { kind: 'reusable-content', id: note, title: 'Note', file: include.git.path },
          ...place,
        },
      ]);
      const ofFile = await call(listFileBacklinks, { spaceId, fileId: file ?? '' });
      expect(ofFile.items).toEqual([{ ...page, href: 'pic.png' }]);
      expect(await reason(spacePages.getPage, { spaceId, pageId: from })).toBe('done');
      const at = await newRequest(bench, spaceId);
      const change = { operation: 'update_page', page: from, document: { markdown: 'No more' } };
      await call(batchContent, at, { body: { changes: [change] } });
      expect((await call(listPageBacklinks, { ...at, pageId: to })).items).toMatchObject([
        {
          kind: 'reusable-content',
          versionContext: { type: 'changeRequest', changeRequest: at.changeRequestId },
        },
      ]);
    },
  },
  {
    of: 'backlink',
    fields: ['anchor', 'collection', 'file', 'user', 'url'],
    run: async (bench) => {
      const { call, org } = bench;
      const { id: collection, urls } = await call(createCollection, org, { body: { title: 'Product' } });
      const other = await newSpace(bench, text('Far', '', 'far.md'));
      const elsewhere = `https://app.gitbook.com/s/${other.spaceId}`;
      const hrefs = [
        'to.md#part',
        'pic.png',
        '/users/usr_read',
        `/collections/${collection}`,
        'https://example.com/',
        'none.md',
        elsewhere,
        `${elsewhere}/far#deep`,
        `${elsewhere}/none`,
        urls.app,
      ];
      const { spaceId, pageOf, file } = await newSpace(
        bench,
        text('From', hrefs.map((href) => `[x](${href})`).join('\n'), 'from.md'),
        text('To', '', 'to.md'),
        image,
      );
      const targets = async (who: Who) =>
        (await call(spaces.listSpaceLinks, { spaceId }, {}, who)).items.map((link) => link.targetReference);
      const organization = org.organizationId;
      const far = {
        kind: 'page',
        organization,
        space: other.spaceId,
        page: other.pageOf('Far'),
        anchor: 'deep',
        versionContext: { type: 'revision', revision: other.revision },
      };
      const url = (href: string) => ({ kind: 'url', url: href });
      const expected = [
        expect.objectContaining({ kind: 'page', page: pageOf('To'), anchor: 'part' }),
        expect.objectContaining({ kind: 'file', file }),
        { kind: 'user', user: 'usr_read', organization },
        { kind: 'collection', collection, organization },
        url('https://example.com/'),
        url('none.md'),
        { kind: 'space', space: other.spaceId, organization },
        far,
        url(`${elsewhere}/none`),
        { kind: 'collection', collection, organization },
      ];
      expect(await targets('admin')).toEqual(expected);
      // A guest who cannot open the other space and the collection gets no information about them.
      await call(setPermissions, { spaceId }, { body: { role: 'read', users: ['usr_guest'] } });
      expect((await targets('guest')).slice(-4)).toEqual(hrefs.slice(-4).map(url));
      await call(spaces.deleteSpace, { spaceId: other.spaceId }, { query: { now: true } });
      expect((await targets('admin')).slice(-4, -1)).toEqual(hrefs.slice(-4, -1).map(url));
    },
  },
];
