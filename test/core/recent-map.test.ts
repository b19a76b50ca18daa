import { expect, it } from 'vitest';
import { RecentMap } from '../../src/core/recent-map.ts';

const held = <V>(map: RecentMap<V>, ...keys: string[]) => keys.filter((key) => map.get(key) !== undefined);

it('RecentMap removes the least recently used value', () => {
  const map = new RecentMap<number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect(held(map, 'a', 'b', 'c')).toEqual(['a', 'c']);
});

it('RecentMap counts weights, also when a value is replaced or deleted', () => {
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

it('RecentMap keeps a single value above the limit until another one is set', () => {
  const map = new RecentMap<string>(3, (text) => text.length);
  map.set('a', 'a');
  map.set('b', 'bbbbb');
  expect(held(map, 'a', 'b')).toEqual(['b']);
  map.set('c', 'c');
  expect(held(map, 'b', 'c')).toEqual(['c']);
});
