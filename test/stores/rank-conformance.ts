import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Hit, Store, WriteTransaction } from '../../src/core/store.ts';
import { open as openReference, texts } from './fixtures.ts';

// Few words, so that some are in more than half of the rows, and others become rare and frequent again.
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
  'the',
];
const text = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((list) => list.join(' '));
const row = fc.record(
  { space: fc.constantFrom('s', 't'), title: text, body: text, page: fc.nat(1) },
  { requiredKeys: ['space'] },
);
const write = fc.record({
  // Most changes are of the same few rows. Undefined removes the row.
  changes: fc.array(fc.tuple(fc.nat(6), fc.option(row, { nil: undefined, freq: 4 })), {
    minLength: 1,
    maxLength: 8,
  }),
  fails: fc.boolean(),
});
/** Writes that arrive together. */
const turn = fc.array(write, { minLength: 1, maxLength: 3 });
const queries = [
  'store',
  'the',
  'feature user',
  '"feature store"',
  'sto',
  'getUser',
  '資料',
  'nowhere the v2',
];

type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

async function change(
  tx: WriteTransaction,
  id: string,
  to: Turn[number]['changes'][number][1],
): Promise<void> {
  if (to === undefined) await tx.remove(texts, id);
  else if ((await tx.get(texts, id)) === undefined) await tx.insert(texts, { id, ...to });
  else await tx.update(texts, id, to);
}

async function run(store: Store, writes: Turn): Promise<void> {
  const written = writes.map(({ changes, fails }, at) =>
    store.write(async (tx) => {
      // Each write has rows of its own, so the result does not depend on the order of the writes.
      for (const [number, to] of changes) await change(tx, `r${at}-${number}`, to);
      if (fails) throw new Error('undone');
    }),
  );
  const results = await Promise.allSettled(written);
  expect(results.map(({ status }) => status === 'rejected')).toEqual(writes.map(({ fails }) => fails));
}

async function removeAll(store: Store): Promise<void> {
  await store.write(async (tx) => {
    for (const { id } of await tx.scan(texts, '', 1000)) await tx.remove(texts, id);
  });
}

/** Returns the hits of all queries. Scores may differ in their last digits. */
async function answersOf(store: Store): Promise<readonly (readonly string[])[]> {
  const found = await store.read((view) =>
    Promise.all(
      queries.map((query) => view.search(texts, { index: 'bySpace', anyOf: [['s']], query, limit: 20 })),
    ),
  );
  return found.map((hits: readonly Hit[]) => hits.map(({ id, score }) => `${id} ${score.toPrecision(6)}`));
}

/** Tests that hits have the same order and scores as in memory after any changes, also after those that were undone. */
export function testRanks(open: () => Promise<Store>): void {
  test('returns the same hits with the same scores as a store in memory after any changes', async () => {
    const [store, reference] = [await open(), await openReference('memory:')];
    const both = [store, reference];
    let found = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 2, maxLength: 5 }), async (turns) => {
        // Rows of earlier runs must have no effect.
        await Promise.all(both.map(removeAll));
        for (const writes of turns) {
          await Promise.all(both.map((each) => run(each, writes)));
          const expected = await answersOf(reference);
          expect(await answersOf(store)).toEqual(expected);
          found += expected.flat().length;
        }
      }),
      { numRuns: 25, seed: 6 },
    );
    expect(found).toBeGreaterThan(1000);
  }, 60_000);
}
