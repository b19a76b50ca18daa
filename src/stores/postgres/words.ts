import type { Hit, Key } from '../../core/store.ts';
import { stemLikeFts5 } from '../../core/porter.ts';
import { tokenize, type Phrase, type SearchTerms } from '../../core/search-terms.ts';
import type { IndexLayout, TableLayout } from '../layout.ts';
import type { WordSearch } from '../rows.ts';
import type { Answer, Value } from './connections.ts';
import { encodeKey } from './keys.ts';
import { columnOf, stemsColumn } from './names.ts';

/** Raise it when texts are split into words differently. Stores then make the words of all rows again. */
export const wordsVersion = 1;

/** Characters of a stem in the index. Longer words are data, and PostgreSQL refuses those of more than 2,046 bytes. */
const maxStemLength = 200;
/** Bytes of all different stems of a row in the index. PostgreSQL takes a little over a million. */
const maxStemBytes = 900_000;

/** Runs a statement. */
export type Run = (sql: string, values: readonly Value[], isPrepared?: boolean) => Promise<Answer>;

/** Returns the values of `wordColumns` for the texts of a row. */
export function wordValues(table: TableLayout, texts: readonly string[]): readonly (string | number)[] {
  const counts = new Map<string, number>();
  let length = 0;
  let bytes = 0;
  const stemTexts = texts.map((text, at) => {
    const [, weight] = table.words[at] as readonly [string, number];
    const stems = tokenize(text).map(stemOf);
    length += stems.length;
    for (const stem of stems) {
      const count = counts.get(stem);
      if (count === undefined) bytes += Buffer.byteLength(stem);
      if (count !== undefined || bytes <= maxStemBytes) counts.set(stem, (count ?? 0) + weight);
    }
    return stems.map(wrapped).join('');
  });
  const vector = [...counts.keys()].map((stem) => `'${stem}'`).join(' ');
  return [vector, JSON.stringify(Object.fromEntries(counts)), length, ...stemTexts];
}

function stemOf(word: string): string {
  return stemLikeFts5(word).slice(0, maxStemLength).toWellFormed();
}

/** A stem in a text of stems. Each has its own spaces, so that the occurrences of a word never overlap. */
function wrapped(stem: string): string {
  return ` ${stem} `;
}

/** What the rank of hits depends on besides the rows themselves. */
interface Statistics {
  /** The number of rows with words, and the sum of their numbers of words. */
  readonly rows: number;
  readonly words: number;
  /** The numbers of rows that contain each phrase. */
  readonly frequencies: Map<string, number>;
  readonly until: number;
}

/** Milliseconds for which the statistics of a table are used. They only affect the order of hits. */
const statisticsAge = 60_000;
/** Up to this number of rows, the statistics are made for every search. */
const maxUncached = 2_000;

/** The statistics of the searched tables of a store. */
export class WordStatistics {
  readonly #tables = new Map<string, Statistics>();
  readonly #clock: () => number;

  /** `clock` returns milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Returns the inverse document frequency of each phrase, and the average number of words, as FTS5 computes them. */
  async of(
    run: Run,
    name: string,
    table: TableLayout,
    phrases: readonly Phrase[],
  ): Promise<{ readonly idf: readonly number[]; readonly average: number }> {
    let statistics = this.#tables.get(table.name);
    if (statistics === undefined || statistics.until < this.#clock()) {
      const [row] = await run(`SELECT count(*), coalesce(sum(w_length), 0) FROM ${name}`, []);
      const rows = Number(row?.[0]);
      statistics = {
        rows,
        words: Number(row?.[1]),
        frequencies: new Map(),
        until: rows <= maxUncached ? 0 : this.#clock() + statisticsAge,
      };
      this.#tables.set(table.name, statistics);
    }
    const { rows, words, frequencies } = statistics;
    const idf: number[] = [];
    for (const phrase of phrases) {
      const key = JSON.stringify(phrase);
      let frequency = frequencies.get(key);
      if (frequency === undefined) {
        const parameters = new Parameters();
        const where = matches(table, phrase, parameters);
        const [row] = await run(`SELECT count(*) FROM ${name} AS t WHERE ${where}`, parameters.values);
        frequencies.set(key, (frequency = Number(row?.[0])));
      }
      // FTS5 gives words of more than half of all rows this small weight, rather than a negative one.
      idf.push(Math.max(Math.log((rows - frequency + 0.5) / (frequency + 0.5)), 1e-6));
    }
    return { idf, average: rows === 0 ? 1 : Math.max(words / rows, 1e-9) };
  }
}

/** The parameters of a statement that is being written. */
class Parameters {
  readonly values: Value[] = [];

