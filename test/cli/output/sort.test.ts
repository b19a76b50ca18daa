import { describe, expect, it } from 'vitest';
import { createSort } from '../../../src/cli/output/sort.ts';

const sorted = (spec: string, values: readonly unknown[]) =>
  createSort(
    spec,
    undefined,
  )(values.map((value, at) => ({ at, value }))).map((item) => (item as { value: unknown }).value);

describe('--sort-by', () => {
  it.each<[string, unknown[], unknown[]]>([
    ['numbers as numbers', [10, 9, -1, 2.5], [-1, 2.5, 9, 10]],
    ['texts by the rules of the language', ['b', 'C', 'ä', 'a', 'Z'], ['a', 'ä', 'b', 'C', 'Z']],
    ['false before true', [true, false, true], [false, true, true]],
    ['lists by their JSON', [['b'], ['c'], ['a']], [['a'], ['b'], ['c']]],
    ['numbers, booleans, texts and the rest apart', [['a'], 'a', true, 1], [1, true, 'a', ['a']]],
    ['missing values last', [null, 2, undefined, 1], [1, 2, null, undefined]],
  ])('sorts %s', (_name, values, expected) => {
    expect(sorted('value', values)).toEqual(expected);
  });

  it('reverses the order with "-", but keeps missing values last', () => {
    expect(sorted('-value', [1, undefined, 3, 2])).toEqual([3, 2, 1, undefined]);
    expect(sorted('+value', [2, 1])).toEqual([1, 2]);
    expect(sorted('-value', ['a', 1, true])).toEqual(['a', true, 1]);
  });

  it('keeps the order of equal values', () => {
    const items = ['a', 'b', 'a', 'b'].map((title, at) => ({ at, title }));
    const order = (spec: string) =>
      createSort(spec, undefined)(items).map((item) => (item as { at: number }).at);
    expect(order('title')).toEqual([0, 2, 1, 3]);
    expect(order('-title')).toEqual([1, 3, 0, 2]);
  });

  it.each(['', '-', '+', '- '])('refuses "%s", because it names no field', (spec) => {
    expect(() => createSort(spec, undefined)).toThrow('--sort-by names no field.');
  });
});
