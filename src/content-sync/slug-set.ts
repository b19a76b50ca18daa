import { maxSlugLength, toSlug } from '../content/slugs.ts';
import type { FolderPage } from './page-reader.ts';
import { truncate } from '../contract/values.ts';

/** Gives each sibling page a slug of its own. */
export class SlugSet {
  readonly #taken: Set<string>;
  /** The next number to try after a slug, to avoid a quadratic search. */
  readonly #next = new Map<string, number>();

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  /** Returns the slug of the file or title of a page, with a number if a sibling has it. Links may share slugs. */
  take({ type, slug, title }: Pick<FolderPage, 'type' | 'slug' | 'title'>): string {
    const wanted = slug || toSlug(title);
    if (type === 'link') return wanted;
    let free = wanted;
    let number = this.#next.get(wanted) ?? 1;
    while (this.#taken.has(free)) {
      const suffix = `-${number++}`;
      free = truncate(wanted, maxSlugLength - suffix.length) + suffix;
    }
    this.#next.set(wanted, number);
    this.#taken.add(free);
    return free;
  }
}
