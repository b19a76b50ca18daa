import { beforeAll, expect, it } from 'vitest';
import { childIds, findByPath, updateChildren } from '../../src/content/children.ts';
import { readPageNode } from '../../src/content/page-node.ts';
import type { PageEntry } from '../../src/content/rows.ts';
import { createInitialRevision, editRevision, readRevision } from '../../src/content/revisions.ts';
import { putEmptyRoot } from '../../src/content/trie.ts';
import type { ReadTransaction } from '../../src/core/store.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const pageAt = (index: number, parent: string | null = null): PageEntry => ({
  kind: 'page',
  id: `pag_${parent ?? ''}${index}`,
  type: 'document',
  parent,
  position: `a${String(index).padStart(5, '0')}`,
  title: `Page ${index}`,
  slug: `page-${index}`,
  createdAt: '2026-01-05T09:00:00.000Z',
  updatedAt: '2026-01-05T09:00:00.000Z',
  size: 0,
});
const added = (pages: readonly PageEntry[]) =>
  pages.map((after) => ({ id: after.id, before: undefined, after }));

/** A view that lists the sizes of the rows that are read through it. */
function measured(view: ReadTransaction): { readonly view: ReadTransaction; readonly sizes: number[] } {
  const sizes: number[] = [];
  const get = async (table: never, id: string) => {
    const row = await view.get(table, id);
    sizes.push(JSON.stringify(row ?? null).length);
    return row;
  };
  return { view: { ...view, get } as unknown as ReadTransaction, sizes };
}

it('reads a long list of siblings once for all pages of a revision, in any number of transactions', async () => {
  const { store, newId } = world.core;
  const pages = Array.from({ length: 700 }, (_, index) => pageAt(index));
  const context = {
    now: '2026-01-05T09:00:00.000Z',
    newId,
    caller: { user: { id: 'usr_1' } },
  } as unknown as Parameters<typeof editRevision>[1];
  const revision = await store.write(async (tx) => {
    const base = await createInitialRevision(tx, context, { organization: world.org, space: 'spc_1' });
    const changes = new Map([...pages, pageAt(1, 'pag_5')].map((page) => [page.id, page]));
    return editRevision(tx, context, { base, space: 'spc_1', changes });
  });
  const { root } = await store.read((view) => readRevision(view, revision));
  expect(root).toBeTruthy();
  let large = 0;
  for (let index = 0; index < 700; index += 100) {
    await store.read(async (view) => {
      const { view: counting, sizes } = measured(view);
      const node = await readPageNode(counting, revision, `pag_${index}`);
      expect(node).toMatchObject({ path: `page-${index}`, children: [] });
      large += sizes.filter((size) => size > 20_000).length;
    });
  }
  expect(large).toBe(1);
  const parent = await store.read((view) => readPageNode(view, revision, 'pag_5'));
  expect(parent?.children.map(({ path }) => path)).toEqual(['page-5/page-1']);
});

it('lists the correct pages of every revision after a long list was cached', async () => {
  const { store } = world.core;
  const pages = Array.from({ length: 600 }, (_, index) => pageAt(index));
  const [old, now] = await store.write(async (tx) => {
    const first = await updateChildren(tx, await putEmptyRoot(tx), added(pages));
    await childIds(tx, first, null);
    const [gone, kept] = [pages[3], pages[4]] as [PageEntry, PageEntry];
    const second = await updateChildren(tx, first, [
      { id: gone.id, before: gone, after: undefined },
      { id: kept.id, before: kept, after: { ...kept, slug: 'renamed' } },
    ]);
    return [first, second] as const;
  });
  await store.read(async (view) => {
    const ids = pages.map(({ id }) => id);
    expect(await childIds(view, old, null)).toEqual(ids);
    expect(await childIds(view, now, null)).toEqual(ids.filter((id) => id !== 'pag_3'));
    expect(await findByPath(view, old, 'page-4')).toBe('pag_4');
    expect(await findByPath(view, now, 'page-4')).toBeUndefined();
    expect(await findByPath(view, now, 'renamed')).toBe('pag_4');
  });
});
