import { tokenize } from '../../core/search-terms.ts';

/** Returns whether a title is what a query says, without regard to case, accents and punctuation. */
export function titleMatcher(query: string): (title: string) => boolean {
  const wanted = wordsOf(query);
  return (title) => wanted !== '' && wordsOf(title) === wanted;
}

function wordsOf(text: string): string {
  // In lower case, names such as "getUser" are one word, as in the other text.
  return tokenize(text.toLowerCase()).join(' ');
}
