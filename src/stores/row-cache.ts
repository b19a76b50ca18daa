import { isObject } from '../contract/values.ts';
import { RecentMap } from '../core/recent-map.ts';

/** Maximum characters of JSON in a cache. Parsed, they take about three times as many bytes. */
const maxSize = 4 * 1024 * 1024;
/** Maximum characters of a row or list in the cache. Larger ones are usually texts of pages, which few requests read again. */
const maxEntrySize = 64 * 1024;
/** Maximum characters of a key, so that clients cannot fill the memory with long cursors. */
const maxKey = 1000;
/** Approximate size of an entry besides its JSON, in characters. */
const overhead = 200;

interface Entry {
  readonly value: unknown;
  readonly size: number;
  /** The number of the latest change when the entry was added. */
  readonly after: number;
}

/** The numbers of the latest changes of a table. Older rows and lists are not used. */
interface TableChanges {
  rows: number;
  lists: number;
}

/**
 * A cache of parsed rows and lists of rows for a connection. It is valid as long as nobody else changes the store. A connection
 * that writes reports its own changes. Requests share the rows, so they are frozen.
 */
export class RowCache {
  #entries = newEntries();
  #version: string | undefined;
  #changes = 0;
  #left = Number.POSITIVE_INFINITY;
  readonly #tables = new Map<string, TableChanges>();
  /** The tables that the open transaction has changed. */
  readonly #changed = new Set<TableChanges>();

  /** Starts a transaction. Clears the cache unless the version of the store is the same as in the previous call. */
  keepFor(version: string): void {
    this.#changed.clear();
    if (version === this.#version) return;
    if (this.#version !== undefined) this.#entries = newEntries();
    this.#version = version;
  }

  /**
   * Adds at most `count` more rows and lists. Transactions that read many rows seldom read them again, and caching takes time.
   */
  limit(count: number): void {
    this.#left = count;
  }

  /** Returns the row of a table with an ID; undefined if it is not cached. */
  row(table: string, id: string): unknown {
    return this.#get(rowKey(table, id), this.#tables.get(table)?.rows);
  }

  /** Returns the list of a query, which `key` describes; undefined if it is not cached. */
  list(table: string, key: string): readonly unknown[] | undefined {
    return this.#get(listKey(table, key), this.#tables.get(table)?.lists) as readonly unknown[] | undefined;
  }

  /** Adds a row and freezes it. `size`: the characters of its JSON. */
  keepRow(table: string, id: string, row: unknown, size: number): void {
    this.#set(rowKey(table, id), row, size);
  }

  /** Adds a list and freezes it. `size`: the characters of its JSON. */
  keepList(table: string, key: string, rows: readonly unknown[], size: number): void {
    this.#set(listKey(table, key), rows, size);
  }

  /** Removes a row that the open transaction changes, and the lists that may contain it. */
  change(table: string, id: string): void {
    let changes = this.#tables.get(table);
    if (changes === undefined) this.#tables.set(table, (changes = { rows: 0, lists: 0 }));
    changes.lists = ++this.#changes;
    this.#changed.add(changes);
    this.#entries.delete(rowKey(table, id));
  }

  /** Removes the rows and lists of the tables that the open transaction has changed, because its changes are undone. */
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
  if (!isObject(value)) return;
  Object.freeze(value);
  // Object.values would allocate an array for each object.
  for (const key in value) freeze(value[key]);
}
