import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { ReadTransaction } from '../../src/core/store.ts';
import {
  diffRoots,
  trieKey,
  putEmptyRoot,
  readEntries,
  readEntry,
  TrieReader,
  walkEntries,
  writeEntries,
} from '../../src/content/trie.ts';
import { createWorld, type World } from '../support/world.ts';
import { RecentMap } from '../../src/core/recent-map.ts';
import { nodes, type NodeRow } from '../../src/content/rows.ts';

interface Item {
  readonly id: string;
  readonly value: number;
}
let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const ids = Array.from({ length: 120 }, (_, index) => `id${index}`);
const changes = fc.array(
  fc.tuple(fc.constantFrom(...ids), fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined })),
  { maxLength: 150 },
);
const entriesOf = (batch: readonly (readonly [string, number | undefined])[]) =>
  new Map<string, Item | undefined>(
    batch.map(([id, value]) => [id, value === undefined ? undefined : { id, value }]),
  );
const place = ({ id }: Item) => trieKey(id);

it('contains the given entries in one form after any history, and returns the differences', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { maxLength: 5 }), async (batches) => {
      const store = world.core.store;
      const held = new Map<string, Item>();
      let root = await store.write((tx) => putEmptyRoot(tx));
      const empty = root;
      for (const batch of batches) {
        const before = new Map(held);
        for (const [id, item] of entriesOf(batch))
          if (item === undefined) held.delete(id);
          else held.set(id, item);
        const from = root;
        const written = await store.write((tx) => writeEntries<Item>(tx, from, entriesOf(batch)));
        root = written.root;
        const differing = ids.filter((id) => before.get(id)?.value !== held.get(id)?.value).sort();
        const expected = differing.map((id) => ({ id, before: before.get(id), after: held.get(id) }));
        const sorted = (list: readonly { id: string }[]) =>
          [...list].sort((one, other) => (one.id < other.id ? -1 : 1));
        expect(sorted(written.changed)).toEqual(expected);
        expect(sorted(await store.read((view) => diffRoots<Item>(view, from, root)))).toEqual(expected);
      }
      await store.read(async (view) => {
        const all = [...held.values()].sort((one, other) => (place(one) < place(other) ? -1 : 1));
        expect(await readEntries<Item>(view, root)).toEqual(all);
        for (const id of ids.slice(0, 20))
          expect(await readEntry<Item>(view, root, id)).toEqual(held.get(id));
        const from = trieKey('id7');
        const rest: Item[] = [];
        for await (const item of walkEntries<Item>(view, root, from)) rest.push(item);
        expect(rest).toEqual(all.filter((item) => place(item) >= from));
      });
      const [first, second] = [[...held.values()].slice(0, 40), [...held.values()].slice(40).reverse()];
      const again = await store.write(async (tx) => {
        const half = await writeEntries<Item>(tx, empty, new Map(second.map((item) => [item.id, item])));
        return (await writeEntries<Item>(tx, half.root, new Map(first.map((item) => [item.id, item])))).root;
      });
      expect(again).toBe(root);
    }),
    { numRuns: 60, seed: 7 },
  );
});

it('reads a few small nodes to find one of many entries', async () => {
  const store = world.core.store;
  const many = new Map(
    Array.from({ length: 5000 }, (_, value) => [`many${value}`, { id: `many${value}`, value }]),
  );
  const { root } = await store.write(async (tx) => writeEntries<Item>(tx, await putEmptyRoot(tx), many));
  await store.read(async (view) => {
    const read: number[] = [];
    const counting = {
      ...view,
      get: async (table: never, id: string) => {
        const row = await view.get(table, id);
        read.push(JSON.stringify(row).length);
        return row;
      },
    } as unknown as ReadTransaction;
    expect(await readEntry<Item>(counting, root, 'many77')).toEqual({ id: 'many77', value: 77 });
    expect(read.length).toBeLessThanOrEqual(5);
    expect(Math.max(...read)).toBeLessThan(2500);
    expect((await view.get(nodes, root))!.branches!['0']![1]).toBeGreaterThan(200);
  });
});

it('reads only the differing nodes of another content if the others are cached', async () => {
  const cache = new RecentMap<NodeRow>(10_000, ({ entries = [] }) => entries.length + 1);
  const batch = entriesOf(ids.map((id) => [id, 1]));
  const { first, second } = await world.core.store.write(async (tx) => {
    const { root } = await writeEntries<Item>(tx, await putEmptyRoot(tx), batch);
    const changed = entriesOf([[ids[7]!, 2]]);
    return { first: root, second: (await writeEntries<Item>(tx, root, changed)).root };
  });
  await world.core.store.read(async (view) => {
    let reads = 0;
    const counting: ReadTransaction = {
      ...view,
      get: (table, id) => {
        reads++;
        return view.get(table, id);
      },
    };
    const read = async (root: string): Promise<number> => {
      reads = 0;
      const found = await readEntries<Item>(counting, root, cache);
      expect(found).toEqual(await readEntries<Item>(view, root));
      return reads;
    };
    const all = await read(first);
    expect(all).toBeGreaterThan(8);
    // The root, and the leaf with the entry.
    expect(await read(second)).toBeLessThan(4);
    expect(await read(first)).toBe(0);
  });
});

it('reads each node once to read all entries in order', async () => {
  const { store } = world.core;
  const all = Array.from({ length: 2000 }, (_, value) => ({ id: `many${value}`, value }));
  const root = await store.write(async (tx) => {
    const batch = new Map(all.map((item) => [item.id, item]));
    return (await writeEntries<Item>(tx, await putEmptyRoot(tx), batch)).root;
  });
  const read: string[] = [];
  await store.read(async (view) => {
    const counted = {
      get: (from: never, id: string) => {
        read.push(id);
        return view.get(from, id);
      },
    } as unknown as ReadTransaction;
    const reader = new TrieReader<Item>(counted, root);
    for (const item of all.sort((one, other) => (place(one) < place(other) ? -1 : 1)))
      expect(await reader.get(item.id)).toEqual(item);
  });
  expect(read).toHaveLength(new Set(read).size);
});
