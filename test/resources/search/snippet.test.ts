import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markedParts } from '../../../src/render/marked-parts.ts';
import { TermFinder } from '../../../src/resources/search/snippet.ts';

/** Returns the words in a text that a query marks. */
function marked(query: string, text: string): string[] {
  const parts = markedParts(text, new TermFinder(query).marks(text));
  return parts.filter(({ isMarked }) => isMarked).map((part) => part.text);
}

describe('the marks of an excerpt', () => {
  it.each([
    ['feature store', 'A feature_store for Features, restored.', ['feature', 'store', 'Features']],
    ['install', 'Installing: it installs, reinstalled', ['Installing', 'installs']],
    ['inst', 'Install the instance', ['Install', 'instance']],
    ['検索', '検索エンジンの設定です。検索', ['検索', '検索']],
    ['"two words"', 'Two other words', ['Two', 'words']],
    ['words', '', []],
    ['', 'No words', []],
  ])('find the words of %j in %j', (query, text, words) => {
    expect(marked(query, text)).toEqual(words);
  });

  it('are in order, and the marked parts add up to the text', () => {
    const word = fc.constantFrom(
      'run',
      'Running',
      'store',
      '検索',
      '検',
      ' ',
      '_',
      '-',
      'é',
      '😀',
      'feature',
    );
    const words = fc.array(word, { maxLength: 30 }).map((all) => all.join(''));
    fc.assert(
      fc.property(words, words, (query, text) => {
        const marks = new TermFinder(query).marks(text);
        expect(marks).toEqual([...new Set(marks)].sort((one, other) => one - other));
        const parts = markedParts(text, marks);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        expect(parts.filter(({ isMarked }) => isMarked)).toHaveLength(marks.length / 2);
      }),
    );
  });
});
