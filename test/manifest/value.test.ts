import { describe, expect, it } from 'vitest';
import { isSame } from '../../src/manifest/value.ts';

describe('isSame', () => {
  it('ignores key order and undefined fields, and compares sets and texts by their content', () => {
    expect(isSame(null, undefined)).toBe(true);
    expect(isSame({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(isSame({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
    expect(isSame(['a', 'b'], ['b', 'a'])).toBe(false);
    expect(isSame(['a', 'b', 'a'], ['b', 'a'], 'set')).toBe(true);
    expect(isSame('one\r\ntwo\n', 'one\ntwo', 'text')).toBe(true);
  });
});
