import { describe, expect, it } from 'vitest';
import { topologicalSort } from '../../src/manifest/topological-sort.ts';

describe('topologicalSort', () => {
  it('returns the items of a cycle, without those that depend on it', () => {
    const needs: Record<string, string[]> = { a: ['b'], b: ['c'], c: ['b'], d: ['c'], e: [] };
    const { sorted, cycle } = topologicalSort(
      Object.keys(needs),
      (key) => key,
      (key) => needs[key]!,
    );
    expect({ sorted, cycle }).toEqual({ sorted: ['e'], cycle: ['b', 'c'] });
    expect(
      topologicalSort(
        ['a', 'b', 'c'],
        (key) => key,
        (key) => (key === 'a' ? ['c'] : []),
      ).sorted,
    ).toEqual(['b', 'c', 'a']);
  });
});
