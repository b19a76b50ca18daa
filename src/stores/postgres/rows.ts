import type { Hit, Key, Row, RowSize } from '../../core/store.ts';
import { checksumOf, verifyRow } from '../checksum.ts';
import { countName, isCounted, type CountChanges } from '../counts.ts';
import { groupOf, keysOf, sameKeys, type IndexLayout, type Keys, type TableLayout } from '../layout.ts';
import {
  conflictProblem,
  type Page,
  type RowChange,
  type RowSource,
  type RowTarget,
  type WordSearch,
} from '../rows.ts';
import { WriteBuffer } from './buffer.ts';
import type { Answer, Value } from './connections.ts';
import { encodeKey } from './keys.ts';
import { columnOf } from '../columns.ts';
import { inGroup, type Names } from './names.ts';
import type { Dialect } from './profile.ts';
import type { Reads } from './reads.ts';
import type { ReadKind } from './read-plans.ts';
import { searchWords, wordValues, type Run, type WordStatistics } from './words.ts';

/**
 * Whether the number of rows of a group is stored. Whole tables and groups of nulls are counted on request, because many writers
 * share them.
 */
export function isStored(index: IndexLayout, group: readonly Key[]): boolean {
  return group.length > 0 && isCounted(index, group) && !group.includes(null);
}

export interface RowContext {
  readonly run: Run;
  readonly names: Names;
  readonly dialect: Dialect;
  readonly statistics: WordStatistics;
  /** The answers of the plan, and the reads that were done. */
  readonly reads: Reads;
}

interface WaitingText {
  readonly id: string;
  readonly resolve: (text: string | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export class PostgresRows implements RowSource {
  protected readonly names: Names;
  protected readonly reads: Reads;
  readonly #run: Run;
  readonly #dialect: Dialect;
  readonly #statistics: WordStatistics;
  readonly #waiting = new Map<TableLayout, WaitingText[]>();

  constructor({ run, names, dialect, statistics, reads }: RowContext) {
    this.#run = run;
    this.#dialect = dialect;
    this.names = names;
    this.#statistics = statistics;
    this.reads = reads;
  }

  /** Rows that are requested together, before any of them is awaited, are read in one statement. */
  text(table: TableLayout, id: string): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(table);
      if (waiting !== undefined) return void waiting.push({ id, resolve, reject });
      const first = [{ id, resolve, reject }];
      this.#waiting.set(table, first);
      queueMicrotask(() => {
        this.#waiting.delete(table);
        this.#readTexts(table, first).catch((error: unknown) => first.forEach((one) => one.reject(error)));
      });
    });
  }

  async #readTexts(table: TableLayout, waiting: readonly WaitingText[]): Promise<void> {
    const [first] = waiting;
    if (waiting.length === 1 && first !== undefined) {
      const sql = `SELECT data, checksum FROM ${this.names.table(table)} WHERE id = $1`;
      const [row] = await this.read(table, 'text', sql, [first.id]);
      return first.resolve(row === undefined ? undefined : verifiedText(table, row));
    }
    this.reads.miss();
    const rows = await this.query(
      `SELECT data, checksum, id FROM ${this.names.table(table)} WHERE id = ANY($1::text[])`,
      [waiting.map(({ id }) => id)],
    );
    const texts = new Map(rows.map((row) => [row[2], verifiedText(table, row)]));
    for (const { id, resolve } of waiting) resolve(texts.get(id));
  }

  async page(
    table: TableLayout,
    index: IndexLayout,
    { equals, after, descending, limit }: Page,
  ): Promise<readonly string[]> {
    const values: Value[] = encodeGroup(index, equals);
    const columns = index.place.map((field) => columnOf(table, field));
    const conditions = [inGroup(table, index)];
    if (after !== undefined) {
      // One comparison of rows is one range of the index, so that a late page costs no more than the first.
      const names = after.map((key, at) => {
        values.push(index.place[at] === 0 ? String(key ?? '') : encodeKey(key));
        return `$${values.length}`;
      });
      conditions.push(`(${columns.join(', ')}) ${descending ? '<' : '>'} (${names.join(', ')})`);
    }
    const order = columns.map((column) => (descending ? `${column} DESC` : column));
    values.push(limit);
    const rows = await this.read(
      table,
      'rows',
      `SELECT id, data FROM ${this.names.table(table)} WHERE ${conditions.join(' AND ')} ORDER BY ${order.join(', ')} LIMIT $${values.length}`,
      values,
    );
    return rows.map(([id, text]) => {
      this.seen(table, id as string, text as string);
      return text as string;
    });
  }

  async count(table: TableLayout, index: IndexLayout, equals: readonly Key[]): Promise<number> {
    const [row] = isStored(index, equals)
      ? await this.read(table, 'number', `SELECT number FROM ${this.names.counts} WHERE name = $1`, [
          shortName(countName(table, index, equals)),
        ])
      : await this.read(
          table,
          'number',
          `SELECT count(*) AS number FROM ${this.names.table(table)} WHERE ${inGroup(table, index)}`,
          encodeGroup(index, equals),
        );
    return Number(row?.[0] ?? 0);
  }

  async scan(table: TableLayout, after: string, limit: number): Promise<readonly RowSize[]> {
    this.reads.miss();
    const rows = await this.query(
      `SELECT id, octet_length(data) FROM ${this.names.table(table)} WHERE id > $1 ORDER BY id LIMIT $2`,
      [after, limit],
    );
    return rows.map(([id, size]) => ({ id: id as string, size: Number(size) }));
  }

  search(table: TableLayout, index: IndexLayout, search: WordSearch): Promise<readonly Hit[]> {
    this.reads.miss();
    return searchWords(
      {
        run: (sql, values, isPrepared = false) => this.query(sql, values, isPrepared),
        name: this.names.table(table),
        table,
        hidesWords: this.#dialect.hidesWords,
      },
      index,
      search,
      this.#statistics,
    );
  }

  protected query(sql: string, values: readonly Value[], isPrepared?: boolean): Promise<Answer> {
    return this.#run(sql, values, isPrepared);
  }

  /** Runs a read that the plans of later transactions may contain. */
  protected read(table: TableLayout, kind: ReadKind, sql: string, values: readonly Value[]): Promise<Answer> {
    return this.reads.answer(table, { kind, sql, values }, () => this.query(sql, values));
  }

  /** Receives each row that was read. */
  protected seen(_table: TableLayout, _id: string, _text: string): void {}
}

