import { expect, it } from 'vitest';
import { readPagesToCopy, sendCopies } from '../../src/content-sync/copy-pages.ts';
import { editRevision, readPage } from '../../src/content/revisions.ts';
import { spaces } from '../../src/core/rows/spaces.ts';
import { page } from '../resources/content-support.ts';
import { createWorld } from '../support/world.ts';
import { newFolder, openShelf } from './folder-support.ts';

/** Creates a space like older versions: a page has two child pages whose slugs differ only in case. */
async function openOldSpace() {
  const world = await createWorld();
  const shelf = await openShelf(world);
  await shelf.importFolder(
    newFolder({ 'top/README.md': '# Top\n', 'top/API.md': '# One\n', 'top/other.md': '# Two\n' }),
  );
  const [top] = await shelf.pages();
  const [one, two] = (top?.pages ?? []).map(({ id }) => id);
  const { store, newId } = world.core;
  const caller = { user: world.user('admin') } as never;
  await store.write(async (tx) => {
    const { revision: base } = (await tx.get(spaces, shelf.spaceId))!;
    const entry = (await readPage(tx, base, two!))!;
    const changes = new Map([[entry.id, { ...entry, slug: 'api', git: { oid: '', path: 'top/api.md' } }]]);
    const context = { now: new Date(world.core.clock()).toISOString(), newId, caller };
    const revision = await editRevision(tx, context, { base, space: shelf.spaceId, changes });
    await tx.update(spaces, shelf.spaceId, { revision });
  });
  const slugs = async () => (await shelf.pages())[0]?.pages?.map(({ slug }) => slug);
  expect(await slugs()).toEqual(['API', 'api']);
  return { world, shelf, top: top!.id, one: one!, two: two!, slugs };
}

it('edits, moves and reverts pages whose slugs differ only in case', async () => {
  const { shelf, one, two, slugs } = await openOldSpace();
  const { revision } = await shelf.space();
  await shelf.publish(
    { operation: 'update_page', page: one, title: 'New', document: { markdown: 'Text' } },
    { operation: 'update_page', page: two, at: 0 },
  );
  expect(await slugs()).toEqual(['api', 'API']);
  await shelf.publish({ operation: 'revert_page', page: one, revision });
  expect((await shelf.pages())[0]?.pages?.[1]).toMatchObject({ title: 'One', slug: 'API' });
  await expect(shelf.publish({ operation: 'update_page', page: one, slug: 'Api' })).rejects.toMatchObject({
    reason: 'conflict',
    message: 'Another page at the same level already has the slug "Api".',
  });
});

it('gives a new slug to an imported page if two pages have slugs that differ only in case', async () => {
  const { shelf, slugs } = await openOldSpace();
  await shelf.importFolder(
    newFolder({
      'SUMMARY.md':
        '* [Top](top/README.md)\n  * [Zero](top/Api.md)\n  * [One](top/API.md)\n  * [Two](top/api.md)\n',
      'top/README.md': '# Top\n',
      'top/Api.md': '# Zero\n',
      'top/API.md': '# One\n',
      'top/api.md': '# Two\n',
    }),
  );
  expect(await slugs()).toEqual(['Api', 'API-1', 'api-2']);
});

it('gives different slugs to copies of pages whose slugs differ only in case', async () => {
  const { world, shelf, top } = await openOldSpace();
  const other = await openShelf(world);
  await other.publish(page('Top'));
  const copy = await readPagesToCopy(
    world.as('edit'),
    { spaceId: shelf.spaceId },
    new Set([top]),
    new AbortController().signal,
  );
  await sendCopies(copy, {
    spaceId: other.spaceId,
    places: new Map([[top, { into: null, at: 1 }]]),
    slugs: new Map([[null, new Set(['top'])]]),
    files: [],
    send: (changes) => other.publish(...changes),
  });
  expect((await other.pages())[1]?.pages?.map(({ path }) => path)).toEqual(['top-1/API', 'top-1/api-1']);
});
