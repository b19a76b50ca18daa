import { describe, expect, it } from 'vitest';
import type { RichNode } from '../../src/contract/shapes.ts';
import { coversOf, readTableData } from '../../src/pdf/table-data.ts';

const table = (data: object, fragments: readonly object[] = []) =>
  ({ object: 'block', type: 'table', data, fragments }) as unknown as RichNode;
const read = (data: object) => readTableData(table(data));

describe('a table block', () => {
  it('has the columns of its view in their order, or all columns', () => {
    const definition = { a: { title: 'A' }, b: { title: 'B', type: 'number' }, c: {} };
    const idsOf = (view: object) => read({ definition, view }).columns.map(({ id }) => id);
    expect(idsOf({ columns: ['b', 'gone', 'a'] })).toEqual(['b', 'a']);
    expect(idsOf({})).toEqual(['a', 'b', 'c']);
    expect(read({ definition, view: {} }).columns).toMatchObject([
      { title: 'A', type: 'text' },
      { title: 'B', type: 'number' },
      { title: '', type: 'text' },
    ]);
  });

  it.each([
    ['left', 'left'],
    ['center', 'center'],
    ['right', 'right'],
    ['justify', 'left'],
    [undefined, 'left'],
  ])('with the alignment %s has a column aligned %s', (textAlignment, align) => {
    const [column] = read({ definition: { a: { textAlignment, options: 'none' } } }).columns;
    expect([column?.align, column?.options]).toEqual([align, []]);
  });

  it('has its records in the order of their indexes', () => {
    const records = {
      x: { orderIndex: 'b', values: { a: 1 } },
      y: { orderIndex: 'a', values: { a: 2 } },
      z: { orderIndex: 'c' },
    };
    expect(read({ records }).rows.map(({ values }) => values)).toEqual([{ a: 2 }, { a: 1 }, {}]);
  });

  it('is drawn as cards, and without a header, if its view requests it', () => {
    const kindOf = (view: object) => {
      const { isCards, hasHeader } = read({ view });
      return [isCards, hasHeader];
    };
    expect(kindOf({})).toEqual([false, true]);
    expect(kindOf({ type: 'cards', hideHeader: true })).toEqual([true, false]);
  });

  it('reads the target and cover of a card in any form', () => {
    const ref = { kind: 'page', page: 'pag_1' };
    const rowOf = (value: unknown) =>
      read({
        view: { type: 'cards', targetDefinition: 'to', coverDefinition: 'cover' },
        records: { x: { values: { to: value, cover: value } } },
      }).rows[0];
    for (const [value, reference] of [
      [ref, ref],
      [{ ref }, ref],
      [['fil_1', 'fil_2'], { kind: 'file', file: 'fil_1' }],
      ['fil_1', { kind: 'file', file: 'fil_1' }],
      [null, undefined],
      [undefined, undefined],
      [[], undefined],
    ])
      expect(rowOf(value)).toMatchObject({ target: reference, cover: reference });
    const covers = (type: string) => [
      ...coversOf(
        table({
          view: { type, coverDefinition: 'cover' },
          records: { x: { values: { cover: ['fil_1'] } }, y: { values: {} } },
        }),
      ),
    ];
    expect(covers('cards')).toEqual([{ kind: 'file', file: 'fil_1' }]);
    expect(covers('grid')).toEqual([]);
  });

  it('ignores invalid values', () => {
    expect(read({ view: 'x', definition: [], records: { x: 3 } })).toMatchObject({
      columns: [],
      rows: [{ values: {} }],
    });
  });
});
