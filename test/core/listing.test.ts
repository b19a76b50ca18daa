import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pageOfArray, readCursor, writeCursor } from '../../src/core/listing.ts';
import { table } from '../../src/core/store.ts';

interface NoteRow {
  readonly id: string;
  readonly space: string;
  readonly title: string;
  readonly createdAt: string;
}
const notes = table<NoteRow>()('notes', {
  byTime: { on: ['space'], by: ['createdAt'] },
  byTitle: { on: ['space'], by: ['title'] },
});

it('a cursor is a position in one list, with its index and its order', () => {
  const list = { table: notes, index: 'byTime', equals: ['spc_1'] } as const;
  const row = { id: 'not_1', space: 'spc_1', title: 'A', createdAt: '2026-01-01' };
  const cursor = writeCursor(list, row);
  expect(readCursor(list, cursor)).toEqual(['2026-01-01', 'not_1']);
  const other = Buffer.from('["byTime","asc","2026-01-01"]').toString('base64url');
  for (const [selection, page] of [
    [{ ...list, index: 'byTitle' }, cursor],
    [{ ...list, order: 'desc' }, cursor],
    [list, other],
    [list, 'no cursor'],
  ] as const)
    expect(() => readCursor(selection, page)).toThrow('The value of page is not a position in this list.');
});

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
