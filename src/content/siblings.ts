import { inOrder } from './tree.ts';
import type { PageEntry } from './rows.ts';

/** The pages of one parent while they are edited: in their order, and by their slugs. Costs little at any number. */
export class Siblings {
  readonly pages: PageEntry[] = [];
  readonly #bySlug = new Map<string, Set<string>>();

  add(page: PageEntry): void {
    this.pages.splice(this.placeOf(page), 0, page);
    if (page.type === 'link') return;
    const holders = this.#bySlug.get(page.slug);
    if (holders === undefined) this.#bySlug.set(page.slug, new Set([page.id]));
    else holders.add(page.id);
  }

  remove(page: PageEntry): void {
    const place = this.placeOf(page);
    if (this.pages[place]?.id === page.id) this.pages.splice(place, 1);
    const holders = this.#bySlug.get(page.slug);
    holders?.delete(page.id);
    if (holders?.size === 0) this.#bySlug.delete(page.slug);
  }

  /** Whether another page than `without` has this slug; links have none. */
  hasSlug(slug: string, without: string): boolean {
    const holders = this.#bySlug.get(slug);
    return holders !== undefined && holders.size > Number(holders.has(without));
  }

  /** How many of them come before a page, whether it is one of them or not. */
  placeOf(page: PageEntry): number {
    let low = 0;
    let high = this.pages.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (inOrder(this.pages[middle]!, page) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
