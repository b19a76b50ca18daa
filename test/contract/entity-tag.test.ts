import { expect, it } from 'vitest';
import { entityTag, hasTag, noteTag, tagOf } from '../../src/contract/entity-tag.ts';

it('entityTag returns 22 characters in quotes that depend only on the text', () => {
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
])('hasTag finds the tag "a" in the list %j: %s, with strong comparison: %s', (list, weak, strong) => {
  expect([hasTag(list, '"a"'), hasTag(list, '"a"', true)]).toEqual([weak, strong]);
});

it('tagOf returns the tag only for the object that it was noted for', () => {
  const answer = {};
  noteTag(answer, () => '"a"');
  expect([tagOf(answer), tagOf({})]).toEqual(['"a"', undefined]);
  for (const other of [null, undefined, 'text', 1]) {
    noteTag(other, () => '"a"');
    expect(tagOf(other)).toBeUndefined();
  }
});
