import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import * as changeRequests from '../../src/resources/change-requests/contract.ts';
import { batchContent, listTexts } from '../../src/resources/content/change-request/contract.ts';
import { downloadFile, listFiles } from '../../src/resources/content/change-request-files/contract.ts';
import { getPage } from '../../src/resources/content/change-request-pages/contract.ts';
import { getContent } from '../../src/resources/content/revision/contract.ts';
import { downloadFile as downloadFromRevision } from '../../src/resources/content/revision-files/contract.ts';
import { getPage as getSpacePage } from '../../src/resources/content/space-pages/contract.ts';
import { createSpace } from '../../src/resources/spaces/contract.ts';
import type { Bench, Try } from './bench.ts';

type Place = { spaceId: string; changeRequestId: string };

/** Attributes of a page, each with a value before and after. */
const attributes = {
  title: ['One', 'Two'],
  linkTitle: ['Short', 'Shorter'],
  description: ['About', 'More about'],
  slug: ['one', 'two'],
  emoji: ['1f600', '1f680'],
  icon: ['book', 'bolt'],
  condition: ['visitor.claims.a == true', 'visitor.claims.b == true'],
  hidden: [true, false],
  noIndex: [true, false],
  noRobotsIndex: [true, false],
} as const;

const newRequest = async ({ call }: Bench, spaceId: string): Promise<Place> => ({
  spaceId,
  changeRequestId: (await call(changeRequests.createChangeRequest, { spaceId }, { body: {} })).id,
});
const edit = ({ call }: Bench, at: Place, ...changes: object[]) =>
  call(batchContent, at, { body: { changes } });

/** Publishes changes to a new space, and opens a change request for this space. */
async function begin(bench: Bench, ...changes: object[]) {
  const { id } = await bench.call(createSpace, bench.org, { body: { title: 'Guide' } });
  const first = await newRequest(bench, id);
  const { pages, insertedFiles } = await edit(bench, first, ...changes);
  await bench.call(changeRequests.mergeChangeRequest, first, { body: {} });
  const ids = [...pages, ...insertedFiles].map((each) => each.id);
  return { at: await newRequest(bench, id), ids };
}

const changesOf = async ({ call }: Bench, at: Place, limit = 100) =>
  (await call(changeRequests.listChanges, at, { query: { limit } })).changes;
const insert = (title: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown: 'Text' },
  ...more,
});
const include = (text: string | null, title = 'Note', name = 'note') => ({
  operation: 'put_text',
  role: 'include',
  git: { path: `.gitbook/includes/${name}.md` },
  ...(text === null ? { text } : { title, text }),
});
const variables = (text: string) => ({
  operation: 'put_text',
  role: 'variables',
  git: { path: '.gitbook/vars.yaml' },
  text,
});
/** Returns the beginning of a PNG of the given size, in base64. */
const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(33);
  bytes.write('89504e470d0a1a0a0000000d49484452', 'hex');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString('base64');
};
const insertFile = (name: string, base64: string, contentType: string, more: object = {}) => ({
  operation: 'insert_files',
  files: [{ name, base64, contentType, ...more }],
});
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

