import type { Key } from '../../core/store.ts';
import { groupOf, type IndexLayout, type Keys, type TableLayout } from '../layout.ts';
import type { Database } from './connection.ts';

/** Where a group's number of rows is kept. */
export function countName(table: TableLayout, index: IndexLayout, group: readonly Key[]): string {
  return JSON.stringify([table.name, index.name, ...group]);
}

/** A unique group without a null has one row at most: looking costs less than keeping a number for every row. */
export function isCounted(index: IndexLayout, group: readonly Key[]): boolean {
  return !index.unique || group.includes(null);
}

/** How the numbers of rows change in a transaction; written once, just before it commits. */
export class CountChanges {
  readonly #kept = new Map<string, number>();
  readonly #own = new Map<string, number>();
  readonly #last = new Map<IndexLayout, { readonly group: readonly Key[]; readonly name: string }>();

  add(table: TableLayout, keys: Keys, by: 1 | -1): void {
    for (const index of table.indexes.values()) {
      const group = groupOf(index, keys);
      if (!isCounted(index, group)) continue;
      const name = this.#nameOf(table, index, group);
      this.#own.set(name, (this.#own.get(name) ?? 0) + by);
    }
  }

  /** Rows that come one behind the other mostly belong to one group. */
  #nameOf(table: TableLayout, index: IndexLayout, group: readonly Key[]): string {
    const last = this.#last.get(index);
    if (last?.group.every((value, at) => value === group[at]) === true) return last.name;
    const name = countName(table, index, group);
    this.#last.set(index, { group, name });
    return name;
  }

  of(name: string): number {
    return (this.#kept.get(name) ?? 0) + (this.#own.get(name) ?? 0);
  }

  /** Keeps the changes since the last `keep`; `discard` no longer drops them. */
  keep(): void {
    for (const [name, by] of this.#own) this.#kept.set(name, (this.#kept.get(name) ?? 0) + by);
    this.#own.clear();
  }

  discard(): void {
    this.#own.clear();
  }

  clear(): void {
    this.#own.clear();
    this.#kept.clear();
  }

  save(database: Database): void {
    this.keep();
    for (const [name, by] of this.#kept) {
      if (by === 0) continue;
      database.run(
        'INSERT INTO docsctl_counts (name, number) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET number = number + excluded.number',
        name,
        by,
      );
      if (by < 0) database.run('DELETE FROM docsctl_counts WHERE name = ? AND number = 0', name);
    }
    this.#kept.clear();
  }
}
