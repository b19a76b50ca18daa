import { describe, expect, it } from 'vitest';
import { RowCache } from '../../src/stores/row-cache.ts';

describe('rows that are kept', () => {
  it('are frozen, and forgotten with the next version', () => {
    const cache = new RowCache();
    cache.keepFor('1');
    const row = { id: 'a', tags: ['x'] };
    cache.set('t=a', row, 20);
    cache.keepFor('1');
    expect(cache.get('t=a')).toBe(row);
    expect(() => row.tags.push('y')).toThrow(TypeError);
    cache.keepFor('2');
    expect(cache.get('t=a')).toBeUndefined();
  });

  it('are not large ones, and not those of long keys', () => {
    const cache = new RowCache();
    cache.keepFor('1');
    cache.set('large', {}, 64 * 1024 + 1);
    cache.set('k'.repeat(1001), {}, 1);
    cache.set('k'.repeat(1000), {}, 1);
    expect(['large', 'k'.repeat(1001)].map((key) => cache.get(key))).toEqual([undefined, undefined]);
    expect(cache.get('k'.repeat(1000))).toEqual({});
  });

  it('are forgotten when many others were used later', () => {
    const cache = new RowCache();
    cache.keepFor('1');
    // As many as have 4 MiB, with 200 characters for each besides its key.
    const count = Math.floor((4 * 1024 * 1024) / (64 * 1024 + 't=00'.length + 200));
    const fill = (from: number, to: number) => {
      for (let index = from; index < to; index++) cache.set(`t=${index}`, { index }, 64 * 1024);
    };
    fill(10, 10 + count);
    expect(cache.get('t=10')).toEqual({ index: 10 });
    fill(10 + count, 11 + count);
    // The first was read, so the second is the one that was not used for longest.
    expect([cache.get('t=10'), cache.get('t=11')]).toEqual([{ index: 10 }, undefined]);
    expect(cache.get(`t=${10 + count}`)).toEqual({ index: 10 + count });
  });
});
