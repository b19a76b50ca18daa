import { maxSlugLength, toSlug } from '../content/slugs.ts';
import type { FolderPage } from './page-reader.ts';

/** The slugs of siblings: gives each page one of its own. */
export class SlugSet {
  readonly #taken: Set<string>;
  /** The number to try next behind a slug; without it, many equal ones would cost a quadratic search. */
  readonly #next = new Map<string, number>();

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  /** The slug of the page's file or title, with a number behind it where a sibling has it; links may share theirs. */
  take({ type, slug, title }: Pick<FolderPage, 'type' | 'slug' | 'title'>): string {
    const wanted = slug || toSlug(title);
    if (type === 'link') return wanted;
    let free = wanted;
    let number = this.#next.get(wanted) ?? 1;
    while (this.#taken.has(free)) {
      const suffix = `-${number++}`;
      free = wanted.slice(0, maxSlugLength - suffix.length) + suffix;
    }
    this.#next.set(wanted, number);
    this.#taken.add(free);
    return free;
  }
}
