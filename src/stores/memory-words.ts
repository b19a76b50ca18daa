import MiniSearch from 'minisearch';
import type { Hit, Row } from '../core/store.ts';
import { compareTexts } from '../core/keys.ts';
import { createStemmer } from '../core/porter.ts';
import { tokenize, type Phrase, type SearchTerms } from '../core/search-terms.ts';
import { textsOf, type TableLayout } from './layout.ts';
import type { Entry } from './memory-index.ts';

interface Texts {
  readonly id: string;
  readonly texts: readonly string[];
}

/** The full-text index of a table in memory. It is updated at the next search. */
export class MemoryWords {
  readonly #table: TableLayout;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #touched = new Set<string>();
  /** The JSON of the indexed rows, by ID. */
  readonly #indexed = new Map<string, string>();
  readonly #stemOf = createStemmer();
  readonly #index: MiniSearch<Texts>;

  constructor(table: TableLayout, entries: ReadonlyMap<string, Entry>) {
    this.#table = table;
    this.#entries = entries;
    this.#index = this.#open();
    for (const id of entries.keys()) this.touch(id);
  }

  /** Records that a row was added, changed or removed. */
  touch(id: string): void {
    this.#touched.add(id);
  }

  /** Returns the best rows that match the terms and that `keep` accepts, best first. */
  search(terms: SearchTerms, keep: (entry: Entry) => boolean, limit: number): readonly Hit[] {
    this.#refresh();
    const hasPhrase = terms.some((phrases) => phrases.some(({ words }) => words.length > 1));
    const hits = this.#index.search(
      {
        combineWith: 'AND',
        queries: terms.map((phrases) => ({
          combineWith: 'OR',
          queries: phrases.map((phrase) => this.#queryOf(phrase)),
        })),
      },
      {
        tokenize: (term) => [term],
        processTerm: (term) => term,
        boost: Object.fromEntries(this.#table.words),
        filter: ({ id }) => {
          const entry = this.#entries.get(String(id)) as Entry;
          return keep(entry) && (!hasPhrase || this.#containsPhrases(entry, terms));
        },
      },
    );
    return hits
      .map(({ id, score }) => ({ id: String(id), score }))
      .sort((a, b) => b.score - a.score || compareTexts(a.id, b.id))
      .slice(0, limit);
  }

  #queryOf({ words, isPrefix }: Phrase) {
    const queries = words.map((word, at) => ({
      queries: [this.#stemOf(word)],
      prefix: isPrefix && at === words.length - 1,
      combineWith: 'AND' as const,
    }));
    return { combineWith: 'AND' as const, queries };
  }

  /** Whether the words of each phrase follow each other. The index does not contain this, so the row is tokenized again. */
  #containsPhrases(entry: Entry, terms: SearchTerms): boolean {
    const fields = this.#textsOf(entry.keys[0], entry.text).texts.map((text) =>
      tokenize(text).map((word) => this.#stemOf(word)),
    );
    return terms.every((phrases) =>
      phrases.some((phrase) => fields.some((words) => this.#includesPhrase(words, phrase))),
    );
  }

  #includesPhrase(words: readonly string[], phrase: Phrase): boolean {
    const stems = phrase.words.map((word) => this.#stemOf(word));
    const isWord = (word: string | undefined, at: number) =>
      word === stems[at] ||
      (phrase.isPrefix && at === stems.length - 1 && word?.startsWith(stems[at] as string) === true);
    return words.some((_, start) => stems.every((_stem, at) => isWord(words[start + at], at)));
  }

  #refresh(): void {
    for (const id of this.#touched) {
      const [before, after] = [this.#indexed.get(id), this.#entries.get(id)?.text];
      // `remove` changes the ranks of other rows at once, unlike `discard`.
      if (before !== undefined) this.#index.remove(this.#textsOf(id, before));
      if (after !== undefined) this.#index.add(this.#textsOf(id, after));
      if (after === undefined) this.#indexed.delete(id);
      else this.#indexed.set(id, after);
    }
    this.#touched.clear();
  }

  #open(): MiniSearch<Texts> {
    return new MiniSearch<Texts>({
      fields: this.#table.words.map(([field]) => field),
      extractField: (row, field) =>
        field === 'id'
          ? row.id
          : (row.texts[this.#table.words.findIndex(([name]) => name === field)] as string),
      tokenize: (text) => [...tokenize(text)],
      processTerm: (word) => this.#stemOf(word),
    });
  }

  #textsOf(id: string, text: string): Texts {
    return { id, texts: textsOf(this.#table, JSON.parse(text) as Row) };
  }
}
