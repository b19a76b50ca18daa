import type { ReadTransaction } from '../core/store.ts';
import { readRevision } from './revisions.ts';
import { readEntry, type EntryChange } from './trie.ts';
import type { Entry, PageEntry } from './rows.ts';

/** A side of a merge: `ours` is the content of the change request, and `theirs` is the content of the space. */
export type Side = 'ours' | 'theirs';

/** The two contents of a merge, by their changes since the base. Entries that neither side changed are read on demand. */
export class Sides {
  readonly #view: ReadTransaction;
  readonly #revision: string;
  readonly #changed: Readonly<Record<Side, ReadonlyMap<string, EntryChange>>>;

  /** `theirs` is the revision from which unchanged entries are read. */
  constructor(
    view: ReadTransaction,
    theirs: string,
    changed: {
      readonly ours: ReadonlyMap<string, EntryChange>;
      readonly theirs: ReadonlyMap<string, EntryChange>;
    },
  ) {
    this.#view = view;
    this.#revision = theirs;
    this.#changed = changed;
  }

  async entry(side: Side, id: string): Promise<Entry | undefined> {
    const own = this.#changed[side].get(id);
    if (own !== undefined) return own.after;
    const others = this.#changed[otherSide(side)].get(id);
    if (others !== undefined) return others.before;
    return readEntry(this.#view, (await readRevision(this.#view, this.#revision)).root, id);
  }

  async page(side: Side, id: string): Promise<PageEntry | undefined> {
    const entry = await this.entry(side, id);
    return entry?.kind === 'page' ? entry : undefined;
  }

  /** Whether a side added or moved a page. */
  hasPlaced(side: Side, id: string): boolean {
    const change = this.#changed[side].get(id);
    if (change?.after?.kind !== 'page') return false;
    return change.before?.kind !== 'page' || !isSamePlace(change.before, change.after);
  }

  /** Returns the display name of an entry: the path of a page in the change request, or else in the space; the name of a file. */
  async pathOf(entry: Entry): Promise<string> {
    if (entry.kind === 'file') return entry.name;
    if (entry.kind === 'text') return entry.git.path;
    const side = (await this.page('ours', entry.id)) === undefined ? 'theirs' : 'ours';
    const slugs: string[] = [];
    for (
      let page = await this.page(side, entry.id);
      page !== undefined;
      page = page.parent === null ? undefined : await this.page(side, page.parent)
    )
      slugs.unshift(page.slug);
    return `/${slugs.join('/')}`;
  }
}

/** Returns the other side of a merge. */
export function otherSide(side: Side): Side {
  return side === 'ours' ? 'theirs' : 'ours';
}

/** Whether two pages have the same parent and position. */
export function isSamePlace(
  one: Pick<PageEntry, 'parent' | 'position'>,
  other: Pick<PageEntry, 'parent' | 'position'>,
): boolean {
  return one.parent === other.parent && one.position === other.position;
}
