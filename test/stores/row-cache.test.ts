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
    for (let index = 0; index < 100; index++) cache.set(`t=${index}`, { index }, 64 * 1024);
    expect(cache.get('t=0')).toBeUndefined();
    expect(cache.get('t=99')).toEqual({ index: 99 });
  });
});