export const tries: readonly Try[] = [
  {
    of: 'change',
    fields: [
      ...[...Object.keys(attributes), 'document', 'frontMatter'].flatMap((name) => [
        `attributes.${name}.before`,
        `attributes.${name}.after`,
      ]),
      'attributes.target.before.kind',
      'attributes.target.before.url',
      'attributes.target.after.kind',
      'attributes.target.after.url',
      'page.id',
      'page.path',
      'page.title',
      'page.type',
      'type',
    ],
    run: async (bench) => {
      const values = (index: 0 | 1) =>
        Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, value[index]]));
      const link = { type: 'link', document: {}, href: 'https://one.test' };
      const { at, ids } = await begin(
        bench,
        insert('x', { ...values(0), variables: { count: 1 } }),
        insert('Web', link),
        insert('Kept'),
      );
      const [page = '', web = ''] = ids;
      const before = await bench.call(getSpacePage, { ...at, pageId: page });
      const update = { operation: 'update_page', page };
      expect(await changesOf(bench, at)).toEqual([]);
      await edit(
        bench,
        at,
        { ...update, ...values(1), document: { markdown: 'Other' }, variables: { count: 2 } },
        { operation: 'update_page', page: web, href: 'https://two.test' },
      );
      const after = await bench.call(getPage, { ...at, pageId: page });
      expect(after).toMatchObject({ title: 'Two', path: 'two', icon: 'bolt', markdown: 'Other' });
      expect([before, after]).toMatchObject([{ variables: { count: '1' } }, { variables: { count: '2' } }]);
      const [first, second, ...others] = await changesOf(bench, at);
      expect(others).toEqual([]);
      const edited = Object.fromEntries(
        Object.entries(attributes).map(([name, [one, other]]) => [
          name,
          // A flag that is set to false is omitted.
          other === false ? { before: one } : { before: one, after: other },
        ]),
      );
      expect(first).toMatchObject({
        type: 'page_edited',
        page: { id: page, type: 'document', title: 'Two', path: 'two' },
        attributes: {
          ...edited,
          document: { before: before.hash, after: after.hash },
          frontMatter: { before: before.frontMatter, after: after.frontMatter },
        },
      });
      expect([before.hash, after.hash]).toEqual(['Text', 'Other'].map(sha256));
      expect(second).toEqual({
        type: 'page_edited',
        page: { id: web, type: 'link', title: 'Web' },
        attributes: {
          target: {
            before: { kind: 'url', url: 'https://one.test' },
            after: { kind: 'url', url: 'https://two.test' },
          },
        },
      });
    },
  },
  {
    of: 'change-requests.changes',
    fields: [
      'more',
      'changes.type',
      'changes.page.id',
      'changes.page.path',
      'changes.page.title',
      'changes.page.type',
      'changes.parent.before.id',
      'changes.parent.before.path',
      'changes.parent.before.title',
      'changes.parent.before.type',
      'changes.parent.after.id',
      'changes.parent.after.path',
      'changes.parent.after.title',
      'changes.parent.after.type',
    ],
    run: async (bench) => {
      const { at, ids } = await begin(
        bench,
        insert('Group', { type: 'group', document: {}, ref: 'group' }),
        insert('Inner', { into: 'group' }),
        insert('Sheet'),
        insert('Old'),
      );
      const [group = '', inner = '', sheet = '', old = ''] = ids;
      const made = await edit(
        bench,
        at,
        { operation: 'update_page', page: inner, into: sheet },
        { operation: 'delete_page', page: old },
        insert('New', { into: group }),
      );
      const created = made.pages.find(({ title }) => title === 'New')?.id ?? '';
      const page = (id: string, path: string, title: string, type = 'document') => ({
        id,
        path,
        title,
        type,
      });
      const before = page(group, 'group', 'Group', 'group');
      const after = page(sheet, 'sheet', 'Sheet');
      const changes = await changesOf(bench, at);
      expect(changes).toEqual([
        { type: 'page_created', page: page(created, 'group/new', 'New') },
        { type: 'page_deleted', page: page(old, 'old', 'Old') },
        { type: 'page_moved', page: page(inner, 'sheet/inner', 'Inner'), parent: { before, after } },
      ]);
      for (const { id, path } of [page(created, 'group/new', ''), page(inner, 'sheet/inner', '')])
        expect((await bench.call(getPage, { ...at, pageId: id })).path).toBe(path);
      expect(await bench.reason(getPage, { ...at, pageId: old })).toBe('not-found');
      expect(await bench.call(changeRequests.listChanges, at, { query: { limit: 1 } })).toEqual({
        changes: changes.slice(0, 1),
        more: 2,
      });
      expect(await bench.call(changeRequests.listChanges, at)).not.toHaveProperty('more');
    },
  },
  {
    of: 'change-requests.changes',
    fields: [
      'changes.reusableContent.document',
      'changes.reusableContent.id',
      'changes.reusableContent.title',
      'changes.variables',
    ],
    run: async (bench) => {
      const { at } = await begin(bench, include('Old', 'Old', 'old'), variables('a: 1\nb: 2\n'));
      const old = (await bench.call(listTexts, at)).texts.find(({ title }) => title === 'Old')?.id;
      await edit(bench, at, include(null, 'Old', 'old'), include('New'), variables('b: 3\nc: 4\n'));
      const texts = (await bench.call(listTexts, at)).texts;
      const note = texts.find(({ title }) => title === 'Note')?.id;
      expect([texts.some(({ id }) => id === old), note]).toEqual([false, expect.any(String)]);
      const { revision } = await bench.call(changeRequests.getChangeRequest, at);
      expect(await changesOf(bench, at)).toEqual([
        {
          type: 'reusable_content_created',
          reusableContent: { id: note, title: 'Note', document: sha256('New') },
        },
        {
          type: 'reusable_content_deleted',
          reusableContent: { id: old, title: 'Old', document: sha256('Old') },
        },
        {
          type: 'variables_edited',
          variables: { a: { before: 1 }, b: { before: 2, after: 3 }, c: { after: 4 } },
        },
      ]);
      const whole = await bench.call(getContent, { ...at, revisionId: revision });
      expect(whole.variables).toEqual({ b: '3', c: '4' });
    },
  },
  {
    of: 'change',
    fields: ['reusableContent.document', 'reusableContent.id', 'reusableContent.title'],
    run: async (bench) => {
      const { at } = await begin(bench, include('Text'));
      await edit(bench, at, include('Other', 'Renamed'));
      const [text] = (await bench.call(listTexts, at)).texts;
      expect(text?.title).toBe('Renamed');
      expect(await changesOf(bench, at)).toEqual([
        {
          type: 'reusable_content_edited',
          reusableContent: { id: text?.id, title: 'Renamed', document: sha256('Other') },
          attributes: {
            title: { before: 'Note', after: 'Renamed' },
            document: { before: sha256('Text'), after: sha256('Other') },
          },
        },
      ]);
    },
  },
  {
    of: 'file',
    fields: [
      'id',
      'hash',
      'git.oid',
      'git.path',
      'dimensions.width',
      'dimensions.height',
      'name.before',
      'name.after',
      'size.before',
      'size.after',
      'contentType.before',
      'contentType.after',
      'downloadURL.before',
      'downloadURL.after',
      'dimensions.before.width',
      'dimensions.before.height',
      'dimensions.after.width',
      'dimensions.after.height',
    ],
    run: async (bench) => {
      const { call } = bench;
      const git = { path: 'images/a.png' };
      const { at, ids } = await begin(bench, insertFile('a.png', png(3, 2), 'image/png', { git }));
      const [id = ''] = ids;
      const more = { replaces: id };
      const bytes = Buffer.concat([Buffer.from(png(5, 4), 'base64'), Buffer.from('more')]);
      const [before] = (await call(listFiles, at)).items;
      await edit(bench, at, insertFile('b.png', bytes.toString('base64'), 'image/x-png', more));
      const [after] = (await call(listFiles, at)).items;
      const oid = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
      expect(before).toMatchObject({ id, dimensions: { width: 3, height: 2 }, git });
      expect(after).toMatchObject({
        id,
        name: 'b.png',
        hash: sha256(Buffer.concat([Buffer.from('bytes\0'), bytes])),
        dimensions: { width: 5, height: 4 },
        git: { ...git, oid },
      });
      const given = await call(downloadFile, { ...at, fileId: id });
      expect(given).toMatchObject({ name: 'b.png', contentType: 'image/x-png' });
      const [change] = await changesOf(bench, at);
      expect(change).toMatchObject({
        type: 'file_edited',
        file: { id, name: 'b.png', contentType: 'image/x-png' },
        attributes: {
          name: { before: 'a.png', after: 'b.png' },
          size: { before: 33, after: 37 },
          contentType: { before: 'image/png', after: 'image/x-png' },
          dimensions: { before: { width: 3, height: 2 }, after: { width: 5, height: 4 } },
        },
      });
      const { downloadURL = {} } = (change as { attributes: { downloadURL?: object } }).attributes;
      const sizes: number[] = [];
      for (const url of Object.values(downloadURL)) {
        const revisionId = /\/revisions\/([^/]+)\/files\/[^/]+\/download$/.exec(String(url))?.[1] ?? '';
        const file = await call(downloadFromRevision, { ...at, revisionId, fileId: id });
        sizes.push(file.bytes.length);
      }
      expect(sizes).toEqual([33, 37]);
    },
  },
  {
    of: 'change',
    fields: ['file'],
    run: async (bench) => {
      const { at, ids } = await begin(bench, insertFile('a.txt', 'YQ==', 'text/plain'));
      await edit(bench, at, insertFile('b.txt', 'Yg==', 'text/plain', { replaces: ids[0] }));
      expect(await changesOf(bench, at)).toMatchObject([
        { type: 'file_edited', file: { id: ids[0], name: 'b.txt' } },
      ]);
      expect((await bench.call(listFiles, at)).items).toMatchObject([{ id: ids[0], name: 'b.txt' }]);
    },
  },
  {
    of: 'change-requests.changes',
    fields: ['changes.file'],
    run: async (bench) => {
      const { at, ids } = await begin(bench, insertFile('a.txt', 'YQ==', 'text/plain'));
      await edit(bench, at, insertFile('b.txt', 'Yg==', 'text/plain'), {
        operation: 'delete_files',
        files: ids,
      });
      const [file, ...others] = (await bench.call(listFiles, at)).items;
      expect([file?.name, others]).toEqual(['b.txt', []]);
      expect(await changesOf(bench, at)).toMatchObject([
        { type: 'file_deleted', file: { id: ids[0], name: 'a.txt' } },
        { type: 'file_created', file: { id: file?.id, name: 'b.txt', contentType: 'text/plain' } },
      ]);
    },
  },
];