/** Maximum characters of rows that a transaction remembers. */
const maxRemembered = 4_000_000;

/**
 * Writes rows in the open transaction of a connection. Changes are buffered, and rows that were read are remembered, so that most
 * transactions send all of their changes at once.
 */
export class PostgresWriter extends PostgresRows implements RowTarget {
  readonly #isChecked: boolean;
  readonly #counts: CountChanges;
  readonly #buffer: WriteBuffer;
  readonly #texts = new Map<string, string | undefined>();
  #remembered = 0;
  /** Changes that were sent while the work continues. */
  #sending: Promise<void> | undefined;
  /** The first error of a change that was sent. The transaction fails with it, even if the work continued. */
  #failure: unknown;

  /**
   * With `isChecked`, each change is checked for conflicts first. Otherwise conflicts are found when the changes are sent, and
   * the transaction has to run again with checks.
   */
  constructor(context: RowContext, { isChecked, counts }: { isChecked: boolean; counts: CountChanges }) {
    super(context);
    this.#isChecked = isChecked;
    this.#counts = counts;
    this.#buffer = new WriteBuffer(context.names, (sql, values) => super.query(sql, values));
  }

  get failure(): unknown {
    return this.#failure;
  }

  override async text(table: TableLayout, id: string): Promise<string | undefined> {
    const name = rowName(table, id);
    if (this.#texts.has(name)) return this.#texts.get(name);
    const text = await super.text(table, id);
    return this.#remember(name, text);
  }

  override async count(table: TableLayout, index: IndexLayout, equals: readonly Key[]): Promise<number> {
    const changed = isStored(index, equals) ? this.#counts.of(countName(table, index, equals)) : 0;
    return (await super.count(table, index, equals)) + changed;
  }

  async insert(table: TableLayout, keys: Keys, text: string, words: readonly string[]): Promise<void> {
    const name = rowName(table, keys[0]);
    if (this.#texts.get(name) !== undefined) throw conflictProblem(table, keys);
    if (this.#isChecked) await this.#check(table, keys, true);
    this.#buffer.insert(table, { ...stored(table, keys, text), words: wordValues(table, words) });
    await this.#changed(table, keys[0], text);
    this.#counts.add(table, keys, 1);
  }

  async replace(table: TableLayout, { before, after, text, words }: RowChange): Promise<void> {
    if (this.#isChecked) await this.#check(table, after, false);
    if (!sameKeys(before, after) && this.#buffer.isAhead(table, after[0])) await this.sendChanges();
    this.#buffer.update(table, {
      ...stored(table, after, text),
      words: words === undefined ? undefined : wordValues(table, words),
    });
    await this.#changed(table, after[0], text);
    this.#counts.add(table, before, -1);
    this.#counts.add(table, after, 1);
  }

  async remove(table: TableLayout, id: string): Promise<boolean> {
    const text = await this.text(table, id);
    if (text === undefined) return false;
    if (this.#buffer.isAhead(table, id)) await this.sendChanges();
    this.#buffer.remove(table, id);
    this.#counts.add(table, keysOf(table, JSON.parse(text) as Row), -1);
    await this.#changed(table, id, undefined);
    return true;
  }

  /** Sends the remaining changes, and the changes of the counts. */
  async flush(): Promise<void> {
    const counts = this.#counts.take().map(([name, by]) => [shortName(name), by] as const);
    // Sorted, so that two transactions never wait for each other.
    counts.sort(([a], [b]) => (a < b ? -1 : 1));
    const names = counts.map(([name]) => name);
    await Promise.all([
      this.sendChanges(),
      ...(counts.length === 0
        ? []
        : [
            this.query(
              `INSERT INTO ${this.names.counts} AS c (name, number) SELECT * FROM unnest($1::text[], $2::bigint[]) ON CONFLICT (name) DO UPDATE SET number = c.number + excluded.number`,
              [names, counts.map(([, by]) => by)],
            ),
          ]),
      ...(counts.some(([, by]) => by < 0)
        ? [
            this.query(`DELETE FROM ${this.names.counts} WHERE name = ANY($1::text[]) AND number = 0`, [
              names,
            ]),
          ]
        : []),
    ]);
  }

  /** Sends the changes before a statement that may depend on them. */
  protected override async query(
    sql: string,
    values: readonly Value[],
    isPrepared?: boolean,
  ): Promise<Answer> {
    const [, answer] = await Promise.all([this.sendChanges(), super.query(sql, values, isPrepared)]);
    return answer;
  }

  protected override seen(table: TableLayout, id: string, text: string): void {
    this.#remember(rowName(table, id), text);
  }

  /** Sends the pending changes, and waits for all that were sent. @throws DatabaseError if one of them failed */
  async sendChanges(): Promise<void> {
    await Promise.all([this.#sending, this.#send()]);
  }

  async #send(): Promise<void> {
    if (this.#buffer.isEmpty) return;
    try {
      await this.#buffer.flush();
    } catch (error) {
      this.#failure ??= error;
      throw error;
    }
  }

  /** Sends the pending changes, and waits only for those that were sent before, so that the database never lacks work. */
  async #sendAhead(): Promise<void> {
    const before = this.#sending;
    this.#sending = this.#send();
    // Whoever sends the next changes receives the error.
    this.#sending.catch(() => {});
    // The connection sends at the end of a turn of the event loop, which the work alone might not reach for a long time.
    await new Promise((resolve) => setImmediate(resolve));
    await before;
  }

  async #changed(table: TableLayout, id: string, text: string | undefined): Promise<void> {
    const name = rowName(table, id);
    this.reads.change(table);
    this.#texts.delete(name);
    this.#remember(name, text);
    if (this.#isChecked) await this.sendChanges();
    else if (this.#buffer.isFull) await this.#sendAhead();
    else return;
    if (this.#remembered <= maxRemembered) return;
    this.reads.forget();
    this.#texts.clear();
    this.#remembered = 0;
  }

  /** Remembers the text of a row, unless the transaction has changed the row. Returns the remembered text. */
  #remember(name: string, text: string | undefined): string | undefined {
    if (this.#texts.has(name)) return this.#texts.get(name);
    this.#texts.set(name, text);
    this.#remembered += text?.length ?? 0;
    return text;
  }

  /** @throws Problem(conflict) if the ID of a new row, or a unique key, is taken */
  async #check(table: TableLayout, keys: Keys, isNew: boolean): Promise<void> {
    if (isNew && (await this.text(table, keys[0])) !== undefined) throw conflictProblem(table, keys);
    for (const index of table.indexes.values()) {
      const group = groupOf(index, keys);
      if (!index.unique || group.includes(null)) continue;
      const [row] = await this.query(
        `SELECT id FROM ${this.names.table(table)} WHERE ${inGroup(table, index)} LIMIT 1`,
        encodeGroup(index, group),
      );
      if (row !== undefined && row[0] !== keys[0]) throw conflictProblem(table, keys, index);
    }
  }
}

/**
 * Returns the JSON of a row. It is compared with the checksum, unless a plan read the row.
 * @throws Problem(store-failed) if they differ
 */
function verifiedText(table: TableLayout, [text, checksum]: Answer[number]): string {
  return checksum === undefined ? (text as string) : verifyRow(table.name, text, Number(checksum));
}

function rowName(table: TableLayout, id: string): string {
  return `${table.name} ${id}`;
}

function stored(table: TableLayout, keys: Keys, text: string) {
  return { id: keys[0], text, checksum: checksumOf(text), keys: keys.slice(1).map(encodeKey) };
}

function encodeGroup(index: IndexLayout, group: readonly Key[]): string[] {
  return group.map((key, at) => (index.on[at] === 0 ? String(key ?? '') : encodeKey(key)));
}

/** Shortens the name of a count to the maximum bytes of an index entry. */
export function shortName(name: string): string {
  return encodeKey(name);
}
