import type { Hit, Key, RowSize } from '../core/store.ts';
import { groupName, MemoryIndex, type Entry } from './memory-index.ts';
import type { MemoryWords } from './memory-words.ts';
import { groupOf, keysOf, sameKeys, type IndexLayout, type Keys, type TableLayout } from './layout.ts';
import { conflictProblem, type Page, type RowChange, type RowTarget, type WordSearch } from './rows.ts';

interface MemoryTable {
  readonly entries: Map<string, Entry>;
  readonly indexes: Map<string, MemoryIndex>;
  words?: MemoryWords;
}

/** The index for `scan`. No table can declare an index with this name. */
const byId: IndexLayout = { name: ' id', on: [], place: [0], unique: false, small: false };

/** All rows of a store in memory. Changes can be undone until `forget` is called. */
export class MemoryRows implements RowTarget {
  readonly #tables = new Map<string, MemoryTable>();
  readonly #undo: (() => void)[] = [];

  text(table: TableLayout, id: string): string | undefined {
    return this.#table(table.name).entries.get(id)?.text;
  }

  page(table: TableLayout, index: IndexLayout, page: Page): readonly string[] {
    return this.#index(table, index).page(page);
  }

  count(table: TableLayout, index: IndexLayout, equals: readonly Key[]): number {
    return this.#index(table, index).count(equals);
  }

  scan(table: TableLayout, after: string, limit: number): readonly RowSize[] {
    return this.#index(table, byId).scan(after, limit);
  }

  async search(
    table: TableLayout,
    index: IndexLayout,
    { groups, terms, limit }: WordSearch,
  ): Promise<readonly Hit[]> {
    const { MemoryWords } = await import('./memory-words.ts');
    const memoryTable = this.#table(table.name);
    memoryTable.words ??= new MemoryWords(table, memoryTable.entries);
    const names = new Set(groups.map(groupName));
    return memoryTable.words.search(terms, ({ keys }) => names.has(groupName(groupOf(index, keys))), limit);
  }

  insert(table: TableLayout, keys: Keys, text: string): void {
    if (this.#table(table.name).entries.has(keys[0])) throw conflictProblem(table, keys);
    this.#refuseTaken(table, keys);
    const entry = { keys, text };
    this.#put(table, undefined, entry);
    this.#undo.push(() => this.#put(table, entry, undefined));
  }

  replace(table: TableLayout, { before, after, text }: RowChange): void {
    const old = this.#table(table.name).entries.get(after[0]) as Entry;
    if (sameKeys(before, after)) {
      const { text: oldText } = old;
      this.#rewrite(table, old, text);
      this.#undo.push(() => this.#rewrite(table, old, oldText));
      return;
    }
    this.#refuseTaken(table, after);
    const entry = { keys: after, text };
    this.#put(table, old, entry);
    this.#undo.push(() => this.#put(table, entry, old));
  }

  remove(table: TableLayout, id: string): boolean {
    const old = this.#table(table.name).entries.get(id);
    if (old === undefined) return false;
    this.#put(table, old, undefined);
    this.#undo.push(() => this.#put(table, undefined, old));
    return true;
  }

  /** The number of changes that can be undone. */
  get changes(): number {
    return this.#undo.length;
  }

  /** Undoes changes, the latest first, until only the first `changes` of them are left. */
  undoTo(changes: number): void {
    while (this.#undo.length > changes) this.#undo.pop()?.();
  }

  forget(): void {
    this.#undo.length = 0;
  }

  /** Adds a row of a file, without undo. Returns false if its ID exists already. */
  load(table: TableLayout, row: { readonly id: string }, text: string): boolean {
    const { entries } = this.#table(table.name);
    if (entries.has(row.id)) return false;
    entries.set(row.id, { keys: keysOf(table, row), text });
    return true;
  }

  get tables(): Iterable<readonly [name: string, table: { readonly entries: ReadonlyMap<string, Entry> }]> {
    return this.#tables;
  }

  #table(name: string): MemoryTable {
    let table = this.#tables.get(name);
    if (table === undefined) this.#tables.set(name, (table = { entries: new Map(), indexes: new Map() }));
    return table;
  }

  /** Returns an index. It is built on first use, because a short command needs only a few. */
  #index(table: TableLayout, layout: IndexLayout): MemoryIndex {
    const { entries, indexes } = this.#table(table.name);
    let index = indexes.get(layout.name);
    if (index === undefined) indexes.set(layout.name, (index = new MemoryIndex(layout, entries.values())));
    return index;
  }

  #refuseTaken(table: TableLayout, keys: Keys): void {
    for (const index of table.indexes.values()) {
      if (!index.unique) continue;
      const group = groupOf(index, keys);
      if (group.includes(null)) continue;
      if (this.#index(table, index).holdsOther(group, keys[0])) throw conflictProblem(table, keys, index);
    }
  }

  #rewrite(table: TableLayout, entry: Entry, text: string): void {
    entry.text = text;
    this.#table(table.name).words?.touch(entry.keys[0]);
  }

  #put(table: TableLayout, old: Entry | undefined, entry: Entry | undefined): void {
    const { entries, indexes, words } = this.#table(table.name);
    words?.touch((entry ?? old)!.keys[0]);
    for (const index of indexes.values()) {
      if (old !== undefined) index.remove(old);
      if (entry !== undefined) index.add(entry);
    }
    if (entry !== undefined) entries.set(entry.keys[0], entry);
    else if (old !== undefined) entries.delete(old.keys[0]);
  }
}
