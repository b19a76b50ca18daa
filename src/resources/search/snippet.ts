import { stemLikeFts5 } from '../../core/porter.ts';
import { parseSearchQuery, unspaced, tokenize } from '../../core/search-terms.ts';

/** Maximum length of an excerpt, in characters. */
const maxLength = 300;
/** Maximum number of characters before the first match. */
const leadLength = 60;

interface Excerpt {
  readonly text: string;
  /** Whether the text contains any of the words. */
  readonly matches: boolean;
}

interface Match {
  readonly at: number;
  readonly end: number;
  readonly word: string;
}

/** Finds the words of one query in texts. */
export class TermFinder {
  readonly #stems: readonly string[];
  readonly #starts: readonly string[];
  readonly #known = new Map<string, string | undefined>();

  constructor(query: string) {
    const phrases = parseSearchQuery(query)?.any.flat() ?? [];
    this.#stems = [
      ...new Set(
        phrases.flatMap(({ words, isPrefix }) => (isPrefix ? words.slice(0, -1) : words)).map(stemLikeFts5),
      ),
    ];
    this.#starts = [
      ...new Set(
        phrases.flatMap(({ words, isPrefix }) => (isPrefix ? words.slice(-1) : [])).map(stemLikeFts5),
      ),
    ];
  }

  /**
   * Returns the part of a text with the most different words (the first one if there are several), or its start if there are no
   * matches.
   */
  excerpt(text: string): Excerpt {
    const found = this.#matches(text);
    if (text.length <= maxLength) return { text, matches: found.length > 0 };
    let best = { from: 0, words: 0 };
    for (const [first, { at }] of found.entries()) {
      const words = new Set<string>();
      const end = at + maxLength - leadLength;
      for (
        let next = first, match = found[next];
        match !== undefined && match.at < end;
        match = found[++next]
      )
        words.add(match.word);
      if (words.size > best.words) best = { from: at, words: words.size };
    }
    return { text: cut(text, Math.max(0, best.from - leadLength)), matches: found.length > 0 };
  }

  /** Returns the positions of the words in a text: the start and the end of each. Overlapping words are combined. */
  marks(text: string): number[] {
    const marks: number[] = [];
    for (const { at, end } of this.#matches(text))
      if (at <= (marks.at(-1) ?? -1)) marks[marks.length - 1] = end;
      else marks.push(at, end);
    return marks;
  }

  #matches(text: string): readonly Match[] {
    const found: Match[] = [];
    for (const { 0: chunk, index } of text.matchAll(/[A-Za-z0-9\u0080-\uffff]+/g)) {
      // Splitting text in scripts without spaces is slow, and few texts need it.
      if (!letter.test(chunk)) this.#take(found, chunk, index);
      else
        for (const { 0: piece, 1: next = '', index: place } of chunk.matchAll(pieces))
          this.#take(found, piece + next, index + place);
    }
    return found;
  }

  #take(found: Match[], piece: string, at: number): void {
    const word = this.#find(piece);
    if (word !== undefined) found.push({ at, end: at + piece.length, word });
  }

  /** Returns the word of the query that a piece of text matches. Results are cached, because texts repeat their words. */
  #find(piece: string): string | undefined {
    if (this.#known.has(piece)) return this.#known.get(piece);
    const stems = tokenize(piece).map(stemLikeFts5);
    const word =
      this.#stems.find((one) => stems.includes(one)) ??
      this.#starts.find((one) => stems.some((each) => each.startsWith(one)));
    this.#known.set(piece, word);
    return word;
  }
}

const letter = new RegExp(unspaced, 'u');
/** Matches words. In scripts without spaces, matches each letter with the next one. */
const pieces = new RegExp(`${unspaced}(?=(${unspaced}?))|(?:(?!${unspaced})[\\p{L}\\p{N}\\p{M}])+`, 'gu');

/** Cuts an excerpt between words if possible, with an ellipsis at each cut end. */
function cut(text: string, place: number): string {
  let from = place;
  if (from > 0) {
    const blank = text.slice(from, from + leadLength).search(/\s/);
    from += blank === -1 ? 0 : blank + 1;
  }
  const room = maxLength - 2;
  let end = Math.min(text.length, from + room);
  if (end < text.length) {
    const blank = text.slice(end - leadLength, end + 1).search(/\s\S*$/);
    end = blank === -1 ? end : end - leadLength + blank;
  }
  // A surrogate pair must not be split.
  const piece = text.slice(from, end).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${from > 0 ? '…' : ''}${piece.trim()}${end < text.length ? '…' : ''}`;
}
