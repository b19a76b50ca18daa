import { tokenize } from '../../core/search-terms.ts';

/** Returns a function that compares titles with a query, ignoring case, accents and punctuation. */
export function titleMatcher(query: string): (title: string) => boolean {
  const wanted = wordsOf(query);
  return (title) => wanted !== '' && wordsOf(title) === wanted;
}

function wordsOf(text: string): string {
  // Lower case keeps names such as "getUser" as one word, as in the other text.
  return tokenize(text.toLowerCase()).join(' ');
}
