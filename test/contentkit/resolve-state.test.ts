import { expect, it } from 'vitest';
import { resolveState } from '../../src/contentkit/resolve-state.ts';

/** A value inside the given number of nested arrays. */
const nested = (levels: number, value: unknown): unknown => {
  let result = value;
  for (let level = 0; level < levels; level++) result = [result];
  return result;
};

it('replaces references with values of the state, and does not resolve references in these', () => {
  const state = { name: 'Ann', list: [{ $state: 'name' }] };
  expect(
    resolveState({ a: { $state: 'name' }, b: [{ $state: 'list' }], c: { $state: 'gone' }, d: null }, state),
  ).toEqual({ a: 'Ann', b: [[{ $state: 'name' }]], c: undefined, d: null });
  expect(resolveState({ $state: 7 }, state)).toEqual({ $state: 7 });
  for (const key of ['toString', '__proto__', 'constructor'])
    expect(resolveState({ $state: key }, state), key).toBeUndefined();
});

it('keeps values nested up to 50 levels below the first', () => {
  expect(resolveState(nested(51, 'x'), {})).toEqual(nested(51, 'x'));
  expect(resolveState(nested(52, 'x'), {})).toEqual(nested(51, undefined));
  expect(resolveState(nested(50, { $state: 'a' }), { a: 1 })).toEqual(nested(50, 1));
  expect(resolveState(nested(51, { $state: 'a' }), { a: 1 })).toEqual(nested(51, undefined));
});
