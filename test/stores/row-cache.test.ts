import { describe, expect, it } from 'vitest';
import { RowCache } from '../../src/stores/row-cache.ts';

describe('cached rows', () => {
  it('are frozen, and dropped with the next version', () => {
    const cache = new RowCache();
    cache.keepFor('1');
    const row = { id: 'a', tags: ['x'] };
    cache.keepRow('t', 'a', row, 20);
    cache.keepFor('1');
    expect(cache.row('t', 'a')).toBe(row);
    expect(() => row.tags.push('y')).toThrow(TypeError);
    cache.keepFor('2');
    expect(cache.row('t', 'a')).toBeUndefined();
  });

  it('do not include large rows or lists with long keys', () => {
    const cache = new RowCache();
    cache.keepFor('1');
    cache.keepRow('t', 'large', {}, 64 * 1024 + 1);
    cache.keepList('t', 'k'.repeat(999), [], 1);
    cache.keepList('t', 'k'.repeat(998), [], 1);
    expect([cache.row('t', 'large'), cache.list('t', 'k'.repeat(999))]).toEqual([undefined, undefined]);
    expect(cache.list('t', 'k'.repeat(998))).toEqual([]);
  });

  it('are dropped when many others were used later', () => {
    const cache = new RowCache();
    cache.keepFor('1');
    // The number of rows that fill 4 MiB, with 200 characters for each row besides its key.
    const count = Math.floor((4 * 1024 * 1024) / (64 * 1024 + 't=00'.length + 200));
    const fill = (from: number, to: number) => {
      for (let index = from; index < to; index++) cache.keepRow('t', String(index), { index }, 64 * 1024);
    };
    fill(10, 10 + count);
    expect(cache.row('t', '10')).toEqual({ index: 10 });
    fill(10 + count, 11 + count);
    // The first row was read, so the second is the least recently used.
    expect([cache.row('t', '10'), cache.row('t', '11')]).toEqual([{ index: 10 }, undefined]);
    expect(cache.row('t', String(10 + count))).toEqual({ index: 10 + count });
  });

  it('are limited to the number that a transaction may cache', () => {
    const cache = new RowCache();
    cache.keepFor('1');
    cache.limit(1);
    for (const id of ['a', 'b']) cache.keepRow('t', id, { id }, 1);
    expect([cache.row('t', 'a'), cache.row('t', 'b')]).toEqual([{ id: 'a' }, undefined]);
  });

  it('are dropped with the lists of their table when a transaction changes them', () => {
    const cache = new RowCache();
    cache.keepFor('1');
    const fill = () => {
      for (const table of ['t', 'u']) {
        for (const id of ['a', 'b']) cache.keepRow(table, id, { id }, 1);
        cache.keepList(table, 'all', [], 1);
      }
    };
    const kept = () =>
      ['t', 'u'].map((table) => [
        ...['a', 'b'].filter((id) => cache.row(table, id) !== undefined),
        ...(cache.list(table, 'all') === undefined ? [] : ['all']),
      ]);
    fill();
    cache.change('t', 'a');
    expect(kept()).toEqual([['b'], ['a', 'b', 'all']]);
    fill();
    expect(kept()).toEqual([
      ['a', 'b', 'all'],
      ['a', 'b', 'all'],
    ]);
    // Rows that were cached after a change are dropped if the change is undone.
    cache.undo();
    expect(kept()).toEqual([[], ['a', 'b', 'all']]);
    fill();
    cache.keepFor('1');
    cache.undo();
    expect(kept()).toEqual([
      ['a', 'b', 'all'],
      ['a', 'b', 'all'],
    ]);
  });
});
