import type { Entry, FileEntry, PageEntry } from '../../core/rows/revisions.ts';
import { invalid, notFound } from '../../errors/problem.ts';
import { inOrder } from './tree.ts';

/** Pages may lie inside each other this deep. */
export const maxPageDepth = 16;
/** The most pages, and the most files, of one space. */
export const maxEntries = 20_000;

/** The content of a revision while it is edited: entries in memory, and which of them were put or removed. */
export class Draft {
  readonly pages = new Map<string, PageEntry>();
  readonly files = new Map<string, FileEntry>();
  readonly changes = new Map<string, Entry | undefined>();
  readonly #refs = new Map<string, string>();
  readonly #children = new Map<string | null, Set<string>>();

  constructor(entries: Iterable<Entry>) {
    for (const entry of entries) this.#hold(entry);
  }

  put(entry: Entry): void {
    this.#hold(entry);
    this.changes.set(entry.id, entry);
    const kept = entry.kind === 'page' ? this.pages : this.files;
    if (kept.size > maxEntries) throw invalid('/body/changes', `A space holds at most ${maxEntries} ${entry.kind}s.`, 'Split it into several spaces.');
  }

  remove(id: string): void {
    const page = this.pages.get(id);
    if (page !== undefined) this.#children.get(page.parent)?.delete(id);
    this.pages.delete(id);
    this.files.delete(id);
    this.changes.set(id, undefined);
  }

  #hold(entry: Entry): void {
    if (entry.kind === 'file') {
      this.files.set(entry.id, entry);
      return;
    }
    const before = this.pages.get(entry.id);
    if (before !== undefined) this.#children.get(before.parent)?.delete(entry.id);
    this.pages.set(entry.id, entry);
    const siblings = this.#children.get(entry.parent) ?? new Set();
    this.#children.set(entry.parent, siblings.add(entry.id));
  }

  /** Gives an id a name that later changes of the batch may use. */
  name(ref: string | undefined, id: string, path: string): void {
    if (ref === undefined) return;
    if (this.#refs.has(ref)) throw invalid(`${path}/ref`, `The ref "${ref}" is used twice in this batch.`);
    this.#refs.set(ref, id);
  }

  /** The page with this id, or with this ref in the batch. */
  page(idOrRef: string): PageEntry {
    const page = this.pages.get(idOrRef) ?? this.pages.get(this.#refs.get(idOrRef) ?? '');
    if (page === undefined) throw notFound('page', idOrRef);
    return page;
  }

  /** The pages of a parent in their order, without one of them. */
  siblings(parent: string | null, without?: string): PageEntry[] {
    const ids = [...(this.#children.get(parent) ?? [])].filter((id) => id !== without);
    return ids.map((id) => this.pages.get(id)!).sort(inOrder);
  }

  /** The slugs from the root to a page, joined by "/". */
  path(page: PageEntry): string {
    const parent = page.parent === null ? undefined : this.pages.get(page.parent);
    return parent === undefined ? page.slug : `${this.path(parent)}/${page.slug}`;
  }

  /** A page and all under it, in no order. */
  withAllUnder(page: PageEntry): PageEntry[] {
    const found = [page];
    for (const each of found) found.push(...this.siblings(each.id));
    return found;
  }

  /** Refuses a parent that cannot have the page: one inside the page, a link, or one too deep. */
  checkParent(page: Pick<PageEntry, 'id' | 'type'>, parent: PageEntry | undefined, path: string): void {
    if (parent === undefined) return;
    if (page.type === 'group') throw invalid(path, 'A group of pages stands at the top level.', 'Leave "into" out.');
    if (parent.type === 'link') throw invalid(path, 'A link cannot have pages under it.');
    let depth = 1;
    for (let at: PageEntry | undefined = parent; at !== undefined; at = at.parent === null ? undefined : this.pages.get(at.parent)) {
      if (at.id === page.id) throw invalid(path, 'A page cannot be moved into itself or into one under it.');
      if (++depth > maxPageDepth) throw invalid(path, `Pages can lie at most ${maxPageDepth} deep.`);
    }
  }
}
