import { expect, it } from 'vitest';
import { entityTag, hasTag, noteTag, tagOf } from '../../src/contract/entity-tag.ts';

it('is 22 characters in quotes that follow from the answer', () => {
  expect(entityTag('{}')).toMatch(/^"[\w-]{22}"$/);
  expect(entityTag('{}')).toBe(entityTag('{}'));
  expect(entityTag('{ }')).not.toBe(entityTag('{}'));
});

it.each([
  ['"a"', true, true],
  ['"b", "a"', true, true],
  ['W/"a"', true, false],
  ['*', true, true],
  ['"b"', false, false],
  ['', false, false],
])('a list %j has the tag "a": %s, as a strong one: %s', (list, weak, strong) => {
  expect([hasTag(list, '"a"'), hasTag(list, '"a"', true)]).toEqual([weak, strong]);
});

it('is found for the answer that it was noted for, and for no other', () => {
  const answer = {};
  noteTag(answer, () => '"a"');
  expect([tagOf(answer), tagOf({})]).toEqual(['"a"', undefined]);
  for (const other of [null, undefined, 'text', 1]) {
    noteTag(other, () => '"a"');
    expect(tagOf(other)).toBeUndefined();
  }
});
