import type { PageBody } from '../resources/content/schemas.ts';
import { matchPages } from './match-pages.ts';
import { SiblingOrder } from './sibling-order.ts';
import { SlugSet } from './slug-set.ts';
import type { ContentChange } from '../content/changes.ts';
import type { FolderPage } from './page-reader.ts';

/** A page of the space as it will be when the changes so far are made. */
interface Known {
  readonly page: PageBody;
  parent: string | null;
  slug: string;
}

/** What is known of the pages under one parent. */
interface Family {
  readonly pages: readonly PageBody[];
  readonly order: SiblingOrder;
  /** Who has a slug now; links have none. */
  readonly slugs: Map<string, string>;
}

/**
 * The changes that make the pages of a space those of a folder, in an order in which each of them can be made: parents
 * before those under them, and slugs only when they are free.
 */
export function planPages(current: readonly PageBody[], pages: readonly FolderPage[]): ContentChange[] {
  return new PagePlan(current, matchPages(current, pages)).plan(pages);
}

class PagePlan {
  readonly #roots: readonly PageBody[];
  readonly #matches: ReadonlyMap<FolderPage, string>;
  readonly #matched: ReadonlySet<string>;
  readonly #known = new Map<string, Known>();
  readonly #families = new Map<string | null, Family>();
  /** Pages that match none of the folder and stay: made by hand, or with such a page under them. */
  readonly #remaining = new Set<string>();
  readonly #deleted = new Set<string>();
  /** Whether a page is gone with all under it; looked up again and again on the way down. */
  readonly #empty = new Map<string, boolean>();
  readonly #changes: ContentChange[] = [];
  #refs = 0;

  constructor(roots: readonly PageBody[], matches: ReadonlyMap<FolderPage, string>) {
    this.#roots = roots;
    this.#matches = matches;
    this.#matched = new Set(matches.values());
    this.#learn(roots, null);
  }

  plan(pages: readonly FolderPage[]): ContentChange[] {
    // What holds nothing that stays goes first, so that its slug is free; the rest when what stays has moved out of it.
    for (const page of this.#roots) this.#deleteEmpty(page);
    this.#placeAll(pages, null);
    this.#deleteRest(this.#roots, false);
    return this.#changes;
  }

  #learn(pages: readonly PageBody[], parent: string | null): boolean {
    if (pages.length === 0) return false;
    const slugs = new Map(
      pages.flatMap((page) => (page.type === 'link' ? [] : [[page.slug ?? '', page.id] as const])),
    );
    this.#families.set(parent, { pages, slugs, order: new SiblingOrder(pages.map((page) => page.id)) });
    let anyRemains = false;
    for (const page of pages) {
      this.#known.set(page.id, { page, parent, slug: page.slug ?? '' });
      const holds = this.#learn(page.pages ?? [], page.id);
      if (this.#matched.has(page.id) || (page.git !== undefined && !holds)) continue;
      this.#remaining.add(page.id);
      anyRemains = true;
    }
    return anyRemains;
  }

  /** Deletes pages that are gone from the folder and hold nothing that stays. */
  #deleteEmpty(page: PageBody): void {
    if (this.#holdsNothing(page)) this.#delete(page);
    else for (const child of page.pages ?? []) this.#deleteEmpty(child);
  }

  #holdsNothing(page: PageBody): boolean {
    const known =
      this.#empty.get(page.id) ??
      (this.#isGone(page) && (page.pages ?? []).every((child) => this.#holdsNothing(child)));
    this.#empty.set(page.id, known);
    return known;
  }

  #isGone({ id }: PageBody): boolean {
    return !this.#matched.has(id) && !this.#remaining.has(id);
  }

  /** Deletes what is gone; `isCovered` says that the parent was deleted, and with it what is still under it. */
  #deleteRest(pages: readonly PageBody[], isCovered: boolean): void {
    for (const page of pages) {
      if (this.#deleted.has(page.id)) continue;
      const isGone = this.#isGone(page);
      if (isGone && !isCovered) this.#delete(page);
      this.#deleteRest(page.pages ?? [], isGone);
    }
  }

