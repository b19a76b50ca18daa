import type { Hit, Row } from '../core/store.ts';
import { compareTexts } from '../core/keys.ts';
import { createStemmer } from '../core/porter.ts';
import { tokenize, type Phrase, type SearchTerms } from '../core/search-terms.ts';
import { textsOf, type TableLayout } from './layout.ts';
import type { Entry } from './memory-index.ts';

/** The weighted number of occurrences of a word or phrase, by the IDs of the rows that contain it. */
type Counts = ReadonlyMap<string, number>;

interface IndexedRow {
  /** The JSON of the row. */
  readonly text: string;
  /** The number of words in all fields. */
  readonly length: number;
  /** The stems of each field as one text, for phrases. Undefined until a phrase is searched. */
  stems?: readonly string[];
}

/** The full-text index of a table in memory. It is updated at the next search. */
export class MemoryWords {
  readonly #table: TableLayout;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #touched = new Set<string>();
  readonly #indexed = new Map<string, IndexedRow>();
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #stemOf = createStemmer();
  #length = 0;

  constructor(table: TableLayout, entries: ReadonlyMap<string, Entry>) {
    this.#table = table;
    this.#entries = entries;
    for (const id of entries.keys()) this.touch(id);
  }

  /** Records that a row was added, changed or removed. */
  touch(id: string): void {
    this.#touched.add(id);
  }

  /**
   * Returns the best rows that match the terms and that `keep` accepts, best first. The rank is computed like in FTS5 (Okapi BM25,
   * with a weight for each field; https://www.sqlite.org/fts5.html#the_bm25_function).
   */
  search(terms: SearchTerms, keep: (entry: Entry) => boolean, limit: number): readonly Hit[] {
    this.#refresh();
    const counted = terms.map((phrases) => phrases.map((phrase) => this.#countsOf(phrase)));
    const [first = [], ...others] = counted;
    const rows = this.#indexed.size;
    const scored = counted.flat().map((counts) => {
      const idf = Math.log((rows - counts.size + 0.5) / (counts.size + 0.5));
      // FTS5 gives words of more than half of all rows this small weight, rather than a negative one.
      return { counts, idf: idf <= 0 ? 1e-6 : idf };
    });
    const scoreOf = (id: string): number => {
      const length = 1.2 * (1 - 0.75 + (0.75 * (this.#indexed.get(id)?.length ?? 0)) / (this.#length / rows));
      let score = 0;
      for (const { counts, idf } of scored) {
        const count = counts.get(id) ?? 0;
        score += idf * ((count * 2.2) / (count + length));
      }
      return score;
    };
    return [...new Set(first.flatMap((counts) => [...counts.keys()]))]
      .filter(
        (id) =>
          others.every((alternatives) => alternatives.some((counts) => counts.has(id))) &&
          keep(this.#entries.get(id) as Entry),
      )
      .map((id) => ({ id, score: scoreOf(id) }))
      .sort((a, b) => b.score - a.score || compareTexts(a.id, b.id))
      .slice(0, limit);
  }

  #countsOf({ words, isPrefix }: Phrase): Counts {
    const stems = words.map((word) => this.#stemOf(word));
    const [first = ''] = stems;
    if (stems.length > 1) return this.#countPhrase(stems, isPrefix);
    if (!isPrefix) return this.#counts.get(first) ?? new Map();
    const sums = new Map<string, number>();
    for (const [stem, counts] of this.#counts)
      if (stem.startsWith(first)) for (const [id, count] of counts) sums.set(id, (sums.get(id) ?? 0) + count);
    return sums;
  }

  #countPhrase(stems: readonly string[], isPrefix: boolean): Counts {
    const phrase = stems.map(wrapped).join('');
    const searched = isPrefix ? phrase.slice(0, -1) : phrase;
    const complete = isPrefix ? stems.slice(0, -1) : stems;
    const [rarest = new Map<string, number>()] = complete
      .map((stem) => this.#counts.get(stem) ?? new Map<string, number>())
      .sort((a, b) => a.size - b.size);
    const sums = new Map<string, number>();
    for (const id of rarest.keys()) {
      let sum = 0;
      for (const [at, text] of this.#stemsOf(id).entries())
        sum += occurrences(text, searched) * (this.#table.words[at]?.[1] ?? 0);
      if (sum > 0) sums.set(id, sum);
    }
    return sums;
  }

  #stemsOf(id: string): readonly string[] {
    const row = this.#indexed.get(id) as IndexedRow;
    return (row.stems ??= this.#stemFields(row.text).map((stems) => stems.map(wrapped).join('')));
  }

  #stemFields(text: string): readonly (readonly string[])[] {
    return textsOf(this.#table, JSON.parse(text) as Row).map((field) =>
      tokenize(field).map((word) => this.#stemOf(word)),
    );
  }

  #refresh(): void {
    for (const id of this.#touched) {
      const [before, after] = [this.#indexed.get(id), this.#entries.get(id)?.text];
      if (before !== undefined) this.#remove(id, before);
      if (after !== undefined) this.#add(id, after);
    }
    this.#touched.clear();
  }

  #add(id: string, text: string): void {
    let length = 0;
    for (const [at, stems] of this.#stemFields(text).entries()) {
      length += stems.length;
      for (const stem of stems) {
        let counts = this.#counts.get(stem);
        if (counts === undefined) this.#counts.set(stem, (counts = new Map()));
        counts.set(id, (counts.get(id) ?? 0) + (this.#table.words[at]?.[1] ?? 0));
      }
    }
    this.#length += length;
    this.#indexed.set(id, { text, length });
  }

  #remove(id: string, { text, length }: IndexedRow): void {
    for (const stem of new Set(this.#stemFields(text).flat())) {
      const counts = this.#counts.get(stem);
      counts?.delete(id);
      if (counts?.size === 0) this.#counts.delete(stem);
    }
    this.#length -= length;
    this.#indexed.delete(id);
  }
}

/** A stem in a text of stems. Each has its own spaces, so that the occurrences of a word never overlap. */
function wrapped(stem: string): string {
  return ` ${stem} `;
}

function occurrences(text: string, searched: string): number {
  let count = 0;
  for (let at = text.indexOf(searched); at !== -1; at = text.indexOf(searched, at + 1)) count++;
  return count;
}
