import { expect, it } from 'vitest';
import {
  commonPhrases,
  isContentWord,
  mostCommon,
  sentenceWords,
} from '../../src/analysis/common-phrases.ts';

it.each<[string, [string, number][], string | undefined]>([
  ['none if there are no spellings', [], undefined],
  [
    'the most frequent',
    [
      ['a', 1],
      ['long one', 3],
      ['b', 2],
    ],
    'long one',
  ],
  [
    'the shortest of equally frequent ones',
    [
      ['abc', 2],
      ['ab', 2],
      ['a', 1],
    ],
    'ab',
  ],
  [
    'the alphabetically first of equally long ones',
    [
      ['b', 2],
      ['a', 2],
      ['c', 2],
    ],
    'a',
  ],
  [
    'the same one in any order of the spellings',
    [
      ['c', 2],
      ['a', 2],
      ['b', 2],
    ],
    'a',
  ],
])('chooses the most common spelling: %s', (_name, counts, best) => {
  expect(mostCommon(new Map(counts))).toBe(best);
});

/** Texts of which the given number contain the phrase. The others have nothing in common. */
const texts = (count: number, withPhrase: number) =>
  Array.from({ length: count }, (_, at) => (at < withPhrase ? 'invoice' : `${'qxzvw'[at % 5]}`));
const wordsOf = (list: readonly string[]) => commonPhrases(list, () => 1).map(({ words }) => words);

it('returns a phrase that an eighth of the texts contain, and at least two texts or the only one', () => {
  expect(wordsOf(['invoice'])).toEqual(['invoice']);
  expect(wordsOf(texts(2, 1))).toEqual([]);
  expect(wordsOf(texts(2, 2))).toEqual(['invoice']);
  expect(wordsOf(texts(16, 2))).toContain('invoice');
  expect(wordsOf(texts(17, 2))).not.toContain('invoice');
  expect(wordsOf(texts(17, 3))).toContain('invoice');
});

it('counts the texts with a phrase, not its occurrences, and scores it by the rarity of its words', () => {
  const found = commonPhrases(['invoice invoice', 'Invoices', 'shipping', 'shipping'], (stem) =>
    stem.startsWith('invoic') ? 3 : 2,
  );
  expect(found).toEqual([
    { words: 'invoice', stems: expect.any(Array), share: 0.5, score: 1.5 },
    { words: 'shipping', stems: expect.any(Array), share: 0.5, score: 1 },
  ]);
});

it('sorts phrases of the same score alphabetically', () => {
  expect(wordsOf(['zebra', 'apple', 'zebra', 'apple', 'mango', 'mango'])).toEqual([
    'apple',
    'mango',
    'zebra',
  ]);
});

it.each([
  ['invoice', true],
  ['pdf', true],
  ['the', false],
  ['please', false],
  ['long', false],
  ["don't", false],
  ['user’s', false],
  ['12', false],
  ['not', false],
])('decides whether "%s" has a meaning by itself: %s', (word, expected) => {
  expect(isContentWord(word)).toBe(expected);
});

it('splits a text at punctuation, and reads at most 60 words of a sentence', () => {
  expect(sentenceWords('Export the PDF-file, then (maybe) "open" it: Größe 2!')).toEqual([
    ['export', 'the', 'pdf', 'file'],
    ['then'],
    ['maybe'],
    [],
    ['open'],
    ['it'],
    ['größe', '2'],
    [],
  ]);
  const [words] = sentenceWords(Array.from({ length: 61 }, (_, at) => `w${at}`).join(' '));
  expect(words).toHaveLength(60);
  expect(words?.at(-1)).toBe('w59');
});

it.each([
  ['four words are allowed', 'export of the invoice', 'export of the invoice', true],
  ['five words are too many', 'export of all the invoices', 'export of all the invoices', false],
  ['three words with a meaning are allowed', 'broken invoice template', 'broken invoice template', true],
  [
    'four words with a meaning are too many',
    'broken invoice template editor',
    'broken invoice template editor',
    false,
  ],
  ['a phrase must not end in a word without a meaning', 'export of the', 'export of the', false],
  ['a phrase must not cross the end of a sentence', 'export. Invoice', 'export invoice', false],
])('limits phrases: %s', (_name, text, phrase, expected) => {
  expect(wordsOf([text]).includes(phrase)).toBe(expected);
});
