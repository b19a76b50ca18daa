import type { ReadTransaction } from '../core/store.ts';
import { maxPageDepth } from './draft.ts';
import { resolveSiblingConflicts } from './merge-siblings.ts';
import { isSamePlace, otherSide, type Side, type Sides } from './merge-sides.ts';
import type { ConflictResolver } from './conflict-resolver.ts';
import { readPages } from './revisions.ts';
import type { Entry, PageEntry } from './rows.ts';

interface TreeMerge {
  readonly sides: Sides;
  readonly verdicts: ConflictResolver;
  /** What the merge puts or removes on top of what the space has. */
  readonly changes: Map<string, Entry | undefined>;
  /** Pages that one side deleted and that are kept, because the other changed them or has pages under them that are kept. */
  readonly kept: Set<string>;
}

/** Makes one tree of what both sides put, moved and deleted: each page has its parent, none lies in itself or too deep. */
export async function mergeTree(view: ReadTransaction, theirs: string, given: TreeMerge): Promise<void> {
  const tree = new Tree(given, await readPages(view, theirs));
  // Each round puts pages to where one of the sides has them, which may take another page its parent.
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

  /** Gives every page whose parent is gone either its parent back or the place that the other side has it in. */
  async findParents(): Promise<void> {
    for (;;) {
      const orphans = [...this.pages.values()].filter(
        ({ parent }) => parent !== null && !this.pages.has(parent),
      );
      if (orphans.length === 0) return;
      for (const page of orphans) await this.#findParent(page, page.parent!);
    }
  }

  async #findParent(page: PageEntry, parent: string): Promise<void> {
    const { sides, verdicts, kept } = this.#given;
    const owns = async (side: Side) =>
      (await sides.page(side, page.id))?.parent === parent && (await sides.page(side, parent)) !== undefined;
    const keeper: Side = (await owns('ours')) ? 'ours' : 'theirs';
    const isKept = kept.has(page.id) || (await verdicts.editedText(page)) !== undefined;
    const side = isKept
      ? keeper
      : (this.#dropped.get(parent) ?? (await verdicts.decide(page, { place: 'deleted' })));
    if (side === keeper) {
      this.put((await sides.page(keeper, parent))!);
      kept.add(parent);
    } else await this.#placeAs(otherSide(keeper), page);
  }

  /** Puts a page to where a side has it; one that the side does not have goes, and those under it with it. */
  async #placeAs(side: Side, page: PageEntry): Promise<void> {
    const other = await this.#given.sides.page(side, page.id);
    if (other !== undefined) return this.put({ ...page, parent: other.parent, position: other.position });
    this.#dropped.set(page.id, side);
    this.#remove(page.id);
  }

  /** Takes apart chains of pages that end in themselves or are too long, which only the moves of both sides together make. */
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
    const { sides, verdicts } = this.#given;
    const mine = chain.find(({ id }) => !this.#settled.has(id) && sides.hasPlaced('ours', id));
    if (mine === undefined) {
      await verdicts.note(chain[0]!, { place: 'place' });
      return false;
    }
    this.#settled.add(mine.id);
    if ((await verdicts.decide(mine, { place: 'place' })) === 'theirs') {
      await this.#placeAs('theirs', mine);
      return true;
    }
    const others = chain.filter((page) => page !== mine && sides.hasPlaced('theirs', page.id));
    for (const page of others)
      if ((await sides.page('ours', page.id)) !== undefined) await this.#placeAs('ours', page);
    return true;
  }

  /** From each page that cannot be where it is, the pages up to the root or round once. */
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
        page = page.parent === null ? undefined : this.pages.get(page.parent);
      }
      if (page !== undefined && seen.has(page.id)) {
        found.push(chain.slice(chain.indexOf(page)));
        for (const each of chain) depths.set(each.id, 0);
        continue;
      }
      let depth = page === undefined ? 0 : depths.get(page.id)!;
      for (const each of chain.reverse()) depths.set(each.id, ++depth);
      if (depth > maxPageDepth) found.push(this.#chainOf(start));
    }
    return found;
  }

  #chainOf(start: PageEntry): PageEntry[] {
    const chain = [start];
    for (const page of chain) if (page.parent !== null) chain.push(this.pages.get(page.parent)!);
    return chain;
  }
}

/** Whether a change puts a page somewhere, takes it away or gives it another slug: what other pages may run into. */
export function isStructural(before: Entry | undefined, after: Entry | undefined): boolean {
  if (before?.kind !== 'page' || after?.kind !== 'page')
    return before?.kind === 'page' || after?.kind === 'page';
  return before.slug !== after.slug || before.type !== after.type || !isSamePlace(before, after);
}
