import { stemLikeFts5 } from '../../core/porter.ts';
import { parseSearchQuery, tokenize, type Phrase, type SearchTerms } from '../../core/search-terms.ts';

/** How well texts match a query: 0 where all words are in it, 1 where the last is unfinished, 2 where some are; else undefined. */
export class TermMatcher {
  readonly #searches: readonly SearchTerms[];

  constructor(query: string) {
    const parsed = parseSearchQuery(query);
    this.#searches = parsed === undefined ? [] : [parsed.exact, parsed.starting, parsed.any];
  }

  /** The first search of the query that a text matches, as the index searches them one after the other. */
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
