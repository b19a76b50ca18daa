import { defined, getOrInsert } from '../contract/values.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import { matchPages } from './match-pages.ts';
import { SiblingOrder } from './sibling-order.ts';
import { slugKey } from '../content/slugs.ts';
import { SlugSet } from './slug-set.ts';
import type { ContentChange } from '../content/changes.ts';
import type { FolderPage } from './page-reader.ts';

/** A page of the space after the changes so far. */
interface KnownPage {
  readonly page: PageBody;
  parent: string | null;
  slug: string;
}

interface Siblings {
  readonly pages: readonly PageBody[];
  readonly order: SiblingOrder;
  /**
   * The IDs of the pages that currently have a slug. Links have none. Stores of older versions have slugs that differ only in
   * case.
   */
  readonly slugs: Map<string, Set<string>>;
}

/**
 * Plans the changes that make the pages of a space equal to those of a folder, in a possible order: parents before children, and
 * slugs only after they are free.
 */
export function planPages(current: readonly PageBody[], pages: readonly FolderPage[]): ContentChange[] {
  return new PagePlan(current, matchPages(current, pages)).plan(pages);
}

class PagePlan {
  readonly #roots: readonly PageBody[];
  readonly #matches: ReadonlyMap<FolderPage, string>;
  readonly #matched: ReadonlySet<string>;
  readonly #known = new Map<string, KnownPage>();
  readonly #siblings = new Map<string | null, Siblings>();
  /** Pages without a match in the folder that are kept: they were created in the app, or contain such a page. */
  readonly #remaining = new Set<string>();
  readonly #deleted = new Set<string>();
  /** Caches whether a page is deleted with all its descendants. */
  readonly #empty = new Map<string, boolean>();
  readonly #changes: ContentChange[] = [];
  #refs = 0;

  constructor(roots: readonly PageBody[], matches: ReadonlyMap<FolderPage, string>) {
    this.#roots = roots;
    this.#matches = matches;
    this.#matched = new Set(matches.values());
    this.#index(roots, null);
  }

  plan(pages: readonly FolderPage[]): ContentChange[] {
    // Pages without kept descendants are deleted first, so that their slugs are free; the others after the moves.
    for (const page of this.#roots) this.#deleteEmpty(page);
    this.#placeAll(pages, null);
    this.#deleteRest(this.#roots, false);
    return this.#changes;
  }

  #index(pages: readonly PageBody[], parent: string | null): boolean {
    if (pages.length === 0) return false;
    const slugs: Siblings['slugs'] = new Map();
    for (const { type, slug = '', id } of pages) {
      const key = slugKey(slug);
      if (type !== 'link') slugs.set(key, new Set(slugs.get(key)).add(id));
    }
    this.#siblings.set(parent, { pages, slugs, order: new SiblingOrder(pages.map((page) => page.id)) });
    let anyRemains = false;
    for (const page of pages) {
      this.#known.set(page.id, { page, parent, slug: page.slug ?? '' });
      const holds = this.#index(page.pages ?? [], page.id);
      if (this.#matched.has(page.id) || (page.git !== undefined && !holds)) continue;
      this.#remaining.add(page.id);
      anyRemains = true;
    }
    return anyRemains;
  }

  /** Deletes pages that are no longer in the folder and have no kept descendants. */
  #deleteEmpty(page: PageBody): void {
    if (this.#isEmpty(page)) this.#delete(page);
    else for (const child of page.pages ?? []) this.#deleteEmpty(child);
  }

  #isEmpty(page: PageBody): boolean {
    return getOrInsert(
      this.#empty,
      page.id,
      () => this.#isGone(page) && (page.pages ?? []).every((child) => this.#isEmpty(child)),
    );
  }

