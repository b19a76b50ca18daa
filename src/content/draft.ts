import { generateKeyBetween } from 'fractional-indexing';
import { invalid, notFound } from '../errors/problem.ts';
import type { Entry, FileEntry, PageEntry, TextEntry } from './rows.ts';
import { slugKey } from './slugs.ts';
import { comparePages } from './tree.ts';

/** Maximum levels of pages. */
export const maxPageDepth = 16;
/** Maximum number of pages, and of files, in one space. */
export const maxEntries = 20_000;

/** The content of a revision while it is edited: its entries in memory, and the changed and removed ones. */
export class Draft {
  readonly pages = new Map<string, PageEntry>();
  readonly files = new Map<string, FileEntry>();
  readonly texts = new Map<string, TextEntry>();
  readonly changes = new Map<string, Entry | undefined>();
  readonly #refs = new Map<string, string>();
  readonly #children = new Map<string | null, Siblings>();

  /** The ID of its space. References to other spaces lead out of the draft. */
  readonly space: string | undefined;

  constructor(entries: Iterable<Entry>, space?: string) {
    this.space = space;
    for (const entry of entries) this.#hold(entry);
  }

  put(entry: Entry): void {
    this.#hold(entry);
    this.changes.set(entry.id, entry);
    const kept = { page: this.pages, file: this.files, text: this.texts }[entry.kind];
    if (kept.size > maxEntries)
      throw invalid(
        '/body/changes',
        `A space can have at most ${maxEntries} ${entry.kind}s.`,
        'Split the content into several spaces.',
      );
  }

  remove(id: string): void {
    const page = this.pages.get(id);
    if (page !== undefined) this.#children.get(page.parent)?.remove(page);
    this.pages.delete(id);
    this.files.delete(id);
    this.texts.delete(id);
    this.changes.set(id, undefined);
  }

  #hold(entry: Entry): void {
    if (entry.kind === 'file') {
      this.files.set(entry.id, entry);
      return;
    }
    if (entry.kind === 'text') {
      this.texts.set(entry.id, entry);
      return;
    }
    const before = this.pages.get(entry.id);
    if (before !== undefined) this.#children.get(before.parent)?.remove(before);
    this.pages.set(entry.id, entry);
    let siblings = this.#children.get(entry.parent);
    if (siblings === undefined) this.#children.set(entry.parent, (siblings = new Siblings()));
    siblings.add(entry);
  }

  /** Registers the ref of an ID for later changes of the batch. */
  name(ref: string, id: string, path: string): void {
    if (this.#refs.has(ref)) throw invalid(`${path}/ref`, `The ref "${ref}" is used twice in this batch.`);
    this.#refs.set(ref, id);
  }

  /** Returns the ID for a ref of the batch. */
  named(ref: string | undefined): string | undefined {
    return ref === undefined ? undefined : this.#refs.get(ref);
  }

  /** Returns the page with this ID, or with this ref in the batch. */
  page(idOrRef: string): PageEntry {
    const page = this.pages.get(idOrRef) ?? this.pages.get(this.#refs.get(idOrRef) ?? '');
    if (page === undefined) throw notFound('page', idOrRef);
    return page;
  }

  /** Returns the file with this ID, or with this ref in the batch. */
  file(idOrRef: string): FileEntry {
    const file = this.files.get(idOrRef) ?? this.files.get(this.#refs.get(idOrRef) ?? '');
    if (file === undefined) throw notFound('file', idOrRef);
    return file;
  }

  /** Returns the children of a parent in order. */
  siblings(parent: string | null): readonly PageEntry[] {
    return this.#children.get(parent)?.pages ?? [];
  }

  /** Whether a child of this parent, other than `without`, has the slug. */
  hasSlug(parent: string | null, slug: string, without: string): boolean {
    return this.#children.get(parent)?.hasSlug(slug, without) === true;
  }

  /**
   * Returns a position for a page under a parent: before the page at index `at` (not counting the page itself), or at the end.
   */
  placeAt(parent: string | null, at: number | undefined, id: string): string {
    const siblings = this.siblings(parent);
    const page = this.pages.get(id);
    const own =
      (page?.parent === parent ? this.#children.get(parent)?.placeOf(page) : undefined) ?? siblings.length;
    const count = own < siblings.length ? siblings.length - 1 : siblings.length;
    const other = (index: number) => siblings[index < own ? index : index + 1]?.position ?? null;
    const index = Math.min(at ?? count, count);
    return generateKeyBetween(index === 0 ? null : other(index - 1), index === count ? null : other(index));
  }

  /** Returns the slugs from the root to a page, joined by "/". */
  path(page: PageEntry): string {
    const parent = page.parent === null ? undefined : this.pages.get(page.parent);
    return parent === undefined ? page.slug : `${this.path(parent)}/${page.slug}`;
  }

  /** Returns a page and its descendants, parents first. */
  withAllUnder(page: PageEntry): PageEntry[] {
    const found = [page];
    for (const each of found) found.push(...this.siblings(each.id));
    return found;
  }

  /** Refuses a parent that cannot contain the page: a descendant of the page, a link, or a page that is too deep. */
  checkParent(page: Pick<PageEntry, 'id' | 'type'>, parent: PageEntry | undefined, path: string): void {
    if (parent === undefined) return;
    if (page.type === 'group')
      throw invalid(
        path,
        'A group of pages must be at the top level.',
        'Put the group at the top level, or move its pages instead.',
      );
    if (parent.type === 'link') throw invalid(path, 'A link cannot have pages below it.');
    let depth = this.#heightOf(page.id);
    for (
      let at: PageEntry | undefined = parent;
      at !== undefined;
      at = at.parent === null ? undefined : this.pages.get(at.parent)
    ) {
      if (at.id === page.id) throw invalid(path, 'A page cannot be moved below itself.');
      if (++depth > maxPageDepth)
        throw invalid(path, `Pages can be nested at most ${maxPageDepth} levels deep.`);
    }
  }

  /** Returns the number of levels of a page and its descendants. */
  #heightOf(id: string): number {
    let height = 1;
    for (
      let level = this.siblings(id);
      level.length > 0;
      level = level.flatMap((page) => this.siblings(page.id))
    )
      height++;
    return height;
  }
}

/** The children of one parent while they are edited, in order and by slug. It is fast even with many pages. */
export class Siblings {
  readonly pages: PageEntry[] = [];
  readonly #bySlug = new Map<string, Set<string>>();

  add(page: PageEntry): void {
    this.pages.splice(this.placeOf(page), 0, page);
    if (page.type === 'link') return;
    const key = slugKey(page.slug);
    const holders = this.#bySlug.get(key);
    if (holders === undefined) this.#bySlug.set(key, new Set([page.id]));
    else holders.add(page.id);
  }

  remove(page: PageEntry): void {
    const place = this.placeOf(page);
    if (this.pages[place]?.id === page.id) this.pages.splice(place, 1);
    const key = slugKey(page.slug);
    const holders = this.#bySlug.get(key);
    holders?.delete(page.id);
    if (holders?.size === 0) this.#bySlug.delete(key);
  }

  /** Whether a page other than `without` has this slug. Links have none. */
  hasSlug(slug: string, without: string): boolean {
    const holders = this.#bySlug.get(slugKey(slug));
    return holders !== undefined && holders.size > Number(holders.has(without));
  }

  /** Returns the number of pages that come before a page. The page need not be one of them. */
  placeOf(page: PageEntry): number {
    let low = 0;
    let high = this.pages.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (comparePages(this.pages[middle]!, page) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
