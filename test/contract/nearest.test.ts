import fc from 'fast-check';
import { expect, it } from 'vitest';
import { didYouMean, nearest } from '../../src/contract/nearest.ts';

it.each([
  // One change is always near. In words of five or more letters, changes of up to half of the letters are near. A shorter
  // word with one letter more is near only if it merely lacks an ending.
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
  // Two different single letters are not near.
  ['b', 'a', false],
  ['b', 'ba', true],
  ['', 'a', true],
  ['', 'ab', false],
  ['status', 'job.status', true],
])('nearest suggests for %j the word %j: %j', (word, candidate, isNear) => {
  expect(nearest(word, [candidate])).toEqual(isNear ? [candidate] : []);
});

it('nearest returns the three nearest words, each once, nearest first', () => {
  expect(nearest('pages', ['spaces', 'page', 'pages', 'page', 'pagse', 'stages'])).toEqual([
    'pages',
    'page',
    'pagse',
  ]);
});

it('nearest finds a word of at least five letters after any single change', () => {
  const word = fc.stringMatching(/^[a-z]{5,12}$/);
  fc.assert(
    fc.property(word, fc.nat(), fc.constantFrom('', 'x', 'xy'), (text, place, instead) => {
      const at = place % text.length;
      expect(nearest(text.slice(0, at) + instead + text.slice(at + 1), [text])).toEqual([text]);
    }),
  );
});

it('didYouMean returns a question with the nearest word, or an empty text', () => {
  expect(didYouMean('titel', ['slug', 'title'])).toBe('; did you mean "title"?');
  expect(didYouMean('color', ['slug', 'title'])).toBe('');
});
