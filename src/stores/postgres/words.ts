import type { Hit, Key } from '../../core/store.ts';
import { stemLikeFts5 } from '../../core/porter.ts';
import { tokenize, type Phrase, type SearchTerms } from '../../core/search-terms.ts';
import type { IndexLayout, TableLayout } from '../layout.ts';
import type { WordSearch } from '../rows.ts';
import type { Answer, Value } from './connections.ts';
import { encodeKey } from './keys.ts';
import { columnOf } from '../columns.ts';
import { stemsColumn } from './names.ts';

/** Raise this number when the values of `wordColumns` are computed differently. Stores then compute them again for all rows. */
export const wordsVersion = 2;

/** Maximum characters of a stem in the index. Longer words are data, and PostgreSQL refuses words of more than 2,046 bytes. */
const maxStemLength = 200;
/** Maximum bytes of all different stems of a row in the index. PostgreSQL accepts a little over a million. */
const maxStemBytes = 900_000;

export type Run = (sql: string, values: readonly Value[], isPrepared?: boolean) => Promise<Answer>;

/**
 * Returns the values of `wordColumns` for the texts of a row. Only weighted counts other than 1 are listed, because a search
 * reads the list of each row that it finds.
 */
export function wordValues(table: TableLayout, texts: readonly string[]): readonly (string | number)[] {
  if (table.words.length === 0) return [];
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
  // Numbers are smaller as texts, and faster to read.
  const listed = [...counts].filter(([, count]) => count !== 1).map(([stem, count]) => [stem, String(count)]);
  return [vector, JSON.stringify(Object.fromEntries(listed)), length, ...stemTexts];
}

function stemOf(word: string): string {
  return stemLikeFts5(word).slice(0, maxStemLength).toWellFormed();
}

/** A stem in a text of stems. Each has its own spaces, so that the occurrences of a word never overlap. */
function wrapped(stem: string): string {
  return ` ${stem} `;
}

/** The statistics of a table that the rank of hits depends on. */
interface Statistics {
  /** The number of rows with words, and the total number of words. */
  readonly rows: number;
  readonly words: number;
  /** The number of rows that contain each phrase. */
  readonly frequencies: Map<string, number>;
  readonly until: number;
}

/** Milliseconds for which the statistics of a table are used. They only affect the order of hits. */
const statisticsAge = 60_000;
/** Up to this number of rows, the statistics are computed for every search. */
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
    { run, name, table, hidesWords }: SearchedTable,
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
    const counted = phrases.map(async (phrase) => {
      const key = JSON.stringify(phrase);
      const known = frequencies.get(key);
      if (known !== undefined) return known;
      const parameters = new Parameters();
      const where = matches(table, phrase, parameters, hidesWords);
      const [row] = await run(`SELECT count(*) FROM ${name} AS t WHERE ${where}`, parameters.values);
      const frequency = Number(row?.[0]);
      frequencies.set(key, frequency);
      return frequency;
    });
    const idf = (await Promise.all(counted)).map((frequency) =>
      // FTS5 gives words of more than half of all rows this small weight, rather than a negative one.
      Math.max(Math.log((rows - frequency + 0.5) / (frequency + 0.5)), 1e-6),
    );
    return { idf, average: rows === 0 ? 1 : Math.max(words / rows, 1e-9) };
  }
}

/** The parameters of a statement, collected while it is written. */
class Parameters {
  readonly values: Value[] = [];

