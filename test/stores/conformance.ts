import { describe, expect, test } from 'vitest';
import { findOne, positionOf, type Store, type WriteTransaction } from '../../src/core/store.ts';
import { notes, pages, type PageRow } from './fixtures.ts';
import { searchConformance } from './search-conformance.ts';

const page = (id: string, more: Partial<PageRow> = {}): PageRow => ({ id, space: 'spc', ...more });

/** What every store must do; `open` gives an empty one. */
export function conformance(name: string, open: () => Promise<Store>): void {
  describe(`${name} as a store`, () => {
    const filled = async (...rows: readonly PageRow[]): Promise<Store> => {
      const store = await open();
      await store.write(async (tx) => {
        for (const row of rows) await tx.insert(pages, row);
      });
      return store;
    };
    const ids = (store: Store, order: 'asc' | 'desc' = 'asc') =>
      store.read(async (view) =>
        (await view.find(pages, { index: 'bySpace', equals: ['spc'], order, limit: 100 })).map(
          (row) => row.id,
        ),
      );
    const count = (store: Store) => store.read((view) => view.count(pages, 'bySpace', ['spc']));

    test('inserts, reads, updates and removes rows', async () => {
      const store = await filled(page('a', { title: 'A' }));
      expect(await store.read((view) => view.get(pages, 'a'))).toEqual(page('a', { title: 'A' }));
      expect(await store.read((view) => view.get(pages, 'b'))).toBeUndefined();
      expect(await store.write((tx) => tx.update(pages, 'a', { title: 'B', slug: 's' }))).toEqual(
        page('a', { title: 'B', slug: 's' }),
      );
      expect(await store.read((view) => view.get(pages, 'a'))).toEqual(page('a', { title: 'B', slug: 's' }));
      expect(await store.write((tx) => tx.remove(pages, 'a'))).toBe(true);
      expect(await store.write((tx) => tx.remove(pages, 'a'))).toBe(false);
      expect(await store.read((view) => view.get(pages, 'a'))).toBeUndefined();
      expect(await count(store)).toBe(0);
    });

    test('scans all IDs in order, with sizes and with the changes of the same transaction', async () => {
      const store = await filled(page('b', { title: 'B'.repeat(5000) }), page('B'), page('a'), page('é'));
      const scan = (after: string, limit: number) =>
        store.read(async (view) => (await view.scan(pages, after, limit)).map(({ id }) => id));
      expect(await scan('', 10)).toEqual(['B', 'a', 'b', 'é']);
      expect(await scan('', 2)).toEqual(['B', 'a']);
      expect(await scan('a', 2)).toEqual(['b', 'é']);
      expect(await scan('aa', 1)).toEqual(['b']);
      expect(await scan('é', 5)).toEqual([]);
      expect(await scan('', 0)).toEqual([]);
      const sizes = await store.read((view) => view.scan(pages, 'a', 1));
      expect(sizes[0]?.size).toBeGreaterThan(5000);
      expect(sizes[0]?.size).toBeLessThan(5200);
      await store.write(async (tx) => {
        await tx.remove(pages, 'b');
        await tx.insert(pages, page('c'));
        expect((await tx.scan(pages, 'B', 10)).map(({ id }) => id)).toEqual(['a', 'c', 'é']);
      });
      expect(await scan('a', 10)).toEqual(['c', 'é']);
    });

    test('is intact after a scrub, also while others write', async () => {
      const store = await filled(
        ...Array.from({ length: 50 }, (_, at) => page(`p${at}`, { title: `T${at}` })),
      );
      const signal = new AbortController().signal;
      const scrubbed = store.scrub?.(Number.POSITIVE_INFINITY, signal);
      const others = Array.from({ length: 20 }, (_, at) => store.write((tx) => tx.remove(pages, `p${at}`)));
      await Promise.all([scrubbed, ...others]);
      expect((await store.scrub?.(0, signal)) ?? 'large').toBe('large');
      expect((await store.scrub?.(Number.POSITIVE_INFINITY, signal, 'give-way')) ?? 'done').toBe('done');
      expect((await store.scrub?.(Number.POSITIVE_INFINITY, signal)) ?? 'done').toBe('done');
      expect(await count(store)).toBe(30);
      await store.write((tx) => tx.update(pages, 'p30', { title: 'after' }));
      expect(await store.read((view) => view.get(pages, 'p30'))).toMatchObject({ title: 'after' });
    });

    test('changes its stamp after every change, and only then', async () => {
      const store = await filled(page('a'));
      const seen = new Set<string | undefined>();
      const expectNew = (): void => {
        // The stamp of a store is optional.
        if (store.stamp === undefined) return;
        const stamp = store.stamp();
        expect(stamp).toBeDefined();
        expect(seen).not.toContain(stamp);
        expect(store.stamp()).toBe(stamp);
        seen.add(stamp);
      };
      expectNew();
      await store.write((tx) => tx.insert(pages, page('b')));
      expectNew();
      await store.write((tx) => tx.update(pages, 'a', { title: 'new' }));
      expectNew();
      await store.write((tx) => tx.remove(pages, 'b'));
      expectNew();
      await Promise.all(['c', 'd'].map((id) => store.write((tx) => tx.insert(pages, page(id)))));
      expectNew();
      await count(store);
      await store.read((view) => view.get(pages, 'a'));
      if (store.stamp !== undefined) expect(seen).toContain(store.stamp());
    });

    test('never returns the stamp of an earlier read after a write was acknowledged', async () => {
      const store = await filled(page('a', { position: 0 }));
      const kept: { stamp: string | undefined; position: unknown } = { stamp: undefined, position: -1 };
      let acknowledged = 0;
      const wrong: unknown[] = [];
      const look = async (): Promise<void> => {
        for (let turn = 0; turn < 40; turn++) {
          const before = acknowledged;
          const stamp = store.stamp?.();
          if (stamp === undefined || stamp !== kept.stamp) {
            const row = await store.read((view) => view.get(pages, 'a'));
            Object.assign(kept, { stamp, position: row?.position });
            if (Number(row?.position) < before) wrong.push(['read', row?.position, before]);
          } else if (Number(kept.position) < before) wrong.push(['kept', kept.position, before]);
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const write = async (): Promise<void> => {
        for (let position = 1; position <= 30; position++) {
          await store.write((tx) => tx.update(pages, 'a', { position }));
          acknowledged = position;
        }
      };
      // These writes do not change the stamp, but must not hide other writes.
      const note = async (): Promise<void> => {
        for (let number = 0; number < 30; number++)
          await store.write((tx) => tx.insert(notes, { id: `n${number}`, text: '' }), { keepsStamp: true });
      };
      await Promise.all([write(), note(), look(), look(), look()]);
      expect(wrong).toEqual([]);
    });

    test('keeps the stamp during a write with keepsStamp, which otherwise is a normal write', async () => {
      const store = await filled(page('a'));
      const keepsStamp = true;
      const before = store.stamp?.();
      await store.write((tx) => tx.insert(notes, { id: 'n1', text: 'one' }), { keepsStamp });
      await Promise.all(
        ['n2', 'n3'].map((id) => store.write((tx) => tx.insert(notes, { id, text: id }), { keepsStamp })),
      );
      await store.write((tx) => tx.update(notes, 'n2', { text: 'two' }), { keepsStamp });
      await store.write((tx) => tx.remove(notes, 'n3'), { keepsStamp });
      expect(store.stamp?.()).toBe(before);
      const texts = () =>
        store.read((view) =>
          Promise.all(['n1', 'n2', 'n3'].map(async (id) => (await view.get(notes, id))?.text)),
        );
      expect(await texts()).toEqual(['one', 'two', undefined]);
      for (const change of [
        (tx: WriteTransaction) => tx.insert(pages, page('b')),
        (tx: WriteTransaction) => tx.update(pages, 'a', { title: 'new' }),
        (tx: WriteTransaction) => tx.remove(pages, 'a'),
      ])
        await expect(
          store.write(
            async (tx) => {
              await tx.update(notes, 'n1', { text: 'lost' });
              await change(tx);
            },
            { keepsStamp },
          ),
        ).rejects.toThrow('A write that keeps the stamp changes "pages"');
      expect(await texts()).toEqual(['one', 'two', undefined]);
      const unchanged = store.stamp?.();
      await Promise.all([
        store.write((tx) => tx.update(notes, 'n1', { text: 'eins' }), { keepsStamp }),
        store.write((tx) => tx.update(pages, 'a', { title: 'new' })),
        store.write((tx) => tx.update(notes, 'n2', { text: 'zwei' }), { keepsStamp }),
      ]);
      expect(await texts()).toEqual(['eins', 'zwei', undefined]);
      if (store.stamp !== undefined) expect(store.stamp()).not.toBe(unchanged);
    });

    test('holds no lock after a read-only transaction or after reading the stamp', async () => {
      const store = await filled(page('a'));
      store.stamp?.();
      const signal = new AbortController().signal;
      expect((await store.scrub?.(Number.POSITIVE_INFINITY, signal)) ?? 'done').toBe('done');
    });

    test('removes a field that is set to undefined, also from the indexes', async () => {
      const store = await filled(page('a', { slug: 's', title: 'A' }), page('b', { slug: 't' }));
      const after = await store.write((tx) =>
        tx.update(pages, 'a', { slug: undefined, title: undefined } as unknown as Partial<PageRow>),
      );
      expect(Object.keys(after)).toEqual(['id', 'space']);
      await store.write((tx) => tx.update(pages, 'b', { slug: 's' }));
      expect(await store.read((view) => findOne(view, pages, 'bySlug', ['spc', 's']))).toMatchObject({
        id: 'b',
      });
      expect(await store.read((view) => view.count(pages, 'byTitle', ['A']))).toBe(0);
      expect(await store.read((view) => view.count(pages, 'byTitle', [null]))).toBe(2);
    });

    test('refuses a second row with the same ID or unique key', async () => {
      const store = await filled(page('a', { slug: 's' }), page('b', { slug: 't' }));
      await expect(store.write((tx) => tx.insert(pages, page('a')))).rejects.toMatchObject({
        reason: 'conflict',
        message: 'The id "a" is already taken.',
      });
      await expect(store.write((tx) => tx.insert(pages, page('c', { slug: 's' })))).rejects.toMatchObject({
        reason: 'conflict',
        message: 'The slug "s" is already taken.',
      });
      await expect(store.write((tx) => tx.update(pages, 'b', { slug: 's' }))).rejects.toMatchObject({
        reason: 'conflict',
      });
      await store.write((tx) => tx.update(pages, 'a', { slug: 's', title: 'same key, same row' }));
      await store.write((tx) => tx.insert(pages, page('c', { slug: 's', space: 'other' })));
      expect(await store.read((view) => view.count(pages, 'bySlug', ['spc', 's']))).toBe(1);
      expect(await store.read((view) => view.count(pages, 'bySlug', ['spc', 'x']))).toBe(0);
    });

    test('ignores a unique key if one of its fields is null or missing', async () => {
      const store = await filled(
        page('a', { slug: null }),
        page('b'),
        page('c', { space: null, slug: 's' }),
        page('d', { space: null, slug: 's' }),
      );
      expect(await store.read((view) => view.count(pages, 'bySlug', ['spc', null]))).toBe(2);
      expect(
        await store.read(async (view) =>
          (await view.find(pages, { index: 'bySlug', equals: [null, 's'], after: ['c'], limit: 5 })).map(
            (row) => row.id,
          ),
        ),
      ).toEqual(['d']);
    });

    test('continues a write after a conflict that was caught', async () => {
      const store = await filled(page('a', { slug: 's' }));
      await store.write(async (tx) => {
        await tx
          .insert(pages, page('b', { slug: 's' }))
          .catch(() => tx.insert(pages, page('b', { slug: 's-2' })));
      });
      expect(await ids(store)).toEqual(['a', 'b']);
      expect(await count(store)).toBe(2);
    });

    test('finds a conflict anywhere in a large write, and rolls the write back', async () => {
      const store = await filled(page('a', { slug: 's' }));
      for (const at of [0, 7, 19]) {
        const write = store.write(async (tx) => {
          for (let index = 0; index < 20; index++)
            await tx.insert(
              pages,
              page(`b${index}`, { slug: index === at ? 's' : `s${index}`, title: 'x'.repeat(100_000) }),
            );
        });
        await expect(write).rejects.toMatchObject({
          reason: 'conflict',
          message: 'The slug "s" is already taken.',
        });
      }
      expect(await ids(store)).toEqual(['a']);
    });

    test('continues a large write after a conflict that was caught anywhere in it', async () => {
      const store = await filled(page('a', { slug: 's' }));
      await store.write(async (tx) => {
        for (let index = 0; index < 20; index++) {
          const title = 'x'.repeat(100_000);
          await tx
            .insert(pages, page(`b${index}`, { slug: index % 7 === 0 ? 's' : `s${index}`, title }))
            .catch(() => tx.insert(pages, page(`b${index}`, { slug: `t${index}`, title })));
        }
      });
      expect(await count(store)).toBe(21);
    });

    test('throws not-found for an update of a row that does not exist', async () => {
      const store = await open();
      await expect(store.write((tx) => tx.update(pages, 'x', {}))).rejects.toMatchObject({
        reason: 'not-found',
      });
    });

    test('changes nothing if a write throws', async () => {
      const store = await filled(page('a', { slug: 's', title: 'A' }), page('b'));
      const failing = store.write(async (tx) => {
        await tx.insert(pages, page('c'));
        await tx.update(pages, 'a', { slug: 't', title: 'B', position: 1 });
        await tx.update(pages, 'a', { title: 'B', position: 1, space: 'x' });
        await tx.remove(pages, 'b');
        throw new Error('enough');
      });
      await expect(failing).rejects.toThrow('enough');
      expect(await ids(store)).toEqual(['a', 'b']);
      expect(await count(store)).toBe(2);
      expect(await store.read((view) => findOne(view, pages, 'bySlug', ['spc', 's']))).toEqual(
        page('a', { slug: 's', title: 'A' }),
      );
    });

    test('commits each of many concurrent writes completely or not at all', async () => {
      const store = await open();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 150 }, (_, at) =>
          store.write(async (tx) => {
            await tx.insert(pages, page(`p${at}`));
            await tx.insert(pages, page(`q${at}`, { slug: String(at % 100) }));
            if (at % 7 === 0) throw new Error('no');
          }),
        ),
      );
      const kept = outcomes.filter((one) => one.status === 'fulfilled').length;
      expect(kept).toBeGreaterThan(80);
      expect(await count(store)).toBe(2 * kept);
      expect((await ids(store)).length).toBe(Math.min(100, 2 * kept));
    });

    test('loses no update of concurrent read-modify-writes', async () => {
      const store = await filled(page('a', { position: 0 }));
      const increment = async (tx: WriteTransaction) => {
        const row = await tx.get(pages, 'a');
        await tx.update(pages, 'a', { position: Number(row?.position) + 1 });
      };
      await Promise.all(Array.from({ length: 100 }, () => store.write(increment)));
      expect(await store.read((view) => view.get(pages, 'a'))).toMatchObject({ position: 100 });
    });

    test('counts the rows of small groups', async () => {
      const store = await filled(page('a', { position: 1 }), page('b', { position: 1 }), page('c'));
      const seen = await store.write(async (tx) => {
        await tx.insert(pages, page('d', { position: 1 }));
        await tx.remove(pages, 'c');
        return [
          await tx.count(pages, 'byPosition', [1]),
          await tx.count(pages, 'byPosition', [null]),
          await tx.count(pages, 'byPosition', ['1']),
        ];
      });
      expect(seen).toEqual([3, 0, 0]);
      expect(await store.read((view) => view.count(pages, 'byPosition', [1]))).toBe(3);
    });

    test('shows a write its own changes, also in counts and lists', async () => {
      const store = await filled(page('a'));
      const seen = await store.write(async (tx) => {
        await tx.insert(pages, page('b'));
        await tx.remove(pages, 'a');
        await tx.insert(pages, page('c'));
        return [
          await tx.count(pages, 'bySpace', ['spc']),
          (await tx.find(pages, { index: 'bySpace', equals: ['spc'], limit: 9 })).map((row) => row.id),
        ];
      });
      expect(seen).toEqual([2, ['b', 'c']]);
      expect(await count(store)).toBe(2);
    });

    test('shows a read nothing of a concurrent write', async () => {
      const store = await filled(page('a'), page('b'));
      let writing: Promise<unknown> | undefined;
      const seen = await store.read(async (view) => {
        const before = await view.count(pages, 'bySpace', ['spc']);
        writing = store.write(async (tx) => {
          await tx.remove(pages, 'a');
          await tx.update(pages, 'b', { title: 'new' });
        });
        for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        return [before, await view.count(pages, 'bySpace', ['spc']), await view.get(pages, 'b')];
      });
      await writing;
      expect(seen).toEqual([2, 2, page('b')]);
      expect(await count(store)).toBe(1);
    });

    test('shows reads all of a concurrent write or nothing', async () => {
      const store = await filled(page('a', { position: 0 }), page('b', { position: 0 }));
      const reads: Promise<unknown[]>[] = [];
      const look = () =>
        store.read(async (view) => {
          const a = await view.get(pages, 'a');
          await new Promise((resolve) => setImmediate(resolve));
          return [a?.position, (await view.get(pages, 'b'))?.position];
        });
      const writes = Array.from({ length: 20 }, (_, at) =>
        store.write(async (tx) => {
          await tx.update(pages, 'a', { position: at });
          reads.push(look());
          await tx.update(pages, 'b', { position: at });
        }),
      );
      await Promise.all(writes);
      for (const [a, b] of await Promise.all(reads)) expect(a).toBe(b);
    });

    test('sorts null, then numbers, then strings by code point, then by ID', async () => {
      const positions = [
        null,
        -1.5,
        0,
        2,
        10,
        '',
        '10',
        '2',
        'Z',
        'a',
        'é',
        '\u{fffd}',
        '\u{1f600}',
        '\u{10ffff}',
      ];
      const rows = positions.map((position, at) => page(`p${String.fromCharCode(122 - at)}`, { position }));
      const store = await filled(...[...rows].reverse(), page('pa', { position: 2 }), page('b'));
      const expected = ['b', ...rows.map((row) => row.id)];
      expected.splice(expected.indexOf(rows[3]?.id ?? ''), 0, 'pa');
      expect(await ids(store)).toEqual(expected);
      expect(await ids(store, 'desc')).toEqual(expected.toReversed());
    });

    test('pages over every row once in both directions, with any nulls', async () => {
      const rows = Array.from({ length: 60 }, (_, at) =>
        page(`p${at}`, {
          title: 't',
          space: at % 3 === 0 ? null : `s${at % 4}`,
          position: [null, 1, 'x', 1.5][at % 4] ?? null,
        }),
      );
      const store = await filled(...rows);
      for (const order of ['asc', 'desc'] as const) {
        const whole = await store.read((view) =>
          view.find(pages, { index: 'byTitle', equals: ['t'], order, limit: 100 }),
        );
        const paged: PageRow[] = [];
        for (;;) {
          const last = paged.at(-1);
          const after = last === undefined ? {} : { after: positionOf(pages, 'byTitle', last) };
          const next = await store.read((view) =>
            view.find(pages, { index: 'byTitle', equals: ['t'], order, limit: 7, ...after }),
          );
          paged.push(...next);
          if (next.length < 7) break;
        }
        expect(whole).toHaveLength(60);
        expect(paged).toEqual(whole);
      }
    });

    test('neither repeats nor skips rows in pages while rows are inserted', async () => {
      const store = await filled(
        ...Array.from({ length: 20 }, (_, at) => page(`p${at}`, { position: at * 10 })),
      );
      const seen: number[] = [];
      let after: readonly (string | number | null)[] | undefined;
      for (let turn = 0; turn < 5; turn += 1) {
        const rows = await store.read((view) =>
          view.find(pages, {
            index: 'bySpace',
            equals: ['spc'],
            limit: 4,
            ...(after === undefined ? {} : { after }),
          }),
        );
        seen.push(...rows.map((row) => Number(row.position)).filter((position) => position % 10 === 0));
        after = positionOf(pages, 'bySpace', rows.at(-1) as PageRow);
        await store.write((tx) => tx.insert(pages, page(`before${turn}`, { position: turn })));
      }
      expect(seen).toEqual(Array.from({ length: seen.length }, (_, at) => at * 10));
      expect(seen).toHaveLength(20);
    });

    test('continues a list after keys that no row has', async () => {
      const store = await filled(page('a', { position: 1 }), page('b', { position: 3 }));
      const find = (order: 'asc' | 'desc', after: readonly (string | number | null)[]) =>
        store.read(async (view) =>
          (await view.find(pages, { index: 'bySpace', equals: ['spc'], order, after, limit: 5 })).map(
            (row) => row.id,
          ),
        );
      expect(await find('asc', [2, 'zzz'])).toEqual(['b']);
      expect(await find('desc', [2, 'zzz'])).toEqual(['a']);
      expect(await find('desc', ['text', ''])).toEqual(['b', 'a']);
      expect(await find('asc', [null, ''])).toEqual(['a', 'b']);
    });

    test('is not affected by changes to the row objects of a caller', async () => {
      const row = { ...page('a'), tags: ['x'] };
      const store = await filled(row);
      row.tags.push('y');
      const [got, found, updated] = await store.write(async (tx) => [
        await tx.get(pages, 'a'),
        (await tx.find(pages, { index: 'all', equals: [], limit: 1 }))[0],
        await tx.update(pages, 'a', { title: 'T' }),
      ]);
      // A store that caches parsed rows freezes them.
      for (const { tags } of [got, found, updated] as unknown as { tags: string[] }[])
        if (!Object.isFrozen(tags)) tags.push('z');
      expect(await store.read((view) => view.get(pages, 'a'))).toEqual({
        ...page('a'),
        tags: ['x'],
        title: 'T',
      });
    });

    test('returns large and unusual texts unchanged', async () => {
      const store = await open();
      const texts = [
        '\0\u2028"\\\n',
        'e\u0301 \u00e9 \u{1f1e9}\u{1f1ea}',
        '\ud800 alone',
        'x'.repeat(3_000_000),
      ];
      await store.write(async (tx) => {
        for (const [at, text] of texts.entries()) await tx.insert(notes, { id: `n${at}`, text });
      });
      for (const [at, text] of texts.entries())
        expect((await store.read((view) => view.get(notes, `n${at}`)))?.text === text).toBe(true);
    });

    test('refuses a key that cannot be distinguished from others', async () => {
      const store = await open();
      for (const slug of ['a\0b', '\ud800']) {
        await expect(store.write((tx) => tx.insert(pages, page('a', { slug })))).rejects.toMatchObject({
          reason: 'invalid-input',
        });
        await expect(
          store.read((view) => findOne(view, pages, 'bySlug', ['spc', slug])),
        ).rejects.toMatchObject({ reason: 'invalid-input' });
      }
    });

    test('refuses the use of a transaction that has ended', async () => {
      const store = await filled(page('a'));
      let kept: WriteTransaction | undefined;
      await store.write(async (tx) => void (kept = tx));
      await expect(kept?.insert(pages, page('late'))).rejects.toThrow('ended');
      expect(await ids(store)).toEqual(['a']);
    });

    test('returns no rows for a limit of 0', async () => {
      const store = await filled(page('a'));
      expect(await store.read((view) => view.find(pages, { index: 'all', equals: [], limit: 0 }))).toEqual(
        [],
      );
    });

    test('finishes running transactions when it is closed, and then refuses new ones', async () => {
      const store = await open();
      const under = store.write((tx) => tx.insert(pages, page('a')));
      await store.close();
      await under;
      await expect(store.write((tx) => tx.insert(pages, page('b')))).rejects.toThrow('closed');
      await expect(store.read((view) => view.get(pages, 'a'))).rejects.toThrow('closed');
    });
  });
  searchConformance(name, open);
}
