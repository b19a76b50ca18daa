import { expect } from 'vitest';
import * as changeRequests from '../../src/resources/change-requests/contract.ts';
import * as requestContent from '../../src/resources/content/change-request/contract.ts';
import * as revisions from '../../src/resources/content/revision/contract.ts';
import { downloadFile, listFiles } from '../../src/resources/content/revision-files/contract.ts';
import { getContent, getDocument } from '../../src/resources/content/space/contract.ts';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import * as sites from '../../src/resources/sites/contract.ts';
import { getSpace } from '../../src/resources/spaces/contract.ts';
import { newFolder, openShelf } from '../content-sync/folder-support.ts';
import { openDesk, page as newPage } from '../resources/content-support.ts';
import type { Bench, Try } from './bench.ts';

const text = (role: string, path: string, value: string | null, title?: string) => ({
  operation: 'put_text',
  role,
  git: { path },
  text: value,
  ...(title === undefined ? {} : { title }),
});
const files = (name: string) => ({
  operation: 'insert_files',
  files: [{ name, base64: 'aGk=', contentType: 'text/plain' }],
});

async function openSpace(bench: Bench) {
  const desk = await openDesk(bench.world);
  const space = { spaceId: desk.spaceId };
  return {
    ...desk,
    space,
    put: (...changes: object[]) => desk.publish(...(changes as never[])),
    current: async () => (await bench.call(getSpace, space)).revision,
    revision: (revisionId: string) => bench.call(revisions.getContent, { ...space, revisionId }),
  };
}

