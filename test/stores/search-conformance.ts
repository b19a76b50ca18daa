import { describe, expect, test } from 'vitest';
import type { Key, ReadTransaction, Store } from '../../src/core/store.ts';
import { notes, texts, type TextRow } from './fixtures.ts';
import { testRanks } from './rank-conformance.ts';

const text = (id: string, body: string, more: Partial<TextRow> = {}): TextRow => ({
  id,
  space: 'spc',
  body,
  ...more,
});

/** The tests that every store must pass for searches. `open` returns an empty store. */
export function searchConformance(name: string, open: () => Promise<Store>): void {
  describe(`the word search of ${name}`, () => {
    const filled = async (...rows: readonly (TextRow | string)[]): Promise<Store> => {
      const store = await open();
      await store.write(async (tx) => {
        for (const [at, row] of rows.entries())
          await tx.insert(texts, typeof row === 'string' ? text(`t${at}`, row) : row);
      });
      return store;
    };
    const idsIn = async (view: ReadTransaction, query: string, limit = 100): Promise<string[]> =>
      (await view.search(texts, { index: 'bySpace', anyOf: [['spc']], query, limit })).map(({ id }) => id);
    const ids = (store: Store, query: string, limit?: number) =>
      store.read((view) => idsIn(view, query, limit));

    /** Returns those of the texts in one store that a query finds. */
    const stores = new Map<readonly string[], Promise<Store>>();
    const finds = async (query: string, bodies: readonly string[]): Promise<string[]> => {
      if (!stores.has(bodies)) stores.set(bodies, filled(...bodies));
      const found = await ids(await stores.get(bodies)!, query);
      return bodies.filter((_, at) => found.includes(`t${at}`));
    };

    test('returns the best rows first, with descending scores', async () => {
      const store = await filled(
        text('a', 'a token in a long text about something else entirely'),
        text('b', 'the token', { title: 'Token' }),
        text('c', 'nothing'),
        text('d', 'no'),
      );
      const hits = await store.read((view) =>
        view.search(texts, { index: 'bySpace', anyOf: [['spc']], query: 'token', limit: 9 }),
      );
      expect(hits.map(({ id }) => id)).toEqual(['b', 'a']);
      expect(hits[0]!.score).toBeGreaterThan(hits[1]!.score);
      expect(hits[1]!.score).toBeGreaterThan(0);
    });

    test('returns rows in an order that depends only on the current rows', async () => {
      const filling = Array.from({ length: 9 }, (_, at) => text(`z${at}`, 'apple'));
      const rows = [text('a', 'apple apple berry'), text('b', 'apple berry berry')];
      const store = await filled(...rows, ...filling);
      const query = 'apple berry';
      await ids(store, query);
      await store.write(async (tx) => {
        for (const { id } of filling) await tx.remove(texts, id);
      });
      expect(await ids(store, query)).toEqual(await ids(await filled(...rows), query));
    });

    test('gives a match in a field of higher weight a higher score', async () => {
      const filling = Array.from({ length: 8 }, (_, at) => text(`x${at}`, 'other words here'));
      const store = await filled(
        ...filling,
        text('a', 'the quota is one two', { title: 'About it' }),
        text('b', 'about it one two', { title: 'The quota' }),
      );
      expect(await ids(store, 'quota')).toEqual(['b', 'a']);
    });

    test('returns rows with equal scores by ID, and applies the limit to the first', async () => {
      const store = await filled(
        ...['p3', 'p1', '\u{1f600}', 'p2', '\uffee'].map((id) => text(id, 'same words')),
      );
      expect(await ids(store, 'words')).toEqual(['p1', 'p2', 'p3', '\uffee', '\u{1f600}']);
      expect(await ids(store, 'word', 2)).toEqual(['p1', 'p2']);
      expect(await ids(store, 'words', 0)).toEqual([]);
    });

    test('searches only rows with one of the given keys', async () => {
      const row = (id: string, space: string | null, page?: string | number) => ({
        id,
        space,
        body: 'find me',
        ...(page === undefined ? {} : { page }),
      });
      const store = await filled(
        row('a', 's'),
        row('b', 't'),
        row('c', 'u'),
        row('d', null),
        row('e', 's', 1),
        row('f', 's', '1'),
        row('g', 't', 'x'),
      );
      const within = (index: 'all' | 'bySpace' | 'byPage', ...anyOf: Key[][]) =>
        store.read(async (view) =>
          (await view.search(texts, { index, anyOf, query: 'find', limit: 99 })).map(({ id }) => id).sort(),
        );
      expect(await within('all', [])).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
      expect(await within('all')).toEqual([]);
      expect(await within('bySpace', ['s'], ['u'])).toEqual(['a', 'c', 'e', 'f']);
      expect(await within('bySpace', [null], ['u'])).toEqual(['c', 'd']);
      expect(await within('byPage', ['s', 1], ['t', 'x'])).toEqual(['e', 'g']);
      expect(await within('byPage', ['s', null], ['t', null], ['s', '1'])).toEqual(['a', 'b', 'f']);
      expect(await within('bySpace', ...Array.from({ length: 3_000 }, (_, at) => [`s${at}`]), ['u'])).toEqual(
        ['c'],
      );
    });

    test('requires all words in any fields of a row, and accepts some words only if no row has all', async () => {
      const store = await filled(
        text('a', 'token', { title: 'Access' }),
        text('b', 'token of another'),
        text('c', 'access to another'),
      );
      expect(await ids(store, 'access token')).toEqual(['a']);
      expect((await ids(store, 'token nowhere')).sort()).toEqual(['a', 'b']);
      expect(await ids(store, 'nowhere noplace')).toEqual([]);
    });

    test('finds words in every form, and the last word also as a prefix', async () => {
      const bodies = ['The configuration of clusters', 'configure a CLUSTER', 'clustering'];
      expect(await finds('configuring cluster', bodies)).toEqual(bodies.slice(0, 2));
      expect(await finds('conf', bodies)).toEqual(bodies.slice(0, 2));
      expect(await finds('configurati', bodies)).toEqual(bodies.slice(0, 2));
      expect(await finds('conf cluster', bodies)).toEqual(bodies);
      expect(await finds('"conf"', bodies)).toEqual([]);
      expect(await ids(await filled('the webhooks', 'a webhook', 'web'), 'web')).toEqual(['t2', 't0', 't1']);
    });

    test('returns rows with the last word as a prefix last, and only if few rows have the exact word', async () => {
      const rows = (count: number) => [
        ...Array.from({ length: count }, (_, at) => text(`a${at}`, 'the web')),
        text('b', 'the webhook'),
      ];
      expect((await ids(await filled(...rows(49)), 'web')).at(-1)).toBe('b');
      expect(await ids(await filled(...rows(50)), 'web')).not.toContain('b');
      expect(await ids(await filled(...rows(3)), 'web', 3)).toEqual(['a0', 'a1', 'a2']);
    });

    test('finds quoted words only in sequence', async () => {
      const bodies = ['a feature store for you', 'store a feature', 'feature stores', 'feature: "store"'];
      expect(await finds('"feature store"', bodies)).toEqual([bodies[0], bodies[2], bodies[3]]);
      expect(await finds('“feature store” you', bodies)).toEqual([bodies[0]]);
      expect(await finds('"feature store', bodies)).toEqual(bodies);
    });

    test('finds identifiers as a whole and in parts', async () => {
      const bodies = [
        'see feature_store.yaml here',
        'the feature yaml store',
        'call getUserById(1)',
        'get-user by hand',
        'X-Forwarded-For: a.b.c',
        'GET /v1/users/{id}',
        'by user',
      ];
      expect(await finds('feature_store.yaml', bodies)).toEqual([bodies[0]]);
      expect(await finds('getUserById', bodies)).toEqual([bodies[2]]);
      expect(await finds('getuserbyid', bodies)).toEqual([bodies[2]]);
      expect(await finds('getUs', bodies)).toEqual([bodies[2], bodies[3]]);
      expect(await finds('get_user_by_id', bodies)).toEqual([bodies[2]]);
      expect(await finds('get-user', bodies)).toEqual([bodies[2], bodies[3]]);
      expect(await finds('a.b.c', bodies)).toEqual([bodies[4]]);
      expect(await finds('/v1/users/', bodies)).toEqual([bodies[5]]);
    });

    test('ignores accents, forms of letters and invisible characters', async () => {
      const bodies = [
        'Une résolution naïve',
        'cafe\u0301 Straße',
        'ＦＵＬＬ ﬁle',
        'ΟΔΟΣ',
        'Ёлка',
        'soft\u00adware',
      ];
      for (const [at, query] of [
        'RESOLUTION NAIVE',
        'café strasse',
        'full file',
        'οδός',
        'елка',
        'software',
      ].entries())
        expect(await finds(query, bodies)).toEqual([bodies[at]]);
    });

    test('finds text in scripts without spaces from any character', async () => {
      const bodies = [
        'PostgreSQL是一個資料庫管理系統。',
        '資料與倉庫',
        '全文検索エンジンのデータ',
        'ฐานข้อมูลเชิงสัมพันธ์',
        '데이터베이스를 사용',
        'មូលដ្ឋានទិន្នន័យ',
      ];
      expect(await finds('資料庫', bodies)).toEqual([bodies[0]]);
      expect(await finds('資料', bodies)).toEqual(bodies.slice(0, 2));
      expect(await finds('庫', bodies)).toEqual(bodies.slice(0, 2));
      expect(await finds('統', bodies)).toEqual([bodies[0]]);
      expect(await finds('系統 postgresql資料庫', bodies)).toEqual([bodies[0]]);
      expect(await finds('資庫', bodies)).toEqual([]);
      expect(await finds('エンジン', bodies)).toEqual([bodies[2]]);
      expect(await finds('ﾃﾞｰﾀ', bodies)).toEqual([bodies[2]]);
      expect(await finds('ข้อมูล', bodies)).toEqual([bodies[3]]);
      expect(await finds('베이스', bodies)).toEqual([bodies[4]]);
      expect(await finds('ទិន្នន័យ', bodies)).toEqual([bodies[5]]);
    });

    test('accepts any text as a query', async () => {
      const store = await filled('title: a NEAR b AND "c" ^d', 'x');
      const empty = [
        '',
        ' ',
        '"',
        '""',
        '*',
        '-',
        '😀',
        '(((',
        '"'.repeat(512),
        '\ud800',
        '\0',
        '。、',
        "^ * : + - { } ( ) \\ '",
      ];
      for (const query of empty) expect(await ids(store, query)).toEqual([]);
      const odd = [
        'NEAR(',
        'a AND',
        'NOT b',
        'OR',
        'title:a',
        'title : x',
        '-a',
        'a*',
        '^d',
        '{a b}',
        'near(a b, 5)',
        'a\0b',
        "'; DROP TABLE texts",
        'a '.repeat(256),
        '"a" '.repeat(128),
        'a_'.repeat(256),
      ];
      for (const query of odd) await ids(store, query);
      expect(await ids(store, 'title:a')).toEqual(['t0']);
      expect(await ids(store, `${'c '.repeat(256)}nowhere`)).toEqual(['t0']);
      const words = Array.from({ length: 256 }, (_, at) =>
        String.fromCharCode(0x430 + (at % 32), 0x430 + (at >> 5)),
      ).join(' ');
      expect(await ids(store, words)).toEqual([]);
    });

    test('finds changes at once, and updates only the words that changed', async () => {
      const store = await filled(text('a', 'first', { title: 'One' }), text('b', 'second'));
      expect(await ids(store, 'first')).toEqual(['a']);
      await store.write((tx) => tx.update(texts, 'a', { body: 'third' }));
      expect(await ids(store, 'first')).toEqual([]);
      expect(await ids(store, 'third one')).toEqual(['a']);
      await store.write((tx) => tx.update(texts, 'a', { space: 'other' }));
      expect(await ids(store, 'third')).toEqual([]);
      await store.write((tx) =>
        tx.update(texts, 'a', { space: 'spc', title: undefined } as unknown as Partial<TextRow>),
      );
      expect(await ids(store, 'one')).toEqual([]);
      expect(await ids(store, 'third')).toEqual(['a']);
      await store.write((tx) => tx.remove(texts, 'b'));
      expect(await ids(store, 'second')).toEqual([]);
      await store.write((tx) => tx.insert(texts, text('b', 'fourth')));
      expect(await ids(store, 'second')).toEqual([]);
      expect(await ids(store, 'fourth')).toEqual(['b']);
    });

    test('finds its own changes in a write, and restores the words if the write throws', async () => {
      const store = await filled(text('a', 'first'), text('b', 'second'));
      const failing = store.write(async (tx) => {
        await tx.insert(texts, text('c', 'first third'));
        await tx.update(texts, 'a', { body: 'third' });
        await tx.remove(texts, 'b');
        const seen = [await idsIn(tx, 'first'), await idsIn(tx, 'third'), await idsIn(tx, 'second')];
        throw new Error(JSON.stringify(seen));
      });
      await expect(failing).rejects.toThrow('[["c"],["a","c"],[]]');
      expect(await ids(store, 'first')).toEqual(['a']);
      expect(await ids(store, 'second')).toEqual(['b']);
      expect(await ids(store, 'third')).toEqual([]);
    });

    test('keeps all words or none of each write that arrives together with others', async () => {
      const store = await open();
      const write = (at: number) =>
        store.write(async (tx) => {
          await tx.insert(texts, text(`t${at}`, `common number${at}`));
          if (at % 3 === 0) throw new Error('no');
        });
      await Promise.allSettled(Array.from({ length: 12 }, (_, at) => write(at)));
      expect((await ids(store, 'common')).sort()).toEqual(['t1', 't10', 't11', 't2', 't4', 't5', 't7', 't8']);
      expect(await ids(store, 'number3')).toEqual([]);
      expect(await ids(store, 'number4')).toEqual(['t4']);
    });

    test('keeps no words of a conflict that was caught', async () => {
      const store = await filled(text('a', 'first'));
      await store.write(async (tx) => {
        await tx.insert(texts, text('a', 'second')).catch(() => undefined);
        await tx.insert(texts, text('b', 'third'));
      });
      expect(await ids(store, 'second')).toEqual([]);
      expect(await ids(store, 'third')).toEqual(['b']);
    });

    test('finds nothing of a concurrent write in a read', async () => {
      const store = await filled(text('a', 'first'));
      let writing: Promise<unknown> | undefined;
      const seen = await store.read(async (view) => {
        const before = await idsIn(view, 'first');
        writing = store.write(async (tx) => {
          await tx.update(texts, 'a', { body: 'second' });
          await tx.insert(texts, text('b', 'first'));
        });
        for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        return [before, await idsIn(view, 'first'), await idsIn(view, 'second')];
      });
      await writing;
      expect(seen).toEqual([['a'], ['a'], []]);
      expect([await ids(store, 'first'), await ids(store, 'second')]).toEqual([['b'], ['a']]);
    });

    test('has the same words after many changes as after a rebuild', async () => {
      const store = await filled(
        ...Array.from({ length: 150 }, (_, at) => text(`t${at}`, `number${at} old`)),
      );
      expect(await ids(store, 'old', 999)).toHaveLength(150);
      for (let round = 0; round < 4; round += 1) {
        await store.write(async (tx) => {
          for (let at = round * 30; at < 90 + round * 20; at += 1)
            await tx.update(texts, `t${at}`, { body: `number${at} round${round}` });
        });
        expect(await ids(store, 'old', 999)).toHaveLength(60 - round * 20);
        expect(await ids(store, `round${round}`, 999)).toHaveLength(90 - round * 10);
      }
      expect(await ids(store, 'round0', 999)).toHaveLength(30);
      expect(await ids(store, 'number149')).toEqual(['t149']);
    });

    test('accepts long and unusual texts', async () => {
      const store = await filled(
        text('a', `${'x'.repeat(300_000)} end`),
        text('b', `aB${'cD'.repeat(100_000)} end`),
        text('c', `${'資'.repeat(100_000)} end`),
        text('d', 'a\0b \ud800 end'),
        {
          ...text('e', ''),
          body: 7 as unknown as string,
        },
      );
      expect((await ids(store, 'end')).sort()).toEqual(['a', 'b', 'c', 'd']);
      expect(await ids(store, '資資資')).toEqual(['c']);
      expect(await ids(store, 'b end')).toEqual(['d']);
    });

    testRanks(open);

    test('refuses to search a table without search words', async () => {
      const store = await filled();
      await expect(
        store.read((view) =>
          view.search(notes, { index: 'all' as never, anyOf: [[]], query: 'x', limit: 1 }),
        ),
      ).rejects.toThrow();
    });
  });
}
