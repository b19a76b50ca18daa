import type { ReadTransaction } from '../core/store.ts';
import { maxPageDepth } from './draft.ts';
import { resolveSiblingConflicts } from './merge-siblings.ts';
import { isSamePlace, otherSide, type Side, type Sides } from './merge-sides.ts';
import type { ConflictResolver } from './conflict-resolver.ts';
import { readPages } from './revisions.ts';
import type { Entry, PageEntry } from './rows.ts';

interface TreeMerge {
  readonly sides: Sides;
  readonly resolver: ConflictResolver;
  /** The entries that the merge puts or removes on top of the content of the space. */
  readonly changes: Map<string, Entry | undefined>;
  /** Pages that one side deleted and that are kept because the other side changed them, or needs them as parents. */
  readonly kept: Set<string>;
}

/**
 * Merges the additions, moves and deletions of both sides into one tree, in which each page has a parent, and no page is inside
 * itself or too deep.
 */
export async function mergeTree(view: ReadTransaction, theirs: string, given: TreeMerge): Promise<void> {
  const tree = new Tree(given, await readPages(view, theirs));
  // Each round moves pages to their place on one side, which may leave another page without a parent.
  do await tree.findParents();
  while (await tree.breakChains());
  for (const page of resolveSiblingConflicts([...tree.pages.values()], {
    theirs: (id) => tree.theirs.get(id),
    hasPlaced: (id) => given.sides.hasPlaced('theirs', id),
  }))
    tree.put(page);
}

class Tree {
  readonly pages = new Map<string, PageEntry>();
  readonly theirs: ReadonlyMap<string, PageEntry>;
  readonly #given: TreeMerge;
  readonly #dropped = new Map<string, Side>();
  readonly #settled = new Set<string>();

  constructor(given: TreeMerge, theirs: readonly PageEntry[]) {
    this.#given = given;
    this.theirs = new Map(theirs.map((page) => [page.id, page]));
    for (const page of theirs) this.pages.set(page.id, page);
    for (const [id, entry] of given.changes) {
      if (entry?.kind === 'page') this.pages.set(id, entry);
      else this.pages.delete(id);
    }
  }

  put(page: PageEntry): void {
    this.pages.set(page.id, page);
    if (page === this.theirs.get(page.id)) this.#given.changes.delete(page.id);
    else this.#given.changes.set(page.id, page);
  }

  #remove(id: string): void {
    this.pages.delete(id);
    if (this.theirs.has(id)) this.#given.changes.set(id, undefined);
    else this.#given.changes.delete(id);
  }

  /** Restores the parent of every page whose parent is deleted, or moves the page to its place on the other side. */
  async findParents(): Promise<void> {
    for (;;) {
      const orphans = [...this.pages.values()].flatMap((page) =>
        page.parent === null || this.pages.has(page.parent) ? [] : { page, parent: page.parent },
      );
      if (orphans.length === 0) return;
      for (const { page, parent } of orphans) await this.#findParent(page, parent);
    }
  }

  async #findParent(page: PageEntry, parent: string): Promise<void> {
    const { sides, resolver, kept } = this.#given;
    const before = await sides.page('ours', page.id);
    const ours = before?.parent === parent ? await sides.page('ours', parent) : undefined;
    const above = ours ?? (await sides.page('theirs', parent));
    const keeper: Side = ours === undefined ? 'theirs' : 'ours';
    const isKept = kept.has(page.id) || (await resolver.editedText(page)) !== undefined;
    const side = isKept
      ? keeper
      : (this.#dropped.get(parent) ?? (await resolver.decide(page, { place: 'deleted' })));
    if (side === keeper && above !== undefined) {
      this.put(above);
      kept.add(parent);
    } else await this.#placeAs(otherSide(keeper), page);
  }

  /** Moves a page to its place on a side. A page that the side does not have is removed with its descendants. */
  async #placeAs(side: Side, page: PageEntry): Promise<void> {
    const other = await this.#given.sides.page(side, page.id);
    if (other !== undefined) return this.put({ ...page, parent: other.parent, position: other.position });
    this.#dropped.set(page.id, side);
    this.#remove(page.id);
  }

  /** Fixes chains of pages that are cyclic or too long. They exist only if both sides moved pages. */
  async breakChains(): Promise<boolean> {
    const { sides } = this.#given;
    const moved = new Set<string>();
    for (const chain of this.#badChains()) {
      if (chain.some(({ id }) => moved.has(id))) continue;
      if (!(['ours', 'theirs'] as const).every((side) => chain.some(({ id }) => sides.hasPlaced(side, id))))
        continue;
      if (await this.#breakChain(chain)) for (const { id } of chain) moved.add(id);
    }
    return moved.size > 0;
  }

  async #breakChain(chain: readonly PageEntry[]): Promise<boolean> {
    const { sides, resolver } = this.#given;
    const ownPage = chain.find(({ id }) => !this.#settled.has(id) && sides.hasPlaced('ours', id));
    const [first] = chain;
    if (ownPage === undefined) {
      if (first !== undefined) await resolver.note(first, { place: 'place' });
      return false;
    }
    this.#settled.add(ownPage.id);
    if ((await resolver.decide(ownPage, { place: 'place' })) === 'theirs') {
      await this.#placeAs('theirs', ownPage);
      return true;
    }
    const others = chain.filter((page) => page !== ownPage && sides.hasPlaced('theirs', page.id));
    for (const page of others)
      if ((await sides.page('ours', page.id)) !== undefined) await this.#placeAs('ours', page);
    return true;
  }

  /** Returns the chains of pages that are cyclic, or too long from a page to the root. */
  #badChains(): PageEntry[][] {
    const found: PageEntry[][] = [];
    const depths = new Map<string, number>();
    for (const start of this.pages.values()) {
      const chain: PageEntry[] = [];
      const seen = new Set<string>();
      let page: PageEntry | undefined = start;
      while (page !== undefined && !depths.has(page.id) && !seen.has(page.id)) {
        seen.add(page.id);
        chain.push(page);
        page = this.#parentOf(page);
      }
      if (page !== undefined && seen.has(page.id)) {
        found.push(chain.slice(chain.indexOf(page)));
        for (const each of chain) depths.set(each.id, 0);
        continue;
      }
      let depth = (page && depths.get(page.id)) ?? 0;
      for (const each of chain.reverse()) depths.set(each.id, ++depth);
      if (depth > maxPageDepth) found.push(this.#chainOf(start));
    }
    return found;
  }

  #chainOf(start: PageEntry): PageEntry[] {
    const chain: PageEntry[] = [];
    for (let page: PageEntry | undefined = start; page !== undefined; page = this.#parentOf(page))
      chain.push(page);
    return chain;
  }

  #parentOf({ parent }: PageEntry): PageEntry | undefined {
    return parent === null ? undefined : this.pages.get(parent);
  }
}

/** Whether a change adds, moves or removes a page, or changes its slug or type. Such changes can conflict with other pages. */
export function isStructural(before: Entry | undefined, after: Entry | undefined): boolean {
  if (before?.kind !== 'page' || after?.kind !== 'page')
    return before?.kind === 'page' || after?.kind === 'page';
  return before.slug !== after.slug || before.type !== after.type || !isSamePlace(before, after);
}
