import { describe, expect, it } from 'vitest';
import {
  chunk,
  defined,
  getOrInsert,
  groupBy,
  isRecord,
  joinAnd,
  joinOr,
  listSome,
  plural,
  sizeText,
  shorten,
  truncate,
} from '../../src/contract/values.ts';

describe('isRecord', () => {
  it('accepts only objects with named members', () => {
    const values = [{}, { a: 1 }, [], null, undefined, 'text', 1, () => 1];
    expect(values.map(isRecord)).toEqual([true, true, false, false, false, false, false, false]);
  });
});

it.each([
  [[1], '1 byte'],
  [[100], '100 bytes'],
  [[64 * 1024], '64 KiB'],
  [[10 * 1024 * 1024], '10 MiB'],
  [[2 * 1024 ** 3], '2 GiB'],
  [[2_000_000], '2 MB'],
  [[2_000_001, 2_000_000], '2.1 MB'],
  [[10 * 1024 * 1024 + 1, 10 * 1024 * 1024], '10.1 MiB'],
] as const)('sizeText formats %j bytes as %s', (bytes, text) => {
  expect(sizeText(...(bytes as readonly [number, number]))).toBe(text);
});

describe('defined', () => {
  it('drops undefined members and keeps every other value, in order', () => {
    const kept = defined({ b: undefined, a: null, c: 0, d: '', e: false });
    expect(Object.entries(kept)).toEqual([
      ['a', null],
      ['c', 0],
      ['d', ''],
      ['e', false],
    ]);
  });

  it('gives a type whose possibly undefined members are optional', () => {
    const title: string | undefined = ['Guides'].at(1);
    const kept: { id: string; title?: string } = defined({ id: 'spc_1', title });
    expect('title' in kept).toBe(false);
  });
});

describe('plural', () => {
  it('uses the singular only for one', () => {
    expect([0, 1, 2].map((count) => plural(count, 'page'))).toEqual(['0 pages', '1 page', '2 pages']);
    expect(plural(2, 'entry', 'entries')).toBe('2 entries');
  });
});

describe('listSome', () => {
  it('lists the first names and counts the others', () => {
    expect(listSome(['a', 'b'])).toBe('a, b');
    expect(listSome(['a', 'b', 'c', 'd'], 2, ' and ')).toBe('a and b and 2 more');
  });
});

it('splits a list into parts', () => {
  expect(chunk([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(chunk([1, 2], 2)).toEqual([[1, 2]]);
  expect(chunk([], 2)).toEqual([]);
});

describe('getOrInsert', () => {
  it('makes the value of a key once', () => {
    const map = new Map([['a', 1]]);
    let made = 0;
    const values = ['a', 'b', 'b'].map((key) => getOrInsert(map, key, () => 10 + ++made));
    expect(values).toEqual([1, 11, 11]);
    expect([...map]).toEqual([
      ['a', 1],
      ['b', 11],
    ]);
  });
});

describe('groupBy', () => {
  it('keeps the order of keys and items', () => {
    const groups = groupBy(['bb', 'a', 'cc'], ({ length }) => length);
    expect([...groups]).toEqual([
      [2, ['bb', 'cc']],
      [1, ['a']],
    ]);
  });
});

it.each([
  [[], '', ''],
  [['a'], 'a', 'a'],
  [['a', 'b'], 'a and b', 'a or b'],
  [['a', 'b', 'c'], 'a, b and c', 'a, b or c'],
])('joinAnd and joinOr make a list of %j', (names, all, one) => {
  expect(joinAnd(names)).toBe(all);
  expect(joinOr(names)).toBe(one);
});

it('shorten ends texts that it cuts with an ellipsis', () => {
  expect([4, 5, 6].map((max) => shorten('a😀bc', max))).toEqual(['a😀…', 'a😀bc', 'a😀bc']);
  expect(shorten('a😀bc', 3)).toBe('a…');
});

it('truncate cuts texts between characters', () => {
  expect([0, 1, 2, 3, 4].map((max) => truncate('a😀b', max))).toEqual(['', 'a', 'a', 'a😀', 'a😀b']);
});
