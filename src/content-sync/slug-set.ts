import { freeSlug, slugKey, toSlug } from '../content/slugs.ts';
import type { FolderPage } from './page-reader.ts';

/** Assigns unique slugs to sibling pages. */
export class SlugSet {
  readonly #taken: Set<string>;
  readonly #numbers = new Map<string, number>();

  constructor(taken: Iterable<string>) {
    this.#taken = new Set([...taken].map(slugKey));
  }

  /** Returns the slug of the file or title of a page, with a number if a sibling has it. Links may share slugs. */
  take({ type, slug, title }: FolderPage): string {
    const wanted = slug || toSlug(title);
    if (type === 'link') return wanted;
    const free = freeSlug(wanted, this.#taken, this.#numbers);
    this.#taken.add(slugKey(free));
    return free;
  }
}