  #delete({ id }: PageBody): void {
    this.#deleted.add(id);
    this.#changes.push({ operation: 'delete_page', page: id });
    this.#leave(id);
  }

  #placeAll(pages: readonly FolderPage[], parent: string | null): void {
    if (pages.length === 0) return;
    const family = this.#family(parent);
    const stays = family.pages.filter((page) => page.type !== 'link' && this.#remaining.has(page.id));
    const slugs = new SlugSet(stays.map((page) => page.slug ?? ''));
    const ids = pages.map((page) => this.#matches.get(page) ?? `import-${++this.#refs}`);
    family.order.expect(ids);
    for (const [index, page] of pages.entries()) {
      const id = ids[index]!;
      const slug = slugs.take(page);
      const known = this.#known.get(id);
      if (known === undefined) this.#insert(page, id, slug, parent);
      else this.#update(known, page, slug, parent);
      this.#placeAll(page.children, id);
    }
  }

  #insert(page: FolderPage, ref: string, slug: string, parent: string | null): void {
    if (page.type !== 'link') this.#takeSlug(parent, slug, ref);
    const { at, isLast } = this.#family(parent).order.place(ref)!;
    this.#changes.push({
      operation: 'insert_page',
      document: page.type === 'document' ? { markdown: page.markdown } : {},
      ...(page.type === 'document' ? {} : { type: page.type }),
      title: page.title,
      ...(page.type === 'link' ? { href: page.href! } : { slug }),
      ...(page.metadata.hidden === true ? { hidden: true } : {}),
      git: { path: page.path },
      ...(parent === null ? {} : { into: parent }),
      ...(isLast ? {} : { at }),
      ref,
    });
  }

  #update(known: Known, page: FolderPage, slug: string, parent: string | null): void {
    const { page: before } = known;
    const change: Record<string, unknown> = {};
    const isNew = page.type === 'document' && (before.git?.oid !== page.oid || before.git.path !== page.path);
    if (isNew) Object.assign(change, { document: { markdown: page.markdown }, git: { path: page.path } });
    // The front matter of a new text would give the page its own title.
    if (before.title !== page.title || (isNew && page.metadata.title !== undefined))
      change['title'] = page.title;
    if (page.type === 'document') Object.assign(change, changedFields(before, page, isNew));
    if (page.type !== 'link' && (known.slug !== slug || known.parent !== parent)) {
      this.#leaveSlug(known);
      this.#takeSlug(parent, slug, before.id);
      if (known.slug !== slug) change['slug'] = slug;
      known.slug = slug;
    }
    Object.assign(change, this.#move(known, parent));
    if (Object.keys(change).length > 0)
      this.#changes.push({ operation: 'update_page', page: before.id, ...change });
  }

  /** Where a page has to be moved, as far as it has to be. */
  #move(known: Known, parent: string | null): { into?: string | null; at?: number } {
    const isElsewhere = known.parent !== parent;
    if (isElsewhere) this.#family(known.parent).order.leave(known.page.id);
    known.parent = parent;
    const place = this.#family(parent).order.place(known.page.id);
    if (!isElsewhere) return place === undefined ? {} : { at: place.at };
    return { into: parent, ...(place!.isLast ? {} : { at: place!.at }) };
  }

  /** Gives a page a slug; who has it now and goes later gets another one for as long. */
  #takeSlug(parent: string | null, slug: string, id: string): void {
    const { slugs } = this.#family(parent);
    const holder = this.#known.get(slugs.get(slug) ?? '');
    if (holder !== undefined && holder.page.id !== id) {
      let other = slug;
      while (slugs.has(other)) other = `moving-${++this.#refs}`;
      this.#changes.push({ operation: 'update_page', page: holder.page.id, slug: other });
      slugs.set(other, holder.page.id);
      holder.slug = other;
    }
    slugs.set(slug, id);
  }

  #leaveSlug({ page, parent, slug }: Known): void {
    const { slugs } = this.#family(parent);
    if (slugs.get(slug) === page.id) slugs.delete(slug);
  }

  #leave(id: string): void {
    const known = this.#known.get(id)!;
    this.#family(known.parent).order.leave(id);
    this.#leaveSlug(known);
  }

  #family(parent: string | null): Family {
    const family = this.#families.get(parent) ?? {
      pages: [],
      slugs: new Map<string, string>(),
      order: new SiblingOrder([]),
    };
    this.#families.set(parent, family);
    return family;
  }
}

/** The fields of a document that differ, with "" and false for those that it has no more. */
function changedFields(before: PageBody, { metadata }: FolderPage, isNew: boolean): Record<string, unknown> {
  const change: Record<string, unknown> = {};
  for (const name of ['description', 'icon', 'emoji', 'condition'] as const) {
    if ((before[name] ?? '') !== (metadata[name] ?? '')) change[name] = metadata[name] ?? '';
  }
  for (const name of ['hidden', 'noIndex', 'noRobotsIndex'] as const) {
    if ((before[name] ?? false) !== (metadata[name] ?? false)) change[name] = metadata[name] ?? false;
  }
  if (isNew && metadata.hidden === true) change['hidden'] = true;
  return change;
}
