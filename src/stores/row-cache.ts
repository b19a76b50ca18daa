import { RecentMap } from '../core/recent-map.ts';

/** The most characters of JSON that a cache holds. Parsed, they take about three times as many bytes. */
const maxSize = 4 * 1024 * 1024;
/** The most characters of a row or list that is kept. Larger ones are mostly texts of pages, which few requests read again. */
const maxEntrySize = 64 * 1024;
/** The most characters of a key. Whoever writes the position in a list in many long ways must not fill the memory with them. */
const maxKey = 1000;
/** What an entry takes besides its JSON, in characters, about. */
const overhead = 200;

interface Entry {
  readonly value: unknown;
  readonly size: number;
  /** The number of the latest change when it was kept. */
  readonly after: number;
}

/** The numbers of the latest changes of a table. Rows and lists that were kept before them are not used any more. */
interface TableChanges {
  rows: number;
  lists: number;
}

/**
 * The rows and lists of rows that a connection has parsed, kept as long as nobody else changes the store. A connection that writes
 * says what it changes itself. Requests share the rows, so they are frozen.
 */
export class RowCache {
  #entries = newEntries();
  #version: string | undefined;
  #changes = 0;
  #left = Number.POSITIVE_INFINITY;
  readonly #tables = new Map<string, TableChanges>();
  /** The tables that the open transaction has changed. */
  readonly #changed = new Set<TableChanges>();

  /** Starts a transaction. Forgets everything unless the version of the store is the one of the call before. */
  keepFor(version: string): void {
    this.#changed.clear();
    if (version === this.#version) return;
    if (this.#version !== undefined) this.#entries = newEntries();
    this.#version = version;
  }

  /** Keeps at most `count` more rows and lists. Work that reads many seldom shares them, and keeping them takes time. */
  limit(count: number): void {
    this.#left = count;
  }

  /** Returns the row of a table with an ID; undefined if it is not kept. */
  row(table: string, id: string): unknown {
    return this.#get(rowKey(table, id), this.#tables.get(table)?.rows);
  }

  /** Returns the list of a query, which `key` describes; undefined if it is not kept. */
  list(table: string, key: string): readonly unknown[] | undefined {
    return this.#get(listKey(table, key), this.#tables.get(table)?.lists) as readonly unknown[] | undefined;
  }

  /** Keeps a row that was made of so many characters of JSON, and freezes it. */
  keepRow(table: string, id: string, row: unknown, size: number): void {
    this.#set(rowKey(table, id), row, size);
  }

  /** Keeps a list that was made of so many characters of JSON, and freezes it. */
  keepList(table: string, key: string, rows: readonly unknown[], size: number): void {
    this.#set(listKey(table, key), rows, size);
  }

  /** Forgets a row that the open transaction changes, and the lists that it may be in. */
  change(table: string, id: string): void {
    let changes = this.#tables.get(table);
    if (changes === undefined) this.#tables.set(table, (changes = { rows: 0, lists: 0 }));
    changes.lists = ++this.#changes;
    this.#changed.add(changes);
    this.#entries.delete(rowKey(table, id));
  }

  /** Forgets the rows and lists of the tables that the open transaction has changed, because its changes are undone. */
  undo(): void {
    for (const table of this.#changed) table.rows = table.lists = ++this.#changes;
  }

  #get(key: string, changed = 0): unknown {
    const entry = this.#entries.get(key);
    return entry === undefined || entry.after < changed ? undefined : entry.value;
  }

  #set(key: string, value: unknown, size: number): void {
    if (this.#left <= 0 || size > maxEntrySize || key.length > maxKey) return;
    this.#left--;
    freeze(value);
    this.#entries.set(key, { value, size: size + key.length + overhead, after: this.#changes });
  }
}

function rowKey(table: string, id: string): string {
  return `${table}=${id}`;
}

/** Names of tables contain no space. */
function listKey(table: string, key: string): string {
  return `${table} ${key}`;
}

function newEntries(): RecentMap<Entry> {
  return new RecentMap<Entry>(maxSize, ({ size }) => size);
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  // Object.values would allocate an array for each object.
  for (const key in value) freeze((value as Record<string, unknown>)[key]);
}