  /** Adds a value and returns its name in the statement. */
  add(value: Value): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/**
 * Returns the best rows of some groups, best first. The rank is that of FTS5 (Okapi BM25, with a weight for each field;
 * https://www.sqlite.org/fts5.html#the_bm25_function).
 */
export async function searchWords(
  run: Run,
  name: string,
  table: TableLayout,
  index: IndexLayout,
  { groups, terms, limit }: WordSearch,
  statistics: WordStatistics,
): Promise<readonly Hit[]> {
  const phrases = terms.flat();
  const { idf, average } = await statistics.of(run, name, table, phrases);
  const parameters = new Parameters();
  // For single words, the condition that the index answers says all.
  const where = phrases.every(({ words }) => words.length === 1)
    ? []
    : terms.map(
        (alternatives) =>
          `(${alternatives.map((phrase) => matches(table, phrase, parameters)).join(' OR ')})`,
      );
  const length = `(0.3::float8 + 0.9::float8 * t.w_length::float8 / ${parameters.add(average)}::float8)`;
  const scores = phrases.map((phrase, at) => {
    const factor = `${parameters.add(idf[at] as number)}::float8`;
    const count = occurrences(table, phrase, parameters);
    return `(SELECT ${factor} * f.n * 2.2::float8 / (f.n + ${length}) FROM (SELECT ${count} AS n) AS f)`;
  });
  const sql = `SELECT t.id, ${scores.join(' + ')} AS score FROM ${name} AS t
    WHERE ${[tsquery(terms, parameters), ...where, inGroups(table, index, groups, parameters)].join(' AND ')}
    ORDER BY score DESC, t.id LIMIT ${parameters.add(limit)}`;
  return (await run(sql, parameters.values)).map(([id, score]) => ({
    id: id as string,
    score: Number(score),
  }));
}

/** The condition that the index answers: rows with the words of the terms, in any order. */
function tsquery(terms: SearchTerms, parameters: Parameters): string {
  const query = terms
    .map((phrases) => `(${phrases.map((phrase) => `(${phraseQuery(phrase)})`).join(' | ')})`)
    .join(' & ');
  return `t.w_stems @@ ${parameters.add(query)}::tsquery`;
}

function phraseQuery({ words, isPrefix }: Phrase): string {
  return words
    .map((word, at) => `'${stemOf(word)}'${isPrefix && at === words.length - 1 ? ':*' : ''}`)
    .join(' & ');
}

/** The condition of rows that contain a phrase. */
function matches(table: TableLayout, phrase: Phrase, parameters: Parameters): string {
  const query = `t.w_stems @@ ${parameters.add(phraseQuery(phrase))}::tsquery`;
  if (phrase.words.length === 1) return query;
  const searched = parameters.add(stemsOf(phrase));
  const fields = table.words.map(([field]) => `strpos(t.${stemsColumn(field)}, ${searched}) > 0`);
  return `(${query} AND (${fields.join(' OR ')}))`;
}

/** The weighted number of occurrences of a phrase in a row. */
function occurrences(table: TableLayout, phrase: Phrase, parameters: Parameters): string {
  const [word] = phrase.words;
  if (phrase.words.length === 1 && !phrase.isPrefix)
    return `coalesce((t.w_counts ->> ${parameters.add(stemOf(word as string))})::float8, 0)`;
  const searched = stemsOf(phrase);
  const name = parameters.add(searched);
  const counts = table.words.map(
    ([field, weight]) =>
      `${weight}::float8 * (length(t.${stemsColumn(field)}) - length(replace(t.${stemsColumn(field)}, ${name}, ''))) / ${searched.length}::float8`,
  );
  return `(${counts.join(' + ')})`;
}

/** Returns a phrase as it appears in a text of stems. */
function stemsOf({ words, isPrefix }: Phrase): string {
  const text = words.map((word) => wrapped(stemOf(word))).join('');
  return isPrefix ? text.slice(0, -1) : text;
}

function inGroups(
  table: TableLayout,
  index: IndexLayout,
  groups: readonly (readonly Key[])[],
  parameters: Parameters,
): string {
  if (index.on.length === 0) return 'true';
  const columns = index.on.map((field) => `t.${columnOf(table, field)}`);
  const lists = index.on.map((_, at) => groups.map((group) => encodeKey(group[at] as Key)));
  const arrays = lists.map((list) => `${parameters.add(list)}::text[]`);
  if (columns.length === 1) return `${columns[0]} = ANY(${arrays[0]})`;
  return `(${columns.join(', ')}) IN (SELECT * FROM unnest(${arrays.join(', ')}))`;
}
