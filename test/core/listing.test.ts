import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pageOfArray } from '../../src/core/listing.ts';

it('pageOfArray returns full pages that together are the list', () => {
  fc.assert(
    fc.property(fc.nat(9), fc.integer({ min: 1, max: 4 }), (count, limit) => {
      const all = Array.from({ length: count }, (_, index) => ({ id: `id_${index}` }));
      const found: (typeof all)[] = [];
      let page: string | undefined;
      do {
        const {
          items,
          next,
          count: total,
        } = pageOfArray(all, page === undefined ? { limit } : { limit, page });
        expect(total).toBe(count);
        found.push([...items]);
        page = next?.page;
      } while (page !== undefined);
      expect(found.flat()).toEqual(all);
      expect(found.map(({ length }) => length).slice(0, -1)).toEqual(found.slice(1).map(() => limit));
      expect(found).toHaveLength(Math.max(1, Math.ceil(count / limit)));
    }),
  );
});
