import fc from 'fast-check';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Hit, Store } from '../../../src/core/store.ts';
import { emptyPostgres } from '../../support/postgres.ts';
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
const query = fc.oneof(
  text(3),
  fc.constantFrom('"feature store"', 'sto', 'feat user', 'getUser', '料庫', 'nowhere user', 'v'),
);

// Of rows that were removed, FTS5 remembers frequencies for a while, which can change the order of others there.
test('searches have the hits of SQLite, in its order and with its scores', async () => {
  const sqlite = await open(`sqlite:${join(temporaryFolder(), 'store.db')}`);
  const postgres = await open(await emptyPostgres());
  let [runs, found] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ title: text(3), body: text(12) }), { minLength: 1, maxLength: 12 }),
      fc.array(query, { minLength: 1, maxLength: 4 }),
      async (rows, queries) => {
        runs++;
        const change = (store: Store) =>
          store.write(async (tx) => {
            for (const [at, row] of rows.entries())
              await tx.insert(texts, { id: `r${runs}-${at}`, space: 's', ...row });
          });
        await Promise.all([change(sqlite), change(postgres)]);
        for (const one of queries) {
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
