import fc from 'fast-check';
import type { Key, Store, WriteTransaction } from '../../src/core/store.ts';
import { pages, type PageRow } from './fixtures.ts';

/** One step of a transaction as data, so that every store runs exactly the same steps. */
type Step = (tx: WriteTransaction) => Promise<unknown>;

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', '\u{1f600}', '\u{ffee}');
const key: fc.Arbitrary<Key> = fc.oneof(
  fc.constantFrom(null, 0, 1, -1.5, 1e21, '', 'x', 'X', '10', '\u{1f600}', '\u{ffee}'),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ unit: 'grapheme', maxLength: 2 }).filter((text) => !text.includes('\0')),
);
const fields = fc.record(
  {
    space: fc.constantFrom('s', 't', null),
    position: key,
    slug: fc.constantFrom(null, 'u', 'v', 'w'),
    title: fc.constantFrom('T', undefined),
    extra: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: [] },
) as unknown as fc.Arbitrary<Partial<PageRow>>;

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(id, fields).map(
      ([one, more]) =>
        (tx: WriteTransaction) =>
          tx.insert(pages, { id: one, space: 's', ...more }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(id, fields).map(
      ([one, change]) =>
        (tx: WriteTransaction) =>
          tx.update(pages, one, change),
    ),
  },
  id.map((one) => (tx: WriteTransaction) => tx.remove(pages, one)),
  id.map((one) => (tx: WriteTransaction) => tx.get(pages, one)),
  fc
    .constantFrom('s', 't', null)
    .map((space) => (tx: WriteTransaction) => tx.count(pages, 'bySpace', [space])),
  fc.constantFrom('u', null).map((slug) => (tx: WriteTransaction) => tx.count(pages, 'bySlug', ['s', slug])),
  fc
    .record({
      order: fc.constantFrom('asc' as const, 'desc' as const),
      limit: fc.nat(4),
      after: fc.option(fc.tuple(fc.constantFrom(null, 's', 't'), key, id), { nil: undefined }),
    })
    .map(
      ({ after, ...query }) =>
        (tx: WriteTransaction) =>
          tx.find(pages, {
            index: 'byTitle',
            equals: [null],
            ...query,
            ...(after === undefined ? {} : { after }),
          }),
    ),
  fc.constant((tx: WriteTransaction) => tx.find(pages, { index: 'bySpace', equals: ['s'], limit: 3 })),
);
/** Random write transactions. Some fail, and some run at the same time. */
export const writes = fc.array(
  fc.record({ steps: fc.array(steps, { maxLength: 6 }), fails: fc.boolean(), together: fc.boolean() }),
  { maxLength: 12 },
);

/** Runs writes, and returns their results and all rows at the end. */
export async function runWrites(
  store: Store,
  plan: readonly { steps: readonly Step[]; fails: boolean; together: boolean }[],
): Promise<unknown[]> {
  const answers: unknown[] = [];
  const pending: Promise<unknown>[] = [];
  for (const { steps: list, fails, together } of plan) {
    const write = store.write(async (tx) => {
      const seen: unknown[] = [];
      for (const step of list) seen.push(await step(tx).catch((error: Error) => error.message));
      if (fails) throw new Error(JSON.stringify(seen));
      return seen;
    });
    const settled = write.catch((error: Error) => error.message).then((answer) => answers.push(answer));
    pending.push(settled);
    if (!together) await Promise.all(pending);
  }
  await Promise.all(pending);
  answers.push(await store.read((view) => view.find(pages, { index: 'all', equals: [], limit: 99 })));
  for (const space of ['s', 't', null])
    answers.push(await store.read((view) => view.count(pages, 'bySpace', [space])));
  return answers;
}
