import type { Key } from '../core/store.ts';
import { groupOf, type IndexLayout, type Keys, type TableLayout } from './layout.ts';

/** Returns the name under which the number of rows of a group is stored. */
export function countName(table: TableLayout, index: IndexLayout, group: readonly Key[]): string {
  return JSON.stringify([table.name, index.name, ...group]);
}

/**
 * Whether the number of rows of a group is stored. It is not stored for groups of a `small` index, and not for groups of a unique
 * index without a null, because they have at most one row.
 */
export function isCounted(index: IndexLayout, group: readonly Key[]): boolean {
  return !index.small && (!index.unique || group.includes(null));
}

/** The changes of the numbers of rows in a transaction. They are written once, before it commits. */
export class CountChanges {
  readonly #isStored: typeof isCounted;
  readonly #kept = new Map<string, number>();
  readonly #sinceKeep = new Map<string, number>();
  readonly #last = new Map<IndexLayout, { readonly group: readonly Key[]; readonly name: string }>();

  /** `isStored` tells for which groups the store keeps the number of rows. */
  constructor(isStored = isCounted) {
    this.#isStored = isStored;
  }

  /** Counts a row that was added (1) or removed (-1). */
  add(table: TableLayout, keys: Keys, by: 1 | -1): void {
    for (const index of table.indexes.values()) {
      const group = groupOf(index, keys);
      if (!this.#isStored(index, group)) continue;
      const name = this.#nameOf(table, index, group);
      this.#sinceKeep.set(name, (this.#sinceKeep.get(name) ?? 0) + by);
    }
  }

  /** Returns `countName`. It remembers the last name, because consecutive rows usually belong to the same group. */
  #nameOf(table: TableLayout, index: IndexLayout, group: readonly Key[]): string {
    const last = this.#last.get(index);
    if (last?.group.every((value, at) => value === group[at]) === true) return last.name;
    const name = countName(table, index, group);
    this.#last.set(index, { group, name });
    return name;
  }

  of(name: string): number {
    return (this.#kept.get(name) ?? 0) + (this.#sinceKeep.get(name) ?? 0);
  }

  /** Keeps the changes since the last `keep`; `discard` no longer drops them. */
  keep(): void {
    for (const [name, by] of this.#sinceKeep) this.#kept.set(name, (this.#kept.get(name) ?? 0) + by);
    this.#sinceKeep.clear();
  }

  /** Drops the changes since the last `keep`. */
  discard(): void {
    this.#sinceKeep.clear();
  }

  clear(): void {
    this.#sinceKeep.clear();
    this.#kept.clear();
  }

  /** Returns the changes that are not zero, by name, and clears all changes. */
  take(): readonly (readonly [name: string, by: number])[] {
    this.keep();
    const changes = [...this.#kept].filter(([, by]) => by !== 0);
    this.#kept.clear();
    return changes;
  }
}
