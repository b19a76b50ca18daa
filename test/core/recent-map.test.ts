import { expect, it } from 'vitest';
import { RecentMap } from '../../src/core/recent-map.ts';

const held = <V>(map: RecentMap<V>, ...keys: string[]) => keys.filter((key) => map.get(key) !== undefined);

it('forgets what was not used for longest', () => {
  const map = new RecentMap<number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect(held(map, 'a', 'b', 'c')).toEqual(['a', 'c']);
});

it('counts what values weigh, also when one is replaced or deleted', () => {
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
