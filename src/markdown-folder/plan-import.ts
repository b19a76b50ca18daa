import type { Static } from '../contract/schema.ts';
import type { ContentChange } from '../resources/content/change-request/contract.ts';
import type { File, PageBody } from '../resources/content/schemas.ts';
import { freeSlug, slugOf } from '../resources/content/slugs.ts';
import type { FolderFile, FolderPage, MarkdownFolder } from './read-folder.ts';

/** What it takes to make a space hold what a folder holds. Nothing where it does already. */
export interface ImportPlan {
  /** Pages in an order in which each parent comes before those under it; `ref` stands for the id of a new one. */
  readonly pages: readonly ContentChange[];
  /** Files to send, with the id of the one that each replaces. */
  readonly files: readonly { readonly file: FolderFile; readonly replaces: string | undefined }[];
  readonly deletedFiles: readonly string[];
}

interface Current {
  readonly pages: readonly PageBody[];
  readonly files: readonly Static<typeof File>[];
}

/**
 * Compares a folder with what a space holds. A page is the same when it came from the same file, else when it has the
 * same path. Pages and files that came from a folder and are no longer in it are deleted; what was made by hand stays.
 */
export function planImport(current: Current, folder: MarkdownFolder): ImportPlan {
  const known = new Map(current.files.flatMap((file) => (file.git === undefined ? [] : [[file.git.path, file] as const])));
  const kept = new Set(folder.files.map((file) => file.path));
  return {
    pages: new PagePlan(current.pages).plan(folder.pages),
    files: folder.files.filter((file) => known.get(file.path)?.git?.oid !== file.oid).map((file) => ({ file, replaces: known.get(file.path)?.id })),
    deletedFiles: [...known].filter(([path]) => !kept.has(path)).map(([, file]) => file.id),
  };
}

interface Known {
  readonly page: PageBody;
  readonly parent: string | null;
}

class PagePlan {
  readonly #known = new Map<string, Known>();
  /** The children of each page as they will be when the changes so far are made. */
  readonly #order = new Map<string | null, string[]>();
  readonly #matched = new Set<string>();
  readonly #changes: ContentChange[] = [];
  #refs = 0;

  constructor(pages: readonly PageBody[]) {
    this.#learn(pages, null);
  }

  plan(pages: readonly FolderPage[]): ContentChange[] {
    const matches = new Map<FolderPage, string>();
    this.#match(pages, '', matches);
    // What holds nothing that stays goes first, so that its slug is free; the rest when what stays has moved out of it.
    this.#deleteGone();
    this.#place(pages, null, matches);
    this.#deleteGone();
    return this.#changes;
  }

