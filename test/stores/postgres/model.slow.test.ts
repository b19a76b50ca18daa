import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyPostgres, query } from '../../support/postgres.ts';
import { open, pages } from '../fixtures.ts';
import { runWrites, writes } from '../model.ts';

test('PostgreSQL returns the same answers as a store in memory after any sequence of writes', async () => {
  const url = await emptyPostgres('&connections=4');
  const schema = new URL(url).searchParams.get('schema');
  const store = await open(url, undefined, [pages]);
  await fc.assert(
    fc.asyncProperty(writes, async (given) => {
      // Concurrent writes can happen in any order here. Another test checks the history of several stores.
      const plan = given.map((write) => ({ ...write, together: false }));
      const memory = await open('memory:', undefined, [pages]);
      const expected = await runWrites(memory, plan);
      expect(await runWrites(store, plan)).toEqual(expected);
      await query(url, `TRUNCATE "${schema}".pages, "${schema}".docsctl_counts`);
    }),
    { numRuns: 60, seed: 21, endOnFailure: true },
  );
});
