import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RecentMap } from '../../src/core/recent-map.ts';

const held = <V>(map: RecentMap<V>, ...keys: string[]) => keys.filter((key) => map.get(key) !== undefined);

it('removes a value that was not used, not the oldest one', () => {
  const map = new RecentMap<number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect(held(map, 'a', 'b', 'c')).toEqual(['a', 'c']);
});

it('keeps values that are used again and again, whatever else is set', () => {
  const map = new RecentMap<number>(10);
  map.set('hot', 1);
  for (let index = 0; index < 1000; index++) {
    map.set(`cold ${index}`, index);
    expect(map.get('hot')).toBe(1);
  }
});

it('counts the weight of values that are replaced or deleted', () => {
  const map = new RecentMap<string>(10, (text) => text.length);
  map.set('a', 'aaaaaa');
  map.set('a', 'aa');
  map.set('b', 'bbbbbbbb');
  expect(held(map, 'a', 'b')).toEqual(['a', 'b']);
  map.delete('a');
  map.set('c', 'cc');
  expect(held(map, 'b', 'c')).toEqual(['b', 'c']);
  map.set('d', 'd');
  expect(held(map, 'b', 'c', 'd')).toEqual(['c', 'd']);
});

it('keeps one value that is too heavy alone, until another one is set', () => {
  const map = new RecentMap<string>(3, (text) => text.length);
  map.set('a', 'a');
  map.set('b', 'bbbbb');
  expect(held(map, 'a', 'b')).toEqual(['b']);
  map.set('c', 'c');
  expect(held(map, 'b', 'c')).toEqual(['c']);
});

it('returns the last value of each key it keeps, within the weight, whatever is done', () => {
  const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
  const change = fc.record({
    key: fc.constantFrom(...keys),
    kind: fc.constantFrom('set', 'set', 'get', 'delete'),
    size: fc.integer({ min: 0, max: 5 }),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const map = new RecentMap<{ readonly size: number }>(8, ({ size }) => size);
      const last = new Map<string, { readonly size: number }>();
      for (const { key, kind, size } of changes) {
        if (kind === 'get') expect([undefined, last.get(key)]).toContain(map.get(key));
        else if (kind === 'delete') {
          map.delete(key);
          last.delete(key);
          expect(map.get(key)).toBeUndefined();
        } else {
          const value = { size };
          map.set(key, value);
          last.set(key, value);
          expect(map.get(key)).toBe(value);
        }
      }
      const kept = keys.flatMap((key) => map.get(key) ?? []);
      expect(kept.reduce((sum, { size }) => sum + size, 0)).toBe(map.weight);
      for (const value of kept) expect([...last.values()]).toContain(value);
      if (kept.filter(({ size }) => size > 0).length > 1) expect(map.weight).toBeLessThanOrEqual(8);
    }),
  );
});
