import fc from 'fast-check';
import { expect, it } from 'vitest';
import { didYouMean, nearest } from '../../src/contract/nearest.ts';

it.each([
  // Two changes always count as near, half of the shorter word as well, more do not.
  ['abc', 'axy', true],
  ['abc', 'xyz', false],
  ['abcdef', 'abcxyz', true],
  ['abcdef', 'abwxyz', false],
  ['abcdefg', 'abcdxyz', true],
  ['abcdefgh', 'abcdwxyz', true],
  ['abcdefgh', 'abcvwxyz', false],
  ['title', 'TITEL', true],
  ['', 'ab', true],
  ['', 'abc', false],
  ['status', 'job.status', true],
])('of %j, %j is near: %j', (word, candidate, isNear) => {
  expect(nearest(word, [candidate])).toEqual(isNear ? [candidate] : []);
});

it('gives the three nearest, each once, the nearest first', () => {
  expect(nearest('pages', ['spaces', 'page', 'pages', 'page', 'pagse', 'stages'])).toEqual([
    'pages',
    'page',
    'spaces',
  ]);
});

it('finds a word after any one change', () => {
  const word = fc.stringMatching(/^[a-z]{3,12}$/);
  fc.assert(
    fc.property(word, fc.nat(), fc.constantFrom('', 'x', 'xy'), (text, place, instead) => {
      const at = place % text.length;
      expect(nearest(text.slice(0, at) + instead + text.slice(at + 1), [text])).toEqual([text]);
    }),
  );
});

it('asks for the nearest, or nothing', () => {
  expect(didYouMean('titel', ['slug', 'title'])).toBe('; did you mean "title"?');
  expect(didYouMean('color', ['slug', 'title'])).toBe('');
});
