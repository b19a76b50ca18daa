import fc from 'fast-check';
import { expect, it } from 'vitest';
import { didYouMean, nearest } from '../../src/contract/nearest.ts';

it.each([
  // One change always counts as near, changes in half of a word of five letters or more as well, more do not. Of a shorter
  // word, one more is near if it only lacks an ending.
  ['abc', 'axc', true],
  ['abc', 'axy', false],
  // Two neighboring letters that are swapped are one change.
  ['abc', 'acb', true],
  ['abc', 'cba', false],
  ['nope', 'nape', true],
  ['nope', 'home', false],
  ['boldly', 'bold', true],
  ['abcdef', 'abcxyz', true],
  ['abcdef', 'abwxyz', false],
  ['abcdefg', 'abcdxyz', true],
  ['abcdefgh', 'abcdwxyz', true],
  ['abcdefgh', 'abcvwxyz', false],
  ['title', 'TITEL', true],
  // Two single letters are near by chance only.
  ['b', 'a', false],
  ['b', 'ba', true],
  ['', 'a', true],
  ['', 'ab', false],
  ['status', 'job.status', true],
])('of %j, %j is near: %j', (word, candidate, isNear) => {
  expect(nearest(word, [candidate])).toEqual(isNear ? [candidate] : []);
});

it('gives the three nearest, each once, the nearest first', () => {
  expect(nearest('pages', ['spaces', 'page', 'pages', 'page', 'pagse', 'stages'])).toEqual([
    'pages',
    'page',
    'pagse',
  ]);
});

it('finds a word after any one change', () => {
  const word = fc.stringMatching(/^[a-z]{5,12}$/);
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
