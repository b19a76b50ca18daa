import fc from 'fast-check';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { open, pages, temporaryFolder } from './fixtures.ts';
import { runWrites, writes } from './model.ts';

test('memory, JSON and SQLite stores return the same answers after any sequence of writes', async () => {
  const folder = temporaryFolder();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(writes, async (plan) => {
      runs += 1;
      const memory = await open('memory:', undefined, [pages]);
      const expected = await runWrites(memory, plan);
      for (const url of [`json:${join(folder, `${runs}.json`)}`, `sqlite:${join(folder, `${runs}.db`)}`]) {
        const store = await open(url, undefined, [pages]);
        expect(await runWrites(store, plan)).toEqual(expected);
        await store.close();
        const again = await open(url, undefined, [pages]);
        expect(await runWrites(again, [])).toEqual(expected.slice(-4));
        await again.close();
      }
    }),
    { numRuns: 70, seed: 20 },
  );
}, 60_000);

test('two stores on one SQLite file return the same answers as one store in memory', async () => {
  const folder = temporaryFolder();
  let runs = 0;
  const turns = fc.array(fc.tuple(fc.boolean(), writes), { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(turns, async (plan) => {
      runs += 1;
      const memory = await open('memory:', undefined, [pages]);
      const url = `sqlite:${join(folder, `${runs}.db`)}`;
      const first = await open(url, undefined, [pages]);
      const second = await open(url, undefined, [pages]);
      for (const [isFirst, given] of plan)
        expect(await runWrites(isFirst ? first : second, given)).toEqual(await runWrites(memory, given));
      for (const store of [first, second]) await store.close();
    }),
    { numRuns: 50, seed: 21 },
  );
}, 60_000);
