import fc from 'fast-check';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { Hit, Store } from '../../../src/core/store.ts';
import { afterTest, emptyPostgres } from '../../support/postgres.ts';
import { layoutOf, type IndexLayout } from '../../../src/stores/layout.ts';
import { Names } from '../../../src/stores/postgres/names.ts';
import { searchWords, WordStatistics } from '../../../src/stores/postgres/words.ts';
import { open, temporaryFolder, texts } from '../fixtures.ts';

const words = [
  'store',
  'stores',
  'storing',
  'feature',
  'getUserById',
  'user',
  'v2',
  'naïve',
  '資料庫',
  '資料',
  'données',
];
const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...words), { maxLength }).map((list) => list.join(' '));
const queries = fc.oneof(
  text(3),
  fc.constantFrom('"feature store"', 'sto', 'feat user', 'getUser', '料庫', 'nowhere user', 'v'),
);

test('finds the same rows as SQLite, in the same order and with the same scores', async () => {
  const sqlite = await open(`sqlite:${join(temporaryFolder(), 'store.db')}`);
  const postgres = await open(await emptyPostgres());
  let [runs, found] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ title: text(3), body: text(12) }), { minLength: 1, maxLength: 12 }),
      fc.array(queries, { minLength: 1, maxLength: 4 }),
      async (rows, asked) => {
        runs++;
        const change = (store: Store) =>
          store.write(async (tx) => {
            for (const [at, row] of rows.entries())
              await tx.insert(texts, { id: `r${runs}-${at}`, space: 's', ...row });
          });
        await Promise.all([change(sqlite), change(postgres)]);
        for (const one of asked) {
          const search = (store: Store): Promise<readonly Hit[]> =>
            store.read((view) =>
              view.search(texts, { index: 'bySpace', anyOf: [['s']], query: one, limit: 20 }),
            );
          const [expected, hits] = [await search(sqlite), await search(postgres)];
          found += expected.length;
          const rounded = (list: readonly Hit[]): string[] =>
            list.map(({ id, score }) => `${id} ${score.toPrecision(6)}`);
          expect(rounded(hits)).toEqual(rounded(expected));
        }
      },
    ),
    { numRuns: 40, seed: 3 },
  );
  expect(found).toBeGreaterThan(300);
});

test('uses the index in a search for a word that all rows contain', async () => {
  const url = await emptyPostgres();
  const store = await open(url);
  await store.write(async (tx) => {
    for (let at = 0; at < 2000; at++)
      await tx.insert(texts, {
        id: `r${at}`,
        space: 's',
        body: `everywhere ${'other words '.repeat(40)}${at}`,
      });
  });
  const schema = new URL(url).searchParams.get('schema') ?? '';
  const client = new pg.Client({ connectionString: url.replace(/\?.*/, '') });
  afterTest(() => client.end());
  await client.connect();
  await client.query(`ANALYZE "${schema}".texts`);
  const plans: string[] = [];
  const layout = layoutOf(texts);
  const searched = {
    run: async (sql: string, values: readonly unknown[]) => {
      const explained = await client.query({ text: `EXPLAIN ${sql}`, values: [...values], rowMode: 'array' });
      plans.push(explained.rows.flat().join('\n'));
      return (await client.query({ text: sql, values: [...values], rowMode: 'array' })).rows;
    },
    name: new Names(schema).table(layout),
    table: layout,
    hidesWords: true,
  };
  for (const terms of [everywhere, either]) {
    const request = { groups: [['s']], terms, limit: 60 };
    const index = layout.indexes.get('bySpace') as IndexLayout;
    const statistics = new WordStatistics(() => 0);
    expect(await searchWords(searched, index, request, statistics)).toHaveLength(60);
    expect(plans.at(-1)).toContain('Bitmap Index Scan on texts_words');
    expect(plans.at(-1)).not.toContain('Seq Scan');
  }
});

const everywhere = [[{ words: ['everywhere'], isPrefix: false }]];
const either = [[...everywhere.flat(), { words: ['oth'], isPrefix: true }]];