  add(value: Value): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

interface SearchedTable {
  readonly run: Run;
  readonly name: string;
  readonly table: TableLayout;
  /** See `Dialect`. */
  readonly hidesWords: boolean;
}

/**
 * Returns the best rows of some groups, best first. The rank is computed like in FTS5 (Okapi BM25, with a weight for each field;
 * https://www.sqlite.org/fts5.html#the_bm25_function).
 */
export async function searchWords(
  searched: SearchedTable,
  index: IndexLayout,
  { groups, terms, limit }: WordSearch,
  statistics: WordStatistics,
): Promise<readonly Hit[]> {
  const { run, name, table, hidesWords } = searched;
  const phrases = terms.flat();
  const { idf, average } = await statistics.of(searched, phrases);
  const parameters = new Parameters();
  const where = [containsQuery(termsQuery(terms), parameters, hidesWords)];
  // For single words, the condition for the index is enough.
  if (phrases.some(({ words }) => words.length > 1))
    for (const alternatives of terms)
      where.push(
        `(${alternatives.map((phrase) => matches(table, phrase, parameters, hidesWords)).join(' OR ')})`,
      );
  where.push(inGroups(table, index, groups, parameters));
  const length = `(0.3::float8 + t.w_length::float8 * ${parameters.add(0.9 / average)}::float8)`;
  const factors = idf.map((each) => 2.2 * each);
  const ends = `ORDER BY score DESC, id LIMIT ${parameters.add(limit)}`;
  let sql: string;
  if (phrases.length === terms.length) {
    const scores = phrases.map((phrase, at) =>
      scoreOf(parameters.add(factors[at] as number), occurrencesOf(table, phrase, parameters), length),
    );
    sql = `SELECT t.id, ${scores.join(' + ')} AS score FROM ${name} AS t WHERE ${where.join(' AND ')} ${ends}`;
  } else {
    // A row need not contain every phrase. The index finds the row once for each phrase whose words it contains.
    const listed = listPhrases(phrases, factors, parameters);
    const score = scoreOf(
      'p.factor',
      `CASE WHEN p.stem <> '' THEN ${wordCount('p.stem')} ELSE ${phraseCount(table, 'p.stems')} END`,
      length,
    );
    // The sum is in the order of the phrases, because its last digits depend on the order. They decide between rows with the same
    // rank.
    sql = `SELECT t.id, sum(${score} ORDER BY p.at) AS score FROM ${listed} JOIN ${name} AS t ON t.w_stems @@ p.query::tsquery
      WHERE ${where.join(' AND ')} GROUP BY t.id ${ends}`;
  }
  // The search for one word always has the same form, so it is prepared.
  return (await run(sql, parameters.values, phrases.length === 1)).map(([id, score]) => ({
    id: id as string,
    score: Number(score),
  }));
}

/** Returns the part of the rank of a row that comes from one phrase: `factor` * `count` / (`count` + `length`). */
function scoreOf(factor: string, count: string, length: string): string {
  // This form computes the number of occurrences once.
  return `${factor}::float8 * (1::float8 - 1::float8 / (1::float8 + ${count} / ${length}))`;
}

/** Returns phrases as the rows of a table `p`. */
function listPhrases(phrases: readonly Phrase[], factors: readonly number[], parameters: Parameters): string {
  const columns = [
    parameters.add(phrases.map(phraseQuery)),
    parameters.add(phrases.map((phrase) => (isWord(phrase) ? stemOf(phrase.words[0] as string) : ''))),
    parameters.add(phrases.map(stemsOf)),
  ].map((name) => `${name}::text[]`);
  return `unnest(${columns.join(', ')}, ${parameters.add(factors)}::float8[]) WITH ORDINALITY AS p (query, stem, stems, factor, at)`;
}

/** Returns the query for rows that contain the words of the terms, in any order. */
function termsQuery(terms: SearchTerms): string {
  return terms
    .map((phrases) => `(${phrases.map((phrase) => `(${phraseQuery(phrase)})`).join(' | ')})`)
    .join(' & ');
}

function phraseQuery({ words, isPrefix }: Phrase): string {
  return words
    .map((word, at) => `'${stemOf(word)}'${isPrefix && at === words.length - 1 ? ':*' : ''}`)
    .join(' & ');
}

/** Returns the condition for the index. */
function containsQuery(query: string, parameters: Parameters, hidesWords: boolean): string {
  const name = `${parameters.add(query)}::tsquery`;
  return `t.w_stems @@ ${hidesWords ? `(SELECT ${name})` : name}`;
}

function matches(table: TableLayout, phrase: Phrase, parameters: Parameters, hidesWords: boolean): string {
  const query = containsQuery(phraseQuery(phrase), parameters, hidesWords);
  if (phrase.words.length === 1) return query;
  const searched = parameters.add(stemsOf(phrase));
  const fields = table.words.map(([field]) => `strpos(t.${stemsColumn(field)}, ${searched}) > 0`);
  return `(${query} AND (${fields.join(' OR ')}))`;
}

function isWord({ words, isPrefix }: Phrase): boolean {
  return words.length === 1 && !isPrefix;
}

/** Returns the weighted number of occurrences of a phrase in a row that contains its words. */
function occurrencesOf(table: TableLayout, phrase: Phrase, parameters: Parameters): string {
  const stems = stemsOf(phrase);
  return isWord(phrase)
    ? wordCount(parameters.add(stemOf(phrase.words[0] as string)))
    : phraseCount(table, parameters.add(stems));
}

function wordCount(stem: string): string {
  return `coalesce((t.w_counts ->> ${stem})::float8, 1)`;
}

function phraseCount(table: TableLayout, stems: string): string {
  const counts = table.words.map(([field, weight]) => {
    const column = `t.${stemsColumn(field)}`;
    return `${weight}::float8 * (octet_length(${column}) - octet_length(replace(${column}, ${stems}, '')))`;
  });
  return `((${counts.join(' + ')}) / octet_length(${stems}))`;
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
