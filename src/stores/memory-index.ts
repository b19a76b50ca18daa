import type { Key, RowSize } from '../core/store.ts';
import { groupOf, positionIn, type IndexLayout, type Keys } from './layout.ts';
import { compareKeys } from '../core/keys.ts';
import type { Page } from './rows.ts';

/** A row in memory: its JSON, and its keys in the indexes. */
export interface Entry {
  readonly keys: Keys;
  text: string;
}

/** An index in memory. Each group is a sorted list, so a count is the length of a list. */
export class MemoryIndex {
  readonly #layout: IndexLayout;
  readonly #groups = new Map<string, Entry[]>();

  constructor(layout: IndexLayout, entries: Iterable<Entry>) {
    this.#layout = layout;
    for (const entry of entries) this.#group(entry).push(entry);
    for (const group of this.#groups.values())
      group.sort((a, b) => this.#compare(a, positionIn(layout, b.keys)));
  }

  add(entry: Entry): void {
    const group = this.#group(entry);
    group.splice(this.#firstFrom(group, positionIn(this.#layout, entry.keys)), 0, entry);
  }

  remove(entry: Entry): void {
    const group = this.#group(entry);
    group.splice(this.#firstFrom(group, positionIn(this.#layout, entry.keys)), 1);
    if (group.length === 0) this.#groups.delete(groupName(groupOf(this.#layout, entry.keys)));
  }

  count(equals: readonly Key[]): number {
    return this.#groups.get(groupName(equals))?.length ?? 0;
  }

  holdsOther(equals: readonly Key[], id: string): boolean {
    return this.#groups.get(groupName(equals))?.some((entry) => entry.keys[0] !== id) ?? false;
  }

  page({ equals, after, descending, limit }: Page): readonly string[] {
    const group = this.#groups.get(groupName(equals)) ?? [];
    if (descending) {
      const end = after === undefined ? group.length : this.#firstFrom(group, after);
      return textsOf(group.slice(Math.max(0, end - limit), end).reverse());
    }
    let start = after === undefined ? 0 : this.#firstFrom(group, after);
    const first = group[start];
    if (after !== undefined && first !== undefined && this.#compare(first, after) === 0) start += 1;
    return textsOf(group.slice(start, start + limit));
  }

  /** Returns the IDs after an ID, with the sizes of the rows. The index must be ordered by ID alone. */
  scan(after: string, limit: number): readonly RowSize[] {
    const group = this.#groups.get(groupName([])) ?? [];
    let start = this.#firstFrom(group, [after]);
    if (group[start]?.keys[0] === after) start += 1;
    return group.slice(start, start + limit).map(({ keys, text }) => ({ id: keys[0], size: text.length }));
  }

  #group(entry: Entry): Entry[] {
    const name = groupName(groupOf(this.#layout, entry.keys));
    let group = this.#groups.get(name);
    if (group === undefined) this.#groups.set(name, (group = []));
    return group;
  }

  /** Returns the index of the first row at or after a position, by binary search. */
  #firstFrom(group: readonly Entry[], position: readonly Key[]): number {
    let low = 0;
    let high = group.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(group[middle] as Entry, position) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compare(entry: Entry, position: readonly Key[]): number {
    for (const [at, field] of this.#layout.place.entries()) {
      const order = compareKeys(entry.keys[field] as Key, position[at] as Key);
      if (order !== 0) return order;
    }
    return 0;
  }
}

/** Returns a text that identifies a group of an index. */
export function groupName(group: readonly Key[]): string {
  return JSON.stringify(group);
}

function textsOf(entries: readonly Entry[]): readonly string[] {
  return entries.map((entry) => entry.text);
}