  #learn(pages: readonly PageBody[], parent: string | null): void {
    this.#order.set(
      parent,
      pages.map((page) => page.id),
    );
    for (const page of pages) {
      this.#known.set(page.id, { page, parent });
      this.#learn(page.pages ?? [], page.id);
    }
  }

  /** Finds the page of the space for each page of the folder: documents by their file, then all by their path. */
  #match(pages: readonly FolderPage[], prefix: string, matches: Map<FolderPage, string>): void {
    const taken = new Set<string>();
    for (const page of pages) {
      const slug = freeSlug(page.slug || slugOf(page.title), taken);
      if (page.type !== 'link') taken.add(slug);
      const id =
        this.#find((known) => page.type === 'document' && known.git?.path === page.path && known.type === 'document') ??
        this.#find((known) => this.#isLike(known, page, prefix + slug));
      if (id !== undefined) {
        this.#matched.add(id);
        matches.set(page, id);
      }
      this.#match(page.children, `${prefix}${slug}/`, matches);
    }
  }

  #find(fits: (page: PageBody) => boolean): string | undefined {
    for (const [id, { page }] of this.#known) if (!this.#matched.has(id) && fits(page)) return id;
    return undefined;
  }

  #isLike(known: PageBody, page: FolderPage, path: string): boolean {
    if (known.type !== page.type) return false;
    return page.type === 'link' ? known.href === page.href && known.title === page.title : known.path === path && (page.type === 'group' || known.git === undefined);
  }

  #place(pages: readonly FolderPage[], parent: string | null, matches: ReadonlyMap<FolderPage, string>): void {
    const taken = new Set<string>();
    for (const [index, page] of pages.entries()) {
      const slug = freeSlug(page.slug || slugOf(page.title), taken);
      if (page.type !== 'link') taken.add(slug);
      const match = matches.get(page);
      const id = match === undefined ? this.#insert(page, slug, parent, index) : this.#update(match, page, slug, parent, index);
      this.#place(page.children, id, matches);
    }
  }

  #insert(page: FolderPage, slug: string, parent: string | null, index: number): string {
    const ref = `import-${++this.#refs}`;
    this.#changes.push({
      operation: 'insert_page',
      document: page.type === 'document' ? { markdown: page.markdown } : {},
      ...(page.type === 'document' ? {} : { type: page.type }),
      title: page.title,
      ...(page.type === 'link' ? { href: page.href! } : { slug }),
      git: { path: page.path },
      ...(parent === null ? {} : { into: parent }),
      ...this.#moveTo(ref, parent, index),
      ref,
    });
    return ref;
  }

  #update(id: string, page: FolderPage, slug: string, parent: string | null, index: number): string {
    const { page: before, parent: old } = this.#known.get(id)!;
    const change: Record<string, unknown> = {};
    if (page.type === 'document' && (before.git?.oid !== page.oid || before.git.path !== page.path))
      Object.assign(change, { document: { markdown: page.markdown }, git: { path: page.path } });
    if (before.title !== page.title) change['title'] = page.title;
    if (page.type !== 'link' && before.slug !== slug) change['slug'] = slug;
    for (const name of ['description', 'icon', 'emoji', 'condition'] as const) {
      if (page.type === 'document' && (before[name] ?? '') !== (page.metadata[name] ?? '')) change[name] = page.metadata[name] ?? '';
    }
    for (const name of ['hidden', 'noIndex', 'noRobotsIndex'] as const) {
      if (page.type === 'document' && (before[name] ?? false) !== (page.metadata[name] ?? false)) change[name] = page.metadata[name] ?? false;
    }
    if (old !== parent || this.#order.get(parent)?.[index] !== id) {
      Object.assign(change, old === parent ? {} : { into: parent }, { at: index });
      this.#moveTo(id, parent, index, old);
    }
    if (Object.keys(change).length > 0) this.#changes.push({ operation: 'update_page', page: id, ...change });
    return id;
  }

  /** Notes that a page comes to a place; gives the place to say where it is not the last. */
  #moveTo(id: string, parent: string | null, index: number, old: string | null = parent): { at?: number } {
    const from = this.#order.get(old) ?? [];
    if (from.includes(id)) from.splice(from.indexOf(id), 1);
    const siblings = this.#order.get(parent) ?? [];
    this.#order.set(parent, siblings);
    const isLast = index >= siblings.length;
    siblings.splice(index, 0, id);
    return isLast ? {} : { at: index };
  }

  /** Deletes pages that came from a folder, match none of it and hold nothing that stays. */
  #deleteGone(): void {
    for (const [id, { parent }] of this.#known) {
      const siblings = this.#order.get(parent);
      if (this.#stays(id) || siblings?.includes(id) !== true) continue;
      this.#changes.push({ operation: 'delete_page', page: id });
      siblings.splice(siblings.indexOf(id), 1);
      this.#forget(id);
    }
  }

  #forget(id: string): void {
    this.#known.delete(id);
    for (const child of this.#order.get(id) ?? []) this.#forget(child);
    this.#order.delete(id);
  }

  #stays(id: string): boolean {
    return this.#matched.has(id) || this.#known.get(id)?.page.git === undefined || (this.#order.get(id) ?? []).some((child) => this.#stays(child));
  }
}
