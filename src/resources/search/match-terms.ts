import { stemLikeFts5 } from '../../core/porter.ts';
import { parseSearchQuery, tokenize, type Phrase, type SearchTerms } from '../../core/search-terms.ts';

/** Ranks texts by how well they match a query. */
export class TermMatcher {
  readonly #searches: readonly SearchTerms[];

  constructor(query: string) {
    const parsed = parseSearchQuery(query);
    this.#searches = parsed === undefined ? [] : [parsed.exact, parsed.starting, parsed.any];
  }

  /**
   * Returns 0 if a text contains all words of the query, 1 if the last word may be unfinished, 2 if it contains some words,
   * otherwise undefined. This is the order in which the index searches.
   */
  rank(text: string): number | undefined {
    const words = tokenize(text).map(stemLikeFts5);
    const rank = this.#searches.findIndex((terms) =>
      terms.every((phrases) => phrases.some((phrase) => hasPhrase(words, phrase))),
    );
    return rank === -1 ? undefined : rank;
  }
}

function hasPhrase(text: readonly string[], { words, isPrefix }: Phrase): boolean {
  const stems = words.map(stemLikeFts5);
  const last = stems.length - 1;
  return text.some((_, at) =>
    stems.every((stem, place) => {
      const word = text[at + place];
      if (word === undefined) return false;
      return isPrefix && place === last ? word.startsWith(stem) : word === stem;
    }),
  );
}
