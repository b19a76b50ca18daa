import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Api } from '../../../src/contract/api.ts';
import { createRehearsedContent } from '../../../src/content-sync/rehearse-content.ts';
import { openContent } from '../../../src/content-sync/space-content.ts';
import { IdQueue } from '../../../src/manifest/rehearse/copy.ts';
import { createChangeRequest, mergeChangeRequest } from '../../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../../src/resources/content/change-request/contract.ts';
import { createSpace } from '../../../src/resources/spaces/contract.ts';
import { createBench } from '../../manifest/bench.ts';
import { folderOf } from '../../manifest/read/folder.ts';
import { copiesFor } from '../../manifest/rehearse/rehearse-bench.ts';
import type { ContentChange } from '../../../src/content/changes.ts';

const signal = new AbortController().signal;
const source = { dir: 'content', via: 'change-request', merge: 'auto' } as const;

async function fill(api: Api, spaceId: string, changes: ContentChange[]): Promise<void> {
  const { id } = await api.call(createChangeRequest, { params: { spaceId }, body: {} });
  const params = { spaceId, changeRequestId: id };
  await api.call(batchContent, { params, body: { changes } });
  await api.call(mergeChangeRequest, { params });
}

/** Creates a space with changes, and a copy of the organization in which this space is empty. */
async function both(changes: ContentChange[]) {
  const bench = await createBench();
  const params = { organizationId: bench.world.org };
  const { id: spaceId } = await bench.api.call(createSpace, { params, body: { title: 'Guide' } });
  await fill(bench.api, spaceId, changes);
  const ids = new IdQueue();
  const copy = await ids.withIds([undefined, bench.world.org], () =>
    copiesFor(bench)({ title: 'Acme', email: 'a@acme.test' }, () => ids.next()),
  );
  await ids.withIds([spaceId], () =>
    copy.owner.call(createSpace, { params, body: { title: 'Guide', editMode: 'locked' } }),
  );
  bench.forget();
  return { bench, copy, ids, spaceId };
}

/** Returns the content of a space without times and addresses, which differ in a copy. */
async function heldBy(api: Api, spaceId: string) {
  const content = await (await openContent(api, { spaceId }, signal)).read(true);
  const plain = JSON.parse(
    JSON.stringify(content, (key, value: unknown) =>
      ['createdAt', 'updatedAt', 'urls', 'downloadURL'].includes(key) ? undefined : value,
    ),
  );
  const without = (more: string[]) => (one: object) =>
    Object.fromEntries(Object.entries(one).filter(([key]) => key !== 'id' && !more.includes(key)));
  return { pages: plain.pages, texts: plain.texts.map(without([])), files: plain.files.map(without([])) };
}

it('copies all kinds of pages with their IDs, texts, and files that the folder also contains', async () => {
  const bytes = Buffer.from('89504e470d0a1a0a', 'hex');
  const file = (name: string, content: Buffer) => ({
    name,
    base64: content.toString('base64'),
    contentType: 'image/png',
    git: { path: `.gitbook/assets/${name}` },
  });
  const { bench, copy, ids, spaceId } = await both([
    {
      operation: 'insert_page',
      type: 'group',
      title: 'Group',
      document: {},
      git: { path: 'SUMMARY.md' },
      ref: 'group',
    },
    {
      operation: 'insert_page',
      title: 'One',
      document: { markdown: '---\ndescription: Written\nicon: book\n---\n\n# One\n\ntext\n' },
      git: { path: 'one.md' },
      into: 'group',
      ref: 'one',
    },
    {
      operation: 'insert_page',
      title: 'Same',
      document: { markdown: 'x' },
      into: 'one',
      hidden: true,
      noIndex: true,
      slug: 'same',
      condition: 'visitor.claims.a == true',
    },
    { operation: 'insert_page', title: 'Same', document: { markdown: 'y' }, into: 'one', emoji: '📘' },
    { operation: 'insert_page', type: 'link', title: 'Link', href: 'https://a.test/', document: {} },
    // The description in the front matter is no longer valid.
    { operation: 'update_page', page: 'one', description: '' },
    { operation: 'put_text', role: 'summary', git: { path: 'SUMMARY.md' }, text: '* [One](one.md)\n' },
    {
      operation: 'insert_files',
      files: [file('a.png', bytes), file('b.png', Buffer.concat([bytes, bytes]))],
    },
  ]);
  const folder = folderOf({});
  mkdirSync(join(folder, 'content/.gitbook/assets'), { recursive: true });
  writeFileSync(join(folder, 'content/README.md'), '# Home\n');
  writeFileSync(join(folder, 'content/.gitbook/assets/renamed.png'), bytes);
  await createRehearsedContent(folder, signal).copy({
    spaceId,
    source,
    from: bench.api,
    to: copy.owner,
    ids,
  });
  const [live, copied] = [await heldBy(bench.api, spaceId), await heldBy(copy.owner, spaceId)];
  expect({ ...copied, files: copied.files.length }).toEqual({ ...live, files: 2 });
  const named = (files: { name: string }[], name: string) => files.find((one) => one.name === name);
  expect(named(copied.files, 'a.png')).toEqual(named(live.files, 'a.png'));
  // The folder does not contain b.png, so it is never compared and was not downloaded.
  expect(named(copied.files, 'b.png')).not.toEqual(named(live.files, 'b.png'));
  expect(bench.calls.some(({ operation }) => operation.id.includes('download'))).toBe(false);
  await copy.close();
});

it('reads a space of 3,000 pages with three requests', async () => {
  const pages = Array.from({ length: 3000 }, (_, index): ContentChange => ({
    operation: 'insert_page',
    title: `Page ${index}`,
    document: { markdown: `# Page ${index}\n` },
    git: { path: `p${index}.md` },
  }));
  const { bench, copy, ids, spaceId } = await both(pages);
  const folder = folderOf({ 'content/README.md': '# Home\n' });
  await createRehearsedContent(folder, signal).copy({
    spaceId,
    source,
    from: bench.api,
    to: copy.owner,
    ids,
  });
  expect(bench.calls.map(({ operation }) => operation.id).sort()).toEqual([
    'spaces.content.texts',
    'spaces.files.list',
    'spaces.pages.list',
  ]);
  expect((await heldBy(copy.owner, spaceId)).pages).toHaveLength(3000);
  await copy.close();
}, 60_000);
