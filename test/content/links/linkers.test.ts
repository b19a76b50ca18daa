import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ReadTransaction } from '../../../src/core/store.ts';
import { countLinkers, readLinkers } from '../../../src/content/links/linkers.ts';
import { LinkIndex } from '../../../src/content/links/link-index.ts';

const nothing = undefined as unknown as ReadTransaction;
const entriesOf = (index: LinkIndex) =>
  [index.changes.linkers, index.changes.parts].map(
    (changes) => new Map<string, unknown>([...changes].filter(([, entry]) => entry !== undefined)),
  );

it('stores the sources of links to a name in the same entries after any history', async () => {
  const change = fc.tuple(fc.nat(450), fc.integer({ min: -2, max: 2 }));
  const batch = fc.oneof(
    fc.array(change, { maxLength: 5 }),
    // These cross the number from which on the entries are spread over several rows.
    fc
      .record({ from: fc.nat(100), many: fc.integer({ min: 150, max: 350 }), by: fc.constantFrom(1, -1) })
      .map(({ from, many, by }) =>
        Array.from({ length: many }, (_, at) => [from + at, by] as [number, number]),
      ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { maxLength: 8 }), async (batches) => {
      const counts = new Map<string, number>();
      const index = new LinkIndex(nothing, undefined);
      for (const given of batches) {
        const changed = new Map<string, number>();
        for (const [at, by] of given) {
          const thing = `page:pag_${at}`;
          if ((counts.get(thing) ?? 0) + (changed.get(thing) ?? 0) + by >= 0)
            changed.set(thing, (changed.get(thing) ?? 0) + by);
        }
        for (const [thing, by] of changed) counts.set(thing, (counts.get(thing) ?? 0) + by);
        await countLinkers(index, 'path:a', [...changed]);
      }
      const left = [...counts].filter(([, count]) => count > 0);
      expect((await readLinkers(index, 'path:a')).sort()).toEqual(left.map(([thing]) => thing).sort());
      const made = new LinkIndex(nothing, undefined);
      await countLinkers(made, 'path:a', left);
      expect(entriesOf(index)).toEqual(entriesOf(made));
    }),
  );
});
