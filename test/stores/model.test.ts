import fc from 'fast-check';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { open, pages, temporaryFolder } from './fixtures.ts';
import { runWrites, writes } from './model.ts';

test('memory, JSON and SQLite give the same answers to any sequence of writes', async () => {
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