  #isGone({ id }: PageBody): boolean {
    return !this.#matched.has(id) && !this.#remaining.has(id);
  }

  /** Deletes the other obsolete pages. `isCovered`: the deletion of the parent includes them. */
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
    const known = this.#known.get(id);
    if (known === undefined) return;
    this.#siblingsUnder(known.parent).order.leave(id);
    this.#freeSlug(known);
  }

  #placeAll(pages: readonly FolderPage[], parent: string | null): void {
    if (pages.length === 0) return;
    const siblings = this.#siblingsUnder(parent);
    const stays = siblings.pages.filter((page) => page.type !== 'link' && this.#remaining.has(page.id));
    const slugs = new SlugSet(stays.map((page) => page.slug ?? ''));
    const placed = pages.map((page) => ({ page, id: this.#matches.get(page) ?? `import-${++this.#refs}` }));
    siblings.order.expect(placed.map(({ id }) => id));
    for (const { page, id } of placed) {
      const slug = slugs.take(page);
      const known = this.#known.get(id);
      if (known === undefined) this.#insert(page, id, slug, parent);
      else this.#update(known, page, slug, parent);
      this.#placeAll(page.children, id);
    }
  }

  #insert(page: FolderPage, ref: string, slug: string, parent: string | null): void {
    if (page.type !== 'link') this.#takeSlug(parent, slug, ref);
    const place = this.#siblingsUnder(parent).order.place(ref);
    this.#changes.push({
      operation: 'insert_page',
      document: page.type === 'document' ? { markdown: page.markdown } : {},
      ...(page.computed !== undefined
        ? { type: 'computed' as const, computed: page.computed }
        : page.type === 'document'
          ? {}
          : { type: page.type }),
      title: page.title,
      ...defined({ linkTitle: page.linkTitle }),
      ...(page.computed !== undefined ? {} : page.type === 'link' ? { href: page.href ?? '' } : { slug }),
      ...(page.metadata.hidden === true ? { hidden: true } : {}),
      git: { path: page.path },
      ...(parent === null ? {} : { into: parent }),
      ...positionOf(place),
      ref,
    });
  }

  #update(known: KnownPage, page: FolderPage, slug: string, parent: string | null): void {
    const { page: before } = known;
    const change: Record<string, unknown> = {};
    const isNew = page.type === 'document' && (before.git?.oid !== page.oid || before.git.path !== page.path);
    if (isNew) Object.assign(change, { document: { markdown: page.markdown }, git: { path: page.path } });
    // A table of contents states no title of generated pages, and no link title of groups and generated pages.
    if (page.computed === undefined) {
      // The front matter of a new text would give the page its own title.
      if (before.title !== page.title || (isNew && page.metadata.title !== undefined))
        change['title'] = page.title;
      if (page.type !== 'group' && (before.linkTitle ?? '') !== (page.linkTitle ?? ''))
        change['linkTitle'] = page.linkTitle ?? '';
    } else if (JSON.stringify(before.computed) !== JSON.stringify(page.computed))
      change['computed'] = page.computed;
    if (page.type === 'document') Object.assign(change, changeFields(before, page, isNew));
    if (page.type !== 'link' && (known.slug !== slug || known.parent !== parent)) {
      this.#freeSlug(known);
      this.#takeSlug(parent, slug, before.id);
      if (known.slug !== slug) change['slug'] = slug;
      known.slug = slug;
    }
    Object.assign(change, this.#move(known, parent));
    if (Object.keys(change).length > 0)
      this.#changes.push({ operation: 'update_page', page: before.id, ...change });
  }

  /** Returns the new parent and index of a page, if they change. */
  #move(known: KnownPage, parent: string | null): { into?: string | null; at?: number } {
    const isElsewhere = known.parent !== parent;
    if (isElsewhere) this.#siblingsUnder(known.parent).order.leave(known.page.id);
    known.parent = parent;
    const place = this.#siblingsUnder(parent).order.place(known.page.id);
    if (!isElsewhere) return place === undefined ? {} : { at: place.at };
    return { into: parent, ...positionOf(place) };
  }

  /** Sets the slug of a page. Other pages that have it until a later change get temporary slugs. */
  #takeSlug(parent: string | null, slug: string, id: string): void {
    const { slugs } = this.#siblingsUnder(parent);
    const key = slugKey(slug);
    for (const other of slugs.get(key) ?? []) {
      const holder = this.#known.get(other);
      if (holder === undefined || other === id) continue;
      do holder.slug = `moving-${++this.#refs}`;
      while (slugs.has(holder.slug));
      this.#changes.push({ operation: 'update_page', page: other, slug: holder.slug });
      slugs.set(holder.slug, new Set([other]));
    }
    slugs.set(key, new Set([id]));
  }

  #freeSlug({ page, parent, slug }: KnownPage): void {
    this.#siblingsUnder(parent).slugs.get(slugKey(slug))?.delete(page.id);
  }

  #siblingsUnder(parent: string | null): Siblings {
    return getOrInsert(this.#siblings, parent, () => ({
      pages: [],
      slugs: new Map<string, Set<string>>(),
      order: new SiblingOrder([]),
    }));
  }
}

/** Returns the index of a page in its new parent; nothing for the last position, which is the default. */
function positionOf(place: ReturnType<SiblingOrder['place']>): { at?: number } {
  return place === undefined || place.isLast ? {} : { at: place.at };
}

/** Returns the fields of a document that differ, with "" and false for removed ones. */
function changeFields(before: PageBody, { metadata }: FolderPage, isNew: boolean): Record<string, unknown> {
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