export const tries: readonly Try[] = [
  {
    of: 'revision',
    fields: ['urls.published', 'urls.public'],
    run: async (bench) => {
      const { call, org } = bench;
      const { space, at, createRequest, edit, merge, put, current, revision } = await openSpace(bench);
      await put(newPage('One'));
      const first = await current();
      const { id: siteId } = await call(sites.createSite, org, { body: { title: 'Docs' } });
      const site = { ...org, siteId };
      await call(addSiteSpace, site, { body: { spaceId: space.spaceId } });
      const urls = async (id: string) => (await revision(id)).urls;
      expect(await urls(first)).not.toHaveProperty('published');
      const { published } = (await call(sites.publishSite, site)).urls;
      expect(await urls(first)).toMatchObject({ published, public: published });
      expect((await call(getContent, space)).urls).toMatchObject({ published, public: published });
      const request = await createRequest();
      // Without changes, the content of a change request is the one that the site shows.
      expect((await call(requestContent.getContent, at(request.id))).urls).toMatchObject({ published });
      await edit(request.id, [newPage('Two')]);
      expect((await call(requestContent.getContent, at(request.id))).urls).not.toHaveProperty('published');
      await merge(request.id);
      expect(await urls(await current())).toMatchObject({ published });
      expect(await urls(first)).not.toHaveProperty('published');
      await call(sites.updateSite, site, { body: { visibility: 'unlisted' } });
      const unlisted = await urls(await current());
      expect([unlisted.published, unlisted.public]).toEqual([published, undefined]);
      await call(sites.updateSite, site, { body: { visibility: 'share-link' } });
      expect(await urls(await current())).not.toHaveProperty('published');
      await call(sites.unpublishSite, site);
      expect(await urls(await current())).not.toHaveProperty('published');
    },
  },
  {
    of: 'revision',
    fields: ['id', 'parents', 'type', 'createdAt', 'mergedFrom', 'pages', 'files', 'urls.app'],
    run: async (bench) => {
      const { call } = bench;
      const { space, at, createRequest, edit, merge, put, current, revision } = await openSpace(bench);
      await put(newPage('One'), files('a.txt'));
      const first = await revision(await current());
      const address = `http://localhost:8080/o/org_acme/s/${space.spaceId}`;
      expect(first).toMatchObject({
        type: 'merge',
        pages: [{ title: 'One' }],
        files: [{ name: 'a.txt' }],
        urls: { app: `${address}/~/revisions/${first.id}` },
      });
      expect((await call(getContent, space)).urls.app).toBe(address);
      const request = await createRequest();
      const edited = await edit(request.id, [newPage('Two')]);
      expect(await revision(edited.revision)).toMatchObject({
        id: edited.revision,
        type: 'edits',
        parents: [first.id],
        pages: [{ title: 'One' }, { title: 'Two' }],
      });
      expect(await revision(edited.revision)).not.toHaveProperty('mergedFrom');
      await put(newPage('Three'));
      const beside = await current();
      const synced = await call(changeRequests.syncChangeRequest, at(request.id));
      expect(await revision(synced.revision)).toMatchObject({
        type: 'update',
        parents: expect.arrayContaining([beside, edited.revision]),
      });
      await merge(request.id);
      const merged = await revision(await current());
      expect(merged).toMatchObject({ type: 'merge', mergedFrom: { id: request.id, status: 'merged' } });
      expect(merged.parents).toContain(beside);
      expect(merged.createdAt > first.createdAt).toBe(true);
      const { items } = await call(revisions.listRevisions, space, { query: { type: 'merge' } });
      expect(items.map(({ id }) => id)).toEqual([merged.id, beside, first.id]);
      const next = await createRequest();
      const back = await call(requestContent.restoreContent, at(next.id), { body: { revision: first.id } });
      const restored = await revision(back.revision);
      expect(restored).toMatchObject({ type: 'rollback', parents: [merged.id], pages: [{ title: 'One' }] });
      expect(restored.files.map(({ name }) => name)).toEqual(['a.txt']);
    },
  },
  {
    of: 'revision',
    fields: [
      'variables',
      'tags.slug',
      'tags.label',
      'tags.color',
      'tags.emoji',
      'tags.icon',
      'reusableContents',
    ],
    run: async (bench) => {
      const { call, world } = bench;
      const { space, put, current, revision } = await openSpace(bench);
      const before = await revision(await current());
      expect(before).toMatchObject({ variables: {}, tags: [], reusableContents: [] });
      await put(
        text('variables', '.gitbook/vars.yaml', 'product: Elsa\n'),
        text('tags', '.gitbook/tags.yaml', '- tag: beta\n  label: Beta\n  color: red\n  emoji: 1f600\n'),
        text('include', '.gitbook/includes/help.md', 'Call us.\n', 'Help'),
      );
      const first = await revision(await current());
      expect(first).toMatchObject({
        variables: { product: 'Elsa' },
        tags: [{ slug: 'beta', label: 'Beta', color: 'red', emoji: '1f600' }],
        reusableContents: [{ title: 'Help', git: { path: '.gitbook/includes/help.md' } }],
      });
      await put(
        text('variables', '.gitbook/vars.yaml', 'product: Anna\n'),
        text('tags', '.gitbook/tags.yaml', '- tag: new\n  label: New\n  color: blue\n  icon: bolt\n'),
        text('include', '.gitbook/includes/help.md', 'Write to us.\n', 'Support'),
      );
      const second = await revision(await current());
      const [help, support] = [first.reusableContents[0], second.reusableContents[0]];
      expect(second).toMatchObject({
        variables: { product: 'Anna' },
        tags: [{ slug: 'new', label: 'New', color: 'blue', icon: 'bolt' }],
        reusableContents: [{ id: help?.id, title: 'Support' }],
      });
      expect(support?.git?.oid).not.toBe(help?.git?.oid);
      expect(await revision(first.id)).toEqual(first);
      const document = await call(getDocument, { ...space, documentId: support?.document ?? '' });
      expect(JSON.stringify(document)).toContain('Write to us.');
      // A folder with the same texts has the same values.
      const shelf = await openShelf(world);
      await shelf.importFolder(
        newFolder({
          'README.md': '# Home\n',
          '.gitbook/vars.yaml': 'product: Anna\n',
          '.gitbook/tags.yaml': '- tag: new\n  label: New\n  color: blue\n  icon: bolt\n',
          '.gitbook/includes/help.md': '---\ntitle: Support\n---\n\nWrite to us.\n',
        }),
      );
      const { variables, tags, reusableContents } = await call(getContent, { spaceId: shelf.spaceId });
      expect([variables, tags]).toEqual([second.variables, second.tags]);
      expect(reusableContents).toMatchObject([{ title: 'Support', git: { path: support?.git?.path } }]);
    },
  },
  {
    of: 'revision',
    fields: ['type', 'sourceRevision'],
    run: async (bench) => {
      const { put, current, revision } = await openSpace(bench);
      await put(newPage('One'));
      expect(await revision(await current())).not.toHaveProperty('sourceRevision');
      const spec = { ref: { kind: 'openapi', spec: 'shop' } };
      const computed = { type: 'builtin:openapi', props: { models: true }, dependencies: { spec } };
      await put(newPage('API', { type: 'computed', document: {}, computed }));
      const id = await current();
      expect(await revision(id)).toMatchObject({ type: 'computed', sourceRevision: id });
    },
  },
  {
    of: 'revisions.changes',
    fields: [
      'mergedFrom',
      'more',
      'changes.type',
      'changes.file',
      'changes.variables',
      ...['id', 'path', 'title', 'type'].flatMap((name) => [
        `changes.page.${name}`,
        `changes.parent.before.${name}`,
        `changes.parent.after.${name}`,
      ]),
      ...['id', 'title', 'document'].map((name) => `changes.reusableContent.${name}`),
    ],
    run: async (bench) => {
      const { call } = bench;
      const { space, at, createRequest, edit, merge, put, current } = await openSpace(bench);
      const made = await put(newPage('Old'), newPage('New'), newPage('Child'));
      const [before, after, child] = (made.pages ?? []).map(({ id }) => id) as [string, string, string];
      await put({ operation: 'update_page', page: child, into: before });
      const changesOf = async (revisionId: string, limit = 100) =>
        call(revisions.listChanges, { ...space, revisionId }, { query: { limit } });
      const request = await createRequest();
      await edit(request.id, [
        { operation: 'update_page', page: child, into: after },
        newPage('Page'),
        files('b.txt'),
        text('variables', '.gitbook/vars.yaml', 'product: Elsa\n'),
        text('include', '.gitbook/includes/help.md', 'Call us.\n', 'Help'),
      ] as never[]);
      const planned = await call(changeRequests.listChanges, at(request.id), { query: { limit: 100 } });
      await merge(request.id);
      const merged = await current();
      const done = await changesOf(merged);
      expect(done.mergedFrom).toMatchObject({ id: request.id, status: 'merged' });
      const parent = (id: string, path: string, title: string) => ({ id, path, title, type: 'document' });
      const { items } = await call(listFiles, { ...space, revisionId: merged });
      expect(done.changes).toMatchObject([
        {
          type: 'page_moved',
          page: { id: child, path: 'new/child', title: 'Child' },
          parent: { before: parent(before, 'old', 'Old'), after: parent(after, 'new', 'New') },
        },
        { type: 'page_created', page: { path: 'page', title: 'Page', type: 'document' } },
        { type: 'file_created', file: { id: items[0]?.id, name: 'b.txt', contentType: 'text/plain' } },
        { type: 'reusable_content_created', reusableContent: { title: 'Help' } },
        { type: 'variables_edited', variables: { product: { after: 'Elsa' } } },
      ]);
      const withoutUrls = (value: unknown) =>
        JSON.stringify(value).replaceAll(/"downloadURL":"[^"]+"/g, '"downloadURL":""');
      expect(withoutUrls(done.changes)).toBe(withoutUrls(planned.changes));
      const file = { ...space, revisionId: merged, fileId: items[0]?.id ?? '' };
      expect(await bench.reason(downloadFile, file)).toBe('done');
      expect(await changesOf(merged, 2)).toMatchObject({ changes: [{}, {}], more: 3 });
      await put({ operation: 'delete_page', page: child }, text('variables', '.gitbook/vars.yaml', null));
      expect((await changesOf(await current())).changes).toMatchObject([
        { type: 'page_deleted', page: { id: child } },
        { type: 'variables_edited', variables: { product: { before: 'Elsa' } } },
      ]);
      const { id } = await createRequest();
      const own = await edit(id, [newPage('Last')]);
      expect(await changesOf(own.revision)).not.toHaveProperty('mergedFrom');
    },
  },
];
